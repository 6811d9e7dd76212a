import type { KeyObject } from 'node:crypto';
import type { CallSubject, WithMetadata } from '../errors/call-metadata.js';
import { credentialsIn, textsOf } from '../errors/redact.js';
import type { RetryPolicy } from '../http/attempts.js';
import { sendCall, withMetadata } from '../http/call.js';
import type { CallLimits, Limits } from '../http/call-limits.js';
import type { Call, Shared } from '../http/retry.js';
import { targetOf } from '../http/transport.js';
import { headerNames } from '../protocol/headers.js';
import type { ClientDefault } from '../protocol/payment-types.js';
import type { AbsentFields } from '../protocol/canonical-string.js';
import type { SignatureEncoding } from '../protocol/signature.js';

/** What the calls of one merchant's client work with. The secret is a key object, which prints as nothing. */
export interface MerchantContext {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly secretKey: KeyObject;
  readonly defaults: Readonly<Partial<Record<ClientDefault, string | undefined>>>;
  /** The caller's own, which may hold credentials. */
  readonly extraHeaders: Readonly<Record<string, string>>;
  /** The same for every request: the caller's, Client-Id and User-Agent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signatureEncoding: SignatureEncoding;
  readonly absentFields: AbsentFields;
  readonly requestTimeOffset: number;
  readonly limits: Limits;
  readonly shared: Shared;
}

/** A signed request whose bytes are frozen. */
export interface SignedRequest<T> {
  readonly subject: CallSubject;
  /** Below the base URL. */
  readonly path: string;
  readonly policy: RetryPolicy;
  readonly contentType: string;
  readonly body: Uint8Array;
  readonly signature: string;
  readonly limits: CallLimits;
  readonly processResponse: Call<T>['processResponse'];
  readonly onProgress?: ((transferredBytes: number) => void) | undefined;
  /** Customer data of the request, which no error may quote. */
  readonly personal: () => readonly string[];
}

const personalFields = ['customer', 'shipping', 'seller', 'description', 'extraData', 'fileUrl'] as const;

/** The customer data of a request. */
export function personalTexts(request: object): string[] {
  return personalFields.flatMap((field) => textsOf(Reflect.get(request, field)));
}

/** What must not show even where the caller's own code quotes it. */
export function secretsOf({ secretKey, extraHeaders }: MerchantContext): string[] {
  return [secretKey.export().toString(), ...credentialsIn(extraHeaders)];
}

/** The URL of a path below the base URL. */
export function urlOf({ baseUrl }: MerchantContext, path: string): URL {
  return new URL(`${baseUrl}${path}`);
}

/** Sends a signed request, and gives its result with how it came about. */
export async function sendSigned<T extends object>(
  signed: SignedRequest<T>,
  merchant: MerchantContext,
): Promise<T & WithMetadata> {
  const { subject, path, policy, contentType, body, signature, limits, processResponse, onProgress } = signed;
  const { idempotencyKey } = subject;
  const url = urlOf(merchant, path);
  const headers = {
    ...merchant.headers,
    [headerNames.contentType]: contentType,
    [headerNames.signature]: signature,
    ...(idempotencyKey !== undefined && { [headerNames.idempotencyKey]: idempotencyKey }),
  };
  const completed = await sendCall(
    {
      subject,
      target: targetOf(url),
      policy,
      limits,
      request: { url, headers, body, onProgress },
      requestTimeOffset: merchant.requestTimeOffset,
      processResponse,
    },
    merchant.shared,
    () => [...secretsOf(merchant), ...signed.personal()],
  );
  return withMetadata(completed);
}
