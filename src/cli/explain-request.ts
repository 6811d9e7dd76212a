import { byteOrderMark, decodeUtf8, withoutMark } from '../values/encodings.js';
import { isRecord, jsonIn } from '../values/untrusted-values.js';
import { invoiceCanonicalString, signedInvoiceFields } from '../protocol/canonical-string.js';
import { hmacSha256, signInvoice } from '../protocol/signature.js';
import { withoutFinalBreak, type Switches } from './explain-signature.js';
import { CliError, visible } from './io.js';

function explained(heading: string, signed: string, signature: string, warnings: readonly string[]): string {
  const lines = warnings.map((warning) => `Warning: ${warning}`);
  const request = `${heading}:\n\n${visible(signed, '\n\t')}\n\nSignature: ${signature}`;
  return lines.length === 0 ? request : `${request}\n\n${lines.join('\n')}`;
}

/** Explains how the body of a payment is signed. */
export function explainPayment(bytes: Buffer, secretKey: string, { signatureEncoding }: Switches): string {
  const text = decodeUtf8(bytes);
  const sign = (signed: Buffer) => hmacSha256(signed, secretKey, signatureEncoding);
  const body = withoutFinalBreak(bytes);
  const warnings = [
    ...(text === undefined ? ['the body is not UTF-8.'] : bodyWarnings(text)),
    ...(body ? [`without the line break at its end the signature is ${sign(body)}.`] : []),
  ];
  const heading = `Signed bytes (${bytes.length}, exactly as in the file)`;
  return explained(heading, text ?? bytes.toString('latin1'), sign(bytes), warnings);
}

function bodyWarnings(text: string): string[] {
  const warnings = text.startsWith(byteOrderMark)
    ? ['the body begins with a byte order mark, which is signed too: save the file without it.']
    : [];
  const value = jsonIn(withoutMark(text));
  if (typeof value === 'string') {
    warnings.push('the body is JSON encoded twice. Python (requests): data=body, not json=body.');
  } else if (!isRecord(value)) warnings.push('the body is not a JSON object.');
  return warnings;
}

/** Explains how the fields of an upload are signed. */
export function explainInvoice(bytes: Buffer, secretKey: string, switches: Switches): string {
  const text = decodeUtf8(bytes);
  const fields = fieldsOf(text);
  const unsigned = Object.keys(fields).filter((name) => !signedInvoiceFields.some((each) => each === name));
  const warnings = unsigned.map((name) => `${visible(name)} is not part of the signature.`);
  if (text?.startsWith(byteOrderMark)) {
    warnings.push('the file begins with a byte order mark, which is not part of a field and is not signed.');
  }
  const signed = invoiceCanonicalString(fields, switches);
  return explained('Canonical string', signed, signInvoice(fields, secretKey, switches), warnings);
}

/** The textual fields of an upload, from a file. */
export function fieldsOf(text: string | undefined): Record<string, string> {
  const value = jsonIn(withoutMark(text ?? ''));
  if (!isRecord(value)) throw new CliError('The file must contain a JSON object whose values are strings');
  const wrong = Object.keys(value).filter((name) => typeof value[name] !== 'string');
  if (wrong.length === 0) return value as Record<string, string>;
  const names = visible(wrong.slice(0, 8).join(', ').slice(0, 200));
  throw new CliError(
    `The file must contain the fields as strings, as a form sends them. These are not strings: ${names}`,
  );
}
