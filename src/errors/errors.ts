import { registerErrors } from './classes-by-code.js';
import type { CallName, CallSubject } from './call-metadata.js';
import { InstallmentError, type ErrorInit } from './installment-error.js';
import { issueText, type ValidationIssue } from '../protocol/issues.js';

/**
 * An option of a constructor is missing, malformed or unsafe. `option` names it.
 *
 * @example
 * ```ts
 * import { ConfigurationError, InstallmentClient } from 'installment-payments';
 *
 * try {
 *   new InstallmentClient({ baseUrl: 'http://pay.example' });
 * } catch (error) {
 *   if (error instanceof ConfigurationError) console.error(error.option, error.message);
 * }
 * ```
 */
export class ConfigurationError extends InstallmentError {
  static override readonly kind = 'ConfigurationError';
  override readonly code = 'CONFIGURATION';
  declare readonly outcome: 'not_sent';
  /** Name of the option, such as `baseUrl`. */
  readonly option: string;

  /** Takes the name of the option and what is wrong with it, without its value. */
  constructor(option: string, problem: string) {
    super(`${option} ${problem}`, { outcome: 'not_sent', retryable: false });
    this.option = option;
  }
}

/**
 * The input breaks a rule. Nothing was sent. `issues` has every broken rule, with its path and with the result status
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
  static override readonly kind = 'ValidationError';
  override readonly code = 'VALIDATION';
  declare readonly outcome: 'not_sent';
  /** Every broken rule, never empty. */
  readonly issues: readonly ValidationIssue[];

  /** Takes every broken rule; the first ones are named in the message. */
  constructor(issues: readonly ValidationIssue[], subject: CallSubject, cause?: Error) {
    super(validationMessage(issues, subject.operation), {
      outcome: 'not_sent',
      retryable: false,
      metadata: { ...subject, attempts: [] },
      ...(cause && { cause }),
    });
    this.issues = issues;
  }
}

const issuesInMessage = 10;

function validationMessage(issues: readonly ValidationIssue[], operation: CallName): string {
  const lines = issues.slice(0, issuesInMessage).map((issue) => issueText(issue, 'the request'));
  const more = issues.length - lines.length;
  return `${operation}: nothing was sent by this call. ${lines.join('; ')}${more > 0 ? `; and ${String(more)} more, see issues` : ''}`;
}

/**
 * A function of yours, `beforeSend`, `headers` or `secretKey`, failed or returned something unusable. Its error is the
 * `cause`. The first two are called before anything is sent. `secretKey` is called before each attempt, so it may fail
 * after an earlier attempt was sent: `outcome` covers that attempt too.
 *
 * @example
 * ```ts
 * import { HookError } from 'installment-payments';
 *
 * export function reasonOf(error: unknown): unknown {
 *   return error instanceof HookError ? error.cause : error;
 * }
 * ```
 */
export class HookError extends InstallmentError {
  static override readonly kind = 'HookError';
  override readonly code = 'HOOK';
}

/**
 * The connection failed before there was a complete answer. `outcome` is `'not_sent'` if there was no secured
 * connection yet (refused, name not found, TLS, a proxy); otherwise the service may have acted. `retryable` is false
 * where the same failure is certain to come again, such as a bad certificate.
 *
 * @example
 * ```ts
 * import { ConnectionError } from 'installment-payments';
 *
 * export function isOurSetup(error: unknown): boolean {
 *   return error instanceof ConnectionError && error.outcome === 'not_sent' && !error.retryable;
 * }
 * ```
 */
export class ConnectionError extends InstallmentError {
  static override readonly kind = 'ConnectionError';
  override readonly code = 'CONNECTION';
}

/**
 * An attempt or the whole call timed out; reading the body of the answer counts. `outcome` is `'not_sent'` if there was
 * no connection yet; otherwise the service may have acted.
 *
 * @example
 * ```ts
 * import { TimeoutError } from 'installment-payments';
 *
 * export function lastPhaseOf(error: unknown): string | undefined {
 *   return error instanceof TimeoutError ? error.$metadata?.attempts.at(-1)?.phase : undefined;
 * }
 * ```
 */
export class TimeoutError extends InstallmentError {
  static override readonly kind = 'TimeoutError';
  override readonly code = 'TIMEOUT';
}

/**
 * The caller's `signal` ended the call. The service may have received the request: see `outcome`.
 *
 * @example
 * ```ts
 * import { AbortedError } from 'installment-payments';
 *
 * export function wasCancelledInTime(error: unknown): boolean {
 *   return error instanceof AbortedError && error.outcome === 'not_sent';
 * }
 * ```
 */
export class AbortedError extends InstallmentError {
  static override readonly kind = 'AbortedError';
  override readonly code = 'ABORTED';
}

const longestBodyText = 2048;

/**
 * The answer does not say what became of the request: it is not JSON, has no `resultStatus`, has another `referenceId`
 * or `merchantId`, is a redirect or too large. `bodyText` helps to see who answered.
 *
 * @example
 * ```ts
 * import { UnexpectedResponseError } from 'installment-payments';
 *
 * export function isPageOfAGateway(error: unknown): boolean {
 *   return error instanceof UnexpectedResponseError && error.bodyText.includes('<html');
 * }
 * ```
 */
export class UnexpectedResponseError extends InstallmentError {
  static override readonly kind = 'UnexpectedResponseError';
  override readonly code = 'UNEXPECTED_RESPONSE';
  declare readonly outcome: 'rejected' | 'unknown';
  // Private: an answer may quote customer data, and inspection can show every property.
  readonly #bodyText: string;

  /** Takes as much of the answer as arrived. */
  constructor(message: string, init: ErrorInit, body: Uint8Array) {
    super(message, init);
    this.#bodyText = new TextDecoder().decode(body.subarray(0, longestBodyText));
  }

  /** The first 2 KiB of the answer as text. It may quote customer data, so no message, inspection or JSON contains it. */
  get bodyText(): string {
    return #bodyText in this ? this.#bodyText : '';
  }
}

/**
 * The lender's notification counts as refused: by most 4xx, or by `acknowledged`. That is a decision of this package, because
 * the common response is not documented.
 *
 * @example
 * ```ts
 * import { NotificationRejectedError } from 'installment-payments/lender';
 *
 * export function refusalOf(error: unknown): unknown {
 *   return error instanceof NotificationRejectedError ? error.body : undefined;
 * }
 * ```
 * @see specification, Endpoints 3 and 4
 */
export class NotificationRejectedError extends InstallmentError {
  static override readonly kind = 'NotificationRejectedError';
  override readonly code = 'NOTIFICATION_REJECTED';
  declare readonly outcome: 'rejected' | 'unknown';
  /** HTTP status of the refusal. */
  readonly httpStatus: number;
  readonly #body: unknown;

  /** Takes the HTTP status and the answer: parsed if it is JSON, else its text. */
  constructor(message: string, init: ErrorInit, httpStatus: number, body: unknown) {
    super(message, init);
    this.httpStatus = httpStatus;
    this.#body = body;
  }

  /** The answer: parsed if it is JSON, else its text. No message, inspection or JSON contains it. */
  get body(): unknown {
    return #body in this ? this.#body : undefined;
  }
}

registerErrors({
  CONFIGURATION: ConfigurationError,
  VALIDATION: ValidationError,
  HOOK: HookError,
  CONNECTION: ConnectionError,
  TIMEOUT: TimeoutError,
  ABORTED: AbortedError,
  UNEXPECTED_RESPONSE: UnexpectedResponseError,
  NOTIFICATION_REJECTED: NotificationRejectedError,
});
