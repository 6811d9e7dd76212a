import type { AbsentFields } from '../../protocol/canonical-string.js';
import { isJson } from '../../validation/json-text.js';
import type { SecretKeyEncoding } from '../../validation/secret-key.js';
import { withoutSecrets } from './secrets.js';
import { notationNames, type ExpectedNotation } from './notations.js';
import { kindOf, mistake, type FixName, type Mistake } from './row.js';
import type { Match } from './search.js';
import type { Diagnosis, FirstDifference } from '../../mock/observation.js';

/** The right text, and its signature. */
export interface Expectation extends ExpectedNotation {
  readonly secretKeyEncoding?: SecretKeyEncoding | undefined;
  readonly absentFields: AbsentFields;
  readonly text: string;
  readonly signature: string;
  /** The keys that no explanation shows. */
  readonly secretKeys: readonly string[];
}

/** What is assumed where the specification says nothing. */
interface Assumption {
  readonly says: string;
  /** The kinds of mistakes that are mistakes because of it. */
  readonly kinds: readonly string[];
}

/** The assumptions that the right text and its signature rest on. */
function assumptionsOf(expectation: Expectation): readonly Assumption[] {
  const { operation, encoding, secretKeyEncoding: written = 'utf8', absentFields } = expectation;
  const ofKey: Assumption = {
    says: `the secret key is ${written === 'utf8' ? 'used as UTF-8 text' : `decoded from ${written}`}`,
    kinds: ['secret-decoded', 'secret-not-decoded', 'secret-encoding'],
  };
  if (operation === 'payment') {
    const says = `the signature of a payment is written in ${notationNames[encoding]}`;
    const kinds = ['digest-upper-case', 'digest-lower-case', 'digest-base64', 'digest-hex'];
    return [ofKey, { says, kinds }];
  }
  const absent = absentFields === 'empty' ? 'are in it with an empty value' : 'are left out of it';
  const says = `the canonical string of an upload has the fields that are sent; those that are not sent ${absent}`;
  const kinds = ['absent-fields-omitted', 'absent-fields-included', 'absent-fields-as-text'];
  return [ofKey, { says, kinds }];
}

/** The closing line about the assumptions that a result rests on. */
function assumed(assumptions: readonly Assumption[]): string {
  return `Assumed, as the specification does not say: ${assumptions.map(({ says }) => says).join('; ')}.`;
}

const shownCharacters = 4096;

function shown(text: string): string {
  // Copied also where it is short: a trimmed text is a slice, which keeps the whole alive.
  const start = Buffer.from(text.slice(0, shownCharacters)).toString();
  return text.length <= shownCharacters ? start : `${start}…`;
}

/** The explanation by one mistake that no text needs to be signed for. */
export function named(expectation: Expectation, received: string, kind: FixName, says: string): Diagnosis {
  const found = mistake(kind, '', says);
  return {
    cause: kindOf(found.id),
    message: says,
    fix: found.fix,
    expected: expectation.signature,
    received,
  };
}

/** There is no signature, or the text that a program prints for an object or a missing value. */
export function unsigned(expectation: Expectation, received: string): Diagnosis {
  if (received === '')
    return named(expectation, received, 'signature-missing', 'There is no Signature header.');
  const says = `The Signature header is the text ${received}: an object or a missing value was turned into text.`;
  const diagnosis = named(expectation, received, 'digest-placeholder', says);
  const written = mistake(`digest-written.${expectation.encoding}`, '', '');
  return { ...diagnosis, fix: `${diagnosis.fix} ${written.fix}` };
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
      'No known mistake leads to this signature, and no two of them: the secret key is another one, something else was signed, or there are more mistakes than two.',
    fix: `Check in this order: ${checks.map((check, index) => `${index + 1}. ${check}`).join(' ')} ${assumed(assumptionsOf(expectation))}`,
    expected: signature,
    received: shown(received),
  };
}

export function explained(
  expectation: Expectation,
  received: string,
  { mistakes, text: signed }: Match,
): Diagnosis {
  const { text, signature, secretKeys } = expectation;
  const kinds = mistakes.map(({ id }) => kindOf(id));
  const basis = assumptionsOf(expectation).filter((each) => each.kinds.some((kind) => kinds.includes(kind)));
  const said = {
    cause: [...new Set(kinds)].join(' + '),
    message: withoutSecrets(mistakes.map(({ says }) => says).join(' '), secretKeys),
    fix: [...sentencesOf(mistakes), ...(basis.length > 0 ? [assumed(basis)] : [])].join(' '),
  };
  // Bytes are shown as what a reader would make of them.
  const read = typeof signed === 'string' ? signed : Buffer.from(signed).toString();
  const shownText = withoutSecrets(read, secretKeys, text);
  const difference = firstDifference(text, shownText);
  return difference
    ? { ...said, expected: shown(text), received: shown(shownText), firstDifference: difference }
    : { ...said, expected: signature, received: shown(received) };
}

/** The sentences of the fixes of some mistakes. One that several of them have is there once. */
function sentencesOf(mistakes: readonly Mistake[]): ReadonlySet<string> {
  return new Set(mistakes.flatMap(({ fix }) => fix.split(/(?<=\.) /)));
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
