// A backend on Cloudflare Workers: takes webhooks, and makes the calls that workers.ts asks for.
import { ConfigurationError, InstallmentClient } from '../../src/entries/index.js';
import { createWebhookHandler } from '../../src/entries/webhooks.js';
import { systemRuntime } from '../../src/http/runtime.js';
import type { Operation } from '../../src/protocol/endpoints.js';
import { endingOf, merchant } from './histories/make-call.js';

const webhook = createWebhookHandler({ secretKey: merchant.secretKey, onEvent: () => undefined });
// A client outside of a handler, as most backends have one.
const client = new InstallmentClient({ ...merchant, baseUrl: 'https://pay.example' });

/** The option that an agent is refused for. */
function refusedOption(): string {
  const agent: object = { createConnection: () => undefined, destroy: () => undefined };
  const options: object = { ...merchant, baseUrl: 'https://pay.example', agent };
  try {
    new InstallmentClient(options);
    return 'none';
  } catch (error) {
    return error instanceof ConfigurationError ? error.option : String(error);
  }
}

interface Asked {
  readonly operation: Operation;
  readonly referenceId: string;
  readonly baseUrl: string;
}

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/webhook') return webhook.fetch(request);
    if (pathname === '/agent') return new Response(refusedOption());
    if (pathname === '/ready') return new Response(typeof client.initiatePayment);
    const { baseUrl, ...call } = (await request.json()) as Asked;
    const options = { baseUrl, attemptTimeoutMs: 500, maxRetries: 1 };
    return Response.json(await endingOf({ ...call, options, runtime: systemRuntime }));
  },
};
