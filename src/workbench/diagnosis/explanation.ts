import type { AbsentFields } from '../../protocol/canonical-string.js';
import { isJson } from '../../validation/json-text.js';
import type { SecretKeyEncoding } from '../../validation/secret-key.js';
import { withoutSecrets } from '../../values/secrets.js';
import { notationNames, type ExpectedNotation } from './notations.js';
import { fixFor, kindOfMistake, mistake, type Mistake, type MistakeId } from './mistake.js';
import type { Match } from './search.js';
import type { Diagnosis, FirstDifference } from '../../mock/observation.js';

/** The expected text and its signature. */
export interface Expectation extends ExpectedNotation {
  readonly secretKeyEncoding?: SecretKeyEncoding | undefined;
  readonly absentFields?: AbsentFields | undefined;
  readonly text: string;
  readonly signature: string;
  /** The keys that must not appear in any explanation. */
  readonly secretKeys: readonly string[];
}

/**
 * The closing line about the assumptions on which some of the mistakes depend. Without `mistakes`, the line lists all
 * assumptions. Each assumption has a pattern for the IDs of the mistakes that depend on it.
 */
function assumptionsOf(expectation: Expectation, mistakes?: readonly Mistake[]): string[] {
  const { operation, encoding, secretKeyEncoding: written = 'utf8', absentFields = 'empty' } = expectation;
  const absent = absentFields === 'empty' ? 'have an empty value' : 'are left out';
  const ofNotation = [
    `the signature of a payment is written in ${notationNames[encoding]}`,
    /digest-(?:upper-case|lower-case|base64|hex)/,
  ] as const;
  const ofFields = [
    `in the canonical string of an upload, fields that are not sent ${absent}`,
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
  return [`Assumed, because the specification does not say: ${all.map(([says]) => says).join('; ')}.`];
}

const shownCharacters = 4096;

function shown(text: string): string {
  // A short text is copied too: it can be a slice of a long text, and a slice keeps the long text in memory.
  const start = Buffer.from(text.slice(0, shownCharacters)).toString();
  return text.length <= shownCharacters ? start : `${start}…`;
}

/** The diagnosis of one mistake that is found without signing a text. */
export function diagnosisOf(
  { signature }: Expectation,
  received: string,
  id: MistakeId,
  detail?: string,
): Diagnosis {
  const { says, fix } = mistake(id, detail);
  return { cause: kindOfMistake(id), message: says, fix, expected: signature, received };
}

/**
 * The explanation of a signature that is missing, or that is the text which a program prints for an object or a
 * missing value.
 */
export function unsigned(expectation: Expectation, received: string): Diagnosis {
  if (received === '') return diagnosisOf(expectation, received, 'signature-missing');
  const diagnosis = diagnosisOf(expectation, received, 'digest-placeholder', received);
  return { ...diagnosis, fix: `${diagnosis.fix} ${fixFor(`digest-written.${expectation.encoding}`)}` };
}

const notJson =
  'The body that arrived is not JSON: send the text that you signed, not an object that a library serialises.';

export function unexplained(expectation: Expectation, received: string): Diagnosis {
  const { operation, text, signature, encoding } = expectation;
  const size = `${Buffer.byteLength(text)} bytes`;
  const signed =
    operation === 'payment'
      ? `the bytes of the body exactly as they are sent: ${size}`
      : `the canonical string, with the values exactly as they are sent: ${size}, ${JSON.stringify(shown(text))}`;
  const checks = [
    ...(operation === 'payment' && !isJson(text.trim()) ? [notJson] : []),
    'Check that the secret key belongs to this Client-Id, and that the program has read it (print its length, not its value).',
    `Sign ${signed}. Write the bytes to a file right before you sign them, and compare the file with the request.`,
    `The signature is HMAC-SHA256 in ${encoding}. The expected signature is ${signature}.`,
  ].map((check, index) => `${index + 1}. ${check}`);
  const fix = ['Check these points in order:', ...checks, ...assumptionsOf(expectation)].join(' ');
  return { ...diagnosisOf(expectation, shown(received), 'unexplained'), fix };
}

export function explained(
  expectation: Expectation,
  received: string,
  { mistakes, text: signed }: Match,
): Diagnosis {
  const { text, signature, secretKeys } = expectation;
  // A sentence that several mistakes share occurs once.
  const fixes = new Set(mistakes.flatMap(({ fix }) => fix.split(/(?<=\.) /)));
  const sentences = new Set(mistakes.map(({ says }) => says));
  const explanation = {
    cause: [...new Set(mistakes.map(({ id }) => kindOfMistake(id)))].join(' + '),
    message: withoutSecrets([...sentences].join(' '), secretKeys),
    fix: [...fixes, ...assumptionsOf(expectation, mistakes)].join(' '),
  };
  // Bytes are shown as UTF-8 text, as a reader would see them.
  const shownText = withoutSecrets(Buffer.from(signed).toString(), secretKeys, text);
  const difference = firstDifference(text, shownText);
  return difference
    ? { ...explanation, expected: shown(text), received: shown(shownText), firstDifference: difference }
    : { ...explanation, expected: signature, received: shown(received) };
}

const contextCharacters = 24;

/** The first difference of two texts, in bytes of UTF-8, with whole characters as its context. */
function firstDifference(expected: string, received: string): FirstDifference | undefined {
  if (expected === received) return undefined;
  let index = 0;
  while (expected[index] === received[index]) index += 1;
  // The difference must not be inside a surrogate pair, which is one character of UTF-8.
  if (/[\ud800-\udbff]/.test(expected.charAt(index - 1))) index -= 1;
  const start = Math.max(0, index - contextCharacters);
  // This is a copy, so that a few characters do not keep a whole body in memory. Half a character becomes a replacement
  // character.
  const around = (text: string) => Buffer.from(text.slice(start, index + contextCharacters)).toString();
  return {
    byte: Buffer.byteLength(expected.slice(0, index)),
    expected: around(expected),
    received: around(received),
  };
}
