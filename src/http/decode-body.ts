import * as zlib from 'node:zlib';
import { maxResponseBytes } from './transport.js';

/** Decoded bytes, and whether they are complete by the encoding. */
export interface Decoded {
  readonly body: Uint8Array;
  readonly state: 'whole' | 'cut' | 'too_large';
}

const { constants } = zlib;
const atMost = { maxOutputLength: maxResponseBytes };
const zlibPartly = { ...atMost, finishFlush: constants.Z_SYNC_FLUSH };
const brotliPartly = { ...atMost, finishFlush: constants.BROTLI_OPERATION_FLUSH };

/** With `isPartial`, it also takes bytes that end too early. */
type Decoder = (bytes: Uint8Array, isPartial: boolean) => Uint8Array;

const gzip: Decoder = (bytes, isPartial) => zlib.gunzipSync(bytes, isPartial ? zlibPartly : atMost);

/** Some servers send `deflate` without the zlib header that RFC 9110 requires. */
const isBare = (bytes: Uint8Array) => ((bytes[0] ?? 0) & 0x0f) !== 0x08;

const decoders: Readonly<Record<string, Decoder>> = {
  gzip,
  'x-gzip': gzip,
  deflate: (bytes, isPartial) =>
    (isBare(bytes) ? zlib.inflateRawSync : zlib.inflateSync)(bytes, isPartial ? zlibPartly : atMost),
  br: (bytes, isPartial) => zlib.brotliDecompressSync(bytes, isPartial ? brotliPartly : atMost),
};

function decodeOnce(bytes: Uint8Array, decoder: Decoder, isPartial = false): Decoded {
  try {
    return { body: decoder(bytes, isPartial), state: isPartial ? 'cut' : 'whole' };
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    if (!isTooLarge && !isPartial) return decodeOnce(bytes, decoder, true);
    return { body: new Uint8Array(), state: isTooLarge ? 'too_large' : 'cut' };
  }
}

const mostEncodings = 5;

/** Decodes a Content-Encoding. The client does not ask for one, but a proxy may add it. */
export function decodeBody(bytes: Uint8Array, contentEncoding: string): Decoded {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  let decoded: Decoded = { body: bytes, state: 'whole' };
  // Each of them may take as long as 1 MiB takes, and a header can name thousands.
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
