import { describe, expect, test } from 'vitest';
import { readSignature } from '../../../src/workbench/diagnosis/notations.js';
import { hex, hmac, merchant, ofPayment, secretKey, sent } from './support.js';

const digest = hmac(sent);
const right = digest.toString('hex');
const pairs = right.match(/../g) ?? [];
const base64 = digest.toString('base64');
const quoted = (times: number) => `${'"'.repeat(times)}${right}${'"'.repeat(times)}`;

describe('a signature in another notation', () => {
  test.each([
    ['digest-upper-case', 'upper case', right.toUpperCase()],
    ['digest-base64', 'base64', base64],
    ['digest-base64', 'base64 for URLs', digest.toString('base64url')],
    ['digest-base64', 'base64 without padding', base64.replace('=', '')],
    ['digest-encoded-twice', 'base64 of hex digits', Buffer.from(right).toString('base64')],
    ['digest-encoded-twice', 'hex of base64', Buffer.from(base64).toString('hex')],
    ['digest-encoded-twice', 'base64 of base64', Buffer.from(base64).toString('base64')],
    ['digest-prefixed', 'sha256=', `sha256=${right}`],
    ['digest-prefixed', 'openssl dgst', `SHA2-256(stdin)= ${right}`],
    ['digest-prefixed', '0x', `0x${right}`],
    ['digest-prefixed', '0X', `0X${right}`],
    ['digest-prefixed', 'openssl dgst -r', `${right} *stdin`],
    ['digest-prefixed + digest-base64', 'HMAC-SHA256 and base64', `HMAC-SHA256 ${base64}`],
    ['digest-prefixed + digest-upper-case', 'sha256= and upper case', `sha256=${right.toUpperCase()}`],
    ['digest-quoted', 'quotation marks', `"${right}"`],
    ['digest-quoted', 'two quotation marks', quoted(2)],
    ['digest-quoted', "Python's b'…'", `b'${right}'`],
    ['digest-quoted + digest-base64', "Python's b'…' of base64", `b'${base64}'`],
    ['digest-white-space', 'a line feed', `${right}\n`],
    ['digest-white-space', '2,048 characters', right.padEnd(2048)],
    ['digest-white-space', 'a space inside', `${right.slice(0, 32)} ${right.slice(32)}`],
    ['digest-separated + digest-upper-case', 'BitConverter of .NET', pairs.join('-').toUpperCase()],
    ['digest-separated', 'openssl dgst -c', pairs.join(':')],
  ])('is explained as %s: %s', (cause, _what, signature) => {
    const diagnosis = ofPayment(signature);
    expect(diagnosis).toMatchObject({ cause, expected: right });
    expect(diagnosis.message).toMatch(/^The [^.]+\.( The [^.]+\.)*$/);
    const said = new Set(diagnosis.message.slice(0, -1).split('. '));
    expect(said.size).toBe(cause.split(' + ').length);
    expect(diagnosis).not.toHaveProperty('firstDifference');
  });

  test('made by mac.Sum(body) of Go is explained: the bytes of the body, then a digest of nothing', () => {
    const sum = Buffer.concat([Buffer.from(sent), hmac('')]);
    const { cause, message } = ofPayment(sum.toString('hex'));
    expect(cause).toBe('body-empty + digest-prefixed');
    expect(message).toContain('The signature has other bytes before the digest.');
  });

  test.each([
    ['a last digit that is not hex', `${right.slice(0, -1)}g`],
    ['eleven digits, which prove nothing', right.slice(0, 11)],
    ['more than two layers', quoted(3)],
    ['2,049 characters with white space', right.padEnd(2049)],
    ...[pairs.join(':'), `"${right}"`, `b'${right}'`].flatMap((text) => [
      ['a letter before it', `x${text}`],
      ['a letter behind it', `${text}x`],
    ]),
  ])('is not explained: %s', (_what, signature) => {
    expect(ofPayment(signature).cause).toBe('unexplained');
  });
});

describe('a signature for a service that expects another notation', () => {
  const url = digest.toString('base64url');
  test.each([
    ['hex-upper', right, 'digest-lower-case', 'upper-case hex', right.toUpperCase()],
    ['hex-upper', base64, 'digest-base64', 'upper-case hex', right.toUpperCase()],
    ['hex-upper', url, 'digest-base64', 'upper-case hex', right.toUpperCase()],
    ['base64url', right, 'digest-hex', 'base64url without =', url],
    ['base64url', right.toUpperCase(), 'digest-hex', 'base64url without =', url],
    ['base64url', base64, 'digest-base64', 'base64url without =', url],
  ] as const)(
    'is explained, and the fix says how to write %s: %s',
    (signatureEncoding, signature, cause, written, expected) => {
      const diagnosis = ofPayment(signature, sent, { signatureEncoding });
      expect(diagnosis).toMatchObject({ cause, expected });
      expect(diagnosis.fix).toContain(`Write the digest in ${written}.`);
    },
  );
});

describe('a key that the service decodes', () => {
  const keys = {
    hex: Buffer.from(secretKey).toString('hex'),
    base64: Buffer.from(secretKey).toString('base64'),
  };

  test.each(['hex', 'base64'] as const)(
    'is explained where the merchant has used it as text: %s',
    (secretKeyEncoding) => {
      const written = keys[secretKeyEncoding];
      const merchantWith = { merchant: { ...merchant, secretKeys: [written] as const }, secretKeyEncoding };
      const { cause, fix, expected } = ofPayment(hex(sent, written), sent, merchantWith);
      expect(cause).toBe('secret-not-decoded');
      expect(expected).toBe(right);
      expect(fix).toContain(
        `Assumed, as the specification does not say: the secret key is decoded from ${secretKeyEncoding}.`,
      );
      // The right key, and another mistake.
      expect(ofPayment(right.toUpperCase(), sent, merchantWith).cause).toBe('digest-upper-case');
    },
  );
});

describe('a signature for a service that expects base64', () => {
  const ofBase64 = (signature: string) => ofPayment(signature, sent, { signatureEncoding: 'base64' });

  test.each([
    ['digest-hex', right],
    ['digest-hex', right.toUpperCase()],
    ['body-escaped + digest-hex', hex(sent.replaceAll('/', '\\/'))],
    ['body-escaped', hmac(sent.replaceAll('/', '\\/')).toString('base64')],
    ['digest-base64', digest.toString('base64url')],
    ['digest-base64', base64.replace('=', '')],
  ])('is explained as %s', (cause, signature) => {
    const diagnosis = ofBase64(signature);
    expect(diagnosis.cause).toBe(cause);
    expect(diagnosis.message.split('. ')).toHaveLength(cause.split(' + ').length);
    expect(diagnosis.message).toMatch(/\.$/);
  });

  test('is shown in base64 where nothing explains it, and base64 is named as assumed', () => {
    const diagnosis = ofBase64(hmac(sent, 'nobody').toString('base64'));
    expect(diagnosis).toMatchObject({ cause: 'unexplained', expected: base64 });
    expect(diagnosis.fix).toMatch(/Assumed, as .*written in base64/);
  });
});

test.each([
  ['hex digits', 'ab'.repeat(8000)],
  ['a header that no server accepts', 'ab'.repeat(10_000)],
])('a long signature has few readings: %s', (_what, signature) => {
  expect(readSignature(signature, { operation: 'payment', encoding: 'hex' }).length).toBeLessThan(20);
});
