import { words, type FixName, type Words } from './row.js';
import { encodeDigest, type SignatureEncoding } from '../../protocol/signature.js';

/** How a signature has to be written. An upload takes hex of either case. */
export interface ExpectedNotation {
  readonly operation: 'payment' | 'upload';
  readonly encoding: SignatureEncoding;
}

/** A digest that a received signature may stand for. */
export interface Reading {
  /** The mistakes in the way in which it is written. */
  readonly mistakes: readonly Words[];
  /** Its bytes, as Latin-1 text. */
  readonly digest: string;
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

const isBase64 = (text: string) => /^[A-Za-z0-9+/_-]{16,}={0,2}\s*$/.test(text);

/** Hex or base64 whose bytes are hex digits or base64 again. */
function encodedTwice(text: string): string | undefined {
  const encoding = /^(?:[0-9a-f]{2})+$/i.test(text) ? 'hex' : 'base64';
  const inner = Buffer.from(text, encoding).toString('latin1');
  return isBase64(text) && isBase64(inner) ? inner : undefined;
}

const separated = /^([0-9a-f]{2}([-: ])(?:[0-9a-f]{2}\2)+[0-9a-f]{2})$/i;
const digest = '(?:[0-9a-f]{32,}|[A-Za-z0-9+/_-]{22,}={0,2})';

const notations: readonly (readonly [fix: FixName, says: string, peel: Peel])[] = [
  [
    'digest-white-space',
    'The signature has white space in it or at its ends.',
    shaped(/^([\w+/=-]*\s[\w+/=\s-]*)$/, (text) => text.replaceAll(/\s+/g, '')),
  ],
  ['digest-quoted', "The signature stands in Python's b'…'.", shaped(/^b["'](.*)["']$/s)],
  ['digest-quoted', 'The signature stands in quotation marks.', shaped(/^\\?["'](.*?)\\?["']$/s)],
  [
    'digest-separated',
    'The bytes of the signature are separated by hyphens, colons or spaces.',
    shaped(separated, (text) => text.replaceAll(/[-: ]/g, '')),
  ],
  [
    'digest-prefixed',
    'The signature has other text before the digest, such as an algorithm name.',
    shaped(new RegExp(`^(?:.*[= :,]|0x|[a-z0-9]+[-_])(${digest})$`, 'i')),
  ],
  [
    'digest-prefixed',
    'The signature has other text after the digest.',
    shaped(new RegExp(`^(${digest})[ *:,;]+.+$`)),
  ],
  ['digest-encoded-twice', 'The digest was encoded twice, as in base64 of hex digits.', encodedTwice],
];

const sizes = new Set([16, 20, 32, 64]);

/** The mistakes of a signature in another notation than the expected one, by that and by what came. */
const otherNotations: Readonly<Record<SignatureEncoding, { readonly hex: Words; readonly base64: Words }>> = {
  hex: {
    hex: words('digest-upper-case', 'The signature is written in upper-case hex; lower case is expected.'),
    base64: words('digest-base64', 'The signature is written in base64; hex is expected.'),
  },
  'hex-upper': {
    hex: words('digest-lower-case', 'The signature is written in lower-case hex; upper case is expected.'),
    base64: words('digest-lower-case', 'The signature is written in base64; upper-case hex is expected.'),
  },
  base64: {
    hex: words('digest-hex', 'The signature is written in hex; base64 is expected.'),
    base64: words(
      'digest-base64.standard',
      'The signature is written in base64 for URLs, or without = at its end; standard base64 is expected.',
    ),
  },
  base64url: {
    hex: words('digest-base64url', 'The signature is written in hex; base64url is expected.'),
    base64: words(
      'digest-base64url',
      'The signature is written in standard base64; base64url without = is expected.',
    ),
  },
};
const appended = words('digest-prefixed.sum', 'The signature has other bytes before the digest.');

/** The bytes of hex or base64, and what is wrong with that. */
function decoded(text: string, { operation, encoding }: ExpectedNotation) {
  if (/^(?:[0-9a-f]{2})+$/i.test(text)) {
    const bytes = Buffer.from(text, 'hex');
    const isRight = operation === 'upload' || encodeDigest(bytes, encoding) === text;
    return { mistakes: isRight ? [] : [otherNotations[encoding].hex], bytes };
  }
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  const isRight = encodeDigest(bytes, encoding) === text;
  return { mistakes: isRight ? [] : [otherNotations[encoding].base64], bytes };
}

const mostLayers = 4;
const longestInLayers = 2048;
/** Longer than the headers that servers accept. */
const longestSignature = 16_384;

/** Every digest that a received signature may stand for, peeled layer by layer; the plainest first. */
export function readSignature(received: string, target: ExpectedNotation): Reading[] {
  if (received.length > longestSignature) return [];
  const found: Reading[] = [];
  const peel = (text: string, outer: readonly Words[]) => {
    const { mistakes, bytes } = decoded(text, target) ?? { mistakes: [], bytes: Buffer.alloc(0) };
    // Bytes in another notation need no second mistake for what is inside it.
    const isInside = outer.some(({ id }) => id === 'digest-encoded-twice');
    const own = isInside ? [] : mistakes;
    if (sizes.has(bytes.length))
      found.push({ mistakes: [...outer, ...own], digest: bytes.toString('latin1') });
    // The result of Sum of Go for a body that was never written into the hash: the body, and the digest of nothing.
    if (bytes.length > 64) {
      found.push({
        mistakes: [...outer, appended, ...own],
        digest: bytes.toString('latin1', bytes.length - 32),
      });
    }
    if (outer.length === mostLayers || text.length > longestInLayers) return;
    for (const [fix, says, change] of notations) {
      const inner = change(text);
      if (inner !== undefined) peel(inner, [...outer, words(fix, says)]);
    }
  };
  peel(received, []);
  return found.sort((a, b) => a.mistakes.length - b.mistakes.length);
}
