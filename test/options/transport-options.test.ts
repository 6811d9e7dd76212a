import { Agent } from 'node:http';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  ConfigurationError,
  InstallmentClient,
  type InstallmentClientOptions,
} from '../../src/entries/index.js';
import { LenderClient } from '../../src/entries/lender.js';
import { recordingServer } from '../helpers/recording-server.js';
import { approvedPayment, credentials, demoClient, paymentRequest, thrownBy } from '../helpers/samples.js';
import { answering } from '../helpers/scripted-fetch.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

const makers = [
  ['a merchant', (options: object) => new InstallmentClient({ ...credentials, ...options })],
  ['a lender', (options: object) => new LenderClient({ baseUrl: 'https://service.example', ...options })],
] as const;

describe.each(makers)('http to a host that is not loopback, for %s', (_name, make) => {
  const inTheClear = { baseUrl: 'http://mock:4010' };

  /** The log records that are written while a client is created. */
  function warningsOf(options: object): unknown[][] {
    const lines: unknown[][] = [];
    const log = (...line: unknown[]) => void lines.push(line);
    make({ ...options, logger: { debug: log, info: log, warn: log, error: log } });
    return lines;
  }

  test('is refused, with a message that names the option that permits it', () => {
    const error = thrownBy(() => make(inTheClear));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ option: 'baseUrl' });
    expect(error).toHaveProperty('message', expect.stringContaining('allowInsecureHttp: true'));
    expect(thrownBy(() => make({ ...inTheClear, allowInsecureHttp: false }))).toMatchObject({
      option: 'baseUrl',
    });
  });

  test('is permitted by allowInsecureHttp, with one warning that names the host', () => {
    const warning = [
      'requests are not encrypted (allowInsecureHttp): anyone on the network path can read and change them',
      { host: 'mock:4010' },
    ];
    expect(warningsOf({ ...inTheClear, allowInsecureHttp: true })).toEqual([warning]);
  });

  test('is permitted by the environment if the option is not given', () => {
    vi.stubEnv('INSTALLMENT_ALLOW_INSECURE_HTTP', '1');
    expect(warningsOf(inTheClear)).toHaveLength(1);
    expect(warningsOf({ baseUrl: new URL(inTheClear.baseUrl) })).toHaveLength(1);
    expect(thrownBy(() => make({ ...inTheClear, allowInsecureHttp: false }))).toMatchObject({
      option: 'baseUrl',
    });
  });

  test.each(['0', 'true', 'yes', ''])('is not permitted by the environment that says %j', (value) => {
    vi.stubEnv('INSTALLMENT_ALLOW_INSECURE_HTTP', value);
    expect(thrownBy(() => make(inTheClear))).toMatchObject({ option: 'baseUrl' });
  });

  test('causes a warning, unlike https and loopback', () => {
    for (const baseUrl of ['https://pay.example', 'http://localhost:4010', 'http://[::1]:1'])
      expect(warningsOf({ baseUrl, allowInsecureHttp: true })).toEqual([]);
  });

  test.each([1, 'true', null])('cannot be permitted by %j', (allowInsecureHttp) => {
    expect(thrownBy(() => make({ ...inTheClear, allowInsecureHttp }))).toMatchObject({
      option: 'allowInsecureHttp',
    });
  });
});

describe.each(makers)('agent and fetch, for %s', (_name, make) => {
  const { fetch } = answering({});
  const noop = () => undefined;

  test('exclude each other', () => {
    const error = thrownBy(() => make({ agent: new Agent(), fetch }));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ option: 'agent' });
    expect(error).toHaveProperty('message', expect.stringContaining('cannot be combined with fetch'));
    make({ agent: new Agent() });
    make({ fetch });
  });

  test.each([{ addRequest: noop }, { createConnection: noop, destroy: noop }])(
    'accept an agent with the methods of %o, which Node or a proxy library calls',
    (agent) => {
      expect(() => make({ agent })).not.toThrow();
    },
  );

  test('reject an agent without the methods that Node calls', () => {
    for (const agent of [
      null,
      7,
      {},
      { destroy: noop },
      { createConnection: noop },
      noop,
      'proxy.example:3128',
    ])
      expect(thrownBy(() => make({ agent }))).toMatchObject({ code: 'CONFIGURATION', option: 'agent' });
  });
});

describe('an agent', () => {
  test('makes the connections of its client', async () => {
    const server = await recordingServer({ body: approvedPayment() });
    const agent = new Agent({ keepAlive: true });
    await demoClient({ baseUrl: server.url, agent }).initiatePayment(paymentRequest());
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(1);
    agent.destroy();
    await server.close();
  });
});

describe('a base URL with the path of an operation, or the beginning of a path', () => {
  test.each([
    ['https://pay.example/v2', '/v2'],
    ['https://pay.example/gateway/v2/', '/v2'],
    ['https://pay.example/v2/payments', '/v2/payments'],
    ['https://pay.example/v2/payments/', '/v2/payments'],
    ['https://pay.example/v2/payments//', '/v2/payments'],
    ['https://pay.example/gateway/v2/payments', '/v2/payments'],
    ['https://pay.example/v2/payments/upload-invoice', '/v2/payments/upload-invoice'],
    ['https://pay.example/lender/open/notify/payment-receipt', '/lender/open/notify/payment-receipt'],
  ])('is refused, and the message names the part to leave out: %s', (baseUrl, path) => {
    const options: InstallmentClientOptions = { ...credentials, baseUrl };
    expect(thrownBy(() => new InstallmentClient(options))).toMatchObject({
      option: 'baseUrl',
      message: `baseUrl must not include ${path}: leave it out, because the client adds it`,
    });
  });

  test("is refused for a lender, unless it is the beginning of the merchant's paths", () => {
    const baseUrl = 'https://pay.example/v2/payments';
    expect(thrownBy(() => new LenderClient({ baseUrl }))).toMatchObject({ option: 'baseUrl' });
    expect(new LenderClient({ baseUrl: 'https://pay.example/v2' })).toBeInstanceOf(LenderClient);
  });

  test.each(['https://pay.example/v2/payments/api', 'https://pay.example/api-v2'])('is not %s', (baseUrl) => {
    expect(new InstallmentClient({ ...credentials, baseUrl })).toBeInstanceOf(InstallmentClient);
  });
});
