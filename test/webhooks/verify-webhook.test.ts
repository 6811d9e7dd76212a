import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ConfigurationError } from '../../src/errors/errors.js';
import { signatureEncodings } from '../../src/protocol/signature.js';
import { signWebhook, verifyWebhook, WebhookError } from '../../src/entries/webhooks.js';
import { thrownBy } from '../helpers/samples.js';
import { runs } from '../helpers/seed.js';
import { vectors } from '../helpers/vectors.js';
import { secretKey, sign } from './support.js';

type ReceivedWebhook = Parameters<typeof verifyWebhook>[0];
type VerifyWebhookOptions = NonNullable<Parameters<typeof verifyWebhook>[1]>;

/** The code with which a body and a signature are refused; undefined if they are accepted. */
function codeOf(received: ReceivedWebhook, options: Partial<VerifyWebhookOptions> = {}): string | undefined {
  try {
    verifyWebhook(received, { secretKey, ...options });
    return undefined;
  } catch (error) {
    if (error instanceof WebhookError) return error.code;
    throw error;
  }
}

afterEach(() => {
  vi.unstubAllEnvs();
});

const body = '{ "orderId": "ĐƠN-1", "amount": 1.50 }';
const signature = sign(body);

describe('a signature', () => {
  // A signature is checked before the event, so a vector that is not JSON is refused only for that.
  const isJson = (text: string) => /^\ufeff?\{/.test(text);
  const codeOfAccepted = (text: string) => (isJson(text) ? undefined : 'BODY_NOT_JSON');

  test.each([...vectors.payment, ...vectors.rfc4231])(
    'of the golden vector "$name" is accepted, in hex or base64 as agreed',
    (vector) => {
      const { body: text, signature: hex } = vector;
      const options = { secretKey: vector.secretKey };
      const base64 = Buffer.from(hex, 'hex').toString('base64');

      expect(codeOf({ body: text, signature: hex }, options)).toBe(codeOfAccepted(text));
      expect(codeOf({ body: text, signature: base64 }, options)).toBe('SIGNATURE_MISMATCH');
      expect(codeOf({ body: text, signature: base64 }, { ...options, signatureEncoding: 'base64' })).toBe(
        codeOfAccepted(text),
      );
    },
  );

  test.each([
    ['undefined', undefined],
    ['null', null],
    ['empty', ''],
    ['an empty list', []],
  ])('that is missing (%s) has its own code', (_name, missing) => {
    expect(codeOf({ body, signature: missing })).toBe('SIGNATURE_MISSING');
  });

  const base64 = sign(body, secretKey, 'base64');
  // The last character before the = has two unused bits: a lenient decoder reads four texts as one digest.
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const sameBits = `${base64.slice(0, 42)}${alphabet[alphabet.indexOf(base64[42] ?? '') ^ 1] ?? ''}=`;

  test.each([
    ['one character short', signature.slice(1), 'hex'],
    ['one character long', `${signature}0`, 'hex'],
    ['with white space', ` ${signature}`, 'hex'],
    ['with a line feed', `${signature}\n`, 'hex'],
    ['with a prefix', `sha256=${signature}`, 'hex'],
    ['quoted', `"${signature}"`, 'hex'],
    ['sent twice, joined', `${signature}, ${signature}`, 'hex'],
    ['sent twice, as a list', [signature, signature], 'hex'],
    ['one right and one wrong', `${signature},${'0'.repeat(64)}`, 'hex'],
    ['not text', { signature } as never, 'hex'],
    ['full-width digits', signature.replace(/\d/, (digit) => String.fromCharCode(0xff10 + +digit)), 'hex'],
    ['64 wide characters', 'é'.repeat(64), 'hex'],
    ['hex where base64 is expected', signature, 'base64'],
    ['base64 without its padding', base64.slice(0, 43), 'base64'],
    ['URL-safe base64', `${'-_'.repeat(21)}A=`, 'base64'],
    ['base64 with other unused bits', sameBits, 'base64'],
    ['base64 after another character', `A${base64}`, 'base64'],
    ['base64 before another character', `${base64}A`, 'base64'],
    ['base64 of the hex', Buffer.from(signature).toString('base64'), 'base64'],
  ] as const)('that is %s is refused', (_name, written, signatureEncoding) => {
    expect(codeOf({ body, signature: written }, { signatureEncoding })).toBe('SIGNATURE_MISMATCH');
  });

  test('is accepted in upper and lower hex, and in base64 only as it is', () => {
    expect(codeOf({ body, signature: signature.toUpperCase() })).toBeUndefined();
    expect(codeOf({ body, signature: base64.toLowerCase() }, { signatureEncoding: 'base64' })).toBe(
      'SIGNATURE_MISMATCH',
    );
  });

  test('made with any of several keys is accepted, and with a retired key is refused', () => {
    const keys = ['new-secret', 'old-secret'];
    for (const key of keys) {
      expect(codeOf({ body, signature: sign(body, key) }, { secretKey: keys })).toBeUndefined();
    }
    expect(codeOf({ body, signature: sign(body, 'older') }, { secretKey: keys })).toBe('SIGNATURE_MISMATCH');
  });
});

describe('a body', () => {
  test('is accepted as text, bytes, a view into a larger buffer, an ArrayBuffer, and from another realm', () => {
    const bytes = Buffer.from(body);
    const larger = Buffer.concat([Buffer.from('before'), bytes, Buffer.from('after')]);
    const foreign = runInNewContext('Uint8Array.from(bytes)', { bytes }) as Uint8Array;
    expect(foreign).not.toBeInstanceOf(Uint8Array);

    const forms = [
      body,
      bytes,
      larger.subarray(6, 6 + bytes.length),
      new Uint8Array(bytes).buffer,
      foreign,
    ] as const;
    for (const form of forms) {
      expect(verifyWebhook({ body: form, signature }, { secretKey })).toEqual({
        orderId: 'ĐƠN-1',
        amount: 1.5,
      });
    }
  });

  test.each([
    ['a parsed object', { orderId: '1' }],
    ['a parsed list', []],
    ['nothing', undefined],
    ['null', null],
    ['a number', 1],
    ['the JSON form of a Buffer', Buffer.from(body).toJSON()],
  ])('that is %s is not raw', (_name, parsed) => {
    expect(codeOf({ body: parsed as never, signature })).toBe('BODY_NOT_RAW');
  });

  test('is not raw if nothing was passed at all', () => {
    expect(codeOf(undefined as never)).toBe('BODY_NOT_RAW');
  });

  test.each([
    ['empty', ''],
    ['cut short', body.slice(0, -1)],
    ['HTML', '<html></html>'],
    ['two values', '{}{}'],
    ['invalid UTF-8', Buffer.from('{"a":"\xff"}', 'latin1')],
    ['a surrogate half in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
  ])('that is signed and %s is not JSON', (_name, bytes) => {
    expect(codeOf({ body: bytes, signature: sign(bytes) })).toBe('BODY_NOT_JSON');
  });

  test.each([
    ['a byte order mark', '\uFEFF{"a":1}', { a: 1 }],
    ['duplicate keys, of which the last counts', '{"a":1,"a":2}', { a: 2 }],
    ['a bare value', 'null', null],
  ])('with %s is accepted', (_name, text, event) => {
    expect(verifyWebhook({ body: text, signature: sign(text) }, { secretKey })).toEqual(event);
  });

  test('of more than 1 MiB is verified, because only a handler has a limit', () => {
    const text = JSON.stringify('x'.repeat(1024 * 1024));
    expect(codeOf({ body: text, signature: sign(text) })).toBeUndefined();
  });

  test('is parsed from the verified bytes, so that text without a UTF-8 form is not kept', () => {
    const text = '"\ud800"';
    expect(verifyWebhook({ body: text, signature: sign(text) }, { secretKey })).toBe('\ufffd');
  });
});

test('a random body is accepted only with the right signature, and no other body is', () => {
  const bytes = fc.uint8Array({ maxLength: 300 });
  const json = fc.json().map((text) => new Uint8Array(Buffer.from(text)));
  // fast-check names the seed of a run that fails.
  fc.assert(
    fc.property(
      fc.oneof(bytes, json),
      bytes,
      fc.string({ minLength: 1 }),
      fc.nat(),
      (one, other, key, at) => {
        fc.pre(key.trim() === key);
        const right = sign(one, key);
        const wrong = `${right.slice(0, at % 64)}${right[at % 64] === '0' ? '1' : '0'}${right.slice((at % 64) + 1)}`;
        const isSame = Buffer.compare(one, other) === 0;

        expect(codeOf({ body: one, signature: right }, { secretKey: key })).not.toBe('SIGNATURE_MISMATCH');
        expect(codeOf({ body: one, signature: wrong }, { secretKey: key })).toBe('SIGNATURE_MISMATCH');
        if (!isSame)
          expect(codeOf({ body: other, signature: right }, { secretKey: key })).toBe('SIGNATURE_MISMATCH');
        if (key !== secretKey) expect(codeOf({ body: one, signature: right })).toBe('SIGNATURE_MISMATCH');
      },
    ),
    { numRuns: runs(1_000) },
  );
}, 30_000);

describe.each(signatureEncodings)('a signature with keys in %s', (signatureEncoding) => {
  test.each([
    ['utf8', 'demo-secret'],
    ['hex', '64656D6F2d736563726574'],
    ['base64', 'ZGVtby1zZWNyZXQ='],
  ] as const)('is accepted and made with a key in %s, and in no other encoding', (secretKeyEncoding, key) => {
    const switches = { signatureEncoding, secretKeyEncoding };
    const signed = signWebhook(body, key, switches);
    expect(signed).toBe(signWebhook(body, 'demo-secret', { signatureEncoding }));
    for (const received of signatureEncodings) {
      const isRead =
        received === signatureEncoding || (received.startsWith('hex') && signatureEncoding.startsWith('hex'));
      const other = signWebhook(body, 'demo-secret', { signatureEncoding: received });
      expect(codeOf({ body, signature: other }, { ...switches, secretKey: key })).toBe(
        isRead ? undefined : 'SIGNATURE_MISMATCH',
      );
    }
  });
});

test('a key of the environment that does not match secretKeyEncoding is not used, and not quoted', () => {
  vi.stubEnv('INSTALLMENT_SECRET_KEY', 'demo-secret');
  const error = thrownBy(() => verifyWebhook({ body, signature }, { secretKeyEncoding: 'hex' }));
  expect(error).toMatchObject({ option: 'secretKey' });
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(String(error)).not.toContain('demo-secret');
});

describe('options', () => {
  test.each([
    ['secretKey', { secretKey: '' }, 'must not be empty'],
    ['secretKey', { secretKey: ['a', undefined] }, 'must be a string'],
    ['signatureEncoding', { secretKey, signatureEncoding: 'HEX' }, "must be 'hex', 'hex-upper'"],
    [
      'secretKey',
      { secretKey: ['00', 'demo-secret'], secretKeyEncoding: 'hex' },
      'an even number of hex digits',
    ],
    ['options', null, 'must be an object'],
  ])('name a wrong %s: %j', (option, options, problem) => {
    const error = thrownBy(() => verifyWebhook({ body, signature }, options as never));

    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ option, message: expect.stringContaining(problem) as string });
    expect(String(error)).not.toContain('demo-secret');
  });
});

