import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { SecureVersion, TlsOptions } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { makeAuthority, makeCertificate } from '../faults/certificate.js';
import { FaultServer, type Step } from '../faults/fault-server.js';
import { alertingServer, type AlertName } from '../faults/tls-alerts.js';
import { json } from '../faults/steps.js';
import { instantRuntime } from '../helpers/runtime.js';
import { approvedPayment, demoClient, files, invoiceUpload, paymentRequest } from '../helpers/samples.js';
import { failure, summary } from './failure.js';

const host = '127.0.0.1';
const authority = makeAuthority();
const stranger = makeAuthority();
const serverCertificate = makeCertificate({ host, issuer: authority });
const merchant = makeCertificate({ host: 'merchant', issuer: authority });
const answered = json({ ...approvedPayment(), invoiceId: 'INVOICE-1' });
const upload = invoiceUpload({ file: Buffer.concat([files.pdf, Buffer.alloc(200_000)]) });
const versions = ['TLSv1.2', 'TLSv1.3'] as const satisfies readonly SecureVersion[];

const hourAgo = new Date(Date.now() - 3_600_000);

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanups.splice(0)) await undo();
});

async function serve(options: TlsOptions, script: readonly Step[] = [answered]): Promise<FaultServer> {
  const server = await FaultServer.start(script, { tls: { ...serverCertificate, ...options } });
  cleanups.push(() => server.close());
  return server;
}

function agentWith(options: https.AgentOptions): https.Agent {
  const agent = new https.Agent({ ca: authority.cert, keepAlive: true, ...options });
  cleanups.push(() => {
    agent.destroy();
  });
  return agent;
}

const isFinal = { code: 'CONNECTION', outcome: 'not_sent', retryable: false, attempts: 1 };
const isTransient = { code: 'CONNECTION', outcome: 'not_sent', retryable: true, attempts: 3 };

