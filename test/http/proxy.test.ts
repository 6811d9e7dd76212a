import https from 'node:https';
import net from 'node:net';
import { resolve } from 'node:path';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { transform } from 'esbuild';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { ProxyAgent } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeAuthority, makeCertificate } from '../faults/certificate.js';
import { FaultServer } from '../faults/fault-server.js';
import { json } from '../faults/steps.js';
import { freePort } from '../helpers/free-port.js';
import { instantRuntime } from '../helpers/runtime.js';
import { InstallmentClient, type InstallmentClientOptions } from '../../src/entries/index.js';
import { approvedPayment, demo, demoClient, invoiceUpload, paymentRequest } from '../helpers/samples.js';
import { snippetsOf } from '../helpers/snippets.js';
import { failure, summary } from './failure.js';
import { ProxyServer } from './proxy-server.js';
import { undiciFetch } from './undici-fetch.js';

const authority = makeAuthority();
const answered = json({ ...approvedPayment(), invoiceId: 'INVOICE-1' });
let secure: FaultServer;
let secureUrl = '';
let plain: FaultServer;

beforeAll(async () => {
  const tls = makeCertificate({ host: 'localhost', issuer: authority });
  secure = await FaultServer.start([answered], { tls });
  secureUrl = `https://localhost:${String(secure.port)}`;
  plain = await FaultServer.start([answered]);
});
beforeEach(() => {
  secure.requests.length = 0;
  plain.requests.length = 0;
});
afterAll(() => Promise.all([secure.close(), plain.close()]));

const isFinal = { code: 'CONNECTION', outcome: 'not_sent', retryable: false, attempts: 1 };
const isTransient = { ...isFinal, retryable: true, attempts: 3 };

/** The proxy's agent, which trusts the test's authority for the service itself. */
function tunnelling(proxyUrl: string): HttpsProxyAgent<string> {
  const agent = new HttpsProxyAgent(proxyUrl, { keepAlive: true });
  Object.assign(agent.options, { ca: authority.cert });
  return agent;
}

/** The agent of the guide, with a pool of four, and 50 ms instead of 5 s. */
async function agentOfTheGuide(proxyUrl: string): Promise<HttpsProxyAgent<string>> {
  const guide = await readFile('docs/proxies-and-certificates.md', 'utf8');
  const recipe = snippetsOf(guide, 'guide').find(({ code }) => code.includes('extends HttpsProxyAgent'));
  const end = recipe?.code.indexOf('const agent') ?? 0;
  const shown = recipe?.code.slice(0, end).replace('5_000', '50') ?? '';
  const source = `${shown}; export { TunnelAgent };`;
  const { code } = await transform(source, { loader: 'ts', target: 'node20' });
  const file = resolve(`test/.tunnel-agent-${process.pid}.mjs`);
  await writeFile(file, code);
  try {
    const { TunnelAgent } = (await import(/* @vite-ignore */ file)) as {
      TunnelAgent: typeof HttpsProxyAgent<string>;
    };
    const agent = new TunnelAgent(proxyUrl, { keepAlive: true, maxSockets: 4 });
    Object.assign(agent.options, { ca: authority.cert });
    return agent;
  } finally {
    await rm(file);
  }
}

