import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeBody } from '../../src/http/decode-body.js';
import { maxResponseBytes } from '../../src/http/transport.js';

const text = JSON.stringify({ resultStatus: 'APPROVED', filler: Array.from({ length: 200 }, (_, i) => i) });
const plain = Buffer.from(text);

function decoded(bytes: Uint8Array, contentEncoding: string) {
  const { body, state } = decodeBody(bytes, contentEncoding);
  return { text: Buffer.from(body).toString(), state };
}

const nothing = (state: 'cut' | 'too_large') => ({ text: '', state });

describe('a body in an encoding', () => {
  test.each([
    ['gzip', gzipSync(plain)],
    ['x-gzip', gzipSync(plain)],
    ['GZip', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['', plain],
    ['identity', plain],
    ['Identity ,', plain],
    ['gzip, identity', gzipSync(plain)],
    ['gzip ,br', brotliCompressSync(gzipSync(plain))],
    [',br,, gzip', gzipSync(brotliCompressSync(plain))],
  ])('%j is decoded', (encoding, bytes) => {
    expect(decoded(bytes, encoding)).toStrictEqual({ text, state: 'whole' });
  });

  test.each([
    ['gzip', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
    ['br', brotliCompressSync(plain)],
  ])('%j that was cut is decoded as far as it has arrived, and is marked as cut', (encoding, bytes) => {
    const { body, state } = decodeBody(bytes.subarray(0, bytes.length - 10), encoding);
    expect(state).toBe('cut');
    expect(body.length).toBeGreaterThan(0);
    expect(text.startsWith(Buffer.from(body).toString())).toBe(true);
  });

  test('is cut if an outer encoding was cut, even if the inner one is complete', () => {
    const outer = gzipSync(brotliCompressSync(plain));
    expect(decoded(outer.subarray(0, -8), 'br, gzip')).toStrictEqual({ text, state: 'cut' });
  });

  const json = Buffer.from('{"resultStatus":"APPROVED"}');

  test.each([
    ['gzip', json],
    ['br', json],
    ['br, gzip', json],
    ['deflate', Buffer.from([0x78, 0x9c, 0xff, 0xff, 0xff])],
  ])('%j with bytes in no encoding is empty', (encoding, bytes) => {
    expect(decoded(bytes, encoding)).toStrictEqual(nothing('cut'));
  });

  test.each(['gzip', 'deflate', 'br', 'zstd'])('%j that is empty stays empty', (encoding) => {
    expect(decoded(Buffer.of(), encoding)).toStrictEqual(nothing('cut'));
  });

  test.each(['zstd', 'gzip, zstd', 'toString', '__proto__', 'gzip;q=1'])(
    '%j is unknown, and the body is empty',
    (encoding) => {
      expect(decoded(gzipSync(plain), encoding)).toStrictEqual(nothing('cut'));
    },
  );

  test('is decoded through five encodings, and is empty with more', () => {
    let bytes: Buffer = Buffer.from(plain);
    for (let layer = 0; layer < 5; layer++) bytes = gzipSync(bytes);
    const layers = (count: number) => Array<string>(count).fill('gzip').join(', ');
    expect(decoded(bytes, layers(5))).toMatchObject({ state: 'whole' });
    expect(decoded(gzipSync(bytes), layers(6))).toStrictEqual(nothing('cut'));
    expect(decoded(gzipSync(Buffer.alloc(maxResponseBytes)), layers(3_000))).toStrictEqual(nothing('cut'));
    expect(decoded(Buffer.from(plain), Array<string>(6).fill('identity').join())).toStrictEqual(
      nothing('cut'),
    );
  });

  const compressors = [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
  ] as const;

  test.each(compressors)('%s can decode to the limit', (encoding, compress) => {
    const { body, state } = decodeBody(compress(Buffer.alloc(maxResponseBytes, 'x')), encoding);
    expect([body.length, state]).toEqual([maxResponseBytes, 'whole']);
  });

  test.each(compressors)('%s that decodes to one byte more is empty, cut or not', (encoding, compress) => {
    const bytes = compress(Buffer.alloc(maxResponseBytes + 1, 'x'));
    expect(decoded(bytes, encoding)).toStrictEqual(nothing('too_large'));
    expect(decoded(bytes, `${encoding}, ${encoding}`)).toStrictEqual(nothing('too_large'));
  });
});
