import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { mend } from '../../../src/mock/diagnosis/ingredient.js';
import { readSignature } from '../../../src/mock/diagnosis/digest/read-signature.js';

const sha = (algorithm: string) => createHash(algorithm).update('text').digest();
const digest = sha('sha256');
const hex = digest.toString('hex');
const base64 = digest.toString('base64');
/** The same digest with another byte in the middle. */
const others = [5, 15].map((place) =>
  Buffer.from(digest.map((byte, index) => (index === place ? byte ^ 0x11 : byte))),
);

/** The mistakes in the way in which a signature stands for a digest, in the order of the readings that match. */
function layersOf(received: string, target: 'hex' | 'base64' = 'hex', of = digest): string[] {
  return readSignature(received, target)
    .filter(({ matches }) => matches(of))
    .map(({ layers }) => layers.map(({ id }) => id).join(' + '));
}

function messageOf(received: string, target: 'hex' | 'base64' = 'hex', of = digest): string {
  const reading = readSignature(received, target).find(({ matches }) => matches(of));
  return reading?.layers.map(({ message }) => message).join(' ') ?? 'none';
}

const inHex = (text: string) => Buffer.from(text).toString('hex');
const percent = (text: string) => inHex(text).replaceAll(/../g, '%$&');
const inBase64 = (text: string) => Buffer.from(text).toString('base64');
const body = '{"a":1}';

describe('a signature for a service that expects hex', () => {
  test.each([
    ['', hex],
    ['digest-upper-case', hex.toUpperCase()],
    ['digest-upper-case', `${hex.slice(0, 32).toUpperCase()}${hex.slice(32)}`],
    ['digest-base64', base64],
    ['digest-base64', base64.replace('=', '')],
    ['digest-base64', digest.toString('base64url')],
    ['digest-base64-of-hex', inBase64(hex)],
    ['digest-hex-of-base64', inHex(base64)],
    ['digest-prefixed', `sha256=${hex}`],
    ['digest-prefixed + digest-base64', `sha256=${base64}`],
    ['digest-quoted', `"${hex}"`],
    ['digest-percent-encoded + digest-base64', encodeURIComponent(base64)],
    ['digest-prefixed + digest-upper-case', (inHex(body.repeat(9)) + hex).toUpperCase()],
    [
      'digest-prefixed + digest-base64',
      Buffer.concat([Buffer.from(body.repeat(9)), digest]).toString('base64'),
    ],
  ])('stands for a digest as %j: %s', (layers, received) => {
    expect(layersOf(received)).toEqual([layers]);
  });

  test.each([
    ['first', 12],
    ['first', 40],
    ['first', 63],
    ['last', 12],
    ['last', 40],
    ['last', 63],
  ])('may be the %s %i digits of a digest', (which, length) => {
    const part = which === 'first' ? hex.slice(0, length) : hex.slice(-length);
    expect(layersOf(part)).toEqual(['digest-truncated']);
    expect(messageOf(part)).toBe(`Only the ${which} ${length} digits of the signature were sent.`);
    expect(layersOf(part.toUpperCase())).toEqual(['digest-upper-case + digest-truncated']);
  });

  test('proves nothing with less than twelve digits, or with half of a digest that is not the whole', () => {
    expect(readSignature(hex.slice(0, 11), 'hex')).toEqual([]);
    expect(layersOf(hex.slice(1, 33))).toEqual([]);
  });

  test.each(['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'])('may be a digest of %s', (algorithm) => {
    const of = sha(algorithm);
    expect(readSignature('0a'.repeat(64), 'hex')).toHaveLength(1);
    const [first] = readSignature(of.toString('hex'), 'hex').filter(({ matches }) => matches(of));
    expect(first).toMatchObject({ layers: [], size: of.length });
    const [coded] = readSignature(of.toString('base64'), 'hex').filter(({ matches }) => matches(of));
    expect(coded).toMatchObject({ layers: [{ id: 'digest-base64' }], size: of.length });
  });

  test('may lack zeros of a digest', () => {
    const zeros = Buffer.from(`0007${'0a'.repeat(15)}${'b1'.repeat(15)}`, 'hex');
    const leading = zeros.toString('hex').replace(/^0+/, '');
    const each = Array.from(zeros, (byte) => byte.toString(16)).join('');
    expect(layersOf(leading, 'hex', zeros)).toContain('digest-zeros-dropped');
    expect(layersOf(each, 'hex', zeros)).toEqual(['digest-zeros-dropped']);
    expect(layersOf(each.toUpperCase(), 'base64', zeros)).toEqual(['digest-hex + digest-zeros-dropped']);
    expect(messageOf(each, 'hex', zeros)).toBe('The hex digits of the signature lack leading zeros.');
    expect(layersOf(`${each.slice(0, -1)}0`, 'hex', zeros)).toEqual([]);
    expect(layersOf('a'.repeat(32), 'hex', Buffer.alloc(32, 0x0a))).toEqual(['digest-zeros-dropped']);
    const inside = Buffer.from(`b100${'b1'.repeat(30)}`, 'hex');
    expect(layersOf(inside.toString('hex').replace('00', ''), 'hex', inside)).toEqual([]);
  });

  test('may be the first bytes of a digest in base64', () => {
    const part = digest.subarray(0, 20).toString('base64').slice(0, 23);
    expect(layersOf(part)).toEqual(['digest-base64 + digest-truncated']);
    expect(messageOf(part)).toBe(
      'The signature is written in unpadded base64; lower-case hex is expected. Only the first 17 bytes of the digest were sent.',
    );
    const urlSafe = Buffer.from(Array.from(digest, (byte) => byte | 0xf8));
    expect(layersOf(urlSafe.toString('base64url').slice(0, 20), 'hex', urlSafe)).toEqual([
      'digest-base64 + digest-truncated',
    ]);
  });

  test('may be the first bytes of a digest in base64, with padding', () => {
    const of = Buffer.from(digest).fill(0, 19, 20);
    const part = of.subarray(0, 19).toString('base64');
    expect(part).toMatch(/==$/);
    expect(layersOf(part, 'hex', of)).toEqual(['digest-base64 + digest-truncated']);
    expect(layersOf(digest.subarray(0, 6).toString('base64'))).toEqual(['digest-base64 + digest-truncated']);
    const other = Buffer.from(digest).fill(0, 16, 17);
    expect(layersOf(base64.slice(0, 23), 'hex', other)).toEqual([]);
  });

  test('is no digest with a digit too many', () => {
    expect(layersOf(`${hex}a`)).toEqual([]);
  });

  test('rules out digests of which it is less than half', () => {
    const limits = readSignature(hex.slice(0, 30), 'hex').map(({ moreThan }) => moreThan);
    expect(limits).toEqual([15, 15]);
  });

  test('says how it is written', () => {
    expect(messageOf(hex.toUpperCase())).toBe('The signature is written in upper-case hex.');
    expect(messageOf(base64)).toBe('The signature is written in base64; lower-case hex is expected.');
    const odd = Buffer.from(digest).fill(0xfb, 0, 2);
    expect(messageOf(odd.toString('base64url'), 'hex', odd)).toBe(
      'The signature is written in URL-safe unpadded base64; lower-case hex is expected.',
    );
    expect(messageOf(inHex(body.repeat(9)) + hex)).toBe(
      'The signature has 63 other bytes before the digest.',
    );
  });

  test.each([
    ['in hex', hex],
    ['in base64', base64],
    ['without its last digit', hex.slice(0, 63)],
    ['without its first digit', hex.slice(1)],
    ['after a text', inHex(body.repeat(9)) + hex],
    ['in the start of base64', base64.slice(0, 23)],
  ])('stands for no other digest: %s', (_how, received) => {
    for (const other of others) expect(layersOf(received, 'hex', other)).toEqual([]);
  });
});