describe('https through CONNECT', () => {
  test('delivers payments and uploads', async () => {
    await using proxy = await ProxyServer.start('tunnel');
    const agent = tunnelling(proxy.url);
    const client = demoClient({ baseUrl: secureUrl, agent });
    const payment = await client.initiatePayment(paymentRequest());
    await client.uploadInvoice(invoiceUpload());
    agent.destroy();
    expect(payment.$metadata.attempts).toMatchObject([{ outcome: 'accepted', phase: 'complete' }]);
    expect(secure.requests).toHaveLength(2);
    expect(new Set(proxy.tunnels)).toEqual(new Set([`localhost:${String(secure.port)}`]));
  });

  test.each([403, 407, 502])(
    'reports a refusal with %i as not_sent and final, and names the status',
    async (status) => {
      await using proxy = await ProxyServer.start(status);
      const client = demoClient({ baseUrl: secureUrl, agent: tunnelling(proxy.url) });
      for (const call of [client.initiatePayment(paymentRequest()), client.uploadInvoice(invoiceUpload())]) {
        const error = await failure(call);
        expect(summary(error)).toEqual(isFinal);
        expect(error.message).toContain(`the proxy responded with HTTP ${String(status)}`);
        expect(error.$metadata?.attempts).toMatchObject([{ phase: 'connecting' }]);
      }
      expect(proxy.tunnels).toHaveLength(2);
      expect(secure.requests).toHaveLength(0);
    },
  );

  test.each(['reset', 'close'] as const)(
    'reports a proxy that breaks the connection as not_sent: %s',
    async (answer) => {
      await using proxy = await ProxyServer.start(answer);
      const client = demoClient({ baseUrl: secureUrl, agent: tunnelling(proxy.url) });
      const error = await failure(client.uploadInvoice(invoiceUpload()));
      expect(summary(error)).toEqual(isTransient);
      expect(proxy.tunnels).toHaveLength(3);
      expect(secure.requests).toHaveLength(0);
    },
  );

  test('reports a time limit that passes while the proxy hangs as not_sent', async () => {
    const runtime = instantRuntime();
    await using proxy = await ProxyServer.start('hang', () => {
      setImmediate(() => {
        runtime.advance(15_000);
      });
    });
    const client = demoClient({ baseUrl: secureUrl, agent: tunnelling(proxy.url), maxRetries: 1 }, runtime);
    const error = await failure(client.uploadInvoice(invoiceUpload()));
    expect(summary(error)).toEqual({ code: 'TIMEOUT', outcome: 'not_sent', retryable: true, attempts: 2 });
    expect(error.message).toContain('still connecting');
    expect(secure.requests).toHaveLength(0);
  });

  test('leaves no connection in the agent of the guide, and no full pool, if a proxy ignores CONNECT', async () => {
    await using proxy = await ProxyServer.start('hang');
    const agent = await agentOfTheGuide(proxy.url);
    const client = new InstallmentClient({
      ...demo,
      baseUrl: secureUrl,
      agent,
      attemptTimeoutMs: 100,
      totalTimeoutMs: 1_000,
    });
    const startedMs = performance.now();
    const payments = Array.from({ length: 40 }, () => failure(client.initiatePayment(paymentRequest())));
    const errors = await Promise.all(payments);
    expect(new Set(errors.map(({ outcome }) => outcome))).toEqual(new Set(['not_sent']));
    expect(performance.now() - startedMs).toBeLessThan(4_000);
    await expect.poll(() => proxy.connections).toBe(0);

    proxy.answer = 'tunnel';
    const patient = new InstallmentClient({ ...demo, baseUrl: secureUrl, agent });
    await patient.initiatePayment(paymentRequest());
    await patient.initiatePayment(paymentRequest());
    agent.destroy();
    expect(secure.requests).toHaveLength(2);
  });

  test('reports an agent for http, whose connection has no TLS, as not_sent and final', async () => {
    await using proxy = await ProxyServer.start('tunnel');
    const client = demoClient({ baseUrl: secureUrl, agent: new HttpProxyAgent(proxy.url) });
    const error = await failure(client.uploadInvoice(invoiceUpload()));
    expect(summary(error)).toEqual(isFinal);
    expect(error.message).toContain('the connection of the agent has no TLS');
    expect(proxy.forwarded).toEqual([]);
    expect(proxy.tunnels).toEqual([]);
  });

  test('refuses a socket without TLS whose class extends net.Socket, and writes nothing', async () => {
    class OwnSocket extends net.Socket {}
    const agent = new https.Agent();
    agent.createConnection = () => new OwnSocket().connect(plain.port, '127.0.0.1');
    const client = demoClient({ baseUrl: secureUrl, agent });
    const error = await failure(client.uploadInvoice(invoiceUpload()));
    expect(summary(error)).toEqual(isFinal);
    expect(error.message).toContain('the connection of the agent has no TLS');
    expect(plain.requests).toEqual([]);
  });

  test('reports a refused certificate of the service behind a proxy as not_sent and final', async () => {
    await using proxy = await ProxyServer.start('tunnel');
    const agent = new HttpsProxyAgent(proxy.url);
    const error = await failure(demoClient({ baseUrl: secureUrl, agent }).uploadInvoice(invoiceUpload()));
    expect(summary(error)).toEqual(isFinal);
    expect(secure.requests).toHaveLength(0);
  });
});

