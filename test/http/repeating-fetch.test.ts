import { Agent, interceptors, RetryAgent } from 'undici';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Fetch } from '../../src/entries/index.js';
import { fetchTransport } from './transmission.js';
import { systemError } from '../faults/detours.js';
import { freePort } from '../helpers/free-port.js';
import { recordingServer, type RecordingServer } from '../helpers/recording-server.js';
import { framed, scriptedFetch } from '../helpers/scripted-fetch.js';
import { demoClient, invoiceUpload, paymentRequest } from '../helpers/samples.js';
import { failure, summary } from './failure.js';
import { wireRequest } from './transport.contract.js';
import { undiciFetch } from './undici-fetch.js';

let server: RecordingServer;
let deadUrl: string;

beforeEach(async () => {
  // Reads the whole request, as a service that acts on it does, and closes its port before the connection.
  server = await recordingServer((socket) => {
    void server.close();
    socket.resetAndDestroy();
  });
  deadUrl = `http://127.0.0.1:${String(await freePort())}`;
});
afterEach(() => server.close());

const elsewhere = (input: string | URL) => new URL(new URL(input).pathname, deadUrl);
const retryPosts = {
  methods: ['POST' as const],
  maxRetries: 2,
  minTimeout: 1,
  errorCodes: ['ECONNRESET', 'ECONNREFUSED', 'UND_ERR_SOCKET'],
};

/** The same request with a copy of its body, which can be sent again; fetch adds the length of such a body itself. */
async function copied(init: RequestInit = {}): Promise<RequestInit> {
  const headers = new Headers(init.headers);
  headers.delete('content-length');
  return { ...init, headers, body: await new Response(init.body).arrayBuffer() };
}

/** Ways to send a request again, which a server has read, to a port that refuses connections. */
const repeating: readonly (readonly [name: string, fetch: Fetch])[] = [
  ['RetryAgent of undici', undiciFetch(new RetryAgent(new Agent(), retryPosts))],
  ['retry interceptor of undici', undiciFetch(new Agent().compose(interceptors.retry(retryPosts)))],
  [
    'failover to another host with a copy of the body',
    async (input, init) => {
      const copy = await copied(init);
      return fetch(input, copy).catch(() => fetch(elsewhere(input), copy));
    },
  ],
  [
    'failover to another host with the same body',
    (input, init) => fetch(input, init).catch(() => fetch(elsewhere(input), init)),
  ],
  [
    'failover that reports the first error of its list',
    async (input, init) => {
      await fetch(input, init).catch(() => undefined);
      throw systemError('ENOTFOUND', 'getaddrinfo');
    },
  ],
  [
    'redirect that is followed by hand',
    async (input, init) => {
      const copy = await copied(init);
      await fetch(input, copy).catch(() => undefined);
      return fetch(elsewhere(input), { ...copy, redirect: 'follow' });
    },
  ],
];

describe.each(repeating)('a fetch with a %s', (_name, fetch) => {
  test('ends an upload that a server has read as unknown, after one request', async () => {
    const error = await failure(demoClient({ baseUrl: server.url, fetch }).uploadInvoice(invoiceUpload()));
    expect(summary(error)).toEqual({ code: 'CONNECTION', outcome: 'unknown', retryable: false, attempts: 1 });
    expect(server.requests).toHaveLength(1);
  });

  test('ends a payment that a server has read as unknown', async () => {
    const client = demoClient({ baseUrl: server.url, fetch });
    const error = await failure(client.initiatePayment(paymentRequest()));
    expect(error.outcome).toBe('unknown');
    expect(error.$metadata?.attempts[0]).toMatchObject({ outcome: 'unknown' });
  });
});

const refused = systemError('ECONNREFUSED', 'connect');
const badCertificate = systemError('CERT_HAS_EXPIRED');

test.each([
  ['ECONNREFUSED', refused],
  ['CERT_HAS_EXPIRED', badCertificate],
])(
  'a fetch that read a byte of the body and rejects with %s has an unknown outcome',
  async (_code, cause) => {
    const request = wireRequest({ url: 'https://pay.example' });
    const failing: Fetch = async (_input, init) => {
      const reader = (init.body as ReadableStream<Uint8Array>).getReader();
      for (let taken = 0; taken === 0;) taken += (await reader.read()).value?.length ?? 1;
      throw new TypeError('fetch failed', { cause });
    };
    const { failure: failed } = await fetchTransport(failing)(request).result;
    expect(failed).toMatchObject({ outcome: 'unknown' });
  },
);

test.each([
  ['ECONNREFUSED', refused],
  ['CERT_HAS_EXPIRED', badCertificate],
])('a fetch that read no byte of the body and rejects with %s is not_sent', async (_code, cause) => {
  const request = wireRequest({ url: 'https://pay.example' });
  // Node's fetch takes one piece before it connects.
  const failing: Fetch = async (_input, init) => {
    await (init.body as ReadableStream<Uint8Array>).getReader().read();
    throw new TypeError('fetch failed', { cause });
  };
  const { failure: failed } = await fetchTransport(failing)(request).result;
  expect(failed).toMatchObject({ outcome: 'not_sent' });
});

test('a second reader of the body receives no byte of it', async () => {
  const sizes: number[] = [];
  const { fetch } = scriptedFetch(async ({ init }) => {
    for (let reader = 0; reader < 2; reader++) {
      let size = 0;
      for await (const piece of init.body as ReadableStream<Uint8Array>) size += piece.length;
      sizes.push(size);
    }
    return framed('{}');
  });
  const request = wireRequest({ url: 'https://pay.example' });
  await fetchTransport(fetch)(request).result;
  expect(sizes).toEqual([request.body.length, 0]);
});

test('the first response counts if a fetch resolves twice', async () => {
  const twice = (() => ({
    then(resolve: (response: Response) => void) {
      resolve(framed('first', { status: 502 }));
      resolve(framed('second', { status: 400 }));
    },
  })) as unknown as Fetch;
  const { response } = await fetchTransport(twice)(wireRequest({ url: 'https://pay.example' })).result;
  expect(response?.httpStatus).toBe(502);
});
