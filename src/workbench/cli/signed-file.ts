import { diagnoseForm, diagnoseJson } from '../diagnosis/diagnose.js';
import type { Diagnosis, RefusedRequest } from '../../mock/observation.js';
import {
  invoiceCanonicalString,
  signedInvoiceFields,
  type AbsentFields,
} from '../../protocol/canonical-string.js';
import { signInvoice, signPayment } from '../../operations/signer.js';
import type { SecretKeyEncoding } from '../../validation/secret-key.js';
import type { SignatureEncoding } from '../../protocol/signature.js';
import { byteOrderMark, decodeUtf8, jsonIn } from '../../values/encodings.js';
import { isRecord } from '../../values/untrusted-values.js';
import { CliError } from './io.js';
import { printable } from '../../values/texts.js';

/** The secret key, and the client's options for points that the specification leaves open. */
export interface Signing {
  readonly secretKey: string;
  readonly signatureEncoding: SignatureEncoding;
  readonly secretKeyEncoding: SecretKeyEncoding;
  readonly absentFields: AbsentFields;
}

/** A file that is signed as a request. */
export interface SignedFile {
  /** The text that is signed, under a heading. */
  readonly signed: string;
  readonly signature: string;
  readonly warnings: readonly string[];
  /** Explains a signature that differs from the expected signature. */
  readonly diagnose: (received: string) => Diagnosis;
}

function refused(signature: string, { secretKey, ...switches }: Signing): RefusedRequest {
  return { merchant: { secretKeys: [secretKey] }, others: [], signature, ...switches };
}

/** Signs a file with the exact body of a payment. */
export function signedPayment(bytes: Buffer, signing: Signing): SignedFile {
  const text = decodeUtf8(bytes);
  const { secretKey, ...switches } = signing;
  const sign = (signed: Buffer) => signPayment(signed, secretKey, switches);
  const body = withoutFinalBreak(bytes);
  return {
    signed: `Signed bytes (${bytes.length}, exactly as in the file):\n\n${printable(text ?? bytes.toString('latin1'), '\n\t')}`,
    signature: sign(bytes),
    warnings: [
      ...(text === undefined ? ['the body is not UTF-8.'] : bodyWarnings(text, jsonIn(bytes))),
      ...(body ? [`without the line break at its end the signature is ${sign(body)}.`] : []),
    ],
    // The last line break usually comes from an editor, so the diagnosis ignores it.
    diagnose: (received) =>
      diagnoseJson(body && sign(body) !== received ? body : bytes, refused(received, signing)),
  };
}

/** The body without the line break at its end; undefined if it has none. */
export function withoutFinalBreak(bytes: Buffer): Buffer | undefined {
  if (bytes.at(-1) !== 0x0a) return undefined;
  return bytes.subarray(0, bytes.at(-2) === 0x0d ? -2 : -1);
}

function bodyWarnings(text: string, value: unknown): string[] {
  const warnings = text.startsWith(byteOrderMark)
    ? ['the body begins with a byte order mark, which is signed too: save the file without it.']
    : [];
  if (typeof value === 'string') {
    warnings.push('the body is JSON encoded twice. Python (requests): data=body, not json=body.');
  } else if (!isRecord(value)) warnings.push('the body is not a JSON object.');
  return warnings;
}

/** Signs a file with the text fields of an upload. */
export function signedInvoice(bytes: Buffer, signing: Signing): SignedFile {
  if (bytes.length === 0) throw new CliError('The file is empty');
  const fields = fieldsIn(bytes);
  const unsigned = Object.keys(fields).filter((name) => !signedInvoiceFields.some((each) => each === name));
  const warnings = unsigned.map((name) => `${printable(name)} is not part of the signature.`);
  if (decodeUtf8(bytes)?.startsWith(byteOrderMark)) {
    warnings.push('the file begins with a byte order mark, which is not part of a field and is not signed.');
  }
  const form = { bytes: Buffer.alloc(0), fields, files: [] };
  const { secretKey, ...switches } = signing;
  return {
    signed: `Canonical string:\n\n${printable(invoiceCanonicalString(fields, signing), '\n\t')}`,
    signature: signInvoice(fields, secretKey, switches),
    warnings,
    diagnose: (received) => diagnoseForm(form, refused(received, signing)),
  };
}

function fieldsIn(bytes: Buffer): Record<string, string> {
  const value = jsonIn(bytes);
  if (!isRecord(value)) throw new CliError('The file must contain a JSON object whose values are strings');
  const wrong = Object.keys(value).filter((name) => typeof value[name] !== 'string');
  if (wrong.length === 0) return value as Record<string, string>;
  const names = printable(wrong.slice(0, 8).join(', ').slice(0, 200));
  throw new CliError(
    `The file must contain the fields as strings, as a form sends them. These are not strings: ${names}`,
  );
}
