import { mistake, type FixName, type Mistake } from './row.js';
import { encodeDigest, type SignatureEncoding } from '../../protocol/signature.js';
import { orUndefined } from '../../values/untrusted-values.js';

/** How a signature has to be written. An upload takes hex of either case. */
export interface ExpectedNotation {
  readonly operation: 'payment' | 'upload';
  readonly encoding: SignatureEncoding;
}

/** A digest that a received signature may stand for. */
export interface Reading {
  /** The mistakes in the way in which it is written. */
  readonly mistakes: readonly Mistake[];
  /** Bytes of the digest. */
  readonly size: number;
  /** True for the digest that the signature stands for, as Latin-1 text. */
  readonly fits: (digest: string) => boolean;
}

/** The text inside a notation, or undefined for a text without it. */
type Peel = (text: string) => string | undefined;

/** The first group of a text with this shape, rewritten. */
function shaped(shape: RegExp, rewrite: Peel = (text) => text): Peel {
  return (text) => {
    const found = shape.exec(text)?.[1];
    return found === undefined ? undefined : rewrite(found);
  };
}

const isHex = (text: string) => /^(?:[0-9a-f]{2})+$/i.test(text);
const isBase64 = (text: string) => /^[A-Za-z0-9+/_-]{16,}={0,2}\s*$/.test(text);

/** Hex or base64 whose bytes are hex digits or base64 again. */
function encodedTwice(text: string): string | undefined {
  const inner = Buffer.from(text, isHex(text) ? 'hex' : 'base64').toString('latin1');
  return isBase64(text) && isBase64(inner) ? inner : undefined;
}

