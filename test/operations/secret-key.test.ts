import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  ConfigurationError,
  InstallmentClient,
  signPayment,
  type InstallmentClientOptions,
} from '../../src/entries/index.js';
import { knownSecrets } from '../helpers/request-watch.js';
import { instantRuntime, settle } from '../helpers/runtime.js';
import {
  approvedInvoice,
  approvedPayment,
  demoClient,
  invoiceUpload,
  paymentRequest,
  rejection,
} from '../helpers/samples.js';
import { inTurn, refused, reset } from '../helpers/scripted-failures.js';
import {
  answering,
  scriptedFetch,
  sentBytes,
  unreachable,
  type FetchedRequest,
  type FetchScript,
} from '../helpers/scripted-fetch.js';

type SecretKey = NonNullable<InstallmentClientOptions['secretKey']>;

const signatureOf = (request: FetchedRequest | undefined) => request?.headers.get('signature');
const approved: FetchScript = () => Response.json({ ...approvedPayment(), ...approvedInvoice() });

/** Every call that is signed. */
const calls: readonly (readonly [string, (client: InstallmentClient) => Promise<object>])[] = [
  ['a payment', (client) => client.initiatePayment(paymentRequest())],
  ['an upload', (client) => client.uploadInvoice(invoiceUpload())],
  ['a post', (client) => client.post('/v2/payments/status', { referenceId: 'R-1' })],
];

for (const secret of ['key-one', 'key-two']) knownSecrets.add(secret);

describe('a secret key in a different encoding', () => {
  const wire = { secretKeyEncoding: 'hex' } as const;
  const option = 'secretKey must be an even number of hex digits, because secretKeyEncoding is';

  test('signs as the text that it was encoded from', async () => {
    const { fetch, requests } = scriptedFetch(approved);
    const secretKey = Buffer.from('khoá-bí-mật').toString('hex');
    await demoClient({ fetch, secretKey, wire }).initiatePayment(paymentRequest());
    await demoClient({ fetch, secretKey: () => secretKey, wire }).initiatePayment(paymentRequest());
    await demoClient({ fetch, secretKey: 'khoá-bí-mật' }).initiatePayment(paymentRequest());
    expect(new Set(requests.map(signatureOf)).size).toBe(1);
  });

  test('is refused by the constructor and by withOptions if it does not match the encoding, and is not quoted', () => {
    const client = demoClient({ secretKey: '00', wire });
    for (const make of [
      () => demoClient({ secretKey: 'canary-key', wire }),
      () => client.withOptions({ secretKey: 'canary-key' }),
    ]) {
      expect(make).toThrow(ConfigurationError);
      expect(make).toThrow(option);
      expect(make).not.toThrow('canary-key');
    }
    expect(client.withOptions({ secretKey: '0102', maxRetries: 0 })).toBeInstanceOf(InstallmentClient);
  });

  test('causes a HookError if a function returned it, and is not quoted', async () => {
    const { fetch, requests } = unreachable();
    const client = demoClient({ fetch, secretKey: () => 'canary-key', wire });
    const error = await rejection(client.initiatePayment(paymentRequest()));
    expect(error).toMatchObject({ code: 'HOOK', outcome: 'not_sent' });
    expect(inspect(error, { depth: 9 })).toContain('must be an even number of hex digits');
    expect(inspect(error, { depth: 9 })).not.toContain('canary-key');
    expect(requests).toHaveLength(0);
  });
});

describe.each(calls)('the secretKey function, for %s', (_name, call) => {
  test('gives the same request as the key itself, whether it returns the key or a promise', async () => {
    const sent = async (secretKey: SecretKey) => {
      const { fetch, requests } = scriptedFetch(approved);
      await call(demoClient({ fetch, secretKey }));
      const [request] = requests;
      if (!request) throw new Error('a request was expected');
      const body = (await sentBytes(request)).toString();
      return { body, headers: Object.fromEntries(request.headers) };
    };
    const expected = await sent('khoá-bí-mật');
    expect(expected.headers['signature']).toMatch(/^[0-9a-f]{64}$/);
    expect(await sent(() => 'khoá-bí-mật')).toEqual(expected);
    expect(await sent(() => Promise.resolve('khoá-bí-mật'))).toEqual(expected);
  });

  test('ends the call before anything is sent if it rejects, and a later call can succeed', async () => {
    const { fetch, requests } = unreachable();
    const sealed = new Error('the vault is sealed');
    const error = await rejection(call(demoClient({ fetch, secretKey: () => Promise.reject(sealed) })));
    expect(error).toMatchObject({
      code: 'HOOK',
      outcome: 'not_sent',
      nextStep: 'call_again',
      message: expect.stringMatching(
        /: the secretKey function failed: see error\.cause\. This call sent nothing/,
      ) as string,
      cause: sealed,
      $metadata: { attempts: [] },
    });
    expect(requests).toHaveLength(0);
  });

  test.each<[string, () => unknown, string]>([
    ['returns bytes', () => Buffer.from('demo-secret'), 'must be a string'],
    ['returns an empty key', () => '', 'must not be empty'],
    ['resolves to a line', () => Promise.resolve('canary-key\n'), 'must not end with a line break'],
    ['returns half a character', () => 'canary-key\ud800', 'must be well-formed Unicode'],
  ])(
    'ends the call permanently if it %s, because it would do so again',
    async (_reason, secretKey, problem) => {
      const { fetch, requests } = unreachable();
      const error = await rejection(call(demoClient({ fetch, secretKey: secretKey as () => string })));
      expect(error).toMatchObject({ code: 'HOOK', outcome: 'not_sent', retryable: false, nextStep: 'fix' });
      const { message } = error as Error;
      expect(message).toContain(`: the result of the secretKey function ${problem}`);
      expect(message).toMatch(/\. This call sent nothing\. Correct the function, then call again\.$/);
      expect(inspect(error, { depth: 9 })).not.toContain('canary-key');
      expect(requests).toHaveLength(0);
    },
  );

  test('is called again for a repeat, so that a rotated key is used at once', async () => {
    const keys = ['key-one', 'key-two'];
    const { fetch, requests } = inTurn(refused, approved);
    await call(demoClient({ fetch, secretKey: () => keys.shift() ?? '' }));
    expect(requests).toHaveLength(2);
    const [first, second] = requests;
    expect(signatureOf(first)).not.toBe(signatureOf(second));
    if (!first || !second) throw new Error('two requests were expected');
    expect(await sentBytes(second)).toEqual(await sentBytes(first));
  });
});

