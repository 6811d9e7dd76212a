import * as zlib from 'node:zlib';
import { maxResponseBytes } from './transport.js';

/** Decoded bytes, and whether the encoding says that they are all. */
export interface Decoded {
  readonly body: Uint8Array;
  readonly state: 'whole' | 'cut' | 'too_large';
}

const { constants } = zlib;
const limit = { maxOutputLength: maxResponseBytes };
const zlibPartly = { ...limit, finishFlush: constants.Z_SYNC_FLUSH };
const brotliPartly = { ...limit, finishFlush: constants.BROTLI_OPERATION_FLUSH };

interface Decoder {
  readonly whole: (bytes: Uint8Array) => Uint8Array;
  /** Takes bytes that end too early, too. */
  readonly partly: (bytes: Uint8Array) => Uint8Array;
}

const gzip: Decoder = {
  whole: (bytes) => zlib.gunzipSync(bytes, limit),
  partly: (bytes) => zlib.gunzipSync(bytes, zlibPartly),
};

/** Some servers send `deflate` without the zlib header that RFC 9110 asks for. */
const isBare = (bytes: Uint8Array) => ((bytes[0] ?? 0) & 0x0f) !== 0x08;

const decoders: Readonly<Record<string, Decoder>> = {
  gzip,
  'x-gzip': gzip,
  deflate: {
    whole: (bytes) => (isBare(bytes) ? zlib.inflateRawSync : zlib.inflateSync)(bytes, limit),
    partly: (bytes) => (isBare(bytes) ? zlib.inflateRawSync : zlib.inflateSync)(bytes, zlibPartly),
  },
  br: {
    whole: (bytes) => zlib.brotliDecompressSync(bytes, limit),
    partly: (bytes) => zlib.brotliDecompressSync(bytes, brotliPartly),
  },
};

function isTooLarge(error: unknown): boolean {
  return error instanceof RangeError;
}

function decodeOnce(bytes: Uint8Array, { whole, partly }: Decoder): Decoded {
  try {
    return { body: whole(bytes), state: 'whole' };
  } catch (error) {
    if (isTooLarge(error)) return { body: new Uint8Array(), state: 'too_large' };
  }
  try {
    return { body: partly(bytes), state: 'cut' };
  } catch (error) {
    return { body: new Uint8Array(), state: isTooLarge(error) ? 'too_large' : 'cut' };
  }
}

/** Undoes a Content-Encoding. It was not asked for, but a proxy may add one all the same. */
export function decodeBody(bytes: Uint8Array, contentEncoding: string): Decoded {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  let decoded: Decoded = { body: bytes, state: 'whole' };
  for (const name of names.reverse()) {
    if (name === '' || name === 'identity') continue;
    const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
    // Bytes in an encoding that nobody here knows say nothing.
    if (!decoder || decoded.body.length === 0) return { body: new Uint8Array(), state: 'cut' };
    const { body, state } = decodeOnce(decoded.body, decoder);
    decoded = { body, state: decoded.state === 'whole' ? state : decoded.state };
    if (state === 'too_large') return decoded;
  }
  return decoded;
}
