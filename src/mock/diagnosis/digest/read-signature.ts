import type { SignatureEncoding } from '../../../protocol/signature.js';
import type { Mistake } from '../types.js';
import { layer, layersOf, type Layer } from './layers.js';

/** A digest that a received signature may stand for. */
export interface Reading {
  /** The mistakes in the way in which it is written. */
  readonly layers: readonly Layer[];
  /** Bytes of the digest, where they are known. */
  readonly size?: number;
  /** Otherwise the digest has more bytes than these. */
  readonly moreThan?: number;
  readonly matches: (digest: Buffer) => boolean;
}

/** Fewer digits do not prove anything. */
const fewestDigits = 12;
const sizes = new Set([16, 20, 28, 32, 48, 64]);
const longestDigest = 64;
const rightSize = 32;

function exactly(bytes: Buffer, layers: readonly Layer[]): Reading {
  return { layers, size: bytes.length, matches: (digest) => digest.equals(bytes) };
}

/** The result of Sum of Go for a body that was never written into the hash: the body, and the digest of nothing. */
function appended(bytes: Buffer, layers: readonly Layer[]): Reading {
  const message = `The signature has ${bytes.length - rightSize} other bytes before the digest.`;
  return exactly(bytes.subarray(-rightSize), [layer('digest-prefixed.sum', message), ...layers]);
}

const cut = (which: string) => layer('digest-truncated', `Only the ${which} were sent.`);
const withoutZeros = (digest: Buffer) => Array.from(digest, (byte) => byte.toString(16)).join('');

function hexReadings(text: string, target: SignatureEncoding): Reading[] {
  if (!/^[0-9a-f]+$/i.test(text)) return [];
  const digits = text.toLowerCase();
  const { length } = digits;
  const hex = layer('digest-hex', 'The signature is written in hex; base64 is expected.');
  const upper = layer('digest-upper-case', 'The signature is written in upper-case hex.');
  const layers = target === 'base64' ? [hex] : digits === text ? [] : [upper];
  const whole = Buffer.from(length % 2 === 0 ? digits : '', 'hex');
  if (whole.length > longestDigest) return [appended(whole, layers)];
  const found = sizes.has(whole.length) ? [exactly(whole, layers)] : [];
  if (length >= 32 && length < 64) {
    const dropped = layer('digest-zeros-dropped', 'The hex digits of the signature lack leading zeros.');
    found.push({
      layers: [...layers, dropped],
      matches: (digest) =>
        digest.toString('hex').replace(/^0+/, '') === digits || withoutZeros(digest) === digits,
    });
  }
  if (length < fewestDigits || length >= 128) return found;
  const part = (which: string, isPart: (whole: string) => boolean): Reading => ({
    layers: [...layers, cut(`${which} ${length} digits of the signature`)],
    moreThan: length / 2,
    matches: (digest) => digest.length * 2 > length && isPart(digest.toString('hex')),
  });
  return [
    ...found,
    part('first', (each) => each.startsWith(digits)),
    part('last', (each) => each.endsWith(digits)),
  ];
}

function base64Readings(text: string, target: SignatureEncoding): Reading[] {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text) || /^[0-9a-f]+$/i.test(text)) return [];
  const bytes = Buffer.from(text, 'base64');
  const isPadded = bytes.toString('base64').length === text.length;
  const details = [...(/[-_]/.test(text) ? ['URL-safe'] : []), ...(isPadded ? [] : ['unpadded'])];
  const message =
    target === 'base64'
      ? `The signature is written in ${details.join(', ')} base64; the standard alphabet with padding is expected.`
      : `The signature is written in ${[...details, 'base64'].join(' ')}; lower-case hex is expected.`;
  const isRight = target === 'base64' && details.length === 0;
  const fix = target === 'base64' ? 'digest-base64.standard' : 'digest-base64';
  const layers = isRight ? [] : [layer(fix, message)];
  if (bytes.length * 2 < fewestDigits) return [];
  if (sizes.has(bytes.length)) return [exactly(bytes, layers)];
  if (bytes.length > longestDigest) return [appended(bytes, layers)];
  const start = bytes.subarray(0, -1);
  const standard = text.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  return [
    {
      layers: [...layers, cut(`first ${bytes.length} bytes of the digest`)],
      matches: (digest) =>
        digest.subarray(0, start.length).equals(start) && digest.toString('base64').startsWith(standard),
    },
  ];
}

const mostLayers = 4;
const longestInLayers = 2048;
/** Longer than the headers that servers accept. */
const longestSignature = 16_384;

/** Every digest that a received signature may stand for, the plainest first. */
export function readSignature(received: string, target: SignatureEncoding): Reading[] {
  if (received.length > longestSignature) return [];
  const found: Reading[] = [];
  const read = (text: string, outer: readonly Layer[]) => {
    for (const reading of [...hexReadings(text, target), ...base64Readings(text, target)]) {
      found.push({ ...reading, layers: combined(outer, reading.layers) });
    }
    if (outer.length === mostLayers || text.length > longestInLayers) return;
    for (const [layer, inner] of layersOf(text)) read(inner, [...outer, layer]);
  };
  read(received, []);
  return found.sort((a, b) => a.layers.length - b.layers.length);
}

const carriers: ReadonlySet<Mistake> = new Set([
  'digest-bytes',
  'digest-base64-of-hex',
  'digest-hex-of-base64',
]);
const carried: ReadonlySet<Mistake> = new Set(['digest-hex', 'digest-base64']);

/** A layer that says what is inside it needs no second mistake for that. */
function combined(outer: readonly Layer[], inner: readonly Layer[]): readonly Layer[] {
  const isCarried = outer.some(({ id }) => carriers.has(id));
  return [...outer, ...inner.filter(({ id }) => !isCarried || !carried.has(id))];
}
