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
  /** Every key that was used, which errors must not quote. */
  readonly keys: () => string[];
}

// A function may return another key each time.
const mostKeys = 1000;

export function signerWith(secretKey: string | SecretKeyFunction): Signer {
  if (typeof secretKey === 'string') {
    const key = secretKeyObject(secretKey);
    return {
      sign: (payload, encoding) => hmacSha256(payload, key, encoding),
      keys: () => [key.export().toString()],
    };
  }
  const known = new Set<string>();
  const remember = (key: string) => {
    known.delete(key);
    known.add(key);
    const [oldest] = known;
    if (known.size > mostKeys && oldest !== undefined) known.delete(oldest);
  };
  const ask = async () => {
    const key: unknown = await secretKey();
    // Before it is checked: an error must not quote an unusable key either.
    if (typeof key === 'string') remember(key.trim());
    return parseSecretKey(key);
  };
  return {
    sign: (payload, encoding) => async () => hmacSha256(payload, await ask(), encoding),
    keys: () => [...known],
  };
}
