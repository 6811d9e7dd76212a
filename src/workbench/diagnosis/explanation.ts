import type { AbsentFields } from '../../protocol/canonical-string.js';
import { isJson } from '../../protocol/json-text.js';
import type { SecretKeyEncoding } from '../../protocol/signature.js';
import { notationNames, type ExpectedNotation } from './notations.js';
import { words } from './row.js';
import type { Match } from './search.js';
import type { Diagnosis, FirstDifference } from '../../mock/observation.js';

/** The right text, and its signature. */
export interface Expectation extends ExpectedNotation {
  readonly secretKeyEncoding?: SecretKeyEncoding | undefined;
  readonly absentFields: AbsentFields;
  readonly text: string;
  readonly signature: string;
}

/** An assumption of this package, as the specification says nothing. */
interface Assumption {
  readonly says: string;
  /** The mistakes that are mistakes because of it. */
  readonly ids: readonly string[];
}

function keyAssumption(encoding: SecretKeyEncoding = 'utf8'): Assumption {
  return {
    says: `the secret key is ${encoding === 'utf8' ? 'used as UTF-8 text' : `decoded from ${encoding}`}`,
    ids: ['secret-decoded', 'secret-not-decoded', 'secret-encoding'],
  };
}

/** The assumptions that the right text and its signature rest on. */
function assumptionsOf(expectation: Expectation): readonly Assumption[] {
  const { operation, encoding, secretKeyEncoding, absentFields } = expectation;
  const ofKey = keyAssumption(secretKeyEncoding);
  if (operation === 'payment') {
    const says = `the signature of a payment is written in ${notationNames[encoding]}`;
    const ids = ['digest-upper-case', 'digest-lower-case', 'digest-base64', 'digest-hex'];
    return [ofKey, { says, ids }];
  }
  const stand = absentFields === 'empty' ? 'stand in it with an empty value' : 'are left out of it';
  const says = `the canonical string of an upload has the fields that are sent; those that are not ${stand}`;
  return [ofKey, { says, ids: ['absent-fields-omitted', 'absent-fields-included', 'absent-fields-as-text'] }];
}

/** The closing line about the assumptions that a result rests on. */
function assumedText(assumptions: readonly Assumption[]): string {
  const said = assumptions.map(({ says }) => says).join('; ');
  return `Assumed, as the specification does not say: ${said}.`;
}

const shownCharacters = 4096;

function shown(text: string): string {
  // Copied also where it is short: a trimmed text is a slice, which keeps the whole alive.
  const start = Buffer.from(text.slice(0, shownCharacters)).toString();
  return text.length <= shownCharacters ? start : `${start}…`;
}

/** There is no signature, or the text that a program prints for an object or a missing value. */
export function unsigned({ signature, encoding }: Expectation, received: string): Diagnosis {
  if (received === '') {
    const { id, says, fix } = words('signature-missing', 'There is no Signature header.');
    return { cause: id, message: says, fix, expected: signature, received };
  }
  const { id, says, fix } = words(
    'digest-placeholder',
    `The Signature header is the text ${received}: an object or a missing value was turned into text.`,
  );
  const written = words(`digest-written.${encoding}`, '');
  return { cause: id, message: says, fix: `${fix} ${written.fix}`, expected: signature, received };
}

export function unexplained(expectation: Expectation, received: string): Diagnosis {
  const { operation, text, signature, encoding } = expectation;
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
    cause: 'unexplained',
    message:
      'No known mistake leads to this signature, and no combination that was tried: the secret key is another one, or something else was signed.',
    fix: `Check in this order: ${checks.map((check, index) => `${index + 1}. ${check}`).join(' ')} ${assumedText(assumptionsOf(expectation))}`,
    expected: signature,
    received: shown(received),
  };
}

export function explained(
  expectation: Expectation,
  received: string,
  { mistakes, text: signed }: Match,
  secretKeys: readonly string[],
): Diagnosis {
  const { text, signature } = expectation;
  const isBasis = ({ ids }: Assumption) => mistakes.some(({ id }) => ids.includes(id));
  const assumptions = assumptionsOf(expectation).filter(isBasis);
  const closing = assumptions.length > 0 ? [assumedText(assumptions)] : [];
  const fixes = new Set([...mistakes.map(({ fix }) => fix), ...closing]);
  const said = {
    cause: [...new Set(mistakes.map(({ id }) => id))].join(' + '),
    message: withoutSecret(mistakes.map(({ says }) => says).join(' '), secretKeys, ''),
    fix: [...fixes].join(' '),
  };
  // Bytes are shown as what a reader would make of them.
  const read = typeof signed === 'string' ? signed : Buffer.from(signed).toString();
  const shownText = withoutSecret(read, secretKeys, text);
  const difference = firstDifference(text, shownText);
  return difference
    ? { ...said, expected: shown(text), received: shown(shownText), firstDifference: difference }
    : { ...said, expected: signature, received: shown(received) };
}

/** A text in which no secret key can be read where it was not sent anyway. Short ones are ordinary words too. */
function withoutSecret(text: string, secretKeys: readonly string[], sent: string): string {
  const isAdded = (key: string) => key.length >= 6 && text.split(key).length > sent.split(key).length;
  return secretKeys.filter(isAdded).reduce((masked, key) => masked.replaceAll(key, '<secret key>'), text);
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