describe('a signature for a service that expects base64', () => {
  test.each([
    ['', base64],
    ['digest-base64', base64.replace('=', '')],
    ['digest-hex', hex],
    ['digest-hex', hex.toUpperCase()],
    ['digest-hex + digest-truncated', hex.slice(0, 20)],
    ['digest-base64-of-hex', inBase64(hex)],
  ])('stands for a digest as %j: %s', (layers, received) => {
    expect(layersOf(received, 'base64')).toEqual([layers]);
  });

  test('says how it is written', () => {
    expect(messageOf(hex, 'base64')).toBe('The signature is written in hex; base64 is expected.');
    expect(messageOf(base64.replace('=', ''), 'base64')).toBe(
      'The signature is written in unpadded base64; the standard alphabet with padding is expected.',
    );
    const odd = Buffer.from(digest).fill(0xfb, 0, 2);
    expect(messageOf(odd.toString('base64url'), 'base64', odd)).toContain('in URL-safe, unpadded base64;');
  });

  test('has a fix that is about the standard alphabet, and no mistake where it is right', () => {
    const fixOf = (target: 'hex' | 'base64') =>
      readSignature(base64.replace('=', ''), target)[0]?.layers[0]?.fix;
    expect(fixOf('hex')).toBe(mend('digest-base64').fix);
    expect(fixOf('base64')).toBe(mend('digest-base64.standard').fix);
    expect(readSignature(base64, 'base64')).toMatchObject([{ layers: [] }]);
  });
});

describe('a text that is not a signature', () => {
  test.each([
    ['empty', ''],
    ['words', '!? .'],
    ['base64 of a few bytes', 'AAAAAAA='],
  ])('stands for nothing: %s', (_what, received) => {
    expect(readSignature(received, 'hex')).toEqual([]);
  });

  test('stands for nothing where it is longer than a header', () => {
    const longest = inHex('a'.repeat(8192 - 32)) + hex;
    expect(layersOf(longest)).toEqual(['digest-prefixed']);
    expect(layersOf(`61${longest}`)).toEqual([]);
  });
});

describe('the layers around a signature', () => {
  test('are at most four', () => {
    const quoted = (times: number) => `${'"'.repeat(times)}${hex}${'"'.repeat(times)}`;
    expect(layersOf(quoted(4))).toHaveLength(1);
    expect(layersOf(quoted(5))).toEqual([]);
  });

  test('are not looked for in a long text', () => {
    const within = percent(hex).padEnd(2048);
    expect(layersOf(within)).not.toEqual([]);
    expect(layersOf(`${within} `)).toEqual([]);
  });

  test('come plainest first', () => {
    for (const received of [
      `0x ${hex}`,
      `"${encodeURIComponent(base64)}"`,
      `v1 ${base64.slice(0, 30)} ${base64.slice(30)}`,
    ]) {
      const counts = readSignature(received, 'hex').map(({ layers }) => layers.length);
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    }
  });
});
