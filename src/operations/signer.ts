import type { SecretKeyFunction } from '../options/client-options.js';
import { parseSecretKey } from '../options/secret-key.js';
import { hmacSha256, secretKeyObject, type SignatureEncoding } from '../protocol/signature.js';

/** Signs with the secret key of a client, which inspection does not show. */
export interface Signer {
  /** The signature of frozen bytes. With a function as the key, each attempt makes its own. */
  readonly sign: (
    payload: string | Uint8Array,
    encoding: SignatureEncoding,
  ) => string | (() => Promise<string>);
}

export function signerWith(secretKey: string | SecretKeyFunction): Signer {
  if (typeof secretKey === 'string') {
    const key = secretKeyObject(secretKey);
    return { sign: (payload, encoding) => hmacSha256(payload, key, encoding) };
  }
  return {
    sign: (payload, encoding) => async () => hmacSha256(payload, parseSecretKey(await secretKey()), encoding),
  };
}
