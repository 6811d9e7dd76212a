import type { AbsentFields } from '../protocol/canonical-string.js';
import { valueOf } from '../protocol/untrusted-values.js';
import { hmacSha256, signInvoice, type SignatureEncoding } from '../protocol/signature.js';
import { diagnoseForm, diagnoseJson } from '../mock/diagnosis/diagnose.js';
import type { Diagnosis, RefusedRequest } from '../mock/diagnosis/types.js';
import { visible } from './io.js';

type Fields = Readonly<Record<string, string>>;

/** The switches for what the specification leaves open, as the client has them. */
export interface Switches {
  readonly signatureEncoding: SignatureEncoding;
  readonly absentFields: AbsentFields;
}

/** Far above every body; a search in a larger one would take minutes. */
const longestExplained = 8 * 1024 * 1024;

/** The body without a line break at its end; undefined where it has none. */
export function withoutFinalBreak(bytes: Buffer): Buffer | undefined {
  if (bytes.at(-1) !== 0x0a) return undefined;
  return bytes.subarray(0, bytes.at(-2) === 0x0d ? -2 : -1);
}

/** Explains whether a signature fits the body of a payment, and if not, why. */
export function explainPaymentSignature(
  file: Buffer,
  received: string,
  secretKey: string,
  switches: Switches,
) {
  const fits = (bytes: Buffer) => received === hmacSha256(bytes, secretKey, switches.signatureEncoding);
  const body = withoutFinalBreak(file);
  if (fits(file)) {
    const note = '\nThe file ends with a line break, which was signed too: the body must be sent with it.';
    return { isCorrect: true, text: `The signature is correct.${body ? note : ''}` };
  }
  if (body && fits(body)) {
    return {
      isCorrect: false,
      text: 'The signature was made without the line break at the end of the file.\n\nIf an editor or echo added that line break to the file, and the body was sent without it, the signature is correct. If the body was sent with it, sign exactly the bytes that are sent.',
    };
  }
  if (file.length > longestExplained) {
    const text = `The signature is wrong.\n\nThe file has ${file.length} bytes, too many to look for the mistake. Is it the body?`;
    return { isCorrect: false, text };
  }
  // Most files get their last line break from an editor.
  const bytes = body ?? file;
  const value = valueOf(() => JSON.parse(bytes.toString()) as unknown);
  const merchantId: unknown = value instanceof Object && 'merchantId' in value ? value.merchantId : undefined;
  const diagnosis = diagnoseJson(bytes, refused(received, secretKey, merchantId, switches));
  const note = body ? '\n\nThe line break at the end of the file was left out: editors add one.' : '';
  return { isCorrect: false, text: inWords(diagnosis, received) + note };
}

/** Explains whether a signature fits the fields of an upload, and if not, why. */
export function explainInvoiceSignature(
  fields: Fields,
  received: string,
  secretKey: string,
  switches: Switches,
) {
  if (received === signInvoice(fields, secretKey, switches)) {
    return { isCorrect: true, text: 'The signature is correct.' };
  }
  const form = { bytes: Buffer.alloc(0), fields, files: [] };
  const diagnosis = diagnoseForm(form, refused(received, secretKey, fields['merchantId'], switches));
  return { isCorrect: false, text: inWords(diagnosis, received) };
}

function refused(
  received: string,
  secretKey: string,
  merchantId: unknown,
  switches: Switches,
): RefusedRequest {
  const merchant = { secretKey, merchantId: typeof merchantId === 'string' ? merchantId : undefined };
  return { merchant, others: [], signature: received, ...switches };
}

/** A SHA-256 digest in hex or base64. */
const digestShape = /^(?:[0-9a-f]{64}|[A-Za-z0-9+/_-]{43}=?)$/i;

function inWords(diagnosis: Diagnosis, given: string): string {
  const { cause, message, fix, compared, expected, received, firstDifference } = diagnosis;
  const isDigest = cause !== 'secret-wrong' || digestShape.test(given);
  const [wanted, found] =
    compared === 'signed text' ? ['Should have been signed', 'Was signed'] : ['Expected', 'Received'];
  const notDigest = `HMAC-SHA256 is 64 hex digits, or 44 characters of base64; --received has ${given.length} characters.`;
  return [
    `The signature is wrong: ${isDigest ? cause : 'not a digest'}\n`,
    ...(isDigest ? [] : [notDigest]),
    message,
    `\nWhat to do: ${fix}\n`,
    ...(firstDifference ? [`First difference: after ${firstDifference.byte} bytes`] : []),
    `${wanted}: ${visible(expected, '\n\t')}`,
    `${found}: ${visible(received, '\n\t')}`,
  ].join('\n');
}
