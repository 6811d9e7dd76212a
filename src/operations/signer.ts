import type { Signature } from '../http/call.js';
import type { SecretKeyFunction } from '../options/client-options.js';
import { parseSecretKey } from '../options/secret-key.js';
import { hmacSha256, secretKeyObject, type SignatureEncoding } from '../protocol/signature.js';

/** Signs frozen bytes with the secret key of a client, which inspection does not show. */
export type Sign = (payload: string | Uint8Array, encoding: SignatureEncoding) => Signature;

export function signerWith(secretKey: string | SecretKeyFunction): Sign {
  if (typeof secretKey === 'string') {
    const key = secretKeyObject(secretKey);
    return (payload, encoding) => hmacSha256(payload, key, encoding);
  }
  return (payload, encoding) => async () => hmacSha256(payload, parseSecretKey(await secretKey()), encoding);
}
