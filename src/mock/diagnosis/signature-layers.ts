import { percentDecoded } from './percent-encodings.js';
import type { Mistake } from './types.js';
import type { Writing } from './writing.js';

interface Peeling {
  readonly writing: Writing;
  readonly text: string;
}

function peel(id: Mistake, message: string, fix: string, text: string): Peeling {
  return { writing: { id, message, fix }, text };
}

const alone = 'Send the digest alone, without anything before, after or around it.';

/** What a signature is once one layer of writing is taken off. */
export function* layers(text: string): Generator<Peeling> {
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
  const escaped = /^b(["'])(.*)\1$/s.exec(text)?.[2];
  if (escaped?.includes('\\x')) {
    yield peel(
      'digest-bytes',
      "The signature is Python's b'…' of the binary digest.",
      'Python: .hexdigest(), not str(hmac.digest()).',
      Buffer.from(pythonBytes(escaped), 'latin1').toString('hex'),
    );
  }
  if (/^\d{70,78}$/.test(text)) {
    yield peel(
      'digest-bytes',
      'The signature is a decimal number.',
      'Write the bytes as hex. Java: HexFormat.of().formatHex(digest), not new BigInteger(1, digest).toString().',
      BigInt(text).toString(16).padStart(64, '0'),
    );
  }
  if (/^-[0-9a-f]{50,64}$/i.test(text)) {
    yield peel(
      'digest-bytes',
      'The signature is a negative hex number.',
      'Write the bytes as hex. Java: HexFormat.of().formatHex(digest), not new BigInteger(digest).toString(16).',
      (2n ** 256n - BigInt(`0x${text.slice(1)}`)).toString(16).padStart(64, '0'),
    );
  }
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

const pythonEscapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** The bytes, as Latin-1, that Python prints with escapes. */
function pythonBytes(text: string): string {
  return text.replaceAll(/\\(?:x([0-9a-f]{2})|(.))/gs, (_all, digits: string | undefined, letter: string) =>
    digits === undefined ? (pythonEscapes[letter] ?? letter) : String.fromCharCode(parseInt(digits, 16)),
  );
}
