import type { AbsentFields } from '../../protocol/canonical-string.js';
import { isJson } from '../../validation/json-text.js';
import type { SecretKeyEncoding } from '../../validation/secret-key.js';
import { withoutSecrets } from '../../values/secrets.js';
import { notationNames, type ExpectedNotation } from './notations.js';
import { fixFor, kindOf, mistake, type Mistake, type MistakeId } from './mistake.js';
import type { Match } from './search.js';
import type { Diagnosis, FirstDifference } from '../../mock/observation.js';

/** The right text, and its signature. */
export interface Expectation extends ExpectedNotation {
  readonly secretKeyEncoding?: SecretKeyEncoding | undefined;
  readonly absentFields?: AbsentFields | undefined;
  readonly text: string;
  readonly signature: string;
  /** The keys that no explanation shows. */
  readonly secretKeys: readonly string[];
}

/** The closing line about the assumptions that some mistakes are mistakes because of; all of them if there are no mistakes. */
function assumptionsOf(expectation: Expectation, mistakes?: readonly Mistake[]): string[] {
  const { operation, encoding, secretKeyEncoding: written = 'utf8', absentFields = 'empty' } = expectation;
  const absent = absentFields === 'empty' ? 'are in it with an empty value' : 'are left out of it';
  const ofNotation = [
    `the signature of a payment is written in ${notationNames[encoding]}`,
    /digest-(?:upper-case|lower-case|base64|hex)/,
  ] as const;
  const ofFields = [
    `the canonical string of an upload has the fields that are sent; those that are not sent ${absent}`,
    /absent-fields/,
  ] as const;
  const all = [
    [
      `the secret key is ${written === 'utf8' ? 'used as UTF-8 text' : `decoded from ${written}`}`,
      /secret-(?:decoded|not-decoded|encoding)/,
    ] as const,
    operation === 'payment' ? ofNotation : ofFields,
  ].filter(([, ids]) => mistakes?.some(({ id }) => ids.test(id)) ?? true);
  if (all.length === 0) return [];
  return [`Assumed, as the specification does not say: ${all.map(([says]) => says).join('; ')}.`];
}

const shownCharacters = 4096;

function shown(text: string): string {
  // Copied even if it is short: a trimmed text is a slice, which keeps the whole alive.
  const start = Buffer.from(text.slice(0, shownCharacters)).toString();
  return text.length <= shownCharacters ? start : `${start}…`;
}

/** The explanation by one mistake that no text needs to be signed for. */
export function named(
  { signature }: Expectation,
  received: string,
  id: MistakeId,
  detail?: string,
): Diagnosis {
  const { says, fix } = mistake(id, detail);
  return { cause: kindOf(id), message: says, fix, expected: signature, received };
}

/** The explanation of a signature that is missing, or is the text that a program prints for an object or a missing value. */
export function unsigned(expectation: Expectation, received: string): Diagnosis {
  if (received === '') return named(expectation, received, 'signature-missing');
  const diagnosis = named(expectation, received, 'digest-placeholder', received);
  return { ...diagnosis, fix: `${diagnosis.fix} ${fixFor(`digest-written.${expectation.encoding}`)}` };
}

const notJson =
  'The body that arrived is not JSON: send the text that was signed, not an object that a library writes.';

export function unexplained(expectation: Expectation, received: string): Diagnosis {
  const { operation, text, signature, encoding } = expectation;
  const size = `${Buffer.byteLength(text)} bytes`;
  const signed =
    operation === 'payment'
      ? `the bytes of the body exactly as they are sent: ${size}`
      : `the canonical string, with the values exactly as they are sent: ${size}, ${JSON.stringify(shown(text))}`;
  const checks = [
    ...(operation === 'payment' && !isJson(text.trim()) ? [notJson] : []),
    'The secret key belongs to this Client-Id, and the program has read it (print its length, not its value).',
    `What is signed is ${signed}. Write the bytes to a file right before signing and compare.`,
    `The signature is HMAC-SHA256, in ${encoding}: ${signature} is expected.`,
  ].map((check, index) => `${index + 1}. ${check}`);
  const fix = ['Check in this order:', ...checks, ...assumptionsOf(expectation)].join(' ');
  return { ...named(expectation, shown(received), 'unexplained'), fix };
}

export function explained(
  expectation: Expectation,
  received: string,
  { mistakes, text: signed }: Match,
): Diagnosis {
  const { text, signature, secretKeys } = expectation;
  // What several mistakes have in common occurs once.
  const fixes = new Set(mistakes.flatMap(({ fix }) => fix.split(/(?<=\.) /)));
  const sentences = new Set(mistakes.map(({ says }) => says));
  const explanation = {
    cause: [...new Set(mistakes.map(({ id }) => kindOf(id)))].join(' + '),
    message: withoutSecrets([...sentences].join(' '), secretKeys),
    fix: [...fixes, ...assumptionsOf(expectation, mistakes)].join(' '),
  };
  // Bytes are shown as what a reader would make of them.
  const shownText = withoutSecrets(Buffer.from(signed).toString(), secretKeys, text);
  const difference = firstDifference(text, shownText);
  return difference
    ? { ...explanation, expected: shown(text), received: shown(shownText), firstDifference: difference }
    : { ...explanation, expected: signature, received: shown(received) };
}

const contextCharacters = 24;

/** The first difference of two texts, by bytes of UTF-8, with whole characters as its context. */
function firstDifference(expected: string, received: string): FirstDifference | undefined {
  if (expected === received) return undefined;
  let index = 0;
  while (expected[index] === received[index]) index += 1;
  // Not inside a surrogate pair, which is one character of UTF-8.
  if (/[\ud800-\udbff]/.test(expected.charAt(index - 1))) index -= 1;
  const start = Math.max(0, index - contextCharacters);
  // Copied, so that a few characters do not keep a whole body alive; half a character becomes a replacement character.
  const around = (text: string) => Buffer.from(text.slice(start, index + contextCharacters)).toString();
  return {
    byte: Buffer.byteLength(expected.slice(0, index)),
    expected: around(expected),
    received: around(received),
  };
}
