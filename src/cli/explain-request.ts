import { byteOrderMark, decodeUtf8, withoutMark } from '../values/encodings.js';
import { isJson } from '../protocol/json-text.js';
import { isRecord, jsonIn } from '../values/untrusted-values.js';
import { invoiceCanonicalString, signedInvoiceFields } from '../protocol/canonical-string.js';
import { hmacSha256, signInvoice } from '../protocol/signature.js';
import { withoutFinalBreak, type Switches } from './explain-signature.js';
import { CliError, visible } from './io.js';

/** The length of a long order; more would only fill the terminal. */
const shownCharacters = 64 * 1024;

/** The start of a text, with every character that a terminal would interpret escaped. */
function shown(text: string): string {
  const start = visible(text.slice(0, shownCharacters), '\n\t');
  const left = text.length - shownCharacters;
  return left > 0 ? `${start}… (${left} more characters)` : start;
}

interface Explanation {
  readonly about: string;
  readonly signed: string;
  readonly signature: string;
  /** Likely mistakes. */
  readonly warnings: readonly string[];
}

function explained({ about, signed, signature, warnings }: Explanation, secretKey: string): string {
  const ofSecret =
    secretKey.trim() === secretKey ? [] : ['the secret key has white space at its beginning or end.'];
  const lines = [...warnings, ...ofSecret].map((warning) => `Warning: ${warning}`);
  const request = `${about}:\n\n${shown(signed)}\n\nSignature: ${signature}`;
  return lines.length === 0 ? request : `${request}\n\n${lines.join('\n')}`;
}

/** Explains how the body of a payment is signed. */
export function explainPayment(bytes: Buffer, secretKey: string, { signatureEncoding }: Switches): string {
  const text = decodeUtf8(bytes);
  const sign = (signed: Buffer) => hmacSha256(signed, secretKey, signatureEncoding);
  const body = withoutFinalBreak(bytes);
  const explanation = {
    about: `Signed bytes (${String(bytes.length)}, exactly as in the file)`,
    signed: text ?? bytes.subarray(0, shownCharacters + 1).toString('latin1'),
    signature: sign(bytes),
    warnings: [
      ...(text === undefined ? ['the body is not UTF-8.'] : bodyWarnings(text)),
      ...(body ? [`without the line break at its end the signature is ${sign(body)}.`] : []),
    ],
  };
  return explained(explanation, secretKey);
}

function bodyWarnings(text: string): string[] {
  if (text === '') return ['the file is empty: this is the signature of nothing.'];
  const found = textWarnings('the body', text);
  if (text.startsWith(byteOrderMark)) {
    found.push('the body begins with a byte order mark, which is signed too: save the file without it.');
  }
  const value = jsonIn(withoutMark(text));
  if (value === undefined) found.push('the body is not JSON.');
  else if (typeof value === 'string' && isJson(value)) {
    found.push(
      'the body is JSON encoded twice: a string that holds the JSON. Python (requests): data=body, not json=body.',
    );
  } else if (!isRecord(value)) found.push('the body is not a JSON object.');
  return found;
}

/** Warnings about likely differences between the text that is signed and the text that is sent. */
function textWarnings(what: string, text: string): string[] {
  const found: string[] = [];
  if (text.normalize('NFC') !== text) {
    found.push(`${what} is not NFC: signing and sending must use the same form.`);
  }
  if (/[\r\n]$/.test(text)) found.push(`${what} has a trailing line break, which is signed too.`);
  if (text.includes('\r\n')) found.push(`${what} has CR LF line breaks, which must be sent as they are.`);
  return found;
}

/** Explains how the fields of an upload are signed. */
export function explainInvoice(bytes: Buffer, secretKey: string, switches: Switches): string {
  const text = decodeUtf8(bytes);
  const fields = fieldsOf(text);
  const warnings = Object.entries(fields).flatMap(([name, value]) => fieldWarnings(name, value));
  if (text?.startsWith(byteOrderMark)) {
    warnings.push('the file begins with a byte order mark, which is not part of a field and is not signed.');
  }
  const signed = invoiceCanonicalString(fields, switches);
  const signature = signInvoice(fields, secretKey, switches);
  return explained({ about: 'Canonical string', signed, signature, warnings }, secretKey);
}

/** The textual fields of an upload, from a file. */
export function fieldsOf(text: string | undefined): Record<string, string> {
  const value = jsonIn(withoutMark(text ?? ''));
  if (value === undefined) throw new CliError('The file is not JSON in UTF-8');
  if (!isRecord(value)) throw new CliError('The file must contain a JSON object whose values are strings');
  const wrong = Object.entries(value).flatMap(([name, field]) =>
    typeof field === 'string' ? [] : [`${visible(name.slice(0, 60))} is ${kindOf(field)}`],
  );
  if (wrong.length === 0) return value as Record<string, string>;
  throw new CliError(
    `The file must contain the fields as strings, as a form sends them: ${wrong.slice(0, 8).join(', ')}`,
  );
}

/** A value of JSON that is not a string, in words, such as `a number: write "12"`. */
function kindOf(value: unknown): string {
  if (value === null) return 'null: leave it out';
  if (typeof value !== 'object') return `a ${typeof value}: write ${JSON.stringify(JSON.stringify(value))}`;
  return `${Array.isArray(value) ? 'an array' : 'an object'}: write it as a string of JSON`;
}

function fieldWarnings(name: string, value: string): string[] {
  const what = visible(name);
  if (!signedInvoiceFields.some((signed) => signed === name)) {
    return [`${what} is not part of the signature.`];
  }
  const found = textWarnings(what, value);
  if (/[&=]/.test(value)) {
    found.push(`${what} contains a separator (& or =), which is signed without escaping.`);
  }
  if (!value.isWellFormed()) found.push(`${what} contains half of a surrogate pair, which cannot be sent.`);
  return found;
}
