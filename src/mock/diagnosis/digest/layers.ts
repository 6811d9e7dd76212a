import { mend, type FixName } from '../ingredient.js';
import { percentDecoded, replaced, without } from '../text/rewrites.js';
import type { Mistake } from '../types.js';

/** A mistake in the way in which a digest is written. */
export interface Layer {
  readonly id: Mistake;
  readonly message: string;
  readonly fix: string;
}

export function layer(fix: FixName, message: string): Layer {
  return { ...mend(fix), message };
}

/** The text inside a layer; undefined for a text without it. */
type Peel = (text: string) => string | undefined;

/** The text, rewritten, or the first group, where it has this shape. */
function where(shape: RegExp, rewrite?: Peel): Peel {
  return (text) => {
    const match = shape.exec(text);
    return match && rewrite ? rewrite(text) : match?.[1];
  };
}

const hexOf = (bytes: string) => Buffer.from(bytes, 'latin1').toString('hex');
const as32Bytes = (number: bigint) => number.toString(16).padStart(64, '0');

/** The longest run of digits or base64, and the text on both sides of it. */
function around(text: string): readonly [before: string, longest: string, after: string] | undefined {
  const longest = text.match(/[A-Za-z0-9+/_-]{12,}={0,2}/g)?.reduce((a, b) => (b.length > a.length ? b : a));
  if (longest === undefined || longest === text) return undefined;
  const [before = '', after = ''] = text.split(longest);
  return [before, longest, after];
}

function afterPrefix(text: string): string | undefined {
  const [before = ''] = around(text) ?? [];
  return before.trim() !== '' && !/^["'`]|^b['"]/.test(before) ? text.slice(before.length) : undefined;
}

function beforeSuffix(text: string): string | undefined {
  const [before, longest, after = ''] = around(text) ?? [];
  return before === '' && after.trim() !== '' ? longest : undefined;
}

function fromByteValues(text: string): string | undefined {
  const list = /^[^\d-]*((?:-?\d{1,3})(?:[, ]+-?\d{1,3}){15,})\W*$/.exec(text)?.[1];
  return list === undefined ? undefined : Buffer.from(list.split(/[, ]+/).map(Number)).toString('hex');
}

const pythonEscapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** The bytes that Python prints with escapes. */
function fromPythonBytes(text: string): string | undefined {
  const escaped = /^b(["'])(.*)\1$/s.exec(text)?.[2];
  if (!escaped?.includes('\\x')) return undefined;
  return hexOf(
    escaped.replaceAll(/\\(?:x([0-9a-f]{2})|(.))/gs, (_all, digits: string | undefined, letter: string) =>
      digits === undefined ? (pythonEscapes[letter] ?? letter) : String.fromCharCode(parseInt(digits, 16)),
    ),
  );
}

const isEvenHex = (text: string) => /^(?:[0-9a-f]{2})+$/i.test(text);
const isBase64 = (text: string) => /^[A-Za-z0-9+/_-]{16,}={0,2}\s*$/.test(text);

/** The text whose bytes are written in hex: hex digits, or base64. */
function fromHex(text: string, toHex: boolean): string | undefined {
  const inner = isEvenHex(text) ? Buffer.from(text, 'hex').toString('latin1') : '';
  return isBase64(inner) && /^[0-9a-f]+\s*$/i.test(inner) === toHex ? inner : undefined;
}

/** The text whose bytes are written in base64: hex digits, or base64. */
function fromBase64(text: string, toHex: boolean): string | undefined {
  if (isEvenHex(text) || !isBase64(text) || /\s/.test(text)) return undefined;
  const inner = Buffer.from(text, 'base64').toString('latin1');
  const isHex = /^[0-9a-f]{12,}\s*$/i.test(inner);
  return isHex === toHex && (isHex || isBase64(inner)) ? inner : undefined;
}

/** The text inside quotation marks, of Python's b'…' too where `b` is the start. */
function unquoted(text: string, start: string): string | undefined {
  const alike = new RegExp(`^${start}(["'\`])(.*)\\1$`, 's').exec(text);
  return alike ? alike[2] : new RegExp(`^${start}\\\\?"(.*)\\\\?"$`, 's').exec(text)?.[1];
}

const isWord = where(/^([\w+/=-]+)$/);
const fromWords = where(/\s/, (text) => isWord(text.replaceAll(/\s+/g, '')));
const nodeBuffer = where(/^<Buffer ((?:[0-9a-f]{2} ?)+)>$/);
const separated = /^[0-9a-f]{2}([-:. ,])(?:[0-9a-f]{2}\1)+[0-9a-f]{2}$/i;
const joinedBytes = where(separated, without(/[-:. ,]/g));
const fromDecimal = where(/^\d{70,78}$/, (text) => as32Bytes(BigInt(text)));
const fromNegative = where(/^-[0-9a-f]{50,64}$/i, (text) =>
  as32Bytes(2n ** 256n - BigInt(`0x${text.slice(1)}`)),
);
const fromEscapes = where(/^(?:\\x[0-9a-f]{2})+$/i, without('\\x'));
const fromWidened = where(/^(?=.{65}).*ffffff[89a-f][0-9a-f]/is, replaced(/ffffff([89a-f][0-9a-f])/gi, '$1'));
const widened = 'The bytes of the signature were widened to negative integers (ffffff…).';
const algorithm = /^(?:sha256|hmac|hs256|v1|sig|hex|hmacsha256|hmac-sha256)[-_]?([0-9a-f]{64})$/i;
const prefix = (text: string) => around(text)?.[0].slice(0, 40);
const suffix = (text: string) => around(text)?.[2].slice(0, 40);

/** In a sentence, `%` stands for the detail. */
const rows: readonly (readonly [fix: FixName, sentence: string, peel: Peel, detail?: Peel])[] = [
  ['digest-white-space', 'The signature has white space in it or at its ends.', fromWords],
  ['digest-quoted.python', "The signature stands in Python's b'…'.", (text) => unquoted(text, 'b')],
  ['digest-quoted', 'The signature stands in quotation marks.', (text) => unquoted(text, '')],
  ['digest-percent-encoded', 'The signature is percent-encoded.', where(/%[0-9a-f]{2}/i, percentDecoded)],
  ['digest-separated', 'The bytes of the signature are separated by %.', joinedBytes, (text) => text[2]],
  ['digest-bytes', 'The signature is a list of byte values.', fromByteValues],
  [
    'digest-bytes.node',
    'The signature is the printed form of a Node.js buffer.',
    (text) => nodeBuffer(text)?.replaceAll(' ', ''),
  ],
  ['digest-bytes.python', "The signature is Python's b'…' of the binary digest.", fromPythonBytes],
  ['digest-bytes.decimal', 'The signature is a decimal number.', fromDecimal],
  ['digest-bytes.negative', 'The signature is a negative hex number.', fromNegative],
  ['digest-bytes.escapes', 'The signature is written as \\x escapes.', fromEscapes],
  ['digest-bytes.widened', widened, fromWidened],
  // In a header, whose bytes arrive as Latin-1.
  ['digest-bytes.binary', 'The signature is the binary digest.', where(/^(?=.{16}).*[^\x20-\x7e]/s, hexOf)],
  ['digest-prefixed.openssl', 'The signature has % before the digest.', afterPrefix, prefix],
  ['digest-suffixed', 'The signature has % after the digest.', beforeSuffix, suffix],
  ['digest-prefixed', 'The signature has "0x" before the digest.', where(/^0x([0-9a-f]+)$/i)],
  ['digest-prefixed', 'The signature has an algorithm name before the digest.', where(algorithm)],
  ['digest-hex-of-base64', 'The signature is hex of hex digits.', (text) => fromHex(text, true)],
  ['digest-hex-of-base64', 'The signature is hex of base64.', (text) => fromHex(text, false)],
  ['digest-base64-of-hex', 'The signature is base64 of the hex digits.', (text) => fromBase64(text, true)],
  ['digest-base64.twice', 'The signature is base64 of base64.', (text) => fromBase64(text, false)],
];

/** The layers that a signature may have around its digest, each with the text inside it. */
export function layersOf(text: string): (readonly [layer: Layer, inner: string])[] {
  return rows.flatMap(([fix, sentence, peel, detail]) => {
    const inner = peel(text);
    if (inner === undefined) return [];
    const message = sentence.replace('%', () => JSON.stringify(detail?.(text)));
    return [[layer(fix, message), inner] as const];
  });
}
