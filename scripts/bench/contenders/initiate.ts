import http from 'node:http';
import { approved, headersFor, merchant, orderOf } from '../order.js';
import { loadPackage } from '../own-build.js';
import { payosChecksumKey } from '../server.js';
import type { Suite } from './contender.js';

const order = orderOf(5);
const pages = { success_url: order.successRedirectUrl, cancel_url: order.unSuccessRedirectUrl };

async function stripe(url: string, options: { readonly overFetch: boolean }) {
  const { default: Stripe } = await import('stripe');
  const { hostname, port, protocol } = new URL(url);
  const client = new Stripe('sk_test_1', {
    host: hostname,
    port,
    protocol: protocol === 'https:' ? 'https' : 'http',
    telemetry: false,
    ...(options.overFetch && { httpClient: Stripe.createFetchHttpClient() }),
  });
  const lines = order.items.map((item) => ({
    quantity: item.quantity,
    price_data: {
      currency: 'vnd',
      unit_amount: item.price,
      product_data: { name: item.productName, description: item.category },
    },
  }));
  const session = { mode: 'payment', ...pages, line_items: lines };
  return { call: () => client.checkout.sessions.create(session, { idempotencyKey: 'ORDER-1-1' }) };
}

/** A hand-written client that uses only the transport of this package. */
function bareNodeHttp(url: string) {
  const agent = new http.Agent({ keepAlive: true });
  const { hostname, port } = new URL(url);
  const post = (body: string) =>
    new Promise<unknown>((resolve, reject) => {
      const headers = { ...headersFor(body), 'Content-Length': Buffer.byteLength(body) };
      const target = { hostname, port, path: '/v2/payments', method: 'POST', agent, headers };
      const request = http.request(target, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
        response.on('error', reject);
      });
      request.on('error', reject);
      request.end(body);
    });
  return { call: () => post(JSON.stringify(order)) };
}

/** One payment of five lines over loopback, from the caller's object to the parsed response. */
export const overNetwork = {
  'bare fetch': (url) => ({
    async call() {
      const body = JSON.stringify(order);
      const response = await fetch(`${url}/v2/payments`, { method: 'POST', body, headers: headersFor(body) });
      return response.json();
    },
  }),

  async 'installment-payments'(url) {
    const { InstallmentClient } = await loadPackage();
    const client = new InstallmentClient({ baseUrl: url, ...merchant });
    return { call: () => client.initiatePayment(order) };
  },

  'bare node:http': bareNodeHttp,
  'stripe (fetch)': (url) => stripe(url, { overFetch: true }),
  'stripe (node:http)': (url) => stripe(url, { overFetch: false }),

  async openai(url) {
    const { default: OpenAI } = await import('openai');
    const client = new OpenAI({ apiKey: 'sk-1', baseURL: `${url}/v1` });
    const messages = order.items.map((item) => ({ role: 'user', content: JSON.stringify(item) }));
    return { call: () => client.chat.completions.create({ model: 'm', messages }) };
  },

  async payos(url) {
    const { PayOS } = await import('@payos/node');
    const client = new PayOS({ clientId: 'c', apiKey: 'k', checksumKey: payosChecksumKey, baseURL: url });
    const items = order.items.map((item) => ({
      name: item.productName,
      quantity: item.quantity,
      price: item.price,
    }));
    const { successRedirectUrl: returnUrl, unSuccessRedirectUrl: cancelUrl } = order;
    return {
      call: () =>
        client.paymentRequests.create({
          orderCode: 1,
          amount: 12_000_000,
          description: 'DON HANG',
          cancelUrl,
          returnUrl,
          items,
        }),
    };
  },
} satisfies Suite;

const { 'installment-payments': ours, 'stripe (node:http)': stripeOverNode } = overNetwork;

/** One such payment over TLS with a long delay, which makes a handshake more expensive than a call. */
export const fromFarAway = { 'installment-payments': ours, 'stripe (node:http)': stripeOverNode } as const;

/** One such payment without a network. The `fetch` responds at once, so only the work of the client is measured. */
export function ownWork(lines: number): Suite {
  const lone = orderOf(lines);
  const answering = () => Promise.resolve(new Response(approved));
  return {
    'JSON + HMAC + Request': () => ({
      async call() {
        const body = JSON.stringify(lone);
        const request = new Request('https://pay.example/v2/payments', {
          method: 'POST',
          body,
          headers: headersFor(body),
        });
        const response = await answering();
        return [request, await response.json()];
      },
    }),

    async 'installment-payments'() {
      const { InstallmentClient } = await loadPackage();
      const client = new InstallmentClient({ baseUrl: 'https://pay.example', ...merchant, fetch: answering });
      return { call: () => client.initiatePayment(lone) };
    },
  };
}
