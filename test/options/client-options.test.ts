import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  ConfigurationError,
  InstallmentClient,
  type InstallmentClientOptions,
} from '../../src/entries/index.js';
import { knownSecrets } from '../helpers/request-watch.js';
import {
  approvedPayment,
  credentials,
  demo,
  demoClient,
  paymentRequest,
  thrownBy,
} from '../helpers/samples.js';
import { answering, sentBytes } from '../helpers/scripted-fetch.js';

const variables = [
  'BASE_URL',
  'CLIENT_ID',
  'SECRET_KEY',
  'MERCHANT_ID',
  'STORE_ID',
  'PLATFORM_ID',
  'LOG',
].map((name) => `INSTALLMENT_${name}`);
beforeEach(() => {
  for (const name of variables) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** The error of options that the types would refuse. */
function wrong(options: unknown) {
  const error = thrownBy(() => new InstallmentClient(options as InstallmentClientOptions));
  if (!(error instanceof ConfigurationError)) throw error;
  expect(error).toMatchObject({
    name: 'ConfigurationError',
    code: 'CONFIGURATION',
    outcome: 'not_sent',
    retryable: false,
  });
  expect(error.message.startsWith(error.option)).toBe(true);
  expect(error.message).not.toContain('hunter2');
  return error;
}
const wrongOption = (changes: object) => wrong({ ...credentials, ...changes }).option;
const fits = (changes: object) => new InstallmentClient({ ...credentials, ...changes });

/** The URL that a payment is sent to. */
async function urlFor(baseUrl: string | URL): Promise<string | undefined> {
  const { fetch, requests } = answering(approvedPayment());
  await demoClient({ baseUrl, fetch }).initiatePayment(paymentRequest());
  return requests[0]?.url;
}

describe('baseUrl', () => {
  test.each([
    ['https://pay.example', 'https://pay.example/v2/payments'],
    ['https://pay.example/', 'https://pay.example/v2/payments'],
    ['https://pay.example/gateway/vn', 'https://pay.example/gateway/vn/v2/payments'],
    ['https://pay.example/gateway///', 'https://pay.example/gateway/v2/payments'],
    ['HTTPS://PAY.example:8443/Api', 'https://pay.example:8443/Api/v2/payments'],
    ['http://localhost:3000', 'http://localhost:3000/v2/payments'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/v2/payments'],
    ['http://127.8.9.10', 'http://127.8.9.10/v2/payments'],
    ['http://[::1]:3000', 'http://[::1]:3000/v2/payments'],
    ['http://0x7f.1', 'http://127.0.0.1/v2/payments'],
    ['https://thanhtoán.example', 'https://xn--thanhton-fza.example/v2/payments'],
    [new URL('https://pay.example/url'), 'https://pay.example/url/v2/payments'],
  ])('accepts %s, and keeps its path', async (baseUrl, url) => {
    expect(await urlFor(baseUrl)).toBe(url);
  });

  test.each([
    [
      'text that is no URL',
      [
        undefined,
        null,
        '',
        7,
        {},
        'pay.example',
        '/v2',
        '//pay.example',
        'https://',
        'https://pay.example:99999',
      ],
    ],
    [
      'http to another host',
      ['pay.example', '10.0.0.1', 'localhost.example', '127.0.0.1.example', '[::2]', '0.0.0.0'].map(
        (host) => `http://${host}`,
      ),
    ],
    ['another scheme', ['ftp://pay.example', 'ws://localhost', 'file:///etc', 'javascript:alert(1)']],
    ['credentials', ['user', 'user:hunter2', ':secret'].map((user) => `https://${user}@pay.example`)],
    [
      'a query, a fragment, or port 0',
      ['?', '?a=b', '/#', '#a', ':0'].map((end) => `https://pay.example${end}`),
    ],
    ['white space', [' https://pay.example', 'https://pay.example\n', 'https://pay.exa\tmple']],
    [
      'a path of an operation in any spelling',
      ['/v2', '/V2/', '/%76%32', '/api/V2/Payments'].map((path) => `https://pay.example${path}`),
    ],
  ])('is refused with %s', (_what, baseUrls) => {
    for (const baseUrl of baseUrls) expect([baseUrl, wrongOption({ baseUrl })]).toEqual([baseUrl, 'baseUrl']);
  });

  test.each(['https://pay.example:6000', 'http://localhost:22'])(
    'accepts %s, because only fetch blocks ports',
    (baseUrl) => {
      expect(fits({ baseUrl })).toBeInstanceOf(InstallmentClient);
    },
  );
});

describe.each(['clientId', 'secretKey', 'merchantId', 'storeId', 'platformId'])('%s', (name) => {
  test.each([
    '',
    ' a',
    'a\r',
    'a\n',
    '\u00a0a',
    '\u0000a',
    'a\u0085',
    '\ufeffa',
    '\u200ba',
    'a\u2060',
    'a\u200e',
  ])('is refused as %j', (value) => {
    expect(wrongOption({ [name]: value })).toBe(name);
  });

  test('can contain white space', () => {
    expect(fits({ [name]: 'a b' })).toBeInstanceOf(InstallmentClient);
  });
});

describe('the message for a wrong option', () => {
  const header = (name: string, value: unknown) => ({ headers: { [name]: value } });
  const plainObject = "must be a plain object, such as { 'X-Trace': 'a' }, not a Headers, a Map or an array";

  test.each<[object, string]>([
    [{ baseUrl: ['https://pay.example'] }, 'baseUrl must be a string or a URL'],
    [{ baseUrl: Object.create(null) as unknown }, 'baseUrl must be a string or a URL'],
    [{ baseUrl: '/v2' }, 'baseUrl must be an absolute URL, such as https://pay.example/api'],
    [
      { baseUrl: 'ftp://pay.example' },
      'baseUrl must begin with https://, or http:// for localhost, such as https://pay.example/api',
    ],
    [{ baseUrl: 'https://user@pay.example' }, 'baseUrl must not contain credentials'],
    [{ baseUrl: 'https://pay.example?a=b' }, 'baseUrl must not have a query or a fragment'],
    [{ baseUrl: 'https://pay.example:0' }, 'baseUrl must not have port 0'],
    [{ clientId: 7 }, 'clientId must be a string; got a number'],
    [{ secretKey: 7 }, 'secretKey must be a string, or a function that returns a string'],
    [
      { clientId: ' a' },
      'clientId must be a string of printable Latin-1 characters without white space at either end',
    ],
    [{ secretKey: '' }, 'secretKey must not be empty'],
    [{ secretKey: 'a\n' }, 'secretKey must not end with a line break (U+000A): remove it'],
    [{ baseUrl: '"https://pay.example"' }, 'baseUrl must not be in quotation marks: leave them out'],
    [{ baseUrl: 'https://pay.example\r' }, 'baseUrl must not end with a line break (U+000D): remove it'],
    [{ baseUrl: 'https://pay.exa mple' }, 'baseUrl must be an absolute URL, such as https://pay.example/api'],
    [{ secretKey: '\ud800' }, 'secretKey must be well-formed Unicode'],
    [
      { attemptTimeoutMs: 0 },
      'attemptTimeoutMs must be a number of milliseconds, greater than 0 and at most 2147483647, such as 15000',
    ],
    [{ agent: 7 }, 'agent must be an agent of node:http or node:https, or an agent derived from one'],
    [{ logger: {} }, 'logger must have the methods debug, info, warn and error, like console'],
    [{ hooks: 7 }, 'hooks must be an object with beforeSend, onAttempt or both'],
    [{ now: 7 }, 'now must be a function that returns a Date, such as () => new Date()'],
    [{ now: () => 7 }, 'now must return a valid Date, such as new Date()'],
    [
      { baseUrl: 'http://10.0.0.1', maxRetries: -1 },
      'maxRetries must be an integer, 0 or greater, such as 2; baseUrl must be https: http is accepted only ' +
        'for localhost, 127.0.0.0/8 and [::1] (for a mock in a container network, set allowInsecureHttp: true)',
    ],
    [{ headers: new Headers() }, `headers ${plainObject}`],
    [{ headers: [] }, `headers ${plainObject}`],
    [
      header('X Trace', 'a'),
      'headers must have valid header names, such as X-Trace; one name is empty or contains a character that is not allowed',
    ],
    [header('HOST', 'a'), 'headers must not set HOST: the client sets this header itself'],
    [{ headers: { a: '1', A: '2' } }, 'headers contains the same header twice, in different case'],
    [
      header('X-Trace', 7),
      'headers must have strings of printable Latin-1 characters as values: correct the value of X-Trace',
    ],
  ])('%j is %j', (changes, message) => {
    expect(wrong({ ...credentials, ...changes }).message).toBe(message);
  });

  test('has one sentence for each of several problems', () => {
    expect(wrong({ ...credentials, clientId: 7, secretKey: '', maxRetries: -1 }).message).toBe(
      'maxRetries must be an integer, 0 or greater, such as 2; clientId must be a string; got a number; ' +
        'secretKey must not be empty',
    );
  });

  test('says that options must be an object, and that they must be readable', () => {
    for (const options of [null, 7, 'https://pay.example', []])
      expect(wrong(options).message).toBe('options must be an object');
    const unreadable = {
      get clientId(): string {
        throw new Error('hunter2');
      },
    };
    expect(wrong(unreadable).message).toBe('options cannot be read: a getter throws');
  });
});

describe('an option', () => {
  const durations = [0, -1, NaN, Infinity, 2 ** 31, '1000', null];
  const notHeaders = [[['X-Trace', 'a']], 'X-Trace: a', null, 7];
  const ownHeaders = ['client-id', 'SIGNATURE', 'Request-Time', 'Idempotency-Key', 'Content-Type', 'Host'];
  const clocks = [
    () => 'now',
    () => new Date(NaN),
    () => Object.create(Date.prototype) as Date,
    () => ({ getTime: () => 0, getUTCFullYear: () => 2026, toISOString: () => '2026-11-20T10:04:05Z' }),
    () => {
      throw new Error('no clock');
    },
  ];

  test.each<[string, readonly unknown[]]>([
    [
      'secretKey',
      ['', ' hunter2', 'hunter2 ', 'demo\n', '\u00a0demo', 'demo\u2028', '\ud800', undefined, null, 7],
    ],
    ['clientId', ['', ' id', 'id\r\n', 'mế', 'a\0b', '日', undefined, null, 7]],
    ['merchantId', ['', 7]],
    ['storeId', [null]],
    ['platformId', [{}]],
    [
      'headers',
      ['hunter2\r\nSignature: b', 'a\0', 'việt', 7, null, undefined].map((value) => ({ 'X-Trace': value })),
    ],
    [
      'headers',
      [...ownHeaders, 'Content-Length', 'Transfer-Encoding', 'User-Agent'].map((name) => ({ [name]: 'a' })),
    ],
    ['headers', [...notHeaders, { 'X Trace': 'a' }, { '': 'a' }, { 'x-trace': 'a', 'X-Trace': 'b' }]],
    ['attemptTimeoutMs', durations],
    ['totalTimeoutMs', durations],
    ['maxRetries', [-1, 0.5, NaN, Infinity, '2', null]],
    ['fetch', ['fetch', null]],
    ['logger', [{}, console.log, { debug: console.debug, info: console.info, warn: console.warn }]],
    ['logLevel', ['verbose', null]],
    ['now', [new Date(), ...clocks]],
    ['hooks', [7]],
    ['wire', [null]],
  ])('%s is refused with each wrong value', (name, values) => {
    for (const value of values) expect([value, wrongOption({ [name]: value })]).toEqual([value, name]);
  });

  test.each<[string, readonly unknown[]]>([
    ['secretKey', ['x', 'with space', 'khoá-bí-mật', 'tab\tinside', '🔑']],
    ['headers', [{}, { 'X-Trace': 'a b' }, { 'X-Empty': '' }, { Authorization: 'Bearer é' }]],
    ['attemptTimeoutMs', [1, 0.5, 2 ** 31 - 1]],
    ['totalTimeoutMs', [1, 0.5, 2 ** 31 - 1]],
    ['maxRetries', [0, 1, 100]],
  ])('%s is accepted', (name, values) => {
    for (const value of values) expect(fits({ [name]: value })).toBeInstanceOf(InstallmentClient);
  });

  test('can be an object of headers, which is copied, so that later changes have no effect', async () => {
    const headers: Record<string, string> = { 'X-Trace': 'first' };
    const { fetch, requests } = answering(approvedPayment());
    const client = demoClient({ headers, fetch });
    headers['X-Trace'] = 'second';
    headers['Signature'] = 'forged';
    await client.initiatePayment(paymentRequest());
    expect(requests[0]?.headers.get('x-trace')).toBe('first');
    expect(requests[0]?.headers.get('signature')).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    [{ hooks: { beforeSend: 7 } }, 'hooks.beforeSend'],
    [{ hooks: { onAttempt: null } }, 'hooks.onAttempt'],
    [{ hooks: { onRetry: () => undefined } }, 'hooks.onRetry'],
    [{ wire: { signatureEncoding: 'HEX' } }, 'wire.signatureEncoding'],
    [{ wire: { indent: 2 } }, 'wire.indent'],
    [{ timeout: 1_000 }, 'timeout'],
    [JSON.parse('{"__proto__":{}}') as object, '__proto__'],
    [{ constructor: 1 }, 'constructor'],
  ])('is named by its path: %j', (options, path) => {
    expect(wrong(withEntries(options)).option).toBe(path);
  });
});

/** The credentials and more entries, of which `__proto__` becomes a name and not a prototype. */
function withEntries(options: object): object {
  return Object.fromEntries([...Object.entries(credentials), ...Object.entries<unknown>({ ...options })]);
}

describe('the environment', () => {
  const required = { BASE_URL: 'https://env.example', CLIENT_ID: 'env-client', SECRET_KEY: 'env-secret' };
  const set = (values: Record<string, string>) => {
    for (const [name, value] of Object.entries(values)) vi.stubEnv(`INSTALLMENT_${name}`, value);
  };

  test('fills in missing options', async () => {
    knownSecrets.add('env-secret');
    set({ ...required, MERCHANT_ID: 'M', STORE_ID: 'S', PLATFORM_ID: 'P' });
    const { fetch, requests } = answering(approvedPayment({ merchantId: 'M' }));
    await new InstallmentClient({ fetch }).initiatePayment(paymentRequest());
    expect(requests[0]?.url).toBe('https://env.example/v2/payments');
    expect(requests[0]?.headers.get('client-id')).toBe('env-client');
    const [request] = requests;
    const sent = request && (await sentBytes(request)).toString();
    expect(JSON.parse(sent ?? '')).toMatchObject({ merchantId: 'M', storeId: 'S', platformId: 'P' });
  });

  test('is overridden by options', async () => {
    set({ ...required, MERCHANT_ID: 'M' });
    const { fetch, requests } = answering(approvedPayment());
    await new InstallmentClient({ ...demo, fetch }).initiatePayment(paymentRequest());
    expect(requests[0]?.headers.get('client-id')).toBe('demo-client');
  });

  test('is not used for an option that is null', () => {
    set({ ...required, STORE_ID: 'S' });
    expect(wrong({ secretKey: null }).option).toBe('secretKey');
    expect(wrong({ storeId: null }).option).toBe('storeId');
  });

  test('treats an empty variable as missing', () => {
    set({ ...required, SECRET_KEY: '' });
    expect(wrong({}).message).toContain('INSTALLMENT_SECRET_KEY');
  });

  test('is checked like an option, and the message names the variable, for a secret with a line break', () => {
    set({ ...required, SECRET_KEY: 'env-secret\n', BASE_URL: 'http://env.example' });
    const error = wrong({ attemptTimeoutMs: 0 });
    expect(error.message).toMatch(/; baseUrl from INSTALLMENT_BASE_URL must be https: /);
    expect(error.message).toMatch(/; secretKey from INSTALLMENT_SECRET_KEY must not end with a line break/);
    expect(error.message).toMatch(/^attemptTimeoutMs must be a number/);
    expect(wrong({ ...credentials, secretKey: 'a\n' }).message).toMatch(/^secretKey must not end/);
  });

  test.each(['BASE_URL', 'CLIENT_ID', 'SECRET_KEY', 'MERCHANT_ID', 'STORE_ID', 'PLATFORM_ID'])(
    'is refused in the quotation marks of a file of variables: INSTALLMENT_%s',
    (name) => {
      for (const value of ["'https://pay.example'", '"hunter2"', '"hunter2"\r']) {
        set({ ...required, [name]: value });
        expect(wrong({}).message).toMatch(
          new RegExp(`from INSTALLMENT_${name} must not be in quotation marks: leave them out$`),
        );
      }
    },
  );

  test.each(['INSTALMENT_SECRET_KEY', 'INSTALLMENT_SECRETKEY', 'installment_secret_key'])(
    'can have a variable with a similar name, which the message about a missing option shows: %s',
    (name) => {
      vi.stubEnv(name, 'env-secret');
      const { message } = wrong({ ...credentials, secretKey: undefined });
      expect(message).toBe(
        `secretKey is required: pass it, or set INSTALLMENT_SECRET_KEY (the environment has ${name})`,
      );
    },
  );

  test('is not searched for names that are similar to a variable of another option', () => {
    set({ MERCHANT_ID: 'M', STORE_ID: 'S', PLATFORM_ID: 'P', LENDER_BASE_URL: 'https://env.example' });
    expect(wrong({}).message).not.toContain('the environment has');
  });

  test('is named with every option that is missing, in one error', () => {
    const error = wrong({});
    expect(error.option).toBe('baseUrl');
    for (const name of ['baseUrl', 'clientId', 'secretKey'])
      expect(error.message).toContain(`${name} is required`);
    for (const name of ['BASE_URL', 'CLIENT_ID', 'SECRET_KEY'])
      expect(error.message).toContain(`INSTALLMENT_${name}`);
  });

  test('is reported after a misspelled option, which explains a missing one', () => {
    const error = wrong({ ...credentials, secretKey: undefined, secretkey: 'x' });
    expect(error.message).toBe(
      'secretkey is an unknown option: did you mean secretKey?; secretKey is required: pass it, or set ' +
        'INSTALLMENT_SECRET_KEY',
    );
  });

  test('is not read for options that are passed, and counts as empty if it cannot be read', () => {
    const { env } = process;
    const reads: PropertyKey[] = [];
    // Deno does this without --allow-env.
    const denied = new Proxy(env, {
      get: (_target, name) => {
        reads.push(name);
        throw new Error('NotCapable: requires env access');
      },
    });
    process.env = denied;
    try {
      new InstallmentClient(demo); // without a logger
      const readForGiven = [...reads];
      new InstallmentClient(credentials);
      expect(readForGiven).toEqual(['INSTALLMENT_LOG']);
      expect(reads).toContain('INSTALLMENT_MERCHANT_ID');
    } finally {
      process.env = env;
    }
  });
});
