import { words, type FixName, type Words } from './row.js';
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
  readonly mistakes: readonly Words[];
  /** Bytes of the digest. */
  readonly size: number;
  /** True for the digest that the signature stands for, as Latin-1 text. */
  readonly fits: (digest: string) => boolean;
}

/** The text inside a notation, or undefined for a text without it. */
type Peel = (text: string) => string | undefined;

/** The first group where a text has this shape, rewritten. */
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
/** Bytes as programs print them: [1 2], 1,2, [-1, 2], {"type":"Buffer","data":[1,2]}. */
const decimals = /^(?:\{"type":"Buffer","data":)?\[?(-?\d{1,3}(?:(?:, ?| )-?\d{1,3})+)\]?\}?$/;

/** A text as Python shows bytes, without its escapes. */
const fromPython: Peel = (text) =>
  text.replaceAll(/\\(?:x([0-9a-f]{2})|(.))/g, (_all, hex?: string, mark?: string) => {
    if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
    return { n: '\n', r: '\r', t: '\t' }[mark ?? ''] ?? mark ?? '';
  });

const layers: readonly (readonly [fix: FixName, is: string, peel: Peel])[] = [
  [
    'digest-white-space',
    'has white space in it or at its ends',
    shaped(/^([\w+/=-]*\s[\w+/=\s-]*)$/, (text) => text.replaceAll(/\s+/g, '')),
  ],
  ['digest-quoted', "stands in Python's b'…'", shaped(/^b["'](.*)["']$/s, fromPython)],
  ['digest-quoted', 'stands in quotation marks', shaped(/^\\?["'](.*?)\\?["']$/s)],
  [
    'digest-separated',
    'has hyphens, colons or spaces between its bytes',
    shaped(separated, (text) => text.replaceAll(/[-: ]/g, '')),
  ],
  [
    'digest-percent-encoded',
    'is percent-encoded',
    (text) => (/%[0-9a-f]{2}/i.test(text) ? orUndefined(() => decodeURIComponent(text)) : undefined),
  ],
  [
    'digest-prefixed',
    'has other text before the digest, such as an algorithm name',
    shaped(new RegExp(`^(?:.*[= :,]|0x|[a-z0-9]+[-_])(${digest})$`, 'i')),
  ],
  ['digest-prefixed', 'has other text after the digest', shaped(new RegExp(`^(${digest})[ *:,;]+.+$`))],
  ['digest-encoded-twice', 'was encoded twice, as in base64 of hex digits', encodedTwice],
];

const negative = (hex: string) => BigInt.asIntN(hex.length * 4, BigInt(`0x${hex}`)).toString(16);
const withoutZeros = (hex: string) => hex.replaceAll(/0(.)|../g, (byte, digit?: string) => digit ?? byte);
const ofSignedBytes = (hex: string) =>
  hex.replaceAll(/0(.)|([89a-f].)|../g, (byte, digit?: string, high?: string) =>
    high === undefined ? (digit ?? byte) : `ffffff${high}`,
  );

// Fewer than 32 digits prove nothing.
const fewerDigits = /^[0-9a-f]{32,63}$/;
const signed = 'is hex in which bytes below 16 have one digit, and those above 127 eight (ffffff80)';

/** Hex digits that do not tell the digest, so that each digest is written in their way and compared. */
const lossy: readonly (readonly [
  FixName,
  is: string,
  RegExp,
  write: (hex: string, length: number) => string,
])[] = [
  [
    'digest-shortened',
    'is hex without its leading zeros (BigInteger)',
    fewerDigits,
    (hex) => hex.replace(/^0+/, ''),
  ],
  ['digest-shortened', 'is the hex of a negative BigInteger', /^-[0-9a-f]{32,64}$/, negative],
  ['digest-shortened.bytes', 'is hex in which bytes below 16 have one digit', fewerDigits, withoutZeros],
  ['digest-shortened.bytes', signed, /^(?=.*ffffff)[0-9a-f]{32,256}$/, ofSignedBytes],
  [
    'digest-cut',
    'is only the beginning of the hex digits',
    fewerDigits,
    (hex, length) => hex.slice(0, length),
  ],
];

const inWords = (fix: FixName, is: string, id?: string) => words(fix, `The signature ${is}.`, id);

/** The notations by their names. */
export const notationNames: Readonly<Record<SignatureEncoding, string>> = {
  hex: 'lower-case hex',
  'hex-upper': 'upper-case hex',
  base64: 'base64',
  base64url: 'base64url',
};

/** A digest in another notation than the expected one. How to write it does not depend on what came. */
function otherNotation(id: string, is: string, { encoding }: ExpectedNotation): Words {
  return inWords(`digest-written.${encoding}`, `${is}; ${notationNames[encoding]} is expected`, id);
}

function lossyReadings(received: string, target: ExpectedNotation): Reading[] {
  const text = received.toLowerCase();
  return lossy.flatMap(([fix, is, shape, write]) => {
    const fits = (found: string) => write(Buffer.from(found, 'latin1').toString('hex'), text.length) === text;
    const mistakes = [inWords(fix, is), ...hexMistakes(received, target)];
    const fitting = [...sizes].filter((size) => shape.test(text) && size * 2 !== text.length);
    return fitting.map((size) => ({ mistakes, size, fits }));
  });
}

const sizes = new Set([16, 20, 32, 48, 64]);

/** What is wrong with hex digits, whose case matters to payments alone. */
function hexMistakes(text: string, target: ExpectedNotation): Words[] {
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

const appended = inWords('digest-prefixed.sum', 'has other bytes before the digest');

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
  const numbers = decimals.exec(text)?.[1]?.split(/[, ]+/).map(Number);
  if (numbers) {
    const list = otherNotation('digest-numbers', 'is a list of its bytes as decimal numbers', target);
    return { mistakes: [list], bytes: Buffer.from(numbers) };
  }
  const isLatin1 = sizes.has(text.length) && /^[\0-\xff]*$/.test(text);
  const raw = otherNotation('digest-raw', 'is the bytes of the digest', target);
  return { mistakes: [raw], bytes: Buffer.from(isLatin1 ? text : '', 'latin1') };
}

const mostLayers = 4;
const longestInLayers = 2048;
/** Longer than the headers that servers accept. */
const longestSignature = 16_384;

/** Everything that a received signature may stand for, peeled layer by layer; the plainest first. */
export function readSignature(received: string, target: ExpectedNotation): Reading[] {
  if (received.length > longestSignature) return [];
  const found: Reading[] = [];
  const add = (mistakes: readonly Words[], bytes: Buffer) => {
    const wanted = bytes.toString('latin1');
    if (sizes.has(bytes.length))
      found.push({ mistakes, size: bytes.length, fits: (each) => each === wanted });
  };
  const peel = (text: string, outer: readonly Words[]) => {
    const { mistakes, bytes } = decoded(text, target);
    // Bytes that were encoded twice need no second mistake for what is inside.
    const own = outer.some(({ id }) => id === 'digest-encoded-twice') ? [] : mistakes;
    add([...outer, ...own], bytes);
    // The result of Sum of Go for a body that was never written into the hash: the body, and the digest of nothing.
    if (bytes.length > 64) add([...outer, appended, ...own], bytes.subarray(-32));
    if (outer.length === mostLayers || text.length > longestInLayers) return;
    for (const [fix, is, change] of layers) {
      const inner = change(text);
      if (inner !== undefined) peel(inner, [...outer, inWords(fix, is)]);
    }
  };
  peel(received, []);
  return [...found, ...lossyReadings(received, target)].sort((a, b) => a.mistakes.length - b.mistakes.length);
}

/** Texts that programs print for an object or a missing value. */
const placeholders =
  /^(?:undefined|null|None|Array|Promise \{.*\}|\[object \w+\]|System\.Byte\[\]|\[B@[0-9a-f]+|<.* object at 0x[0-9a-f]+>)$/;

export const isPlaceholder = (received: string) => received.length < 200 && placeholders.test(received);
