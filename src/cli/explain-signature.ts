import type { AbsentFields } from '../protocol/canonical-string.js';
import { hmacSha256, signInvoice, type SignatureEncoding } from '../protocol/signature.js';
import { diagnoseForm, diagnoseJson, type Diagnosis, type RefusedRequest } from '../mock/face.js';
import { visible } from './io.js';

type Fields = Readonly<Record<string, string>>;

/** The switches for what the specification leaves open, as the client has them. */
export interface Switches {
  readonly signatureEncoding: SignatureEncoding;
  readonly absentFields: AbsentFields;
}

/** A refused request without its signed content. */
interface Refused {
  readonly received: string;
  readonly secretKey: string;
}

/** The body without a line break at its end; undefined where it has none. */
export function withoutFinalBreak(bytes: Buffer): Buffer | undefined {
  if (bytes.at(-1) !== 0x0a) return undefined;
  return bytes.subarray(0, bytes.at(-2) === 0x0d ? -2 : -1);
}

/** Explains whether a signature fits the body of a payment, and if not, why. */
export function explainPaymentSignature(file: Buffer, request: Refused, switches: Switches) {
  const fits = (bytes: Buffer) =>
    request.received === hmacSha256(bytes, request.secretKey, switches.signatureEncoding);
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
  // Most files get their last line break from an editor.
  const bytes = body ?? file;
  const diagnosis = diagnoseJson(bytes, refusedRequest(request, switches));
  const note = body ? '\n\nThe line break at the end of the file was left out: editors add one.' : '';
  return { isCorrect: false, text: inWords(diagnosis) + note };
}

/** Explains whether a signature fits the fields of an upload, and if not, why. */
export function explainInvoiceSignature(fields: Fields, request: Refused, switches: Switches) {
  // The specification has hex, of either case.
  if (request.received.toLowerCase() === signInvoice(fields, request.secretKey, switches)) {
    return { isCorrect: true, text: 'The signature is correct.' };
  }
  const form = { bytes: Buffer.alloc(0), fields, files: [] };
  const diagnosis = diagnoseForm(form, refusedRequest(request, switches));
  return { isCorrect: false, text: inWords(diagnosis) };
}

function refusedRequest({ received, secretKey }: Refused, switches: Switches): RefusedRequest {
  return { merchant: { secretKeys: [secretKey] }, others: [], signature: received, ...switches };
}

function inWords(diagnosis: Diagnosis): string {
  const { cause, message, fix, expected, received, firstDifference } = diagnosis;
  const [wanted, found] = firstDifference
    ? ['Should have been signed', 'Was signed']
    : ['Expected', 'Received'];
  return [
    `The signature is wrong: ${cause}\n`,
    message,
    `\nWhat to do: ${fix}\n`,
    ...(firstDifference ? [`First difference: after ${firstDifference.byte} bytes`] : []),
    `${wanted}: ${visible(expected, '\n\t')}`,
    `${found}: ${visible(received, '\n\t')}`,
  ].join('\n');
}
