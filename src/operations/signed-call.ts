import { credentialsIn, textsOf } from '../errors/redact.js';
import { timedCall, type Call, type TimedCall } from '../http/call.js';
import { userAgent } from '../http/runtime.js';
import type { Shared } from '../http/shared-resources.js';
import type { WireRequest } from '../http/transport.js';
import type { MerchantCallOptions } from '../options/call-options.js';
import type { ResolvedClientOptions } from '../options/client-options.js';
import { writeHeaders } from '../protocol/headers.js';
import { ownCopy } from '../values/untrusted-values.js';
import type { Signer } from './signer.js';

/** The options and resources that all calls of a client share. */
export type MerchantContext = ResolvedClientOptions & {
  readonly signer: Signer;
  readonly shared: Shared;
};

type Headers = Readonly<Record<string, string>>;

/** The headers of a client and of a call. Names are compared without case, so that none is sent twice. */
function withCallHeaders(headers: Headers, ofCall: Headers | undefined): Headers {
  if (!ofCall) return headers;
  const replaced = new Set(Object.keys(ofCall).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...ofCall };
}

/** A call whose bytes have still to be made. */
export interface UnsentCall extends TimedCall, Pick<Call<unknown>, 'sensitive'> {
  readonly request: Pick<WireRequest, 'url' | 'headers'>;
}

/** Starts a call to a path below the base URL. Errors must not quote the `personal` texts of its request. */
export function startCall(
  merchant: MerchantContext,
  { path, ...about }: Pick<Call<unknown>, 'subject' | 'policy'> & { readonly path: string },
  options: MerchantCallOptions,
  personal: () => readonly string[],
): UnsentCall {
  const { baseUrl, clientId, signer, shared } = merchant;
  const url = new URL(`${baseUrl}${path}`);
  const extra = withCallHeaders(merchant.headers, options.headers);
  return {
    ...timedCall({ ...about, url }, options, merchant, shared.runtime),
    request: { url, headers: { ...extra, ...writeHeaders({ clientId, userAgent }) } },
    sensitive: () => [...signer.keys(), ...credentialsIn(extra), ...personal()],
  };
}

const personalFields = [
  'customer',
  'shipping',
  'seller',
  'description',
  'extraData',
  'fileUrl',
  // Their queries may have tokens.
  'successRedirectUrl',
  'unSuccessRedirectUrl',
] as const;

export function personalTexts(request: object): string[] {
  return personalFields.flatMap((field) => textsOf(Reflect.get(request, field)));
}

/** A call with its bytes and headers, ready to be sent. */
export function signedCall<T>(
  merchant: MerchantContext,
  call: UnsentCall,
  { contentType, ...sent }: Pick<WireRequest, 'body' | 'onProgress'> & { readonly contentType: string },
  signature: ReturnType<Signer['sign']>,
  processResponse: Call<T>['processResponse'],
): Call<T> {
  // Its own key: a polluted Object.prototype would give the same one to every call.
  const { idempotencyKey } = ownCopy(call.subject);
  const isSigned = typeof signature === 'string';
  const headers = {
    ...call.request.headers,
    ...writeHeaders({ contentType, signature: isSigned ? signature : undefined, idempotencyKey }),
  };
  return {
    ...call,
    request: { url: call.request.url, headers, ...sent },
    requestTimeOffset: merchant.wire.requestTimeOffset,
    sign: isSigned ? undefined : signature,
    processResponse,
  };
}

/** A call whose body is JSON, which its signature is made of. */
export function signedJsonCall<T>(
  merchant: MerchantContext,
  call: UnsentCall,
  body: Uint8Array,
  processResponse: Call<T>['processResponse'],
): Call<T> {
  const signature = merchant.signer.sign(body, merchant.wire.signatureEncoding);
  return signedCall(merchant, call, { contentType: 'application/json', body }, signature, processResponse);
}
