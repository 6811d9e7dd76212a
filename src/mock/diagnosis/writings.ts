import type { SignatureEncoding } from '../../protocol/signature.js';
import { layers } from './signature-layers.js';
import type { Mistake } from './types.js';
import type { Writing } from './writing.js';

/** What a received signature may stand for. */
export interface Candidate {
  readonly writings: readonly Writing[];
  /** Bytes of the digest, where they are known. */
  readonly size?: number;
  /** Otherwise the digest has more bytes than these. */
  readonly moreThan?: number;
  readonly matches: (digest: Buffer) => boolean;
}

type Target = SignatureEncoding;

function goalOf(target: Target): string {
  return target === 'hex'
    ? "Write the digest in lower-case hex. PHP: hash_hmac with binary = false. Python: .hexdigest(). Java: HexFormat.of().formatHex(digest). .NET: Convert.ToHexString(digest).ToLowerInvariant(). Go: hex.EncodeToString(digest). Node.js: .digest('hex')."
    : "Write the 32 bytes of the digest in base64. PHP: base64_encode(hash_hmac(..., true)). Python: base64.b64encode(digest).decode(). Java: Base64.getEncoder(). .NET: Convert.ToBase64String(digest). Go: base64.StdEncoding. Node.js: .digest('base64').";
}

/** Fewer digits are no proof. */
const fewestDigits = 12;
const sizes = new Set([16, 20, 28, 32, 48, 64]);
const longestDigest = 64;
const rightSize = 32;

function exactly(bytes: Buffer, writings: readonly Writing[]): Candidate {
  return { writings, size: bytes.length, matches: (digest) => digest.equals(bytes) };
}

/** Digests that a text of hex digits may be. */
function hexCandidates(text: string, target: Target): Candidate[] {
  if (!/^[0-9a-f]+$/i.test(text)) return [];
  const digits = text.toLowerCase();
  const fix = goalOf(target);
  const hex: Writing = {
    id: 'digest-hex',
    message: 'The signature is written in hex; base64 is expected.',
    fix,
  };
  const upper: Writing = {
    id: 'digest-upper-case',
    message: 'The signature is written in upper-case hex.',
    fix,
  };
  const writings = target === 'base64' ? [hex] : digits === text ? [] : [upper];
  const whole = Buffer.from(digits, 'hex');
  const found: Candidate[] = [];
  if (digits.length % 2 === 0) {
    if (sizes.has(whole.length)) found.push(exactly(whole, writings));
    const sum = appended(whole);
    if (sum) return [{ ...sum, writings: [...sum.writings, ...writings] }];
  }
  if (digits.length < fewestDigits) return found;
  const zeros: Writing = {
    id: 'digest-zeros-dropped',
    message: 'The hex digits of the signature lack leading zeros.',
    fix: 'Write each byte with two digits. Java: String.format("%02x", b), not Integer.toHexString(b) or BigInteger.toString(16). JavaScript: b.toString(16).padStart(2, "0"). C: "%02x".',
  };
  if (digits.length >= 32 && digits.length < 64) {
    found.push({
      writings: [...writings, zeros],
      matches: (digest) =>
        digest.toString('hex').replace(/^0+/, '') === digits || withoutZeros(digest) === digits,
    });
  }
  if (digits.length < 128) found.push(...cutCandidates(digits, [...writings]));
  return found;
}

/** What Sum of Go gives for a body that was never written into the hash: the body, and the digest of nothing. */
function appended(bytes: Buffer): Candidate | undefined {
  if (bytes.length <= longestDigest) return undefined;
  const writing: Writing = {
    id: 'digest-prefixed',
    message: `The signature has ${bytes.length - rightSize} other bytes before the digest.`,
    fix: 'Go: mac.Write(body), then mac.Sum(nil); mac.Sum(body) appends the digest to the body and hashes nothing of it.',
  };
  return exactly(bytes.subarray(-rightSize), [writing]);
}