describe('http', () => {
  test('delivers payments and uploads through a forward proxy', async () => {
    await using proxy = await ProxyServer.start('tunnel');
    const client = demoClient({ baseUrl: plain.url, agent: new HttpProxyAgent(proxy.url) });
    await client.initiatePayment(paymentRequest());
    await client.uploadInvoice(invoiceUpload());
    expect(plain.requests).toHaveLength(2);
    expect(proxy.forwarded).toEqual([`${plain.url}/v2/payments`, `${plain.url}/v2/payments/upload-invoice`]);
  });
});

describe("undici's ProxyAgent, through fetch", () => {
  test('delivers https through CONNECT', async () => {
    await using proxy = await ProxyServer.start('tunnel');
    const dispatcher = new ProxyAgent({ uri: proxy.url, requestTls: { ca: authority.cert } });
    await demoClient({ baseUrl: secureUrl, fetch: undiciFetch(dispatcher) }).uploadInvoice(invoiceUpload());
    await dispatcher.destroy();
    expect(secure.requests).toHaveLength(1);
  });

  test('reports a refusal of CONNECT as unknown, because fetch hides it, and sends an upload once', async () => {
    await using proxy = await ProxyServer.start(403);
    const dispatcher = new ProxyAgent({ uri: proxy.url });
    const client = demoClient({ baseUrl: secureUrl, fetch: undiciFetch(dispatcher) });
    const error = await failure(client.uploadInvoice(invoiceUpload()));
    await dispatcher.destroy();
    expect(summary(error)).toEqual({ code: 'CONNECTION', outcome: 'unknown', retryable: false, attempts: 1 });
    expect(secure.requests).toHaveLength(0);
  });
});

describe('a proxy of the environment that Node was not configured to use', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const messageFor = async (options: Partial<InstallmentClientOptions>) => {
    const client = demoClient({ baseUrl: 'https://pay.invalid', maxRetries: 0, ...options });
    const error = await failure(client.initiatePayment(paymentRequest()));
    expect(error).toMatchObject({ code: 'CONNECTION', outcome: 'not_sent', retryable: true });
    return error.message;
  };
  const named = 'HTTPS_PROXY is set but not used: set NODE_USE_ENV_PROXY=1 (from Node 24), or pass an agent';

  test('is named in the error for a host that cannot be reached', async () => {
    expect(await messageFor({})).not.toContain('PROXY');
    vi.stubEnv('HTTPS_PROXY', 'http://user:hunter2@proxy.internal:3128');
    const message = await messageFor({});
    expect(message).toContain(named);
    expect(message).not.toContain('proxy.internal');
  });

  test('for all protocols is named with the variable that Node reads', async () => {
    vi.stubEnv('ALL_PROXY', 'http://proxy.internal:3128');
    expect(await messageFor({})).toContain(
      'ALL_PROXY is set but not used: set NODE_USE_ENV_PROXY=1 (from Node 24), with the proxy in HTTPS_PROXY, or pass',
    );
  });

  test.each(['*', 'other.example, .invalid', 'PAY.INVALID', '*.invalid:443'])(
    'is not named if NO_PROXY contains the host: %s',
    async (exceptions) => {
      vi.stubEnv('https_proxy', 'http://proxy.internal:3128');
      vi.stubEnv('NO_PROXY', exceptions);
      expect(await messageFor({})).not.toContain('proxy');
      vi.stubEnv('NO_PROXY', 'y.invalid');
      expect(await messageFor({})).toContain('https_proxy is set');
    },
  );

  test('is not named if there is an agent, or for this machine', async () => {
    vi.stubEnv('HTTPS_PROXY', 'http://proxy.internal:3128');
    expect(await messageFor({ agent: new https.Agent() })).not.toContain('PROXY');
    const port = String(await freePort());
    expect(await messageFor({ baseUrl: `https://localhost:${port}` })).not.toContain('PROXY');
  });
});