describe('the secretKey function', () => {
  test('signs the body that is sent', async () => {
    const { fetch, requests } = answering(approvedPayment());
    await demoClient({ fetch, secretKey: () => 'key-one' }).initiatePayment(paymentRequest());
    const [request] = requests;
    if (!request) throw new Error('a request was expected');
    expect(signatureOf(request)).toBe(signPayment(await sentBytes(request), 'key-one'));
  });

  test('is called once for each attempt, and not before an attempt is made', async () => {
    let asked = 0;
    const { fetch } = inTurn(reset, reset, approved);
    const secretKey = () => `key-${String(++asked)}`;
    const client = demoClient({ fetch, secretKey, maxRetries: 2 });
    await client.initiatePayment(paymentRequest());
    expect(asked).toBe(3);
    await rejection(client.initiatePayment({ ...paymentRequest(), referenceId: '' }));
    expect(asked).toBe(3);
  });

  test.each<[string, FetchScript, string]>([
    ['an unknown attempt', reset, 'unknown'],
    [
      'a refused one',
      () => Response.json({}, { status: 429, headers: { 'content-length': '2' } }),
      'rejected',
    ],
    ['one that was not sent', refused, 'not_sent'],
  ])('leaves the outcome of %s if it fails after that', async (_name, script, outcome) => {
    const keys: (() => string)[] = [() => 'key-one'];
    const secretKey = () =>
      (
        keys.shift() ??
        (() => {
          throw new Error('no');
        })
      )();
    const { fetch, requests } = scriptedFetch(script);
    const error = await rejection(demoClient({ fetch, secretKey }).initiatePayment(paymentRequest()));
    expect(error).toMatchObject({ code: 'HOOK', outcome, retryable: true, cause: { message: 'no' } });
    expect(error).toMatchObject({ $metadata: { attempts: [{ outcome }] } });
    expect(requests).toHaveLength(1);
  });

  test('advises to repeat the request if it returns no usable key after an unknown attempt', async () => {
    const keys = ['key-one'];
    const { fetch } = scriptedFetch(reset);
    const client = demoClient({ fetch, secretKey: () => keys.shift() ?? '' });
    const repeat = { code: 'HOOK', nextStep: 'repeat', message: /secretKey function must not be empty/ };
    expect(await rejection(client.initiatePayment(paymentRequest()))).toMatchObject({
      ...repeat,
      outcome: 'unknown',
      message: expect.stringMatching(repeat.message) as string,
    });
    const again = client.initiatePayment(paymentRequest(), { mayHaveBeenSent: true });
    expect(await rejection(again)).toMatchObject({
      ...repeat,
      outcome: 'not_sent',
      message: expect.stringMatching(repeat.message) as string,
    });
  });

  test('leaves the error of an unknown attempt if it takes too long after that', async () => {
    const runtime = instantRuntime();
    const keys = ['key-one'];
    const secretKey = () => keys.shift() ?? new Promise<string>(() => undefined);
    const { fetch } = scriptedFetch(reset);
    const ended = rejection(demoClient({ fetch, secretKey }, runtime).initiatePayment(paymentRequest()));
    await settle();
    runtime.advance(45_000);
    expect(await ended).toMatchObject({ code: 'CONNECTION', outcome: 'unknown' });
  });

  test('is not called for another key after a refused signature', async () => {
    const keys = ['key-one', 'key-two'];
    const { fetch, requests } = answering({ resultStatus: 'INVALID_SIGNATURE', resultMsg: 'no' });
    const secretKey = () => keys.shift() ?? '';
    const error = await rejection(demoClient({ fetch, secretKey }).initiatePayment(paymentRequest()));
    expect(error).toMatchObject({ code: 'INVALID_SIGNATURE', outcome: 'rejected', retryable: false });
    expect(requests).toHaveLength(1);
    expect(keys).toEqual(['key-two']);
  });
});
