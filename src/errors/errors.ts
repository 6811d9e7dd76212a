import { isUint8Array } from 'node:util/types';
import { decodeText } from '../values/encodings.js';
import { brandClass } from './brand.js';
import type { ValidationIssue } from '../protocol/issues.js';
import type { AnyResultStatus, ErrorStatus } from '../protocol/result-statuses.js';
import { hiddenFactsOf, InstallmentError } from './installment-error.js';

/**
 * An option or an argument is missing, malformed or unsafe, or a function among the options returned a wrong value.
 * `option` is the name of the option or argument.
 */
export class ConfigurationError extends InstallmentError {
  declare readonly code: 'CONFIGURATION';
  declare readonly outcome: 'not_sent';
  /** The name of the option or argument, such as `baseUrl`. */
  readonly option: string;

  /**
   * Creates the error from the name of an option or argument and its problem. The message does not contain the value.
   */
  constructor(option: string, problem: string) {
    const known = { code: 'CONFIGURATION', outcome: 'not_sent', retryable: false, nextStep: 'fix' } as const;
    const action = 'Correct the option that this error names.';
    super({ message: `${option} ${problem}`, fields: { ...known, action }, facts: {} });
    this.option = option;
  }
}

/**
 * The input breaks a rule. Nothing was sent. `issues` lists every broken rule, with its path and with the result status
 * that the specification names for such a mistake.
 *
 * @example
 * ```ts
 * import { ValidationError } from 'installment-payments';
 *
 * export function report(error: unknown): void {
 *   if (!(error instanceof ValidationError)) return;
 *   for (const { path, message } of error.issues) console.error(path.join('.'), message);
 * }
 * ```
 */
export class ValidationError extends InstallmentError {
  declare readonly code: 'VALIDATION';
  declare readonly outcome: 'not_sent';
  /** The broken rules: at least one. */
  readonly issues: readonly ValidationIssue[] = hiddenFactsOf(this).issues ?? [];
}

/**
 * A function that you passed (`beforeSend`, `headers`, `secretKey` or `now`) failed or returned an unusable value. The
 * `cause` is the value that the function threw, untouched, or an error that describes the unusable value. `beforeSend`
 * and `headers` are called before anything is sent. `secretKey` and `now` are called for each attempt, so they can fail
 * after an earlier attempt was sent. `outcome` covers the earlier attempts too.
 */
export class HookError extends InstallmentError {
  declare readonly code: 'HOOK';
}

/**
 * The connection failed before there was a complete response. `outcome` covers all attempts: `'not_sent'` if every
 * attempt failed before its request could be sent (connection refused, name not found, TLS failed, refused by a proxy),
 * `'rejected'` if the service refused every request that reached it, and `'unknown'` in all other cases, because the
 * service may have acted. `retryable` is false if the call would fail again, as with an invalid certificate.
 */
export class ConnectionError extends InstallmentError {
  declare readonly code: 'CONNECTION';
}

/**
 * An attempt or the whole call timed out, or `sendBefore` has passed. The limits include reading the body of the
 * response. `outcome` covers all attempts: `'not_sent'` if nothing was sent, `'rejected'` if the service refused every
 * request that reached it, and `'unknown'` in all other cases, because the service may have acted.
 */
export class TimeoutError extends InstallmentError {
  declare readonly code: 'TIMEOUT';
}

/**
 * The caller's `signal` ended the call. The service may have received the request: see `outcome`.
 */
export class AbortedError extends InstallmentError {
  declare readonly code: 'ABORTED';
}

const longestBodyText = 2048;

/**
 * The response does not show the result of the request. After a merchant's operation, the reason is one of these:
 *
 * - The response is not a JSON object, is a redirect, may be cut short, or is too large.
 * - The `resultStatus` is missing, is empty or is not a string.
 * - The response contains a different `referenceId` or `merchantId`.
 * - The response is approved, but contains no `paymentUrl`, or a `paymentUrl` that runs a script.
 *
 * After `post`, the response is not a 2xx response with complete JSON. After a lender's notification, the response may
 * be cut short, its HTTP status is neither 2xx nor a status of {@link NotificationRejectedError}, or the function
 * `acknowledged` failed.
 *
 * `bodyText` helps to find out who responded.
 */
export class UnexpectedResponseError extends InstallmentError {
  declare readonly code: 'UNEXPECTED_RESPONSE';
  declare readonly outcome: 'rejected' | 'unknown';
  /**
   * The first 2 KiB of the response as text. The text can contain customer data, so no message, `util.inspect` or JSON
   * shows it.
   */
  get bodyText(): string {
    const { body } = hiddenFactsOf(this);
    return isUint8Array(body) ? decodeText(body.subarray(0, longestBodyText)) : '';
  }
}

/**
 * The lender's notification counts as refused: the HTTP status is 4xx (with a few exceptions), or the option
 * `acknowledged` returned false. The HTTP statuses are an assumption, because the specification refers to a "common
 * response" and does not show it.
 * @see specification, Endpoints 3 and 4
 */
export class NotificationRejectedError extends InstallmentError {
  declare readonly code: 'NOTIFICATION_REJECTED';
  declare readonly outcome: 'rejected' | 'unknown';
  /** The response: parsed if it is JSON, or else its text. No message, `util.inspect` or JSON shows it. */
  get body(): unknown {
    return hiddenFactsOf(this).body;
  }
}

/**
 * The service responded with a status other than success. Each documented status has a subclass that is named after
 * the status: catch that class to react to a single status. `action` contains the advice for the merchant.
 *
 * @example
 * ```ts
 * import { FileTooLargeError, ResultError } from 'installment-payments';
 *
 * export function whatToDo(error: unknown): string | undefined {
 *   return error instanceof ResultError ? `${error.resultStatus}: ${error.action}` : undefined;
 * }
 *
 * export function isTooLarge(error: unknown): boolean {
 *   return error instanceof FileTooLargeError;
 * }
 * ```
 * @see specification, Errors
 */
export abstract class ResultError extends InstallmentError {
  declare readonly code: ErrorStatus | 'UNKNOWN_RESULT';
  declare readonly outcome: 'rejected' | 'unknown';
  /** The status as the service sent it. */
  abstract readonly resultStatus: AnyResultStatus;

  /** The service's own text, or ''. It can contain customer data, so no message, `util.inspect` or JSON shows it. */
  get resultMsg(): string {
    return hiddenFactsOf(this).resultMsg ?? '';
  }
}

/**
 * The service responded with an undocumented status. The meaning of this status for the payment is unknown, so
 * `outcome` is `'unknown'` and the client does not retry.
 */
export class UnknownResultError extends ResultError {
  declare readonly code: 'UNKNOWN_RESULT';
  declare readonly outcome: 'unknown';

  /** The status as the service sent it. The message and `$metadata` show only a status of letters, `_` and `-`. */
  override get resultStatus(): string {
    return hiddenFactsOf(this).resultStatus ?? '';
  }
}

// The names are keys of an object, because a minifier renames classes, but not keys.
const classes = {
  ConfigurationError,
  ValidationError,
  HookError,
  ConnectionError,
  TimeoutError,
  AbortedError,
  UnexpectedResponseError,
  NotificationRejectedError,
  ResultError,
  UnknownResultError,
};
for (const [name, type] of Object.entries(classes)) brandClass(type, name);