test('the secret key is INSTALLMENT_SECRET_KEY by default, and without it every webhook is refused', () => {
  vi.stubEnv('INSTALLMENT_SECRET_KEY', secretKey);
  expect(verifyWebhook({ body, signature })).toEqual({ orderId: 'ĐƠN-1', amount: 1.5 });

  for (const value of [undefined, '']) {
    vi.stubEnv('INSTALLMENT_SECRET_KEY', value);
    const error = thrownBy(() => verifyWebhook({ body, signature: sign(body, '') }));
    expect(error).toMatchObject({
      option: 'secretKey',
      message: expect.stringContaining('INSTALLMENT_SECRET_KEY') as string,
    });
  }
});

test('a message about the key of the environment names its variable, and a misspelled variable', () => {
  vi.stubEnv('INSTALLMENT_SECRET_KEY', `${secretKey}\n`);
  expect(() => verifyWebhook({ body, signature })).toThrow(
    /^secretKey from INSTALLMENT_SECRET_KEY must not end with a line break/,
  );
  vi.stubEnv('INSTALLMENT_SECRET_KEY', 'not hex');
  expect(() => verifyWebhook({ body, signature }, { secretKeyEncoding: 'hex' })).toThrow(
    /^secretKey from INSTALLMENT_SECRET_KEY must be .*hex/,
  );
  vi.stubEnv('INSTALLMENT_SECRET_KEY', '');
  vi.stubEnv('INSTALMENT_SECRET_KEY', secretKey);
  expect(() => verifyWebhook({ body, signature })).toThrow(/ \(the environment has INSTALMENT_SECRET_KEY\)$/);
});

