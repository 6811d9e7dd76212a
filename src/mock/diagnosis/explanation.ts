import type { SignatureEncoding } from '../../protocol/signature.js';
import { told, type Advice } from './draft.js';
import { firstDifference } from './first-difference.js';
import type { Finding } from './search.js';
import type { Diagnosis, Mistake, Signer } from './types.js';
import type { Step } from './variations.js';

/** What should have come. */
export interface Expectation {
  /** The text that should have been signed. */
  readonly text: string;
  /** Its signature. */
  readonly signature: string;
  readonly encoding: SignatureEncoding;
  /** What is signed, in words. */
  readonly what: 'the body' | 'the canonical string';
}

const shownCharacters = 4096;

function shown(text: string): string {
  // Copied also where it is short: a trimmed text is a slice, which keeps the whole alive.
  const start = Buffer.from(text.slice(0, shownCharacters)).toString();
  return text.length <= shownCharacters ? start : `${start}…`;
}

/** No signature came at all. */
export function missing({ signature }: Expectation): Diagnosis {
  return {
    cause: 'signature-missing',
    message: 'There is no Signature header.',
    fix: 'Send the signature in the Signature header. A proxy or an HTTP library may drop headers that it does not know.',
    compared: 'signature',
    expected: signature,
    received: '',
  };
}

const howToSign = {
  'the body': 'the bytes of the body exactly as they are sent',
  'the canonical string': 'the canonical string shown here, with the values exactly as they are sent',
} as const;

/** No combination of known mistakes leads to the signature. */
export function unexplained({ signature, encoding, what, text }: Expectation, received: string): Diagnosis {
  const bytes = Buffer.byteLength(text);
  const written = encoding === 'hex' ? 'lower-case hex' : 'base64';
  const checks = [
    'The secret key belongs to this Client-Id, and the program has read it (print its length, not its value).',
    `What is signed is ${howToSign[what]}: ${bytes} bytes${what === 'the body' ? '' : `, ${JSON.stringify(shown(text))}`}. Write the bytes to a file right before signing and compare.`,
    `The signature is HMAC-SHA256, written in ${written}: ${signature} is expected.`,
  ];
  return {
    cause: 'secret-wrong',
    message:
      'No known mistake leads to this signature, and no combination of known mistakes that was tried: the secret key is another one, or something else was signed.',
    fix: `Check in this order: ${checks.map((check, index) => `${index + 1}. ${check}`).join(' ')}`,
    checks,
    compared: 'signature',
    expected: signature,
    received: shown(received),
  };
}

interface Words {
  readonly id: Mistake;
  readonly message: string;
  readonly fix: Advice;
}

function inWords<Value>({ ingredient, before, after }: Step<Value>): Words {
  return {
    id: ingredient.id,
    message: told(ingredient.message, before, after),
    fix: told(ingredient.fix, before, after),
  };
}

const shortestSecret = 6;

/** A text in which the secret key cannot be read, as it is or as JSON, where it was not sent anyway. */
function withoutSecret(text: string, secretKey: string, sent: string): string {
  // Short ones are ordinary words too.
  if (secretKey.length < shortestSecret) return text;
  const json = JSON.stringify(secretKey).slice(1, -1);
  return [secretKey, json, json.replaceAll('/', '\\/')].reduce(
    (masked, form) =>
      masked.split(form).length > sent.split(form).length ? masked.replaceAll(form, '<secret key>') : masked,
    text,
  );
}

/** Says what reproduces a signature. */
export function explained(
  expectation: Expectation,
  received: string,
  { text: signed, secret, hashing, writings }: Finding,
  { secretKey }: Signer,
): Diagnosis {
  const { text, signature } = expectation;
  const words: readonly Words[] = [
    ...signed.steps.map(inWords),
    ...secret.steps.map(inWords),
    ...(hashing ? [hashing] : []),
    ...writings,
  ];
  const [first, ...others] = new Set(words.map((each) => each.id));
  if (first === undefined) return unexplained(expectation, received);
  const said = {
    cause: others.length === 0 ? first : (`${first} + ${others.join(' + ')}` as const),
    message: withoutSecret(words.map((each) => each.message).join(' '), secretKey, ''),
    fix: [...new Set(words.flatMap((each) => each.fix))].join(' '),
  };
  if (signed.steps.length === 0) {
    return { ...said, compared: 'signature', expected: signature, received: shown(received) };
  }
  const { bytes, text: signedText = '' } = signed.value;
  const masked = withoutSecret(signedText, secretKey, text);
  // Bytes are shown as what a reader would make of them, unless the secret key could be read in them.
  const shownText = bytes === undefined || masked !== signedText ? masked : Buffer.from(bytes).toString();
  const difference = firstDifference(text, shownText);
  return {
    ...said,
    compared: 'signed text',
    expected: shown(text),
    received: shown(shownText),
    ...(difference && { firstDifference: difference }),
  };
}
