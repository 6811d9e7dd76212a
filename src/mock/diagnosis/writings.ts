import type { SignatureEncoding } from '../../protocol/signature.js';
import type { Mistake } from './types.js';

/** A way in which a digest is written that is not the right one. */
export interface Writing {
  readonly id: Mistake;
  readonly message: string;
  readonly fix: string;
}

/** What a received signature may stand for. */
export interface Candidate {
  readonly writings: readonly Writing[];
  /** Bytes of the digest, where they are known. */
  readonly size?: number;
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
  if (digits.length % 2 === 0 && sizes.has(whole.length)) found.push(exactly(whole, writings));
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
    matches: (digest) => digest.length * 2 > digits.length && digest.toString('hex').startsWith(digits),
  };
  const ends: Candidate = {
    writings: [...writings, cut(`Only the last ${digits.length} digits of the signature were sent.`)],
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

interface Peeling {
  readonly writing: Writing;
  readonly text: string;
}

function peel(id: Mistake, message: string, fix: string, text: string): Peeling {
  return { writing: { id, message, fix }, text };
}

const alone = 'Send the digest alone, without anything before, after or around it.';

/** What a signature is once one layer of writing is taken off. */
function* layers(text: string): Generator<Peeling> {
  const trimmed = text.replaceAll(/\s+/g, '');
  if (trimmed !== text && /^[\w+/=-]+$/.test(trimmed)) {
    yield peel(
      'digest-white-space',
      'The signature has white space in it or at its ends.',
      'Send the digest without white space. Shell: tr -d " \\n"; base64 -w 0. PHP: trim().',
      trimmed,
    );
  }
  const quoted = /^(b?)(["'`])(.*)\2$/s.exec(text) ?? /^(b?)(\\?")(.*)\\?"$/s.exec(text);
  if (quoted) {
    const isBytes = quoted[1] === 'b';
    yield peel(
      'digest-quoted',
      isBytes ? "The signature stands in Python's b'…'." : 'The signature stands in quotation marks.',
      isBytes
        ? 'Python: .hexdigest(), or .decode() of the bytes; not str(bytes).'
        : 'Send the digest without quotation marks; do not serialise it as JSON.',
      quoted[3] ?? '',
    );
  }
  if (/%[0-9a-f]{2}/i.test(text)) {
    const decoded = percentDecoded(text);
    if (decoded !== undefined)
      yield peel(
        'digest-percent-encoded',
        'The signature is percent-encoded.',
        'A header is not part of a URL: send the digest without urlencode.',
        decoded,
      );
  }
  yield* numberLists(text);
  const longest = text.match(/[A-Za-z0-9+/_-]{12,}={0,2}/g)?.reduce((a, b) => (b.length > a.length ? b : a));
  if (longest !== undefined && longest !== text) {
    const [before = '', after = ''] = text.split(longest);
    if (before.trim() !== '' && !/^["'`]|^b['"]/.test(before)) {
      yield peel(
        'digest-prefixed',
        `The signature has ${JSON.stringify(before.slice(0, 40))} before the digest.`,
        `${alone} Shell: openssl dgst prints a prefix; take the last word, with awk '{print $NF}' or openssl dgst -r.`,
        text.slice(before.length),
      );
    } else if (before === '' && after.trim() !== '') {
      yield peel(
        'digest-suffixed',
        `The signature has ${JSON.stringify(after.slice(0, 40))} after the digest.`,
        `${alone} Shell: sha256sum and openssl dgst -r print a file name; take the first word.`,
        longest,
      );
    }
  }
  const prefix = /^0x([0-9a-f]+)$/i.exec(text);
  if (prefix)
    yield peel('digest-prefixed', 'The signature has "0x" before the digest.', alone, prefix[1] ?? '');
  const glued = /^(?:sha256|hmac|hs256|v1|sig|hex|hmacsha256|hmac-sha256)[-_]?([0-9a-f]{64})$/i.exec(text);
  if (glued && longest === text)
    yield peel(
      'digest-prefixed',
      'The signature has an algorithm name before the digest.',
      alone,
      glued[1] ?? '',
    );
  yield* encodedTexts(text);
}

function* numberLists(text: string): Generator<Peeling> {
  if (/^[0-9a-f]{2}([-:. ,])(?:[0-9a-f]{2}\1)+[0-9a-f]{2}$/i.test(text)) {
    yield peel(
      'digest-separated',
      `The bytes of the signature are separated by ${JSON.stringify(text[2])}.`,
      '.NET: Convert.ToHexString(digest), not BitConverter.ToString(digest). Java: HexFormat.of(), without a delimiter.',
      text.replaceAll(/[-:. ,]/g, ''),
    );
  }
  const list = /^[^\d-]*((?:-?\d{1,3})(?:[, ]+-?\d{1,3}){15,})\W*$/.exec(text)?.[1];
  if (list !== undefined) {
    const bytes = list.split(/[, ]+/).map(Number);
    yield peel(
      'digest-bytes',
      'The signature is a list of byte values.',
      'Write the bytes as hex. Java: HexFormat.of().formatHex(digest), not Arrays.toString(digest). Go: hex.EncodeToString, not fmt.Sprint. JavaScript: digest.toString("hex").',
      Buffer.from(bytes).toString('hex'),
    );
  }
  const node = /^<Buffer ((?:[0-9a-f]{2} ?)+)>$/.exec(text)?.[1];
  if (node !== undefined)
    yield peel(
      'digest-bytes',
      'The signature is the printed form of a Node.js buffer.',
      "Node.js: .digest('hex').",
      node.replaceAll(' ', ''),
    );
  if (/^(?:\\x[0-9a-f]{2})+$/i.test(text)) {
    yield peel(
      'digest-bytes',
      'The signature is written as \\x escapes.',
      'Write the bytes as hex digits alone. Python: .hexdigest().',
      text.replaceAll('\\x', ''),
    );
  }
  if (/ffffff[89a-f][0-9a-f]/i.test(text) && text.length > 64) {
    yield peel(
      'digest-bytes',
      'The bytes of the signature were widened to negative integers (ffffff…).',
      'Java: String.format("%02x", b), or Integer.toHexString(b & 0xff) with padding. C: take unsigned char. PHP, Go: no signed bytes.',
      text.replaceAll(/ffffff([89a-f][0-9a-f])/gi, '$1'),
    );
  }
  // A binary digest in a header, whose bytes arrive as Latin-1.
  if (/[^\x20-\x7e]/.test(text) && text.length >= 16) {
    yield peel(
      'digest-bytes',
      'The signature is the binary digest.',
      'Write the digest in hex. PHP: hash_hmac without true as its last argument. Python: .hexdigest(), not .digest(). Ruby: hexdigest.',
      Buffer.from(text, 'latin1').toString('hex'),
    );
  }
}

/** A signature that was written twice: base64 of hex digits, and the like. */
function* encodedTexts(text: string): Generator<Peeling> {
  const fix = 'Encode the bytes of the digest once.';
  if (/^[0-9a-f]+$/i.test(text) && text.length % 2 === 0) {
    const inner = Buffer.from(text, 'hex').toString('latin1');
    if (/^[A-Za-z0-9+/_-]{16,}=*\s*$/.test(inner)) {
      const isHex = /^[0-9a-f]+\s*$/i.test(inner);
      yield peel(
        'digest-hex-of-base64',
        `The signature is hex of ${isHex ? 'hex digits' : 'base64'}.`,
        `${fix} Node.js, Python: take the raw digest.`,
        inner,
      );
    }
    return;
  }
  if (!/^[A-Za-z0-9+/_-]{16,}={0,2}$/.test(text)) return;
  const inner = Buffer.from(text, 'base64').toString('latin1');
  if (/^[0-9a-f]{12,}\s*$/i.test(inner)) {
    yield peel(
      'digest-base64-of-hex',
      'The signature is base64 of the hex digits.',
      `${fix} PHP: base64_encode needs hash_hmac(..., true). Send the hex digits themselves.`,
      inner,
    );
  } else if (/^[A-Za-z0-9+/_-]{16,}={0,2}\s*$/.test(inner)) {
    yield peel('digest-base64', 'The signature is base64 of base64.', fix, inner);
  }
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const mostLayers = 4;
const longestSignature = 2048;

/** Every digest that a received signature may stand for, the plainest first. */
export function readSignature(received: string, target: Target): Candidate[] {
  if (received.length > longestSignature) return [];
  const found: Candidate[] = [];
  const read = (text: string, outer: readonly Writing[]) => {
    for (const candidate of [...hexCandidates(text, target), ...base64Candidates(text, target)]) {
      found.push({ ...candidate, writings: combined(outer, candidate.writings) });
    }
    if (outer.length === mostLayers) return;
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