describe.each(versions)('the client over %s', (version) => {
  const only = { minVersion: version, maxVersion: version };
  const mutual = { ...only, requestCert: true, rejectUnauthorized: true, ca: authority.cert };

  test('accepts a private CA with its agent, and uses the connection again', async () => {
    const server = await serve(only);
    const client = demoClient({ baseUrl: server.url, agent: agentWith({}) });
    await client.initiatePayment(paymentRequest());
    await client.uploadInvoice(upload);
    expect(server.requests).toHaveLength(2);
    expect(server.connections).toBe(1);
  });

  test('presents a client certificate', async () => {
    const server = await serve(mutual);
    const client = demoClient({ baseUrl: server.url, agent: agentWith(merchant) });
    const { $metadata } = await client.uploadInvoice(upload);
    expect($metadata.attempts).toMatchObject([{ outcome: 'accepted', phase: 'complete' }]);
  });

  test('reports a missing client certificate as not_sent and final, and the server reads nothing', async () => {
    const server = await serve(mutual);
    for (let round = 0; round < 3; round++) {
      const client = demoClient({ baseUrl: server.url, agent: agentWith({}) });
      const error = await failure(client.uploadInvoice(upload));
      expect(summary(error)).toEqual(isFinal);
      expect(error.$metadata?.attempts).toMatchObject([{ phase: 'connecting' }]);
      expect(summary(await failure(client.initiatePayment(paymentRequest())))).toEqual(isFinal);
    }
    expect(server.requests).toHaveLength(0);
    expect(server.connections).toBe(6);
  });

  // A server of Node closes without an alert: in TLS 1.2 before its half of the handshake ends, in TLS 1.3 after it.
  test.each([
    ['of an unknown issuer', makeCertificate({ host: 'merchant', issuer: stranger })],
    ['that has expired', makeCertificate({ host: 'merchant', issuer: authority, notAfter: hourAgo })],
  ])('reports a client certificate %s as not_sent, if the server just closes', async (_, certificate) => {
    const server = await serve(mutual);
    const client = demoClient({ baseUrl: server.url, agent: agentWith(certificate) });
    expect(summary(await failure(client.uploadInvoice(upload)))).toEqual(isTransient);
    expect(server.requests).toHaveLength(0);
  });

  test('reports a refused server certificate as not_sent and final, and sends no byte of the request', async () => {
    const server = await serve(only);
    let sent = 0;
    await using relay = await relayTo(server.port, (bytes) => (sent += bytes));
    const client = demoClient({ baseUrl: `https://${host}:${String(relay.port)}` });
    expect(summary(await failure(client.uploadInvoice(upload)))).toEqual(isFinal);
    expect(server.connections).toBe(1);
    expect(server.requests).toHaveLength(0);
    // A client's half of a handshake, without the 200 kB of the request.
    expect(sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(5_000);
  });
});

const refusals = [
  'certificate_required',
  'unknown_ca',
  'access_denied',
  'decrypt_error',
  'bad_certificate',
  'unsupported_certificate',
  'certificate_revoked',
  'certificate_expired',
  'certificate_unknown',
] as const satisfies readonly AlertName[];

const codes: Partial<Record<AlertName, unknown>> = Object.fromEntries(
  [...refusals, 'internal_error', 'bad_record_mac'].map((name) => [
    name,
    expect.stringMatching(`ERR_SSL_.*${name.toUpperCase()}`) as unknown,
  ]),
);

const mutual = { ...serverCertificate, requestCert: true, ca: authority.cert };

describe('a fatal alert', () => {
  test.each(refusals)(
    '%s that refuses the certificate is not_sent and final, because the request waits until it is accepted',
    async (alert) => {
      // The delay is longer than a busy machine can block this process.
      const connectingMs = 400;
      await using server = await alertingServer({ tls: mutual, alert, at: 'handshake', connectingMs });
      const client = demoClient({ baseUrl: server.url, agent: agentWith(merchant) });
      const error = await failure(client.uploadInvoice(upload));
      expect(summary(error)).toEqual(isFinal);
      expect(error.$metadata?.attempts).toMatchObject([{ phase: 'connecting' }]);
      expect(server.requests).toHaveLength(0);
      expect(server.connections).toBe(1);
    },
  );

  describe.each([
    ['which has asked for a certificate', { tls: mutual }],
    ['which sends no session ticket', { tls: mutual, withoutTickets: true }],
    ['which has not asked for a certificate', { tls: serverCertificate }],
    ['which has not asked and sends no session ticket', { tls: serverCertificate, withoutTickets: true }],
  ])('sent by a server %s', (_title, options) => {
    test.each(['unknown_ca', 'certificate_required', 'internal_error', 'bad_record_mac'] as const)(
      '%s leaves the outcome unknown, if the server read the request first',
      async (alert) => {
        await using server = await alertingServer({ ...options, alert, at: 'request' });
        const client = demoClient({ baseUrl: server.url, agent: agentWith(merchant) });
        const error = await failure(client.uploadInvoice(upload));
        expect(summary(error)).toEqual({ ...isFinal, outcome: 'unknown' });
        expect(error.$metadata?.attempts).toMatchObject([{ error: codes[alert], phase: 'waiting' }]);
        expect(server.requests).toHaveLength(1);
      },
    );
  });

  test('on a reused connection leaves the outcome unknown', async () => {
    const answers = [JSON.stringify(approvedPayment())];
    const options = { tls: mutual, alert: 'unknown_ca', at: 'request', answers } as const;
    await using server = await alertingServer(options);
    const client = demoClient({ baseUrl: server.url, agent: agentWith(merchant) });
    await client.initiatePayment(paymentRequest());
    const error = await failure(client.uploadInvoice(upload));
    expect(summary(error)).toEqual({ ...isFinal, outcome: 'unknown' });
    expect(server.connections).toBe(1);
  });
});

/** Forwards bytes, and counts those that the client has sent. */
async function relayTo(port: number, told: (bytes: number) => void) {
  const sockets: Socket[] = [];
  const relay = net.createServer((client) => {
    const server = net.connect(port, host);
    for (const socket of [client, server]) sockets.push(socket.on('error', () => undefined));
    client.on('data', ({ length }) => {
      told(length);
    });
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((resolve) => relay.listen(0, host, resolve));
  return {
    port: (relay.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => relay.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

describe('agents', () => {
  test.each([
    ['https', new http.Agent()],
    ['http', new https.Agent()],
  ])(
    'are not_sent and final if they are not agents for %s, and the message says so',
    async (scheme, agent) => {
      await using server = await FaultServer.start([answered]);
      const client = demoClient({ baseUrl: server.url.replace('http:', `${scheme}:`), agent });
      const error = await failure(client.uploadInvoice(upload));
      expect(summary(error)).toEqual(isFinal);
      expect(error.message).toContain(`the agent is not an agent for ${scheme}`);
      expect(server.connections).toBe(0);
    },
  );

  test('are not_sent if a time limit passes while the request waits in the queue of a full agent', async () => {
    const runtime = instantRuntime();
    let answer: () => void = () => undefined;
    const late: Step = {
      at: 'end',
      act: (socket, request) => {
        answer = () => {
          answered.act(socket, request);
        };
      },
    };
    await using server = await FaultServer.start([late]);
    const agent = new http.Agent({ maxSockets: 1, keepAlive: true });
    const options = { baseUrl: server.url, agent };
    const first = demoClient(options).initiatePayment(paymentRequest());
    await expect.poll(() => server.requests[0]?.complete).toBe(true);

    const queued = failure(demoClient({ ...options, maxRetries: 1 }, runtime).uploadInvoice(upload));
    for (const length of [1, 1]) {
      await expect.poll(() => Object.values(agent.requests).flat()).toHaveLength(length);
      runtime.advance(15_000);
    }
    expect(summary(await queued)).toEqual({
      code: 'TIMEOUT',
      outcome: 'not_sent',
      retryable: true,
      attempts: 2,
    });
    answer();
    await first;
    agent.destroy();
    expect(server.requests).toHaveLength(1);
  });
});
