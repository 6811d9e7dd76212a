import type { Call, FrozenRequest, WorkRunner } from '../http/call.js';
import { userAgent } from '../http/runtime.js';
import type { Shared } from '../http/shared-resources.js';
import type { CallOptions, MerchantCallOptions } from '../options/call-options.js';
import type { ResolvedClientOptions } from '../options/client-options.js';
import type { Endpoint } from '../protocol/endpoints.js';
import { writeHeaders } from '../protocol/headers.js';
import type { Sign } from './signer.js';

/** The options and resources that all calls of a client share. */
export type MerchantContext = ResolvedClientOptions & {
  readonly sign: Sign;
  readonly shared: Shared;
};

/** The base URL, and the client options that a call can override. */
type ClientDefaults = Pick<
  ResolvedClientOptions,
  'baseUrl' | 'attemptTimeoutMs' | 'totalTimeoutMs' | 'maxRetries' | 'repeatUnknown'
>;

/** The parts of a call that depend on its operation and its input, but not on the options of the client. */
export interface OperationParts<T>
  extends Pick<Call<T>, 'subject' | 'judge'>, Pick<Endpoint, 'method' | 'path' | 'policy'> {
  /** The media type of the body; absent if there is no body. */
  readonly contentType?: string;
}

/** Makes a call. An option of the call overrides the same option of the client. */
export function makeCall<T>(
  { method, path, policy, subject, judge }: Omit<OperationParts<T>, 'contentType'>,
  sentParts: Pick<Call<T>, 'request' | 'signature' | 'requestTimeOffset'>,
  options: CallOptions,
  client: ClientDefaults,
): Call<T> {
  const {
    attemptTimeoutMs = client.attemptTimeoutMs,
    totalTimeoutMs = client.totalTimeoutMs,
    maxRetries = client.maxRetries,
    repeatUnknown = client.repeatUnknown,
    mayHaveBeenSent = false,
    signal,
    sendBefore,
  } = options;
  const url = new URL(`${client.baseUrl}${path}`);
  return {
    ...sentParts,
    subject: Object.freeze(subject),
    url,
    target: { method, host: url.host, path: url.pathname },
    judge,
    // If `repeatUnknown` is false, a request is not retried once the service may have acted.
    policy: repeatUnknown ? policy : 'once',
    mayHaveBeenSent,
    limits: { attemptTimeoutMs, totalTimeoutMs, maxRetries, signal, sendBefore },
  };
}

type Headers = Readonly<Record<string, string>>;

/**
 * Adds the headers of a call to the headers of a client. A header of the call replaces the header of the client with
 * the same name. Names are compared case-insensitively, so that no header is sent twice.
 */
export function withCallHeaders(headers: Headers, callHeaders: Headers | undefined): Headers {
  if (!callHeaders) return headers;
  const replaced = new Set(Object.keys(callHeaders).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...callHeaders };
}

interface SignedParts<T> extends OperationParts<T>, Pick<Call<T>, 'signature'> {
  /**
   * The bytes of the body, or, if a file must be read first, a function that makes the bytes; absent for an operation
   * without a body.
   */
  readonly body?: Uint8Array | ((runner: WorkRunner) => Promise<Uint8Array>);
  readonly onProgress?: FrozenRequest['onProgress'];
}

/** Makes a merchant's call, with the headers and the signature of each request. */
export function makeSignedCall<T>(
  { contentType, body, onProgress, signature, ...parts }: SignedParts<T>,
  options: MerchantCallOptions,
  merchant: MerchantContext,
): Call<T> {
  const { clientId, wire } = merchant;
  const { idempotencyKey } = parts.subject;
  // All attempts of a call must send their headers in the same order. If the secret key is a string, the signature is
  // added here, and each attempt writes the same signature at the same position. If the secret key is a function, each
  // attempt appends its signature to the headers.
  const fixedSignature = typeof signature === 'string' ? signature : undefined;
  const headers = writeHeaders(
    { clientId, userAgent, contentType, signature: fixedSignature, idempotencyKey },
    withCallHeaders(merchant.headers, options.headers),
  );
  const withBody = (bytes?: Uint8Array): FrozenRequest => ({ headers, body: bytes, onProgress });
  const request: Call<T>['request'] =
    typeof body === 'function' ? async (runner) => withBody(await body(runner)) : withBody(body);
  const { requestTimeOffset } = wire;
  return makeCall(parts, { request, signature, requestTimeOffset }, options, merchant);
}