const separated = /^([0-9a-f]{2}([-: ])(?:[0-9a-f]{2}\2)+[0-9a-f]{2})$/i;
const digest = '(?:[0-9a-f]{32,}|[A-Za-z0-9+/_-]{22,}={0,2})';
const layers: readonly (readonly [kind: FixName, form: string, is: string, peel: Peel])[] = [
  [
    'digest-white-space',
    '',
    'has white space in it or at its ends',
    shaped(/^([\w+/=-]*\s[\w+/=\s-]*)$/, (text) => text.replaceAll(/\s+/g, '')),
  ],
  ['digest-quoted', '', 'stands in quotation marks', shaped(/^b?(?:\\?["'])(.*?)\\?["']$/s)],
  [
    'digest-separated',
    '',
    'has hyphens, colons or spaces between its bytes',
    shaped(separated, (text) => text.replaceAll(/[-: ]/g, '')),
  ],
  [
    'digest-percent-encoded',
    '',
    'is percent-encoded',
    (text) => (/%[0-9a-f]{2}/i.test(text) ? orUndefined(() => decodeURIComponent(text)) : undefined),
  ],
  [
    'digest-prefixed',
    'before',
    'has other text before the digest, such as an algorithm name',
    shaped(new RegExp(`^(?:.*[= :,]|0x|[a-z0-9]+[-_])(${digest})$`, 'i')),
  ],
  [
    'digest-prefixed',
    'after',
    'has other text after the digest',
    shaped(new RegExp(`^(${digest})[ *:,;]+.+$`)),
  ],
  ['digest-encoded-twice', '', 'was encoded twice, as in base64 of hex digits', encodedTwice],
];

const mistakeThat = (kind: FixName, form: string, is: string) => mistake(kind, form, `The signature ${is}.`);

/** The notations by their names. */
export const notationNames: Readonly<Record<SignatureEncoding, string>> = {
  hex: 'lower-case hex',
  'hex-upper': 'upper-case hex',
  base64: 'base64',
  base64url: 'base64url',
};

/** A digest in another notation than the expected one. How to write it does not depend on what came. */
function otherNotation(id: string, is: string, { encoding }: ExpectedNotation): Mistake {
  const says = `${is}; ${notationNames[encoding]} is expected`;
  return { ...mistakeThat(`digest-written.${encoding}`, '', says), id };
}

// Fewer than 32 digits prove nothing.
const fewerDigits = /^[0-9a-f]{32,63}$/;

/** Hex digits that do not tell the digest, so that each digest is written in their way and compared. */
const lossy = [
  [
    mistakeThat('digest-shortened', '', 'is hex without its leading zeros (BigInteger)'),
    (hex: string) => hex.replace(/^0+/, ''),
  ],
  [
    mistakeThat('digest-cut', '', 'is only the beginning of the hex digits'),
    (hex: string, length: number) => hex.slice(0, length),
  ],
] as const;

function lossyReadings(received: string, target: ExpectedNotation): Reading[] {
  const text = received.toLowerCase();
  if (!fewerDigits.test(text)) return [];
  return lossy.flatMap(([lost, write]) => {
    const fits = (found: string) => write(Buffer.from(found, 'latin1').toString('hex'), text.length) === text;
    const mistakes = [lost, ...hexMistakes(received, target)];
    const longer = [...sizes].filter((size) => size * 2 > text.length);
    return longer.map((size) => ({ mistakes, size, fits }));
  });
}

/** What is wrong with hex digits, whose case matters to payments alone. */
function hexMistakes(text: string, target: ExpectedNotation): Mistake[] {
  const { operation, encoding } = target;
  if (!encoding.startsWith('hex')) return [otherNotation('digest-hex', 'is written in hex', target)];
  const right = encoding === 'hex' ? text.toLowerCase() : text.toUpperCase();
  if (operation === 'upload' || text === right) return [];
  const letters = encoding === 'hex' ? 'upper-case' : 'lower-case';
  return [otherNotation(`digest-${letters}`, `has ${letters} letters`, target)];
}

/** What is wrong with base64, by the notation that is expected. */
const base64Forms: Readonly<Record<SignatureEncoding, string>> = {
  hex: 'base64',
  'hex-upper': 'base64',
  base64: 'base64 for URLs, or without = at its end',
  base64url: 'standard base64, or with = at its end',
};

const appended = mistakeThat('digest-prefixed', 'sum', 'has other bytes before the digest');

/** The bytes of hex or base64, and what is wrong with that. */
function decoded(text: string, target: ExpectedNotation) {
  const { encoding } = target;
  if (isHex(text)) return { mistakes: hexMistakes(text, target), bytes: Buffer.from(text, 'hex') };
  if (/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) {
    const bytes = Buffer.from(text, 'base64');
    const isRight = encodeDigest(bytes, encoding) === text;
    const other = otherNotation('digest-base64', `is written in ${base64Forms[encoding]}`, target);
    return { mistakes: isRight ? [] : [other], bytes };
  }
  const isLatin1 = sizes.has(text.length) && /^[\0-\xff]*$/.test(text);
  const raw = otherNotation('digest-raw', 'is the bytes of the digest', target);
  return { mistakes: [raw], bytes: Buffer.from(isLatin1 ? text : '', 'latin1') };
}

const mostLayers = 2;
const longestInLayers = 2048;
/** Longer than the headers that servers accept. */
const longestSignature = 16_384;

/** Bytes of the digests that are tried. */
const sizes = new Set([16, 20, 32, 64]);

interface Peeled {
  readonly text: string;
  /** The mistakes of the layers around it. */
  readonly outer: readonly Mistake[];
}

/** A text, and what is inside it, layer by layer. */
function peelings(text: string, outer: readonly Mistake[] = []): Peeled[] {
  const whole = { text, outer };
  if (outer.length === mostLayers || text.length > longestInLayers) return [whole];
  const inside = layers.flatMap(([kind, form, is, peel]) => {
    const inner = peel(text);
    return inner === undefined ? [] : peelings(inner, [...outer, mistakeThat(kind, form, is)]);
  });
  return [whole, ...inside];
}

/** The digests that a text without layers may stand for. */
function readingsOf({ text, outer }: Peeled, target: ExpectedNotation): Reading[] {
  const { mistakes, bytes } = decoded(text, target);
  // Bytes that were encoded twice need no second mistake for what is inside.
  const own = outer.some(({ id }) => id === 'digest-encoded-twice') ? [] : mistakes;
  const digests = [
    [bytes, [...outer, ...own]],
    // The result of Sum of Go for a body that was never written into the hash: the body, and the digest of nothing.
    [bytes.length > 64 ? bytes.subarray(-32) : Buffer.alloc(0), [...outer, appended, ...own]],
  ] as const;
  return digests.flatMap(([found, all]) => {
    const wanted = found.toString('latin1');
    const fits = (each: string) => each === wanted;
    return sizes.has(found.length) ? [{ mistakes: all, size: found.length, fits }] : [];
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

export const isPlaceholder = (received: string) => received.length < 200 && placeholders.test(received);
