import * as zlib from 'node:zlib';
import { maxResponseBytes } from './transport.js';

/** Decoded bytes, and whether the encoding shows that they are complete. */
export interface Decoded {
  readonly body: Uint8Array;
  readonly state: 'whole' | 'cut' | 'too_large';
}

const atMost = { maxOutputLength: maxResponseBytes };
/** Makes zlib accept bytes that end too early. zlib calls the same number Z_PARTIAL_FLUSH. */
const partly = { ...atMost, finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH };

type Decoder = (bytes: Uint8Array, options: typeof atMost) => Uint8Array;

/** Some servers send `deflate` without the zlib header that RFC 9110 requires. */
const isBare = (bytes: Uint8Array) => ((bytes[0] ?? 0) & 0x0f) !== 0x08;

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: zlib.gunzipSync,
  'x-gzip': zlib.gunzipSync,
  deflate: (bytes, options) => (isBare(bytes) ? zlib.inflateRawSync : zlib.inflateSync)(bytes, options),
  br: zlib.brotliDecompressSync,
};

function decodeOnce(bytes: Uint8Array, decoder: Decoder, options = atMost): Decoded {
  const isPartial = options === partly;
  try {
    return { body: decoder(bytes, options), state: isPartial ? 'cut' : 'whole' };
  } catch (error) {
    const isTooLarge = error instanceof RangeError;
    if (!isTooLarge && !isPartial) return decodeOnce(bytes, decoder, partly);
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
  // Decoding each of them can take as long as 1 MiB takes, and a header can name thousands.
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
