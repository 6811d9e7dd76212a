import { describe, expect, test } from 'vitest';
import { invoiceCanonicalString } from '../../../src/protocol/canonical-string.js';
import { fields, hex, hmac, merchant, ofPayment, ofUpload, secretKey, sent } from './support.js';

const canonical = invoiceCanonicalString(fields);

describe('the diagnosis of a payment', () => {
  test('names a mistake in the text, compares both texts, and says what to do', () => {
    const signed = `${sent}\n`;
    expect(ofPayment(hex(signed))).toEqual({
      cause: 'line-breaks',
      message: 'The signed text ends with a line feed (LF) that was not sent.',
      fix: expect.stringMatching(/^Sign exactly the bytes .* appends a line feed\.$/) as unknown,
      expected: sent,
      received: signed,
      firstDifference: {
        byte: Buffer.byteLength(sent),
        expected: sent.slice(-24),
        received: signed.slice(-25),
      },
    });
  });

  test('names a wrong key, and compares the signatures', () => {
    const received = hex(sent, '');
    const { fix, ...rest } = ofPayment(received);
    expect(rest).toEqual({
      cause: 'secret-empty',
      message: 'The key was empty.',
      expected: hex(sent),
      received,
    });
    expect(fix).toContain('environment variable');
  });

  test('names one mistake of each list, and says each fix once', () => {
    const signed = sent.replaceAll('/', '\\/').replaceAll(/[\u0080-\uffff]/g, escapeOf);
    const signature = `sha256=${hex(signed, `"${secretKey}"`)}`;
    const { cause, message, fix } = ofPayment(signature);
    expect(cause).toBe('body-escaped + secret-quoted + digest-prefixed');
    expect(message).toMatch(/\(\\\/\), characters outside ASCII.*" around it.*before the digest/);
    expect(fix.split('Serialise the body once')).toHaveLength(2);
  });

  test.each([
    ['missing', undefined],
    ['empty', ''],
  ])('knows the signature that was expected where it is %s', (_what, signature) => {
    const diagnosis = ofPayment('', sent, { signature });
    expect(diagnosis).toEqual({
      cause: 'signature-missing',
      message: 'There is no Signature header.',
      fix: expect.stringContaining('Send the signature in the Signature header.') as unknown,
      expected: hex(sent),
      received: '',
    });
  });

  test('says what to check, with the exact bytes, where nothing explains the signature', () => {
    const { cause, message, fix, expected } = ofPayment(hex('?', '?'));
    expect({ cause, expected }).toEqual({ cause: 'unexplained', expected: hex(sent) });
    expect(message).toMatch(/^No known mistake leads to this signature/);
    expect(fix).toMatch(/^Check in this order: 1\. The secret key .* 2\. What .* 3\. The signature /);
    expect(fix).toContain(`the bytes of the body exactly as they are sent: ${Buffer.byteLength(sent)} bytes`);
    expect(fix).toContain(`HMAC-SHA256, in hex: ${hex(sent)} is expected`);
  });

  test('says first that a body is not JSON', () => {
    expect(ofPayment(hex('?', '?'), 'a=b').fix).toContain('1. The body that arrived is not JSON.');
  });
});

function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

describe('the diagnosis of an upload', () => {
  test('compares both canonical strings', () => {
    const short = invoiceCanonicalString(fields, { absentFields: 'omit' });
    expect(ofUpload(hex(short))).toMatchObject({
      cause: 'absent-fields-omitted',
      expected: canonical,
      received: short,
      fix: expect.stringContaining('those that are not stand in it with an empty value') as unknown,
    });
    expect(ofUpload(hex(canonical), fields, { absentFields: 'omit' })).toMatchObject({
      cause: 'absent-fields-included',
      expected: short,
      fix: expect.stringContaining('those that are not are left out of it') as unknown,
    });
  });

  test('says the exact text to sign where nothing explains the signature', () => {
    const { fix } = ofUpload(hex('?', '?'));
    expect(fix).toMatch(/^Check in this order: 1\. The secret key /);
    expect(fix).toContain(JSON.stringify(canonical));
  });

  test('is in hex of either case, also where the signature of a payment is base64', () => {
    const wrongKey = hex(canonical, `${secretKey}\n`).toUpperCase();
    expect(ofUpload(wrongKey, fields, { signatureEncoding: 'base64' })).toMatchObject({
      cause: 'secret-trimmed',
      expected: hex(canonical),
    });
  });
});

describe('the closing line about assumptions', () => {
  const base64 = hmac(sent).toString('base64');

  test.each([
    ['the notation', base64, 'the signature of a payment is written in lower-case hex'],
    ['upper case', hex(sent).toUpperCase(), 'the signature of a payment is written in lower-case hex'],
    ['one of two mistakes', `sha256=${base64}`, 'the signature of a payment is written in lower-case hex'],
    [
      'a key that was decoded',
      hex(sent, Buffer.from(secretKey, 'base64')),
      'the secret key is used as UTF-8 text',
    ],
    [
      'the bytes of the key',
      hex(sent, Buffer.from(secretKey, 'utf16le')),
      'the secret key is used as UTF-8 text',
    ],
  ])('names the one that the explanation rests on: %s', (_what, signature, assumption) => {
    const closing = `. Assumed, as the specification does not say: ${assumption}.`;
    expect(ofPayment(signature).fix.endsWith(closing)).toBe(true);
  });

  test('names all that a signature without an explanation rests on', () => {
    expect(ofPayment(hex('?', '?')).fix).toMatch(/: the secret key .* text; the signature .* hex\.$/);
    expect(ofUpload(hex('?', '?')).fix).toMatch(/: the secret key .* text; the canonical string .* value\.$/);
  });

  test('is absent if no assumption matters', () => {
    for (const { fix } of [ofPayment(hex(sent, '')), ofPayment(hex(`${sent}\n`)), ofPayment('')]) {
      expect(fix).not.toContain('Decided');
    }
  });
});

describe('several mistakes at once', () => {
  const body = '{"b":"á/x","a":1}';
  const pretty = '{\n  "b": "\\u00e1/x",\n  "a": 1\n}';
  const ordered = '{\n  "a": 1,\n  "b": "\\u00e1/x"\n}';
  const otherKey = `${secretKey}\n`;

  test.each([
    ['body-pretty-printed + body-escaped', hex(pretty)],
    ['body-pretty-printed + body-escaped + secret-trimmed', hex(pretty, otherKey)],
    ['field-order + body-pretty-printed + body-escaped', hex(ordered)],
    ['secret-trimmed + hash-algorithm', hmac(body, otherKey, 'sha512').toString('hex')],
    ['field-order + body-pretty-printed + body-escaped + secret-trimmed', hex(ordered, otherKey)],
  ])('%s, in a short body', (cause, signature) => {
    expect(ofPayment(signature, body).cause).toBe(cause);
  });

  test.each([
    ['line-breaks + secret-trimmed', hex(`${sent}\n`, `${secretKey}\n`)],
    ['body-escaped + line-breaks + secret-empty', hex(`${sent.replaceAll('/', '\\/')}\n`, '')],
    ['body-escaped + hash-algorithm', hmac(sent.replaceAll('/', '\\/'), secretKey, 'sha512').toString('hex')],
  ])('%s', (cause, signature) => {
    expect(ofPayment(signature).cause).toBe(cause);
  });
});

describe('a secret key that was signed along', () => {
  const key = 'se/cret"key';
  const withKey = { merchant: { ...merchant, secretKeys: [key] as const } };

  test.each([['a field', `${sent}&key=${key}`]])('is not shown: %s', (_what, signed) => {
    const diagnosis = ofPayment(hex(signed, key), sent, withKey);
    expect(diagnosis.cause).toContain('text-added');
    expect(diagnosis.received.replaceAll('\0', '')).not.toContain(key);
    expect(diagnosis.received).toContain('<secret key>');
  });

  test('is shown where the body contains it, with the true first difference', () => {
    const own = { merchant: { ...merchant, secretKeys: ['DEMO-MERCHANT'] as const } };
    const diagnosis = ofPayment(hex(`${sent}\n`, 'DEMO-MERCHANT'), sent, own);
    expect(diagnosis).toMatchObject({ cause: 'line-breaks', received: `${sent}\n` });
    expect(diagnosis.firstDifference?.byte).toBe(Buffer.byteLength(sent));
  });

  test('is not in the words about a prefix', () => {
    expect(ofPayment(`${secretKey}:${hex(sent)}`).message).not.toContain(secretKey);
  });
});

describe('the first difference', () => {
  test.each([
    ['is told by bytes of UTF-8', '["ủ","/"]', 8, '["ủ","/"]', '["ủ","\\/"]'],
    [
      'has 24 characters of context',
      `["${'-'.repeat(30)}/${'+'.repeat(30)}"]`,
      32,
      `${'-'.repeat(24)}/${'+'.repeat(23)}`,
      `${'-'.repeat(24)}\\/${'+'.repeat(22)}`,
    ],
  ])('%s', (_what, body, byte, expected, received) => {
    const { firstDifference } = ofPayment(hex(body.replace('/', '\\/')), body);
    expect(firstDifference).toEqual({ byte, expected, received });
  });

  test('begins at the character of a surrogate pair', () => {
    const body = '{"\u{1f601}":1,"\u{1f600}":2}';
    const signed = '{"\u{1f600}":2,"\u{1f601}":1}';
    expect(ofPayment(hex(signed), body).firstDifference?.byte).toBe(2);
  });

  test('is found beyond the 4,096 characters that are shown', () => {
    const body = JSON.stringify({ a: 'x'.repeat(5000), b: '/' });
    const diagnosis = ofPayment(hex(body.replace('/', '\\/')), body);
    expect(diagnosis.firstDifference?.byte).toBe(body.indexOf('/'));
    expect(diagnosis.expected).toBe(`${body.slice(0, 4096)}…`);
  });
});

describe('an explanation says of neither body what is not so', () => {
  const slashes = sent.replaceAll('/', '\\/');
  const phpDefault = slashes.replaceAll(/[\u0080-\uffff]/g, escapeOf);

  test('a body that was sent with an indent of one space and signed without white space', () => {
    expect(ofPayment(hex(sent), JSON.stringify(JSON.parse(sent), null, 1)).message).toBe(
      'The signed body is JSON written without white space; the body that was sent is written indented by 1 space.',
    );
  });

  test('a body of PHP with escaped slashes on both sides', () => {
    expect(ofPayment(hex(slashes), phpDefault).message).toBe(
      'The signed body escapes / (\\/); the body that was sent escapes / (\\/), characters outside ASCII (\\u1ee7).',
    );
  });

  test('a key that is str(bytes) of Python', () => {
    const { message, fix } = ofPayment(hex(sent, `b'${secretKey}'`));
    expect(message).toBe("The secret key was used with Python's b'' around it.");
    expect(fix).toMatch(/^Python: pass secret\.encode\(\)/);
    expect(fix).not.toContain('Docker');
  });

  test('a body with a name twice, which no library writes again', () => {
    expect(ofPayment(hex('{"a":2}'), '{"a": 1, "a": 2}').cause).toBe('unexplained');
  });
});

test.each(['[object Promise]', '[B@1b6d3586', 'System.Byte[]', 'undefined'])(
  'a signature that is the text of an object or a missing value is named: %s',
  (signature) => {
    const { cause, message } = ofPayment(signature);
    expect({ cause, message }).toMatchObject({
      cause: 'digest-placeholder',
      message: expect.stringContaining(signature) as unknown,
    });
  },
);
