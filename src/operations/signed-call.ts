import { credentialsIn, textsOf } from '../errors/redact.js';
import type { Call, Limits } from '../http/call.js';
import { userAgent } from '../http/runtime.js';
import type { Shared } from '../http/shared-resources.js';
import { targetOf, type WireRequest } from '../http/transport.js';
import { headerNames } from '../protocol/headers.js';
import { ownCopy } from '../protocol/untrusted-values.js';
import type { ClientDefault } from '../protocol/payment-types.js';
import type { AbsentFields } from '../protocol/canonical-string.js';
import type { SignatureEncoding } from '../protocol/signature.js';
import type { Signer } from './signer.js';

/** The configuration that all calls of a client share. */
export interface MerchantContext {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly signer: Signer;
  readonly defaults: Readonly<Partial<Record<ClientDefault, string | undefined>>>;
  /** The caller's headers, which may contain credentials. */
  readonly extraHeaders: Readonly<Record<string, string>>;
  /** The headers of every request: the caller's, Client-Id and User-Agent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signatureEncoding: SignatureEncoding;
  readonly absentFields: AbsentFields;
  readonly requestTimeOffset: number;
  readonly limits: Limits;
  readonly shared: Shared;
}

/** The headers of every request: the caller's, Client-Id and User-Agent. */
export function merchantHeaders(
  clientId: string,
  extraHeaders: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return { ...extraHeaders, [headerNames.clientId]: clientId, 'User-Agent': userAgent };
}

/** The context of a call with headers of its own. Names are compared without case, so that none is sent twice. */
export function withCallHeaders(
  merchant: MerchantContext,
  headers: Readonly<Record<string, string>> | undefined,
): MerchantContext {
  if (!headers) return merchant;
  const replaced = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const kept = Object.entries(merchant.extraHeaders).filter(([name]) => !replaced.has(name.toLowerCase()));
  const extraHeaders = { ...Object.fromEntries(kept), ...headers };
  return { ...merchant, extraHeaders, headers: merchantHeaders(merchant.clientId, extraHeaders) };
}

/** The parts of a call that differ between the operations of a merchant. */
interface SignedRequest<T> extends Pick<
  Call<T>,
  'subject' | 'policy' | 'mayHaveBeenSent' | 'limits' | 'processResponse'
> {
  /** Below the base URL. */
  readonly path: string;
  readonly contentType: string;
  readonly body: Uint8Array;
  readonly signature: ReturnType<Signer['sign']>;
  readonly onProgress?: WireRequest['onProgress'];
  /** Customer data of the request, which errors must not quote. */
  readonly personal: () => readonly string[];
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

/** Texts that errors must not quote, even if the caller's own code does. */
export function secretsOf({ signer, extraHeaders }: MerchantContext): string[] {
  return [...signer.keys(), ...credentialsIn(extraHeaders)];
}

export function urlOf({ baseUrl }: MerchantContext, path: string): URL {
  return new URL(`${baseUrl}${path}`);
}

/** A call with its headers, ready to be sent. */
export function signedCall<T>(signed: SignedRequest<T>, merchant: MerchantContext): Call<T> {
  const { path, contentType, body, signature, onProgress, personal, ...call } = signed;
  // Its own key: a polluted Object.prototype would give the same one to every call.
  const { idempotencyKey } = ownCopy(call.subject);
  const url = urlOf(merchant, path);
  const headers = {
    ...merchant.headers,
    [headerNames.contentType]: contentType,
    ...(typeof signature === 'string' && { [headerNames.signature]: signature }),
    ...(idempotencyKey !== undefined && { [headerNames.idempotencyKey]: idempotencyKey }),
  };
  return {
    ...call,
    target: targetOf(url),
    request: { url, headers, body, onProgress },
    requestTimeOffset: merchant.requestTimeOffset,
    sign: typeof signature === 'string' ? undefined : signature,
    sensitive: () => [...secretsOf(merchant), ...personal()],
  };
}