describe('a WebhookError', () => {
  test.each([
    [{ signature: undefined }, {}, 'the request has no signature'],
    [{ signature: [signature, signature] }, {}, 'the signature must be exactly one HMAC-SHA256 in hex'],
    [
      { signature },
      { signatureEncoding: 'base64' },
      'the signature must be exactly one HMAC-SHA256 in base64',
    ],
    [
      { signature: sign(body, 'another') },
      {},
      'the signature does not match: the sender used a different secret key, or signed a different body',
    ],
    [{ body: '{', signature: sign('{') }, {}, 'the sender is verified, but the body is not JSON in UTF-8'],
  ] as const)('names the problem: %j with %j', (received, options, message) => {
    const error = thrownBy(() => verifyWebhook({ body, ...received }, { secretKey, ...options }));
    expect(error).toMatchObject({ message });
  });

  test('says how to get the bytes of a parsed body in each framework', () => {
    const error = thrownBy(() => verifyWebhook({ body: {} as never, signature }, { secretKey }));

    const parts = String(error).split('. ');
    expect(parts.map((part) => part.split(': ')[0])).toEqual([
      'WebhookError',
      'Express',
      'Fastify',
      'NestJS',
      'Next.js',
    ]);
    expect(parts[0]).toContain('was already parsed or read');
  });

  test.each([
    ['SIGNATURE_MISSING', 401],
    ['SIGNATURE_MISMATCH', 401],
    ['BODY_NOT_RAW', 500],
    ['BODY_NOT_JSON', 400],
    ['BODY_TOO_LARGE', 413],
    ['SCHEMA', 400],
  ] as const)('with the code %s has the status %i', (code, status) => {
    const error = new WebhookError(code, 'why');

    expect(error).toMatchObject({ code, status });
    expect(Object.keys(error)).toEqual(['code', 'status']);
  });

  test('quotes neither the secret, nor the body, nor a signature', () => {
    const secret = 'khoá-bí-mật-0123';
    const customer = '{"phone":"0912345678"';
    const cases: ReceivedWebhook[] = [
      { body: customer, signature: sign(customer, secret) },
      { body: customer, signature: sign(customer, 'another') },
      { body: customer, signature: 'a-wrong-signature' },
    ];
    for (const received of cases) {
      const error = thrownBy(() => verifyWebhook(received, { secretKey: secret }));
      const shown = inspect(error, { depth: Infinity, showHidden: true }) + JSON.stringify(error);
      for (const hidden of [secret, '0912345678', String(received.signature), sign(customer, secret)]) {
        expect(shown).not.toContain(hidden);
      }
    }
  });

  test('is recognised across copies of the package', () => {
    const theirs = Object.create({ [Symbol.for('installment-payments.WebhookError')]: true }) as unknown;
    expect(theirs).toBeInstanceOf(WebhookError);
    expect(new WebhookError('SCHEMA', 'why')).toMatchObject({ name: 'WebhookError', message: 'why' });
  });
});
