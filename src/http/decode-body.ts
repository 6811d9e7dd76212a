import * as zlib from 'node:zlib';
import { maxResponseBytes } from './transport.js';

/** Decoded bytes, and whether the encoding shows that they are complete. */
export interface Decoded {
  readonly body: Uint8Array;
  readonly state: 'whole' | 'cut' | 'too_large';
}

const atMost = { maxOutputLength: maxResponseBytes };
/**
 * Options that make zlib accept bytes that were cut. The value of BROTLI_OPERATION_FLUSH is 1. For gzip and deflate, 1
 * means Z_PARTIAL_FLUSH, so the same option works for them.
 */
const acceptingCutBytes = { ...atMost, finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH };

type Decoder = (bytes: Uint8Array, options: typeof atMost) => Uint8Array;

/** True for `deflate` bytes without the zlib header. RFC 9110 requires the header, but some servers leave it out. */
const isRawDeflate = (bytes: Uint8Array) => ((bytes[0] ?? 0) & 0x0f) !== 0x08;

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: zlib.gunzipSync,
  'x-gzip': zlib.gunzipSync,
  deflate: (bytes, options) => (isRawDeflate(bytes) ? zlib.inflateRawSync : zlib.inflateSync)(bytes, options),
  br: zlib.brotliDecompressSync,
};

function decodeOnce(bytes: Uint8Array, decoder: Decoder, options = atMost): Decoded {
  const isPartial = options === acceptingCutBytes;
  try {
    return { body: decoder(bytes, options), state: isPartial ? 'cut' : 'whole' };
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    if (!isTooLarge && !isPartial) return decodeOnce(bytes, decoder, acceptingCutBytes);
    return { body: new Uint8Array(), state: isTooLarge ? 'too_large' : 'cut' };
  }
}

const mostEncodings = 5;

/** Decodes a body by its Content-Encoding. The client asks for no encoding, but a proxy can add one. */
export function decodeBody(bytes: Uint8Array, contentEncoding: string): Decoded {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  let decoded: Decoded = { body: bytes, state: 'whole' };
  // Each encoding can cost as much as decoding 1 MiB, and a header can name thousands of encodings.
  if (names.length > mostEncodings) return { body: new Uint8Array(), state: 'cut' };
  for (const name of names.reverse()) {
    if (name === '' || name === 'identity') continue;
    const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
    if (!decoder || decoded.body.length === 0) return { body: new Uint8Array(), state: 'cut' };
    const { body, state } = decodeOnce(decoded.body, decoder);
    decoded = { body, state: decoded.state === 'whole' ? state : decoded.state };
    if (state === 'too_large') return decoded;
  }
  return decoded;
}
