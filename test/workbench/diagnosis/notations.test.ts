import { describe, expect, test } from 'vitest';
import {
  isPlaceholder,
  readSignature,
  type ExpectedNotation,
} from '../../../src/workbench/diagnosis/notations.js';
import { hmac } from './support.js';

const digest = hmac('text');
const right = digest.toString('hex');
const upper = right.toUpperCase();
const base64 = digest.toString('base64');
const url = digest.toString('base64url');
const bytes = right.match(/../g) ?? [];
const raw = digest.toString('latin1');
const quoted = (times: number) => `${'"'.repeat(times)}${right}${'"'.repeat(times)}`;
const inBase64 = (text: string) => Buffer.from(text).toString('base64');

type Expected = Partial<ExpectedNotation>;

function readings(received: string, { operation = 'payment', encoding = 'hex' }: Expected = {}) {
  return readSignature(received, { operation, encoding });
}

/** The IDs of the readings of this digest. */
function idsOf(received: string, expected?: Expected, wanted = digest): string[] {
  const ofDigest = readings(received, expected).filter(
    ({ size, fits }) => size === wanted.length && fits(wanted.toString('latin1')),
  );
  return ofDigest.map(({ mistakes }) => mistakes.map(({ id }) => id).join(' + '));
}

describe('a signature', () => {
  test.each([
    ['', right],
    ['digest-upper-case', upper],
    ['digest-upper-case', right.slice(0, 32) + upper.slice(32)],
    ['digest-base64.any', base64],
    ['digest-base64.any', url],
    ['digest-base64.any', base64.replace('=', '')],
    ['digest-raw', digest.toString('latin1')],
    ['digest-encoded-twice', inBase64(right)],
    ['digest-encoded-twice', inBase64(base64)],
    ['digest-encoded-twice', Buffer.from(base64).toString('hex')],
    ['digest-encoded-twice + digest-white-space', inBase64(`${right}\n`)],
    ['digest-percent-encoded + digest-base64.any', encodeURIComponent(base64)],
    ['digest-prefixed.before', `sha256=${right}`],
    ['digest-prefixed.before', `SHA2-256(stdin)= ${right}`],
    ['digest-prefixed.before', `a:b, ${right}`],
    ['digest-prefixed.before', `sha256= ${right}`],
    ['digest-prefixed.before', `0x${right}`],
    ['digest-prefixed.before', `0X${right}`],
    ['digest-prefixed.before', `v1-${right}`],
    ['digest-prefixed.before + digest-base64.any', `HMAC-SHA256 ${base64}`],
    ['digest-prefixed.before + digest-upper-case', `sha256=${upper}`],
    ['digest-prefixed.after', `${right} *stdin`],
    ['digest-prefixed.after + digest-base64.any', `${base64}; a`],
    ['digest-prefixed.sum', `00${'ab'.repeat(32)}${right}`],
    [
      'digest-prefixed.sum + digest-base64.any',
      Buffer.concat([hmac('a'), hmac('b'), digest]).toString('base64'),
    ],
    ['digest-quoted', quoted(1)],
    ['digest-quoted', `'${right}'`],
    ['digest-quoted', `\\"${right}\\"`],
    ['digest-quoted + digest-quoted', quoted(2)],
    ['digest-quoted', `b'${right}'`],
    ['digest-quoted + digest-base64.any', `b'${base64}'`],
    ['digest-white-space', `${right}\n`],
    ['digest-white-space', ` ${right}`],
    ['digest-white-space', `${right.slice(0, 32)} \n${right.slice(32)}`],
    ['digest-white-space', right.padEnd(2048)],
    ['digest-separated + digest-upper-case', bytes.join('-').toUpperCase()],
    ['digest-separated', bytes.join(':')],
    ['digest-white-space', bytes.join(' ')],
    ['digest-cut', right.slice(0, 60)],
    ['digest-cut', right.slice(0, 63)],
    ['digest-cut', right.slice(0, 32)],
    ['digest-cut + digest-upper-case', upper.slice(0, 60)],
  ])('is read, with its mistakes: %s, %s', (ids, received) => {
    const [plainest, ...others] = idsOf(received);
    expect(plainest).toBe(ids);
    expect(others.every((other) => other.length >= ids.length)).toBe(true);
  });

  test.each([
    ['a last digit that is not hex', `${right.slice(0, -1)}g`],
    ['31 digits, which prove nothing', right.slice(0, 31)],
    ['digits from the middle', right.slice(1, 61)],
    ['three layers', quoted(3)],
    ['a mark before base64', `!${base64}`],
    ['a mark behind base64', `${base64}!`],
    ['a first character outside Latin-1', String.fromCharCode(raw.charCodeAt(0) + 0x100) + raw.slice(1)],
    ['2,049 characters with white space', right.padEnd(2049)],
    ['an escape that is not one', `%zz${right}`],
    ['an escape of bytes that are not UTF-8', `%ff${right}`],
    ['characters outside Latin-1', String.fromCharCode(...Array.from(digest, (byte) => byte + 0x100))],
    ...[bytes.join(':'), `"${right}"`, `b'${right}'`].flatMap((text) => [
      ['a letter before it', `x${text}`],
      ['a letter behind it', `${text}x`],
    ]),
  ])('is not read: %s', (_what, received) => {
    expect(idsOf(received)).toEqual([]);
  });

  test.each([
    ['as long as raw bytes', 'a signature, which is no digest!'],
    ['of any length', `signature"'></title><img src=x> ${'and so on, '.repeat(5)}`],
  ])('of printable characters that encode nothing represents no digest: %s', (_what, received) => {
    expect(readings(received)).toEqual([]);
  });

  test.each([
    ['hex-upper', right, 'digest-lower-case'],
    ['hex-upper', upper, ''],
    ['hex-upper', base64, 'digest-base64.any'],
    ['hex-upper', right.slice(0, 60), 'digest-cut + digest-lower-case'],
    ['base64', base64, ''],
    ['base64', right, 'digest-hex'],
    ['base64', upper, 'digest-hex'],
    ['base64', url, 'digest-base64.other'],
    ['base64', base64.replace('=', ''), 'digest-base64.other'],
    ['base64', right.slice(0, 60), 'digest-cut + digest-hex'],
    ['base64url', url, ''],
    ['base64url', base64, 'digest-base64.other'],
    ['base64url', upper, 'digest-hex'],
    ['base64url', digest.toString('latin1'), 'digest-raw'],
  ] as const)('is compared with the notation that is expected: %s, %s', (encoding, received, ids) => {
    expect(idsOf(received, { encoding })[0]).toBe(ids);
    expect(readings(received, { encoding })[0]?.mistakes.length === 0).toBe(ids === '');
    const [mistake] = readings(received, { encoding }).flatMap(({ mistakes }) => mistakes.slice(-1));
    if (ids !== '')
      expect(mistake?.fix).toMatch(/^Write the digest in (?:upper-case hex|base64|base64url without =)\./);
  });

  test.each([right, upper])('of an upload is hex in upper or lower case: %s', (received) => {
    expect(idsOf(received, { operation: 'upload' })[0]).toBe('');
    expect(idsOf(received, { operation: 'upload', encoding: 'hex-upper' })[0]).toBe('');
  });

  test('in the expected notation has one reading, even if its base64 could be hex digits', () => {
    expect(idsOf(right)).toEqual(['']);
    const digits = `${'a'.repeat(42)}8`;
    expect(idsOf(digits, {}, Buffer.from(digits, 'base64'))).toEqual(['digest-base64.any']);
  });

  test('of hex without its leading zeros is read', () => {
    const withZeros = Buffer.from(`000a${'bc'.repeat(30)}`, 'hex');
    expect(idsOf(`a${'bc'.repeat(30)}`, {}, withZeros)).toEqual(['digest-shortened']);
    expect(idsOf(`0a${'bc'.repeat(30)}`, {}, withZeros)).toEqual([]);
    const withInnerZeros = Buffer.from(`ab00${'bc'.repeat(30)}`, 'hex');
    expect(idsOf(`ab${'bc'.repeat(30)}`, {}, withInnerZeros)).toEqual([]);
  });

  test.each([
    [16, [16], [32, 20, 64]],
    [20, [20], [32, 64]],
    [28, [], [32, 64]],
    [32, [32], []],
    [48, [], []],
    [64, [64], []],
  ])(
    'of %d bytes is read as a digest of these sizes: %o, or a longer digest that was cut: %o',
    (size, exact, longer) => {
      const all = readings('ab'.repeat(size));
      expect(all).toHaveLength(exact.length + 2 * longer.length);
      const isLossy = ({ mistakes: [first] }: (typeof all)[number]) => first?.id === 'digest-cut';
      expect(all.filter(({ mistakes }) => mistakes.length === 0).map((reading) => reading.size)).toEqual(
        exact,
      );
      expect(all.filter(isLossy).map((reading) => reading.size)).toEqual(longer);
    },
  );

  test.each([
    [16_384, 1],
    [16_386, 0],
  ])('of %d hex digits has %d readings', (length, count) => {
    expect(readings('ab'.repeat(length / 2)).length).toBe(count);
  });
});

test.each([
  ['undefined', true],
  ['[object Promise]', true],
  ['[B@1b6d3586', true],
  ['<_hashlib.HMAC object at 0x7f01>', true],
  ['Promise { <pending> }', true],
  [right, false],
  ['x undefined', false],
  ['undefined x', false],
  [`[object ${'x'.repeat(190)}]`, true],
  [`[object ${'x'.repeat(191)}]`, false],
])('the text that programs print for an object or a missing value is recognised: %s, %s', (text, is) => {
  expect(isPlaceholder(text)).toBe(is);
});
