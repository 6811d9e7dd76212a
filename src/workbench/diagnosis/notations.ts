import { fixFor, mistake, type Mistake, type MistakeId } from './mistake.js';
import { sizes } from './signings.js';
import { encodeDigest, type SignatureEncoding } from '../../protocol/signature.js';
import { orUndefined } from '../../values/untrusted-values.js';

/** How a signature has to be written. An upload accepts hex of either case. */
export interface ExpectedNotation {
  readonly operation: 'payment' | 'upload';
  readonly encoding: SignatureEncoding;
}

/** A digest that a received signature may stand for. */
export interface Reading {
  /** The mistakes in the way in which it is written. */
  readonly mistakes: readonly Mistake[];
  /** The bytes of the digest. */
  readonly size: number;
  /** True for the digest that the signature stands for, as Latin-1 text. */
  readonly fits: (digest: string) => boolean;
}

/** The notations by their names. */
export const notationNames: Readonly<Record<SignatureEncoding, string>> = {
  hex: 'lower-case hex',
  'hex-upper': 'upper-case hex',
  base64: 'base64',
  base64url: 'base64url',
};

/** The text inside a notation, or undefined for a text without it. */
type Peel = (text: string) => string | undefined;

/** The first group of a text with this shape, without some characters. */
const inside =
  (shape: RegExp, without = /^$/g): Peel =>
  (text) =>
    shape.exec(text)?.[1]?.replaceAll(without, '');

const isHex = (text: string) => /^(?:[0-9a-f]{2})+$/i.test(text);
const isBase64 = (text: string) => /^[A-Za-z0-9+/_-]+={0,2}$/.test(text);

/** Hex or base64 whose bytes are hex digits or base64 again. */
function encodedTwice(text: string): string | undefined {
  const inner = Buffer.from(text, isHex(text) ? 'hex' : 'base64').toString('latin1');
  return isBase64(text) && isBase64(inner.trimEnd()) ? inner : undefined;
}

const digest = '(?:[0-9a-f]{32,}|[A-Za-z0-9+/_-]{22,}={0,2})';

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
/** Longer than the headers that servers accept. */
const longestSignature = 16_384;

interface Peeled {
  readonly text: string;
  /** The mistakes of the layers around it. */
  readonly outer: readonly Mistake[];
}

/** A text, and what is inside it, layer by layer. */
function peelings(text: string, outer: readonly Mistake[] = []): Peeled[] {
  const whole = { text, outer };
  if (outer.length === mostLayers || text.length > longestInLayers) return [whole];
  const inner = layers.flatMap(([id, peel]) => {
    const peeled = peel(text);
    return peeled === undefined ? [] : peelings(peeled, [...outer, mistake(id)]);
  });
  return [whole, ...inner];
}

/** A digest in another notation than the expected one, which the fix is about. */
function otherNotation(id: MistakeId, { encoding }: ExpectedNotation): Mistake {
  return { ...mistake(id, notationNames[encoding]), fix: fixFor(`digest-written.${encoding}`) };
}

/** What is wrong with hex digits, whose case matters to payments alone. */
function hexMistakes(text: string, target: ExpectedNotation): Mistake[] {
  const { operation, encoding } = target;
  if (!encoding.startsWith('hex')) return [otherNotation('digest-hex', target)];
  const right = encoding === 'hex' ? text.toLowerCase() : text.toUpperCase();
  if (operation === 'upload' || text === right) return [];
  return [otherNotation(encoding === 'hex' ? 'digest-upper-case' : 'digest-lower-case', target)];
}

/** The bytes of hex, base64 or raw bytes, and what is wrong with that. */
function decoded(text: string, target: ExpectedNotation): { mistakes: Mistake[]; bytes: Buffer } {
  if (isHex(text)) return { mistakes: hexMistakes(text, target), bytes: Buffer.from(text, 'hex') };
  if (!isBase64(text)) {
    // Of 32 random bytes, at least one is no printable character: a text without any is no digest.
    const bytes = Buffer.from(/^[\0-\xff]*$/.test(text) && /[^ -~]/.test(text) ? text : '', 'latin1');
    return { mistakes: [otherNotation('digest-raw', target)], bytes };
  }
  const bytes = Buffer.from(text, 'base64');
  const isRight = encodeDigest(bytes, target.encoding) === text;
  const form = target.encoding.startsWith('base64') ? 'other' : 'any';
  return { mistakes: isRight ? [] : [otherNotation(`digest-base64.${form}`, target)], bytes };
}

/** The digests that a text without layers may stand for. */
function readingsOf({ text, outer }: Peeled, target: ExpectedNotation): Reading[] {
  const { mistakes, bytes } = decoded(text, target);
  // Bytes that were encoded twice need no second mistake for what is inside.
  const own = outer.some(({ id }) => id === 'digest-encoded-twice') ? [] : mistakes;
  const reading = (found: Buffer, more: readonly Mistake[]): Reading[] => {
    const wanted = found.toString('latin1');
    const { length: size } = found;
    return sizes.has(size) ? [{ mistakes: [...outer, ...more], size, fits: (each) => each === wanted }] : [];
  };
  // The result of Sum of Go for a body that was never written into the hash: the body, and the digest of nothing.
  const sum = bytes.length > 64 ? reading(bytes.subarray(-32), [mistake('digest-prefixed.sum'), ...own]) : [];
  return [...reading(bytes, own), ...sum];
}

/** Ways of writing hex that lose digits, so that each digest is written so and compared. */
const lossy: readonly (readonly [MistakeId, write: (hex: string, length: number) => string])[] = [
  ['digest-shortened', (hex) => hex.replace(/^0+/, '')],
  ['digest-cut', (hex, length) => hex.slice(0, length)],
];

/** The digests that hex digits without some of theirs may stand for. Fewer than 32 digits prove nothing. */
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

/** Everything that a received signature may stand for; the plainest first. */
export function readSignature(received: string, target: ExpectedNotation): Reading[] {
  if (received.length > longestSignature) return [];
  const exact = peelings(received).flatMap((peeled) => readingsOf(peeled, target));
  return [...exact, ...lossyReadings(received, target)].sort((a, b) => a.mistakes.length - b.mistakes.length);
}

/** Texts that programs print for an object or a missing value. */
const placeholders =
  /^(?:undefined|null|None|Array|Promise \{.*\}|\[object \w+\]|System\.Byte\[\]|\[B@[0-9a-f]+|<.* object at 0x[0-9a-f]+>)$/;

export const isPlaceholder = (text: string) => text.length < 200 && placeholders.test(text);
