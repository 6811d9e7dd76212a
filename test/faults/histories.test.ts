import https from 'node:https';
import { createSecureContext } from 'node:tls';
import { http, passthrough } from 'msw';
import { setupServer } from 'msw/node';
import { Agent, interceptors, RetryAgent } from 'undici';
import { expect, test } from 'vitest';
import { undiciFetch } from '../http/undici-fetch.js';
import { settle } from '../helpers/runtime.js';
import { runs, seed } from '../helpers/seed.js';
import { makeAuthority, makeCertificate } from './certificate.js';
import { callsOver } from './histories/make-call.js';
import { runHistories, type HistoryOptions } from './histories/run-histories.js';
import type { CommonOptions } from '../../src/options/common-options.js';

// Beyond the simulation: real sockets and TLS, the transports that merchants inject, the lender's operations, and bytes that
// lie on a connection that is used again.

/** How many histories each transport gets; `TEST_RUNS_SHARE=10` asks for ten times as many. */
const count = runs(300);
/** Of a carrier that shares all code but its last step with another one that has them all: the first ones of these. */
const fewer = runs(100);

const authority = makeAuthority();
const certificate = makeCertificate({ host: '127.0.0.1', issuer: authority });
const retryPosts = {
  methods: ['POST' as const],
  maxRetries: 2,
  minTimeout: 1,
  errorCodes: ['ECONNRESET', 'ECONNREFUSED', 'UND_ERR_SOCKET'],
};

type Carrier = Pick<CommonOptions, 'agent' | 'fetch'>;
const carriers: readonly (readonly [name: string, carrier: Carrier, histories: number])[] = [
  ['node:http', {}, count],
  ["Node's fetch", { fetch: globalThis.fetch }, count],
  // The agent and the interceptor repeat requests with the same handler of undici.
  ['the RetryAgent of undici', { fetch: undiciFetch(new RetryAgent(new Agent(), retryPosts)) }, fewer],
  [
    'the retry interceptor of undici',
    { fetch: undiciFetch(new Agent().compose(interceptors.retry(retryPosts))) },
    count,
  ],
  // It repeats nothing but what is redirected.
  [
    'the redirect interceptor of undici',
    { fetch: undiciFetch(new Agent().compose(interceptors.redirect({ maxRedirections: 2 }))) },
    fewer,
  ],
];

async function expectHonest(
  options: Pick<HistoryOptions, 'makeCall' | 'secure'>,
  histories = count,
): Promise<void> {
  const { problems, outcomes } = await runHistories({ count: histories, seed, settle, ...options });
  expect(problems, `TEST_SEED=${seed} repeats this run`).toEqual([]);
  // Every ending was reached, or the run would say little.
  for (const reached of Object.values(outcomes)) expect(reached).toBeGreaterThan(0);
}

test.each(carriers)(
  'over %s no outcome claims more than the server knows',
  async (_name, carrier, histories) => {
    await expectHonest({ makeCall: callsOver(carrier) }, histories);
  },
  600_000,
);

test('over node:https no outcome claims more than the server knows', async () => {
  const agent = new https.Agent({
    keepAlive: true,
    secureContext: createSecureContext({ ca: authority.cert }),
  });
  await expectHonest({ secure: certificate, makeCall: callsOver({ agent }) });
  agent.destroy();
}, 600_000);

test('under the interception of MSW no outcome claims more than the server knows', async () => {
  const server = setupServer(http.all('*', () => passthrough()));
  server.listen();
  try {
    await expectHonest({ makeCall: callsOver({}) });
  } finally {
    server.close();
  }
}, 600_000);
