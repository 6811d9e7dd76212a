import type { KeyObject } from 'node:crypto';
import { perform, withMetadata, type WithMetadata } from '../http/call.js';
import { judge, type Expectation } from '../http/judge.js';
import type { CallLimits, RetryPolicy, Shared } from '../http/retry.js';
import type { Limits } from '../options/limits.js';
import { sendOnce, type Fetch } from '../http/transport.js';
import type { CallSubject } from '../errors/call-metadata.js';
import type { AbsentFields } from '../protocol/canonical-string.js';
import { endpoints, type MerchantOperation } from '../protocol/endpoints.js';
import { headerNames } from '../protocol/headers.js';
import type { ClientDefault } from '../protocol/payment-types.js';
import type { SignatureEncoding } from '../protocol/signature.js';
import { requestTime } from '../protocol/timestamps.js';
import { textsOf } from '../errors/redact.js';

/** What the operations of one merchant's client work with. The secret is a key object, which prints as nothing. */
export interface Merchant {
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
  readonly offsetMinutes: number;
  readonly limits: Limits;
  readonly fetch: Fetch;
  readonly shared: Shared;
}

/** A merchant's request whose bytes are frozen and signed. */
export interface PreparedRequest<T> {
  readonly subject: CallSubject & { readonly operation: MerchantOperation; readonly referenceId: string };
  readonly policy: RetryPolicy;
  readonly contentType: string;
  readonly body: Uint8Array;
  readonly signature: string;
  readonly limits: CallLimits;
  readonly mayHaveBeenSent: boolean;
  readonly isResult: Expectation<T>['isResult'];
  readonly onProgress?: ((transferredBytes: number) => void) | undefined;
}

const personalFields = ['customer', 'shipping', 'seller', 'description', 'extraData'] as const;

/** What must not show even where the caller's own code quotes it: secrets, and who the customer is. */
export function sensitiveTexts({ secretKey, extraHeaders }: Merchant, request: object): string[] {
  const personal = personalFields.flatMap((field) => textsOf(Reflect.get(request, field)));
  return [secretKey.export().toString(), ...Object.values(extraHeaders), ...personal];
}

/** Sends a prepared request, and gives its result with how it came about. `request` is what nobody's message may quote. */
export async function sendPrepared<T extends object>(
  prepared: PreparedRequest<T>,
  merchant: Merchant,
  request: object,
): Promise<T & WithMetadata> {
  const { subject, policy, contentType, body, signature, limits, mayHaveBeenSent, isResult, onProgress } =
    prepared;
  const { operation, referenceId, idempotencyKey } = subject;
  const url = `${merchant.baseUrl}${endpoints[operation].path}`;
  const headers = {
    ...merchant.headers,
    [headerNames.contentType]: contentType,
    [headerNames.signature]: signature,
    ...(idempotencyKey !== undefined && { [headerNames.idempotencyKey]: idempotencyKey }),
  };
  merchant.shared.observer.starting(subject, body.length);
  const completed = await perform(
    {
      subject,
      policy,
      limits,
      requestTime: (startedAt) => requestTime(startedAt, merchant.offsetMinutes),
      send: (time, signal) =>
        sendOnce(
          { url, headers: { ...headers, [headerNames.requestTime]: time }, body, onProgress },
          merchant.fetch,
          signal,
        ),
      judge: (exchange) => judge(exchange, { operation, referenceId, mayHaveBeenSent, isResult }),
    },
    merchant.shared,
    () => sensitiveTexts(merchant, request),
  );
  return withMetadata(completed);
}