function withoutZeros(digest: Buffer): string {
  return Array.from(digest, (byte) => byte.toString(16)).join('');
}

function cut(message: string): Writing {
  return {
    id: 'digest-truncated',
    message,
    fix: 'Send the whole digest; check substr, fixed-size buffers and column lengths.',
  };
}

function cutCandidates(digits: string, writings: readonly Writing[]): Candidate[] {
  const starts: Candidate = {
    writings: [...writings, cut(`Only the first ${digits.length} digits of the signature were sent.`)],
    moreThan: digits.length / 2,
    matches: (digest) => digest.length * 2 > digits.length && digest.toString('hex').startsWith(digits),
  };
  const ends: Candidate = {
    writings: [...writings, cut(`Only the last ${digits.length} digits of the signature were sent.`)],
    moreThan: digits.length / 2,
    matches: (digest) => digest.length * 2 > digits.length && digest.toString('hex').endsWith(digits),
  };
  return [starts, ends];
}

/** Digests that a text of base64 may be. */
function base64Candidates(text: string, target: Target): Candidate[] {
  const shape = /^([A-Za-z0-9+/_-]+)(={0,2})$/.exec(text);
  if (!shape || /^[0-9a-f]+$/i.test(text)) return [];
  const bytes = Buffer.from(text, 'base64');
  const isUrlSafe = /[-_]/.test(text);
  const isPadded = bytes.toString('base64').length === text.length;
  const details = [...(isUrlSafe ? ['URL-safe'] : []), ...(isPadded ? [] : ['unpadded'])];
  const isRight = target === 'base64' && details.length === 0;
  const message =
    target === 'base64'
      ? `The signature is written in ${details.join(', ')} base64; the standard alphabet with padding is expected.`
      : `The signature is written in ${[...details, 'base64'].join(' ')}; lower-case hex is expected.`;
  const writings: Writing[] = isRight ? [] : [{ id: 'digest-base64', message, fix: goalOf(target) }];
  if (bytes.length * 2 < fewestDigits) return [];
  if (sizes.has(bytes.length)) return [exactly(bytes, writings)];
  const sum = appended(bytes);
  if (sum) return [{ ...sum, writings: [...sum.writings, ...writings] }];
  const digits = bytes.toString('hex');
  return [
    {
      writings: [...writings, cut(`Only the first ${bytes.length} bytes of the digest were sent.`)],
      matches: (digest) =>
        digest.toString('hex').startsWith(digits.slice(0, -2)) &&
        digest
          .toString('base64')
          .startsWith(text.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/')),
    },
  ];
}

const mostLayers = 4;
const longestInLayers = 2048;
/** Longer than the headers that servers accept. */
const longestSignature = 16_384;

/** Every digest that a received signature may stand for, the plainest first. */
export function readSignature(received: string, target: Target): Candidate[] {
  if (received.length > longestSignature) return [];
  const found: Candidate[] = [];
  const read = (text: string, outer: readonly Writing[]) => {
    for (const candidate of [...hexCandidates(text, target), ...base64Candidates(text, target)]) {
      found.push({ ...candidate, writings: combined(outer, candidate.writings) });
    }
    if (outer.length === mostLayers || text.length > longestInLayers) return;
    for (const { writing, text: inner } of layers(text)) read(inner, [...outer, writing]);
  };
  read(received, []);
  return found.sort((a, b) => a.writings.length - b.writings.length);
}

const carriers: ReadonlySet<Mistake> = new Set([
  'digest-bytes',
  'digest-base64-of-hex',
  'digest-hex-of-base64',
]);
const carried: ReadonlySet<Mistake> = new Set(['digest-hex', 'digest-base64']);

/** A layer that says what is inside it needs no second mistake for that. */
function combined(outer: readonly Writing[], inner: readonly Writing[]): readonly Writing[] {
  const isCarried = outer.some(({ id }) => carriers.has(id));
  return [...outer, ...inner.filter(({ id }) => !isCarried || !carried.has(id))];
}
