import { createHmac, type KeyObject } from 'node:crypto';

export const signatureEncodings = ['hex', 'hex-upper', 'base64', 'base64url'] as const;

/** The encoding of a signature. */
export type SignatureEncoding = (typeof signatureEncodings)[number];

/** The encoding of an upload's signature, which is documented as hex. */
export function uploadEncoding(encoding: SignatureEncoding): SignatureEncoding {
  return encoding === 'hex-upper' ? encoding : 'hex';
}

/** Encodes a digest as the text of a signature. */
export function encodeDigest(digest: Buffer, encoding: SignatureEncoding): string {
  return encoding === 'hex-upper' ? digest.toString('hex').toUpperCase() : digest.toString(encoding);
}

/** The HMAC-SHA256 of exact bytes. Text is encoded as UTF-8. */
export function hmacSha256(
  payload: string | Uint8Array,
  secretKey: string | KeyObject,
  encoding: SignatureEncoding = 'hex',
): string {
  return encodeDigest(createHmac('sha256', secretKey).update(payload).digest(), encoding);
}
