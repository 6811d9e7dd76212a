import { isJson } from '../../protocol/json-text.js';
import type { SignatureEncoding } from '../../protocol/signature.js';
import type { Combination } from './search.js';
import type { Diagnosis, FirstDifference, Credentials } from './types.js';
import type { Step } from './variations.js';

/** The text that should have been signed, its name, and its signature. */
export interface Expectation {
  readonly text: string;
  readonly what: 'the body' | 'the canonical string';
  readonly signature: string;
  readonly encoding: SignatureEncoding;
}

const shownCharacters = 4096;

function shown(text: string): string {
  // Copied also where it is short: a trimmed text is a slice, which keeps the whole alive.
  const start = Buffer.from(text.slice(0, shownCharacters)).toString();
  return text.length <= shownCharacters ? start : `${start}…`;
}

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

export function unexplained({ signature, encoding, what, text }: Expectation, received: string): Diagnosis {
  const size = `${Buffer.byteLength(text)} bytes`;
  const signed =
    what === 'the body'
      ? `the bytes of the body exactly as they are sent: ${size}`
      : `the canonical string shown here, with the values exactly as they are sent: ${size}, ${JSON.stringify(shown(text))}`;
  const written = encoding === 'hex' ? 'lower-case hex' : 'base64';
  const notJson =
    'The body that came is not JSON. A library may send an object as a form, as Python does for requests.post(url, data=a_dict): give it the text that was signed.';
  const checks = [
    ...(what === 'the body' && !isJson(text.trim()) ? [notJson] : []),
    'The secret key belongs to this Client-Id, and the program has read it (print its length, not its value).',
    `What is signed is ${signed}. Write the bytes to a file right before signing and compare.`,
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

function inWords<Value>({ ingredient: { id, ...said }, before, after }: Step<Value>) {
  const message = typeof said.message === 'function' ? said.message(before, after) : said.message;
  const fix = typeof said.fix === 'function' ? said.fix(before, after) : said.fix;
  return { id, message, fix };
}

const shortestSecret = 6;

/** A text in which the secret key cannot be read, as it is or as JSON, where it was not sent anyway. */
function withoutSecret(text: string, secretKey: string, sent: string): string {
  // Short ones are ordinary words too.
  if (secretKey.length < shortestSecret) return text;
  const json = JSON.stringify(secretKey).slice(1, -1);
  // Each form once: the words that replace it may be the secret key.
  return [...new Set([secretKey, json, json.replaceAll('/', '\\/')])].reduce(
    (masked, form) =>
      masked.split(form).length > sent.split(form).length ? masked.replaceAll(form, '<secret key>') : masked,
    text,
  );
}

export function explained(
  expectation: Expectation,
  received: string,
  { text: signed, key, hashing, layers }: Combination,
  { secretKey }: Credentials,
): Diagnosis {
  const { text, signature } = expectation;
  const steps = [...signed.steps.map(inWords), ...key.steps.map(inWords)];
  const words = [...steps, ...(hashing ? [hashing] : []), ...layers];
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

const contextCharacters = 24;

/** The first difference of two texts, by bytes of UTF-8, with whole characters as its context. */
function firstDifference(expected: string, received: string): FirstDifference | undefined {
  if (expected === received) return undefined;
  let index = 0;
  while (expected[index] === received[index]) index += 1;
  // Not inside a surrogate pair, which is one character of UTF-8.
  if (/[\ud800-\udbff]/.test(expected[index - 1] ?? '')) index -= 1;
  const start = Math.max(0, index - contextCharacters);
  // Copied, so that a few characters do not keep a whole body alive; half a character becomes a replacement character.
  const around = (text: string) => Buffer.from(text.slice(start, index + contextCharacters)).toString();
  return {
    byte: Buffer.byteLength(expected.slice(0, index)),
    expected: around(expected),
    received: around(received),
  };
}
