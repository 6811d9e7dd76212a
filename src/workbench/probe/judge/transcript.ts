import { verdictByHttpStatus } from '../../../http/response.js';
import type { AbsentFields } from '../../../protocol/canonical-string.js';
import { isErrorStatus } from '../../../protocol/result-statuses.js';
import type { SecretKeyEncoding } from '../../../validation/secret-key.js';
import type { SignatureEncoding } from '../../../protocol/signature.js';

/**
 * The serializations of the JSON of an order. No library writes `indented` by default, so a service that accepts a
 * signature of `indented` JSON verifies the exact bytes. Most services that serialize the JSON again write `sorted`
 * (without white space) or `spaced` (like Python).
 */
export const writings = ['indented', 'sorted', 'spaced'] as const;

/** The offset that the client uses by default. */
export const assumedOffset = '+07:00';

/** The form of a signed request: everything that the specification leaves open about it. */
export interface Form {
  readonly signatureEncoding: SignatureEncoding;
  readonly secretKeyEncoding: SecretKeyEncoding;
  /** The serialization. The client's serialization is `compact`. */
  readonly writing: (typeof writings)[number] | 'compact';
  /** The offset from UTC of Request-Time. */
  readonly offset: string;
  /** The representation of absent fields in the signature of an upload. */
  readonly absentFields: AbsentFields;
}

/** A request of a probe. It contains no key, no signature and no customer, so that a file can keep it. */
export interface ProbeRequest extends Form {
  readonly operation: 'initiatePayment' | 'uploadInvoice';
  /**
   * The completeness of the request. An incomplete order lacks its required fields, and an incomplete upload lacks
   * its file, so neither can create anything.
   */
  readonly content: 'incomplete' | 'whole';
  readonly referenceId: string;
  /** The key of a payment. Two requests with the same key have identical bodies. */
  readonly idempotencyKey?: string;
  /**
   * The sender. A wrong signature and an unknown client are controls: an accepted request gets a different response.
   */
  readonly sender: 'right' | 'wrong signature' | 'unknown client';
  /** True if the request was sent at the same moment as another request. */
  readonly inPair?: true;
}

export interface ProbeResponse {
  readonly httpStatus: number;
  /** True if the body is too large, incomplete, in an unknown encoding, or if the client cannot read its result. */
  readonly isUnreadable?: true;
  readonly resultStatus?: string;
  /**
   * The number of the payment link, in the order in which links first appeared, from 1. The link itself is not kept,
   * because every reader of the file could pay with it.
   */
  readonly link?: number;
  /**
   * The number of the link without query and fragment, because a service can write a new token into each link of one
   * payment.
   */
  readonly page?: number;
  /** The names of the fields. */
  readonly fields: readonly string[];
  /** The headers from an allow-list. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One request on the wire. */
export interface Attempt {
  readonly number: number;
  readonly request: ProbeRequest;
  /** The milliseconds since the probe began. */
  readonly sentAtMs: number;
  readonly endedAtMs: number;
  readonly response?: ProbeResponse;
  /** The reason why there is no response, such as `ECONNRESET`. */
  readonly lost?: string;
}

export type Transcript = readonly Attempt[];

/** An attempt with a response of the service itself. */
export interface Answered extends Attempt {
  readonly response: ProbeResponse;
}

// These statuses are not judged, because a gateway can have sent them, or because they are temporary.
const notOwn = [407, 408, 421, 425, 429];

/** False for a lost response, a redirect, a gateway's page, a rate limit and a time-out of the gateway. */
export function isAnswered(attempt: Attempt): attempt is Answered {
  const { httpStatus = 0, resultStatus, isUnreadable } = attempt.response ?? {};
  if (isUnreadable) return false;
  if (resultStatus !== undefined) return resultStatus !== 'DOWNSTREAM_ERROR' && httpStatus !== 429;
  return httpStatus >= 400 && httpStatus < 500 && !notOwn.includes(httpStatus);
}

/** Describes a response in the text by which two responses are compared, such as `INVALID_SIGNATURE (HTTP 401)`. */
export function responseText({ httpStatus, resultStatus }: ProbeResponse): string {
  return resultStatus === undefined ? `HTTP ${httpStatus}` : `${resultStatus} (HTTP ${httpStatus})`;
}

export function isLink({ response }: Attempt): boolean {
  return response?.link !== undefined;
}

export function isProcessing({ response }: Attempt): boolean {
  return response?.resultStatus === 'REQUEST_PROCESSING';
}

/**
 * True for a refusal by the service itself, which is assumed to create nothing. A whole request is refused if its
 * response has no link, and has a documented error status or an HTTP status that the client calls rejected. After any
 * other response, the service might have acted.
 */
export function isRefused(attempt: Attempt): attempt is Answered {
  if (!isAnswered(attempt) || isProcessing(attempt)) return false;
  const { httpStatus, resultStatus = '' } = attempt.response;
  if (attempt.request.content !== 'whole') return resultStatus !== 'APPROVED';
  const isRefusedByStatus =
    resultStatus !== 'APPROVED' && verdictByHttpStatus(httpStatus).outcome === 'rejected';
  return !isLink(attempt) && (isErrorStatus(resultStatus) || isRefusedByStatus);
}

/** True for a whole order with a valid signature, which can create a payment. */
export function mayCreate({ request }: Attempt): boolean {
  const { operation, content, sender } = request;
  return operation === 'initiatePayment' && content === 'whole' && sender === 'right';
}
