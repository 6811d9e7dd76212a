import type { AbsentFields } from '../protocol/canonical-string.js';
import { jsonIn } from '../values/untrusted-values.js';
import { endpoints, type MerchantOperation } from '../protocol/endpoints.js';
import { knownHeaders } from '../protocol/headers.js';
import { hmacSha256, signInvoice, type SignatureEncoding } from '../protocol/signature.js';
import {
  diagnoseForm,
  diagnoseJson,
  type Diagnosis,
  type RefusedRequest,
  unknownCause,
} from '../mock/face.js';
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
  /** Headers that may have been signed too, by their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
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
  const value = jsonIn(bytes.toString());
  const merchantId: unknown = value instanceof Object && 'merchantId' in value ? value.merchantId : undefined;
  const diagnosis = diagnoseJson(bytes, refused('initiatePayment', request, merchantId, switches));
  const note = body ? '\n\nThe line break at the end of the file was left out: editors add one.' : '';
  return { isCorrect: false, text: inWords(diagnosis, request) + note };
}

/** Explains whether a signature fits the fields of an upload, and if not, why. */
export function explainInvoiceSignature(fields: Fields, request: Refused, switches: Switches) {
  // The specification has hex, of either case.
  if (request.received.toLowerCase() === signInvoice(fields, request.secretKey, switches)) {
    return { isCorrect: true, text: 'The signature is correct.' };
  }
  const form = { bytes: Buffer.alloc(0), fields, files: [] };
  const diagnosis = diagnoseForm(form, refused('uploadInvoice', request, fields['merchantId'], switches));
  return { isCorrect: false, text: inWords(diagnosis, request) };
}

function refused(
  operation: MerchantOperation,
  { received, secretKey, headers }: Refused,
  merchantId: unknown,
  switches: Switches,
): RefusedRequest {
  const header = (name: string) => headers.get(name.toLowerCase());
  return {
    merchant: {
      secretKey,
      clientId: header(knownHeaders.clientId.name),
      merchantId: typeof merchantId === 'string' ? merchantId : undefined,
    },
    others: [],
    signature: received,
    request: { path: endpoints[operation].path, requestTime: header(knownHeaders.requestTime.name) },
    ...switches,
  };
}

/** A SHA-256 digest in hex or base64. */
const digestShape = /^(?:[0-9a-f]{64}|[A-Za-z0-9+/_-]{43}=?)$/i;

function inWords(diagnosis: Diagnosis, { received: given, headers }: Refused): string {
  const { cause, message, fix, expected, received, firstDifference } = diagnosis;
  const isUnknown = cause === unknownCause;
  const isDigest = digestShape.test(given);
  const hints = [
    ...(isUnknown && !isDigest
      ? [
          `HMAC-SHA256 is 64 hex digits, or 44 characters of base64; --received has ${given.length} characters.\n`,
        ]
      : []),
    ...(isUnknown && isDigest && headers.size === 0
      ? ["If headers were signed too, name them: --header 'Request-Time: ...'\n"]
      : []),
    ...(firstDifference ? [`First difference: after ${firstDifference.byte} bytes`] : []),
  ];
  const [wanted, found] = firstDifference
    ? ['Should have been signed', 'Was signed']
    : ['Expected', 'Received'];
  return [
    `The signature is wrong: ${cause}\n`,
    message,
    `\nWhat to do: ${fix}\n`,
    ...hints,
    `${wanted}: ${visible(expected, '\n\t')}`,
    `${found}: ${visible(received, '\n\t')}`,
  ].join('\n');
}
