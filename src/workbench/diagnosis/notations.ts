import { fixFor, mistake, type Mistake, type MistakeId } from './mistake.js';
import { sizes } from './signings.js';
import { encodeDigest, type SignatureEncoding } from '../../protocol/signature.js';
import { orUndefined } from '../../values/untrusted-values.js';

/** The notation in which a signature must be written. An upload accepts hex in upper and lower case. */
export interface ExpectedNotation {
  readonly operation: 'payment' | 'upload';
  readonly encoding: SignatureEncoding;
}

/** A digest that a received signature might represent. */
export interface Reading {
  /** The mistakes in the notation of the signature. */
  readonly mistakes: readonly Mistake[];
  /** The number of bytes of the digest. */
  readonly size: number;
  /** True for the digest that the signature represents, as Latin-1 text. */
  readonly fits: (digest: string) => boolean;
}

/** The names of the notations. */
export const notationNames: Readonly<Record<SignatureEncoding, string>> = {
  hex: 'lower-case hex',
  'hex-upper': 'upper-case hex',
  base64: 'base64',
  base64url: 'base64url',
};

/** Removes one layer around a text, such as quotation marks. Returns undefined for a text without this layer. */
type Peel = (text: string) => string | undefined;

/** Creates a function that returns the text in the first group of `shape`. Matches of `without` are removed. */
const inside =
  (shape: RegExp, without = /^$/g): Peel =>
  (text) =>
    shape.exec(text)?.[1]?.replaceAll(without, '');

const isHex = (text: string) => /^(?:[0-9a-f]{2})+$/i.test(text);
const isBase64 = (text: string) => /^[A-Za-z0-9+/_-]+={0,2}$/.test(text);

/** Decodes hex or base64 whose bytes are again hex digits or base64. */
function encodedTwice(text: string): string | undefined {
  const inner = Buffer.from(text, isHex(text) ? 'hex' : 'base64').toString('latin1');
  return isBase64(text) && isBase64(inner.trimEnd()) ? inner : undefined;
}

const digest = '(?:[0-9a-f]{32,}|[A-Za-z0-9+/_-]{22,}={0,2})';

