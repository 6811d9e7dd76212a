import type { KeyObject } from 'node:crypto';
import type { RegisteredMerchant } from '../service/merchants.js';
import { digestForms, formVariants, jsonVariants, secretVariants, type Variant } from './variants.js';
import type { Diagnosis, DiagnosisCause, FirstDifference } from './types.js';
import type { FormMessage, JsonMessage } from '../service/messages.js';
import { hmacSha256, type SignatureEncoding } from '../../protocol/signature.js';

const shownCharacters = 4096;
const contextCharacters = 24;

function shown(text: string): string {
  // Copied also where it is short: a trimmed text is a slice, which keeps the whole alive.
  const start = Buffer.from(text.slice(0, shownCharacters)).toString();
  return text.length <= shownCharacters ? start : `${start}…`;
}

/** The first difference of two texts, by bytes of UTF-8, with whole characters as its context. */
export function firstDifference(expected: string, received: string): FirstDifference | undefined {
  if (expected === received) return undefined;
  let index = 0;
  while (index < expected.length && expected[index] === received[index]) index += 1;
  // Not inside a surrogate pair, which is one character of UTF-8.
  if (index > 0 && /[\ud800-\udbff]/.test(expected[index - 1] ?? '')) index -= 1;
  const start = Math.max(0, index - contextCharacters);
  // Copied, so that a few characters do not keep a whole body alive; what is no character becomes a replacement.
  const around = (text: string) => Buffer.from(text.slice(start, index + contextCharacters)).toString();
  return {
    byte: Buffer.byteLength(expected.slice(0, index)),
    expected: around(expected),
    received: around(received),
  };
}

function ofTexts(cause: DiagnosisCause, message: string, expected: string, received: string): Diagnosis {
  const difference = firstDifference(expected, received);
  return {
    cause,
    message,
    compared: 'signed text',
    expected: shown(expected),
    received: shown(received),
    ...(difference && { firstDifference: difference }),
  };
}

function ofSignatures(cause: DiagnosisCause, message: string, expected: string, received: string): Diagnosis {
  return { cause, message, compared: 'signature', expected, received: shown(received) };
}

/** What is known when a signature is refused. */
export interface RefusedSignature {
  readonly merchant: RegisteredMerchant;
  readonly others: Iterable<RegisteredMerchant>;
  readonly signature: string | undefined;
  /** How the signature should be written. @default 'hex' */
  readonly encoding?: SignatureEncoding;
  /** What should have been signed. */
  readonly payload: string | Uint8Array;
  /** The same as text. */
  readonly text: string;
  readonly variants: () => Iterable<Variant>;
}

/** Finds out what a refused signature was made of. */
function diagnose(refused: RefusedSignature): Diagnosis {
  const { merchant, others, signature, encoding, payload, text, variants } = refused;
  const expected = hmacSha256(payload, merchant.key, encoding);
  if (signature === undefined || signature === '') {
    return ofSignatures('signature-missing', 'There is no Signature header.', expected, '');
  }
  const form = digestForms(expected).find((candidate) => candidate.value === signature);
  if (form) return ofSignatures(form.cause, form.message, expected, signature);
  for (const variant of variants()) {
    if (variant.text === text) continue;
    if (isSignatureOf(signature, variant.text, merchant.key)) {
      return ofTexts(variant.cause, variant.message, text, variant.text);
    }
  }
  for (const variant of secretVariants(merchant, others)) {
    if (isSignatureOf(signature, payload, variant.key)) {
      return ofSignatures(variant.cause, variant.message, expected, signature);
    }
  }
  return ofSignatures(
    'secret-wrong',
    'No known mistake leads to this signature: the secret key is another one, or something else was signed.',
    expected,
    signature,
  );
}

/** True when a signature is that of a text in any of the usual digest forms. */
function isSignatureOf(signature: string, payload: string | Uint8Array, key: KeyObject): boolean {
  const hex = hmacSha256(payload, key);
  return hex === signature || digestForms(hex).some((candidate) => candidate.value === signature);
}

type Known = Omit<RefusedSignature, 'payload' | 'text' | 'variants'>;

export function diagnoseJson(message: JsonMessage, known: Known): Diagnosis {
  // Bytes that are no text are shown as what a reader would make of them.
  const text = message.text ?? message.bytes.toString();
  return diagnose({
    ...known,
    payload: message.bytes,
    text,
    variants: () => jsonVariants(text, message.value),
  });
}

export function diagnoseForm(message: FormMessage, canonical: string, known: Known): Diagnosis {
  return diagnose({ ...known, payload: canonical, text: canonical, variants: () => formVariants(message) });
}
