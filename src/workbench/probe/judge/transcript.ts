import type { AbsentFields } from '../../../protocol/canonical-string.js';
import type { SecretKeyEncoding } from '../../../validation/secret-key.js';
import type { SignatureEncoding } from '../../../protocol/signature.js';

/**
 * How the JSON of an order is written. No library writes `indented` by default, so a service that accepts it signs the bytes
 * as they came. Most that write the JSON again write `sorted` (without white space) or `spaced` (as Python) the same way.
 */
export const writings = ['indented', 'sorted', 'spaced'] as const;

/** The client's own, until an option says otherwise. */
export const assumedOffset = '+07:00';

/** The form of a signed request: what the specification leaves open about it. */
export interface Form {
  readonly signatureEncoding: SignatureEncoding;
  readonly secretKeyEncoding: SecretKeyEncoding;
  /** `compact` is how the client writes. */
  readonly writing: (typeof writings)[number] | 'compact';
  /** The offset from UTC of Request-Time. */
  readonly offset: string;
  /** Of an upload. */
  readonly absentFields: AbsentFields;
}

/** What is asked. It has no key, no signature and no customer, so that a file may keep it. */
export interface ProbeRequest extends Form {
  readonly operation: 'initiatePayment' | 'uploadInvoice';
  /** An incomplete order lacks its required fields, an incomplete upload its file: neither can create anything. */
  readonly content: 'incomplete' | 'whole';
  readonly referenceId: string;
  /** Of a payment. The same key has the same body. */
  readonly idempotencyKey?: string;
  /** A wrong signature and an unknown client are controls: an acceptable answer differs from theirs. */
  readonly sender: 'right' | 'wrong signature' | 'unknown client';
  /** Sent at the same moment as another one. */
  readonly inPair?: true;
}

export interface ProbeResponse {
  readonly httpStatus: number;
  /** The body is too large, incomplete or in an encoding that is not known. */
  readonly isUnreadable?: true;
  readonly resultStatus?: string;
  /** Payment links by the order in which they first appeared, from 1: a link itself lets anybody pay. */
  readonly link?: number;
  /** The same without query and fragment: a service may write a new token into each link of one payment. */
  readonly page?: number;
  /** The names of its fields. */
  readonly fields: readonly string[];
  /** Those of an allow-list. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One request on the wire. */
export interface Attempt {
  readonly number: number;
  readonly request: ProbeRequest;
  /** Milliseconds since the probe began. */
  readonly sentAtMs: number;
  readonly endedAtMs: number;
  readonly response?: ProbeResponse;
  /** Why there is no response, such as `ECONNRESET`. */
  readonly lost?: string;
}

export type Transcript = readonly Attempt[];

/** An attempt whose response is the service's own answer. */
export interface Answered extends Attempt {
  readonly response: ProbeResponse;
}

// Of a gateway, or for now; as the client reads them.
const notOwn = [407, 408, 421, 425, 429];

/** False for what happens on the way: a lost response, a redirect, a gateway's page, a limit of requests, a time-out behind it. */
export function isAnswered(attempt: Attempt): attempt is Answered {
  const { httpStatus = 0, resultStatus, isUnreadable } = attempt.response ?? {};
  if (isUnreadable) return false;
  if (resultStatus !== undefined) return resultStatus !== 'DOWNSTREAM_ERROR' && httpStatus !== 429;
  return httpStatus >= 400 && httpStatus < 500 && !notOwn.includes(httpStatus);
}

/** The words of a response, by which two are compared: `INVALID_SIGNATURE (HTTP 401)`. */
export function wordsOf({ httpStatus, resultStatus }: ProbeResponse): string {
  return resultStatus === undefined ? `HTTP ${httpStatus}` : `${resultStatus} (HTTP ${httpStatus})`;
}

export function isLink({ response }: Attempt): boolean {
  return response?.link !== undefined;
}

export function isProcessing({ response }: Attempt): boolean {
  return response?.resultStatus === 'REQUEST_PROCESSING';
}

/** True for a refusal by the service itself, which creates nothing as far as is known. */
export function isRefused(attempt: Attempt): attempt is Answered {
  return isAnswered(attempt) && !isProcessing(attempt) && attempt.response.resultStatus !== 'APPROVED';
}

/** A whole order with a right signature: it may create a payment. */
export function mayCreate({ request }: Attempt): boolean {
  const { operation, content, sender } = request;
  return operation === 'initiatePayment' && content === 'whole' && sender === 'right';
}
