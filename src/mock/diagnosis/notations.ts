import { words, type FixName, type Words } from './row.js';
import { percentDecoded } from './signed/rewrites.js';
import type { ExpectedNotation } from './types.js';

/** A digest that a received signature may stand for. */
export interface Reading {
  /** The mistakes in the way in which it is written. */
  readonly mistakes: readonly Words[];
  /** Bytes of the digest, where they are known. */
  readonly size?: number;
  readonly matches: (digest: Buffer) => boolean;
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

/** The text on both sides of the longest run of digits or base64. */
function around(text: string): readonly [before: string, longest: string, after: string] | undefined {
  const runs = text.match(/[A-Za-z0-9+/_-]{12,}={0,2}/g);
  const longest = runs?.reduce((a, b) => (b.length > a.length ? b : a));
  if (longest === undefined || longest === text) return undefined;
  const start = text.indexOf(longest);
  return [text.slice(0, start), longest, text.slice(start + longest.length)];
}

function afterPrefix(text: string): string | undefined {
  const [before = ''] = around(text) ?? [];
  return before.trim() !== '' && !/^["'`]|^b['"]/.test(before) ? text.slice(before.length) : undefined;
}

function beforeSuffix(text: string): string | undefined {
  const [before, longest, after = ''] = around(text) ?? [];
  return before === '' && after.trim() !== '' ? longest : undefined;
}

const hexOf = (bytes: string) => Buffer.from(bytes, 'latin1').toString('hex');
const isBase64 = (text: string) => /^[A-Za-z0-9+/_-]{16,}={0,2}\s*$/.test(text);

/** Hex or base64 whose bytes are hex digits or base64 again. */
function encodedTwice(text: string): string | undefined {
  const encoding = /^(?:[0-9a-f]{2})+$/i.test(text) ? 'hex' : 'base64';
  const inner = Buffer.from(text, encoding).toString('latin1');
  return isBase64(text) && isBase64(inner) ? inner : undefined;
}

/** The bytes that Python prints with escapes. */
function fromPythonBytes(text: string): string | undefined {
  if (!text.includes('\\x')) return undefined;
  const letters = text.replaceAll(/\\(?:x([0-9a-f]{2})|(.))/gs, (_all, digits?: string, letter = '') =>
    digits === undefined
      ? ({ n: '\n', r: '\r', t: '\t' }[String(letter)] ?? String(letter))
      : String.fromCharCode(parseInt(digits, 16)),
  );
  return hexOf(letters);
}

const separated = /^([0-9a-f]{2}([-:. ,])(?:[0-9a-f]{2}\2)+[0-9a-f]{2})$/i;
const byteValues = /^[^\d-]*((?:-?\d{1,3})(?:[, ]+-?\d{1,3}){15,})\W*$/;
const named = /^(?:0x|(?:sha256|hmac|hs256|v1|sig|hex|hmacsha256|hmac-sha256)[-_]?)([0-9a-f]{32,})$/i;
const widened = /^(?=.{65})(.*ffffff[89a-f][0-9a-f].*)$/is;
const inQuotes = /^\\?["'`](.*?)\\?["'`]$/s;

/** In a sentence, `%` stands for the detail. */
const notations: readonly (readonly [fix: FixName, says: string, peel: Peel, detail?: Peel])[] = [
  [
    'digest-white-space',
    'The signature has white space in it or at its ends.',
    shaped(/^([\w+/=-]*\s[\w+/=\s-]*)$/, (text) => text.replaceAll(/\s+/g, '')),
  ],
  [
    'digest-bytes.binary',
    "The signature is Python's b'…' of the binary digest.",
    shaped(/^b["'](.*)["']$/s, fromPythonBytes),
  ],
  ['digest-quoted', "The signature stands in Python's b'…'.", shaped(/^b["'](.*)["']$/s)],
  ['digest-quoted', 'The signature stands in quotation marks.', shaped(inQuotes)],
  [
    'digest-percent-encoded',
    'The signature is percent-encoded.',
    shaped(/^(.*%[0-9a-f]{2}.*)$/i, percentDecoded),
  ],
  [
    'digest-separated',
    'The bytes of the signature are separated by %.',
    shaped(separated, (text) => text.replaceAll(/[-:. ,]/g, '')),
    (text) => text[2],
  ],
  [
    'digest-bytes',
    'The signature is a list of byte values.',
    shaped(byteValues, (text) => Buffer.from(text.split(/[, ]+/).map(Number)).toString('hex')),
  ],
  [
    'digest-bytes',
    'The signature is the printed form of a Node.js buffer.',
    shaped(/^<Buffer ((?:[0-9a-f]{2} ?)+)>$/, (text) => text.replaceAll(' ', '')),
  ],
  [
    'digest-bytes.widened',
    'The bytes of the signature were widened to negative integers (ffffff…).',
    shaped(widened, (text) => text.replaceAll(/ffffff([89a-f][0-9a-f])/gi, '$1')),
  ],
  // In a header, whose bytes arrive as Latin-1.
  [
    'digest-bytes.binary',
    'The signature is the binary digest.',
    shaped(/^(?=.{16})(.*[^\x20-\x7e].*)$/s, hexOf),
  ],
  [
    'digest-prefixed',
    'The signature has % before the digest.',
    afterPrefix,
    (text) => around(text)?.[0].slice(0, 40),
  ],
  [
    'digest-suffixed',
    'The signature has % after the digest.',
    beforeSuffix,
    (text) => around(text)?.[2].slice(0, 40),
  ],
  ['digest-prefixed', 'The signature has 0x or an algorithm name before the digest.', shaped(named)],
  ['digest-encoded-twice', 'The digest was encoded twice, as in base64 of hex digits.', encodedTwice],
];

/** Fewer digits do not prove anything. */
const fewestDigits = 12;
const sizes = new Set([16, 20, 28, 32, 48, 64]);

const upperCase = words(
  'digest-upper-case',
  'The signature is written in upper-case hex; lower case is expected.',
);
const inHex = words('digest-hex', 'The signature is written in hex; base64 is expected.');
const inBase64 = words('digest-base64', 'The signature is written in base64; hex is expected.');
const otherBase64 = words(
  'digest-base64.standard',
  'The signature is written in base64 for URLs, or without = at its end; standard base64 is expected.',
);
const zerosDropped = words('digest-zeros-dropped', 'The hex digits of the signature lack leading zeros.');
const cut = (which: string) => words('digest-truncated', `Only the ${which} of the digest were sent.`);
const appended = words('digest-prefixed.sum', 'The signature has other bytes before the digest.');

function exactly(bytes: Buffer, mistakes: readonly Words[]): Reading[] {
  // The result of Sum of Go for a body that was never written into the hash: the body, and the digest of nothing.
  if (bytes.length > 64) return exactly(bytes.subarray(-32), [appended, ...mistakes]);
  if (!sizes.has(bytes.length)) return [];
  return [{ mistakes, size: bytes.length, matches: (digest) => digest.equals(bytes) }];
}

function hexReadings(text: string, { operation, encoding }: ExpectedNotation): Reading[] {
  if (!/^[0-9a-f]+$/i.test(text)) return [];
  const digits = text.toLowerCase();
  const { length } = digits;
  const hasRightCase = digits === text || operation === 'upload';
  const mistakes = encoding === 'base64' ? [inHex] : hasRightCase ? [] : [upperCase];
  const found = exactly(Buffer.from(length % 2 === 0 ? digits : '', 'hex'), mistakes);
  if (length < fewestDigits || length >= 128) return found;
  const part = (mistake: Words, isPart: (all: string, digest: Buffer) => boolean): Reading => ({
    mistakes: [...mistakes, mistake],
    matches: (digest) => digest.length * 2 > length && isPart(digest.toString('hex'), digest),
  });
  const withoutZeros = (digest: Buffer) => Array.from(digest, (byte) => byte.toString(16)).join('');
  return [
    ...found,
    part(cut(`first ${length} digits`), (all) => all.startsWith(digits)),
    part(cut(`last ${length} digits`), (all) => all.endsWith(digits)),
    part(zerosDropped, (all, digest) => all.replace(/^0+/, '') === digits || withoutZeros(digest) === digits),
  ];
}

function base64Readings(text: string, { encoding }: ExpectedNotation): Reading[] {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text) || /^[0-9a-f]+$/i.test(text)) return [];
  const bytes = Buffer.from(text, 'base64');
  const isStandard = bytes.toString('base64') === text;
  const mistakes = encoding === 'hex' ? [inBase64] : isStandard ? [] : [otherBase64];
  const found = exactly(bytes, mistakes);
  if (found.length > 0 || bytes.length * 2 < fewestDigits) return found;
  const start = text.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  const part = cut(`first ${start.length} characters`);
  return [
    { mistakes: [...mistakes, part], matches: (digest) => digest.toString('base64').startsWith(start) },
  ];
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
    // Bytes in another notation need no second mistake for what is inside it.
    const isInside = outer.some(({ id }) => id === 'digest-bytes' || id === 'digest-encoded-twice');
    for (const { mistakes, ...reading } of [...hexReadings(text, target), ...base64Readings(text, target)]) {
      const own = mistakes.filter(({ id }) => !isInside || (id !== 'digest-hex' && id !== 'digest-base64'));
      found.push({ ...reading, mistakes: [...outer, ...own] });
    }
    if (outer.length === mostLayers || text.length > longestInLayers) return;
    for (const [fix, says, change, detail] of notations) {
      const inner = change(text);
      const layer = words(
        fix,
        says.replace('%', () => JSON.stringify(detail?.(text))),
      );
      if (inner !== undefined) peel(inner, [...outer, layer]);
    }
  };
  peel(received, []);
  return found.sort((a, b) => a.mistakes.length - b.mistakes.length);
}
