import { isJson } from '../../protocol/json-text.js';
import { decidedBy, type Decision } from './decisions.js';
import type { Finding } from './search.js';
import type { Diagnosis, ExpectedNotation, FirstDifference } from './types.js';

/** The cause of a signature that no known mistake leads to. */
export const unknownCause = 'secret-wrong';

/** The right text, and its signature. */
export interface Expectation extends ExpectedNotation {
  readonly text: string;
  readonly signature: string;
  /** Those that the right text and its signature rest on. */
  readonly decisions: readonly Decision[];
}

const shownCharacters = 4096;

function shown(text: string): string {
  // Copied also where it is short: a trimmed text is a slice, which keeps the whole alive.
  const start = Buffer.from(text.slice(0, shownCharacters)).toString();
  return text.length <= shownCharacters ? start : `${start}…`;
}

export function missing(expectation: Expectation): Diagnosis {
  return {
    cause: 'signature-missing',
    message: 'There is no Signature header.',
    fix: 'Send the signature in the Signature header. A proxy or an HTTP library may drop headers that it does not know.',
    expected: expectation.signature,
    received: '',
  };
}

export function unexplained(expectation: Expectation, received: string): Diagnosis {
  const { operation, text, signature, encoding, decisions } = expectation;
  const size = `${Buffer.byteLength(text)} bytes`;
  const signed =
    operation === 'payment'
      ? `the bytes of the body exactly as they are sent: ${size}`
      : `the canonical string, with the values exactly as they are sent: ${size}, ${JSON.stringify(shown(text))}`;
  const notJson =
    'The body that arrived is not JSON. A library may send an object as a form, as Python does for requests.post(url, data=a_dict): give it the text that was signed.';
  const checks = [
    ...(operation === 'payment' && !isJson(text.trim()) ? [notJson] : []),
    'The secret key belongs to this Client-Id, and the program has read it (print its length, not its value).',
    `What is signed is ${signed}. Write the bytes to a file right before signing and compare.`,
    `The signature is HMAC-SHA256, in ${encoding}: ${signature} is expected.`,
  ];
  return {
    cause: unknownCause,
    message:
      'No known mistake leads to this signature, and no combination that was tried: the secret key is another one, or something else was signed.',
    fix: `Check in this order: ${checks.map((check, index) => `${index + 1}. ${check}`).join(' ')} ${decidedBy(decisions)}`,
    expected: signature,
    received: shown(received),
  };
}

export function explained(
  expectation: Expectation,
  received: string,
  { mistakes, text: signed, isOtherText }: Finding,
  secretKey: string,
): Diagnosis {
  const { text, signature, decisions } = expectation;
  const isBasis = ({ ids }: Decision) => mistakes.some(({ id }) => ids.includes(id));
  const closing = decidedBy(decisions.filter(isBasis)) ?? [];
  const fixes = new Set([...mistakes.map(({ fix }) => fix), closing].flat());
  const said = {
    cause: [...new Set(mistakes.map(({ id }) => id))].join(' + '),
    message: withoutSecret(mistakes.map(({ says }) => says).join(' '), secretKey, ''),
    fix: [...fixes].join(' '),
  };
  if (!isOtherText) return { ...said, expected: signature, received: shown(received) };
  // Bytes are shown as what a reader would make of them. Those of UTF-16 have a NUL between the letters of a secret.
  const read = typeof signed === 'string' ? signed : Buffer.from(signed).toString();
  const isReadable = !read.replaceAll('\0', '').includes(secretKey) || read.includes(secretKey);
  const shownText = withoutSecret(isReadable ? read : read.replaceAll('\0', ''), secretKey, text);
  const difference = firstDifference(text, shownText);
  return {
    ...said,
    expected: shown(text),
    received: shown(shownText),
    ...(difference && { firstDifference: difference }),
  };
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