/** The ways in which programs wrap a digest, each with the function that removes the wrapping. */
const layers: readonly (readonly [MistakeId, Peel])[] = [
  ['digest-white-space', inside(/^([\w+/=-]*\s[\w+/=\s-]*)$/, /\s/g)],
  ['digest-quoted', inside(/^b?(?:\\?["'])(.*?)\\?["']$/s)],
  ['digest-separated', inside(/^([0-9a-f]{2}([-:])(?:[0-9a-f]{2}\2)+[0-9a-f]{2})$/i, /[-:]/g)],
  [
    'digest-percent-encoded',
    (text) => (text.includes('%') ? orUndefined(() => decodeURIComponent(text)) : undefined),
  ],
  ['digest-prefixed.before', inside(new RegExp(`^(?:.*[= :,]|0x|[a-z0-9]+[-_])(${digest})$`, 'i'))],
  ['digest-prefixed.after', inside(new RegExp(`^(${digest})[ *:,;]+.+$`))],
  ['digest-encoded-twice', encodedTwice],
];

const mostLayers = 2;
const longestInLayers = 2048;
/** The longest signature. It is longer than the headers that servers accept. */
const longestSignature = 16_384;

interface Peeled {
  readonly text: string;
  /** The mistakes of the layers around the text. */
  readonly outer: readonly Mistake[];
}

/** A text, and the texts inside it, layer by layer. */
function peelings(text: string, outer: readonly Mistake[] = []): Peeled[] {
  const whole = { text, outer };
  if (outer.length === mostLayers || text.length > longestInLayers) return [whole];
  const inner = layers.flatMap(([id, peel]) => {
    const peeled = peel(text);
    return peeled === undefined ? [] : peelings(peeled, [...outer, mistake(id)]);
  });
  return [whole, ...inner];
}

/** The mistake of a digest in a different notation. The fix is about the expected notation. */
function otherNotation(id: MistakeId, { encoding }: ExpectedNotation): Mistake {
  return { ...mistake(id, notationNames[encoding]), fix: fixFor(`digest-written.${encoding}`) };
}

/** The mistakes in hex digits. Their case matters only for payments. */
function hexMistakes(text: string, target: ExpectedNotation): Mistake[] {
  const { operation, encoding } = target;
  if (!encoding.startsWith('hex')) return [otherNotation('digest-hex', target)];
  const right = encoding === 'hex' ? text.toLowerCase() : text.toUpperCase();
  if (operation === 'upload' || text === right) return [];
  return [otherNotation(encoding === 'hex' ? 'digest-upper-case' : 'digest-lower-case', target)];
}

/** Decodes hex, base64 or raw bytes, with the mistakes in the notation. */
function decoded(text: string, target: ExpectedNotation): { mistakes: Mistake[]; bytes: Buffer } {
  if (isHex(text)) return { mistakes: hexMistakes(text, target), bytes: Buffer.from(text, 'hex') };
  if (!isBase64(text)) {
    // At least one of 32 random bytes is not a printable character. A text without such a byte is not a digest.
    const bytes = Buffer.from(/^[\0-\xff]*$/.test(text) && /[^ -~]/.test(text) ? text : '', 'latin1');
    return { mistakes: [otherNotation('digest-raw', target)], bytes };
  }
  const bytes = Buffer.from(text, 'base64');
  const isRight = encodeDigest(bytes, target.encoding) === text;
  const form = target.encoding.startsWith('base64') ? 'other' : 'any';
  return { mistakes: isRight ? [] : [otherNotation(`digest-base64.${form}`, target)], bytes };
}

/** The digests that a text without layers might represent. */
function readingsOf({ text, outer }: Peeled, target: ExpectedNotation): Reading[] {
  const { mistakes, bytes } = decoded(text, target);
  // Bytes that were encoded twice need no second mistake for the inner encoding.
  const inner = outer.some(({ id }) => id === 'digest-encoded-twice') ? [] : mistakes;
  const reading = (found: Buffer, more: readonly Mistake[]): Reading[] => {
    const wanted = found.toString('latin1');
    const { length: size } = found;
    return sizes.has(size) ? [{ mistakes: [...outer, ...more], size, fits: (each) => each === wanted }] : [];
  };
  // If the body was never written into the hash, Go's Sum(body) returns the body and then the digest of an empty text.
  const sum =
    bytes.length > 64 ? reading(bytes.subarray(-32), [mistake('digest-prefixed.sum'), ...inner]) : [];
  return [...reading(bytes, inner), ...sum];
}

/** Ways of writing hex that lose digits. Each digest is written in these ways and compared with the signature. */
const lossy: readonly (readonly [MistakeId, write: (hex: string, length: number) => string])[] = [
  ['digest-shortened', (hex) => hex.replace(/^0+/, '')],
  ['digest-cut', (hex, length) => hex.slice(0, length)],
];

/** The digests that incomplete hex digits might represent. Fewer than 32 digits prove nothing. */
function lossyReadings(received: string, target: ExpectedNotation): Reading[] {
  const text = received.toLowerCase();
  if (!/^[0-9a-f]{32,63}$/.test(text)) return [];
  const longer = [...sizes].filter((size) => size * 2 > text.length);
  return lossy.flatMap(([id, write]) => {
    const fits = (found: string) => write(Buffer.from(found, 'latin1').toString('hex'), text.length) === text;
    const mistakes = [mistake(id), ...hexMistakes(received, target)];
    return longer.map((size) => ({ mistakes, size, fits }));
  });
}

/** Everything that a received signature might represent, the simplest first. */
export function readSignature(received: string, target: ExpectedNotation): Reading[] {
  if (received.length > longestSignature) return [];
  const exact = peelings(received).flatMap((peeled) => readingsOf(peeled, target));
  return [...exact, ...lossyReadings(received, target)].sort((a, b) => a.mistakes.length - b.mistakes.length);
}

/** The texts that programs print for an object or a missing value. */
const placeholders =
  /^(?:undefined|null|None|Array|Promise \{.*\}|\[object \w+\]|System\.Byte\[\]|\[B@[0-9a-f]+|<.* object at 0x[0-9a-f]+>)$/;

export const isPlaceholder = (text: string) => text.length < 200 && placeholders.test(text);
