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

  test('names two mistakes, and says once what their fixes have in common', () => {
    const signed = JSON.stringify(JSON.parse(sent), null, 4).replaceAll('/', '\\/');
    const { cause, message, fix } = ofPayment(hex(signed));
    expect(cause).toBe('body-pretty-printed + body-escaped');
    expect(message).toMatch(/^The signed body is JSON written indented by 4 spaces; .*\(\\\/\).* none\.$/);
    expect(fix.split('Serialise the body once')).toHaveLength(2);
    expect(fix).toContain('JSON_PRETTY_PRINT');
    expect(fix).toContain('JSON_UNESCAPED_SLASHES');
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
      fix: expect.stringContaining('those that are not sent are in it with an empty value') as unknown,
    });
    expect(ofUpload(hex(canonical), fields, { absentFields: 'omit' })).toMatchObject({
      cause: 'absent-fields-included',
      expected: short,
      fix: expect.stringContaining('those that are not sent are left out of it') as unknown,
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

describe('the closing line about what is assumed', () => {
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
  ])('names the one that the explanation rests on: %s', (_what, signature, decision) => {
    const closing = `. Assumed, as the specification does not say: ${decision}.`;
    expect(ofPayment(signature).fix.endsWith(closing)).toBe(true);
  });

  test('names all that a signature without an explanation rests on', () => {
    expect(ofPayment(hex('?', '?')).fix).toMatch(/: the secret key .* text; the signature .* hex\.$/);
    expect(ofUpload(hex('?', '?')).fix).toMatch(/: the secret key .* text; the canonical string .* value\.$/);
  });

  test('is absent if no assumption matters', () => {
    for (const { fix } of [ofPayment(hex(sent, '')), ofPayment(hex(`${sent}\n`)), ofPayment('')]) {
      expect(fix).not.toContain('Assumed');
    }
  });
});

describe('two mistakes at once', () => {
  const key = `${secretKey}\n`;
  const slashed = sent.replaceAll('/', '\\/');

  test.each([
    ['line-breaks + secret-trimmed', hex(`${sent}\n`, key)],
    ['body-escaped + secret-empty', hex(slashed, '')],
    ['body-escaped + hash-algorithm', hmac(slashed, secretKey, 'sha512').toString('hex')],
    ['secret-trimmed + hash-algorithm', hmac(sent, key, 'sha512').toString('hex')],
    ['body-escaped + digest-upper-case', hex(slashed).toUpperCase()],
    ['body-escaped + line-breaks', hex(`${slashed}\n`)],
  ])('are explained as %s', (cause, signature) => {
    expect(ofPayment(signature).cause).toBe(cause);
  });

  test.each([
    ['of the text, the key and the digest', hmac(`${sent}\n`, key, 'sha1').toString('hex')],
    ['of the text, the key and the notation', hex(`${sent}\n`, key).toUpperCase()],
    ['of the text, three times', hex(`\uFEFF${JSON.stringify(slashed)}\n`)],
  ])('and a third are not explained, and the bytes to sign are named: %s', (_what, signature) => {
    const { cause, message, fix } = ofPayment(signature);
    expect(cause).toBe('unexplained');
    expect(message).toContain('more mistakes than two');
    expect(fix).toContain(`${Buffer.byteLength(sent)} bytes`);
  });
});

describe('a secret key that was sent as the signature', () => {
  const key = 'se/cret-key';
  const own = { merchant: { ...merchant, secretKeys: [key] as const } };
  const masked = '<secret key>';

  test.each([
    ['as it is', key, masked],
    ['in quotation marks', `"${key}"`, `"${masked}"`],
    ['in base64', Buffer.from(key).toString('base64'), masked],
    ['in hex', Buffer.from(key).toString('hex'), masked],
    ['in upper-case hex', Buffer.from(key).toString('hex').toUpperCase(), masked],
    ['after a prefix', `HMAC ${key}`, `HMAC ${masked}`],
    ['of another merchant', 'other-secret', masked],
  ])('is named and not shown: %s', (_what, signature, received) => {
    const diagnosis = ofPayment(signature, sent, own);
    expect(diagnosis).toMatchObject({ cause: 'secret-as-signature', expected: hex(sent, key), received });
    expect(JSON.stringify(diagnosis)).not.toContain(signature);
    expect(diagnosis.fix).toContain('Send the HMAC of the text, not the key itself');
  });

  test('is named and not shown though it is short', () => {
    const short = { merchant: { ...merchant, secretKeys: ['abc'] as const } };
    expect(ofPayment('abc', sent, short)).toMatchObject({ cause: 'secret-as-signature', received: masked });
    expect(ofPayment('abcd', sent, short)).toMatchObject({ cause: 'unexplained', received: 'abcd' });
  });

  test('is not shown beside a signature that is explained', () => {
    const { cause, received } = ofPayment(`${key}:${hex(sent, key)}`, sent, own);
    expect({ cause, received }).toEqual({
      cause: 'digest-prefixed',
      received: `${masked}:${hex(sent, key)}`,
    });
  });
});

test.each(['[object ReadableStream]', '[object Object]'])(
  'a body that arrived as the text of an object is named: %s',
  (body) => {
    const { cause, message, fix } = ofPayment(hex(sent), body);
    expect(cause).toBe('body-placeholder');
    expect(message).toContain(`The body that arrived is the text ${body}`);
    expect(fix).toContain('node-fetch');
  },
);

describe('a secret key that was signed along', () => {
  const key = 'se/cret"key';
  const withKey = { merchant: { ...merchant, secretKeys: [key] as const } };

  test.each([
    ['a field', `${sent}&key=${key}`],
    ['a line', `${sent}\n${key}`],
  ])('is not shown: %s', (_what, signed) => {
    const diagnosis = ofPayment(hex(signed, key), sent, withKey);
    expect(diagnosis.cause).toBe('text-added');
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
      'The signed body has escaped characters (\\/); the body that was sent has escaped characters (\\/, \\u1ee7).',
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
