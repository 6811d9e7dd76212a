import { userAgent } from '../http/runtime.js';
import type { Call, FrozenRequest, WithinTerms } from '../http/call.js';
import type { Shared } from '../http/shared-resources.js';
import { targetOf } from '../http/transport.js';
import type { CallOptions, MerchantCallOptions } from '../options/call-options.js';
import type { ResolvedClientOptions } from '../options/client-options.js';
import type { Endpoint } from '../protocol/endpoints.js';
import { writeHeaders } from '../protocol/headers.js';
import type { Signer } from './signer.js';

/** The options and resources that all calls of a client share. */
export type MerchantContext = ResolvedClientOptions & {
  readonly signer: Signer;
  readonly shared: Shared;
};

/** The options of a client that its calls may change. */
type Defaults = Pick<
  ResolvedClientOptions,
  'baseUrl' | 'attemptTimeoutMs' | 'totalTimeoutMs' | 'maxRetries' | 'repeatUnknown'
>;

/** The parts of a call that its operation knows; the rest comes from the options. */
export interface OperationParts<T>
  extends Pick<Call<T>, 'subject' | 'judge'>, Pick<Endpoint, 'method' | 'path' | 'policy'> {
  readonly contentType: string;
}

type CallParts<T> = Omit<OperationParts<T>, 'contentType'> &
  Pick<Call<T>, 'request' | 'sign' | 'requestTimeOffset'>;

/** Makes a call. An option of the call replaces the client's. */
export function makeCall<T>(
  { method, path, policy, subject, request, sign, requestTimeOffset, judge }: CallParts<T>,
  options: CallOptions,
  client: Defaults,
): Call<T> {
  const url = new URL(`${client.baseUrl}${path}`);
  const { repeatUnknown = client.repeatUnknown } = options;
  return {
    subject: Object.freeze(subject),
    url,
    target: targetOf(url, method),
    request,
    sign,
    requestTimeOffset,
    judge,
    // Without `repeatUnknown` nothing is sent again that may have been acted on.
    policy: repeatUnknown ? policy : 'once',
    mayHaveBeenSent: options.mayHaveBeenSent ?? false,
    terms: {
      attemptTimeoutMs: options.attemptTimeoutMs ?? client.attemptTimeoutMs,
      totalTimeoutMs: options.totalTimeoutMs ?? client.totalTimeoutMs,
      maxRetries: options.maxRetries ?? client.maxRetries,
      signal: options.signal,
      sendBefore: options.sendBefore,
    },
  };
}

type Headers = Readonly<Record<string, string>>;

/** The headers of a client and of a call. Names are compared without case, so that none is sent twice. */
export function withCallHeaders(headers: Headers, ofCall: Headers | undefined): Headers {
  if (!ofCall) return headers;
  const replaced = new Set(Object.keys(ofCall).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...ofCall };
}

interface SignedParts<T> extends OperationParts<T> {
  /** The bytes, or how they are made of a file that has still to be read. */
  readonly body: Uint8Array | ((terms: WithinTerms) => Promise<Uint8Array>);
  readonly onProgress?: FrozenRequest['onProgress'];
  readonly signature: ReturnType<Signer['sign']>;
}

/** Makes a merchant's call, with the headers and the signature of each request. */
export function makeSignedCall<T>(
  { subject, method, path, policy, judge, contentType, body, onProgress, signature }: SignedParts<T>,
  options: MerchantCallOptions,
  merchant: MerchantContext,
): Call<T> {
  const isSigned = typeof signature === 'string';
  const { clientId, wire } = merchant;
  const { idempotencyKey } = subject;
  const headers = writeHeaders(
    { clientId, userAgent, contentType, signature: isSigned ? signature : undefined, idempotencyKey },
    withCallHeaders(merchant.headers, options.headers),
  );
  const frozen = (bytes: Uint8Array): FrozenRequest => ({ headers, body: bytes, onProgress });
  const request: Call<T>['request'] =
    typeof body === 'function' ? async (terms) => frozen(await body(terms)) : frozen(body);
  const sign = isSigned ? undefined : signature;
  const { requestTimeOffset } = wire;
  return makeCall(
    { subject, method, path, policy, judge, request, sign, requestTimeOffset },
    options,
    merchant,
  );
}
