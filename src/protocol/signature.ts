import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

export const signatureEncodings = ['hex', 'hex-upper', 'base64', 'base64url'] as const;

/** How a signature is written. */
export type SignatureEncoding = (typeof signatureEncodings)[number];

export const secretKeyEncodings = ['utf8', 'hex', 'base64'] as const;

/** How the text of a secret key gives the bytes of the key. */
export type SecretKeyEncoding = (typeof secretKeyEncodings)[number];

/** The encoding of an upload's signature, which is documented as hex. */
export function uploadEncoding(encoding: SignatureEncoding): SignatureEncoding {
  return encoding === 'hex-upper' ? encoding : 'hex';
}

/** A digest as the text of a signature. */
export function encodeDigest(digest: Buffer, encoding: SignatureEncoding): string {
  return encoding === 'hex-upper' ? digest.toString('hex').toUpperCase() : digest.toString(encoding);
}

/** HMAC-SHA256 of exact bytes; text is taken as UTF-8. */
export function hmacSha256(
  payload: string | Uint8Array,
  secretKey: string | KeyObject,
  encoding: SignatureEncoding = 'hex',
): string {
  return encodeDigest(createHmac('sha256', secretKey).update(payload).digest(), encoding);
}

const notations: Readonly<
  Record<SecretKeyEncoding, { readonly rule: string; readonly fits: (key: string) => boolean }>
> = {
  utf8: { rule: 'a string', fits: () => true },
  hex: { rule: 'an even number of hex digits', fits: (key) => /^(?:[0-9a-f]{2})+$/i.test(key) },
  base64: {
    rule: 'base64 with its padding',
    fits: (key) => key !== '' && Buffer.from(key, 'base64').toString('base64') === key,
  },
};

/** The problem of a secret key that is not written in this encoding. It does not quote the key. */
export function secretKeyProblem(secretKey: string, encoding: SecretKeyEncoding): string | undefined {
  const { rule, fits } = notations[encoding];
  return fits(secretKey) ? undefined : `must be ${rule}, because secretKeyEncoding is '${encoding}'`;
}

/** A secret key that fits its encoding, as a key object, which inspection does not show. */
export function secretKeyObject(secretKey: string, encoding: SecretKeyEncoding = 'utf8'): KeyObject {
  return createSecretKey(secretKey, encoding);
}
