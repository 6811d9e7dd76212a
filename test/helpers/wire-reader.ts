import { createHmac } from 'node:crypto';

/**
 * A second reader of signed requests, written from the specification. It imports nothing of the package: client and
 * mock share one canonical string, so a mistake in it is invisible to both.
 */

/** A request or a webhook with the bytes that arrived. The names of headers are in lower case. */
export interface ArrivedRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** The choices that the specification leaves open about signatures. */
export interface SigningSwitches {
  readonly signatureEncoding?: 'hex' | 'hex-upper' | 'base64' | 'base64url';
  readonly secretKeyEncoding?: 'utf8' | 'hex' | 'base64';
  readonly absentFields?: 'empty' | 'omit';
}

/** One part of a form, with the head as text. */
export interface Part {
  readonly name: string;
  readonly head: string;
  readonly body: Buffer;
}

/** The parts of a multipart body (RFC 7578), or undefined if it is malformed. */
function multipartParts(contentType = '', body: Uint8Array = Buffer.alloc(0)): Part[] | undefined {
  const boundary = /^multipart\/form-data; *boundary="?([^\s";]+)"?$/i.exec(contentType)?.[1];
  if (boundary === undefined) return undefined;
  const bytes = Buffer.concat([Buffer.from('\r\n'), body]);
  const delimiter = `\r\n--${boundary}`;
  const parts: Part[] = [];
  for (let at = bytes.indexOf(delimiter); ;) {
    const start = at + delimiter.length;
    const after = bytes.toString('latin1', start, start + 4);
    if (after.startsWith('--')) return after.slice(2).trim() === '' ? parts : undefined;
    const end = bytes.indexOf(delimiter, start);
    const headEnd = bytes.indexOf('\r\n\r\n', start);
    if (!after.startsWith('\r\n') || end === -1 || headEnd === -1 || headEnd > end) return undefined;
    const head = bytes.toString('utf8', start + 2, headEnd);
    const name = /^Content-Disposition: *form-data; *name="([^"\r\n]*)"/im.exec(head)?.[1];
    if (name === undefined) return undefined;
    parts.push({ name, head, body: bytes.subarray(headEnd + 4, end) });
    at = end;
  }
}

/** The signed fields of an upload, in the order of the specification (Authentication, Upload invoice). */
export const signedFields = [
  'merchantId',
  'referenceId',
  'paymentTransId',
  'storeId',
  'invoiceNumber',
  'invoiceDate',
  'description',
  'extraData',
] as const;

/** The fields of an upload as text, without the file. */
export type TextFields = Readonly<Record<string, string | undefined>>;

export function canonicalString(
  fields: TextFields,
  absentFields: SigningSwitches['absentFields'] = 'empty',
): string {
  const shown =
    absentFields === 'omit' ? signedFields.filter((name) => fields[name] !== undefined) : signedFields;
  return shown.map((name) => `${name}=${fields[name] ?? ''}`).join('&');
}

export function hmac(
  payload: string | Uint8Array,
  secretKey: string | Buffer,
  encoding: SigningSwitches['signatureEncoding'] = 'hex',
): string {
  const digest = createHmac('sha256', secretKey).update(payload);
  return encoding === 'hex-upper' ? digest.digest('hex').toUpperCase() : digest.digest(encoding);
}

/** The signature that a request should have; undefined for a form that cannot be read. */
export function expectedSignature(
  { headers, body }: ArrivedRequest,
  secretKey: string,
  { signatureEncoding, secretKeyEncoding, absentFields }: SigningSwitches = {},
): string | undefined {
  const key = Buffer.from(secretKey, secretKeyEncoding);
  if (!headers['content-type']?.startsWith('multipart/form-data')) return hmac(body, key, signatureEncoding);
  const texts = multipartParts(headers['content-type'], body)?.filter(({ name }) => name !== 'file');
  // Uploads are signed in hex; only its case can be switched.
  if (!texts) return undefined;
  // The object has no prototype, because a test can have polluted the prototype of all objects.
  const fields = Object.create(null) as Record<string, string>;
  for (const { name, body: text } of texts) fields[name] = text.toString();
  return hmac(
    canonicalString(fields, absentFields),
    key,
    signatureEncoding === 'hex-upper' ? 'hex-upper' : 'hex',
  );
}
