import { classesByCode, registerErrors } from './classes-by-code.js';
import { errorJson, parseErrorJson, type InstallmentErrorJSON } from './error-json.js';
import type { CallMetadata, CallName, CallSubject } from './call-metadata.js';
import type { FailureOutcome } from '../protocol/result-statuses.js';
import { issueText, type ValidationIssue } from '../protocol/issues.js';
import { readProperty } from '../protocol/untrusted-values.js';

/** The facts that an error of this package is made from. */
export interface ErrorInit {
  /** The state of the service's side, as far as it is known. */
  readonly outcome: FailureOutcome;
  /** Whether repeating the same call later may succeed. */
  readonly retryable: boolean;
  /** Whether the service may have acted on an attempt before the last one, or before this call. @default false */
  readonly mayHaveActedBefore?: boolean;
  /** How the call went. */
  readonly metadata?: CallMetadata;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** The error behind this one, already redacted. */
  readonly cause?: Error;
}

const inspection = Symbol.for('nodejs.util.inspect.custom');
const brand: unique symbol = Symbol.for('installment-payments.error') as never;

/**
 * The base of every error that this package throws. Read `outcome` first: it says what is known about the service's
 * side after the whole call.
 *
 * `instanceof` works across ESM, CommonJS and all entries of the package.
 *
 * @example
 * ```ts
 * import { InstallmentError } from 'installment-payments';
 *
 * export function mayHaveBeenCharged(error: unknown): boolean {
 *   return error instanceof InstallmentError && error.outcome === 'unknown';
 * }
 * ```
 */
export abstract class InstallmentError extends Error {
  /** The name of the class, which survives a minifier. */
  static readonly kind: string = 'InstallmentError';

  /** Does not change between versions. For a `ResultError`, it is the `resultStatus`. */
  abstract readonly code: string;
  /** The operation that was called; absent for a `ConfigurationError`. */
  declare readonly operation?: CallName;
  /** The merchant's own reference of the order; absent if the input has no valid one. */
  declare readonly referenceId?: string;
  /** The key that every attempt carried. The same request carries it again. */
  declare readonly idempotencyKey?: string;
  /** The code of the receipt, if a lender sent one. */
  declare readonly lenderTransactionCode?: string;
  /** The ID of the notification, if a lender sent one. */
  declare readonly requestId?: string;
  /** The state of the service's side after all attempts, as far as it is known. */
  readonly outcome: FailureOutcome;
  /** True if the same call may succeed later. It is false where a repeat could do the same thing twice. */
  readonly retryable: boolean;
  /** How long the service asked to wait, in milliseconds; absent if it did not. */
  declare readonly retryAfterMs?: number;
  /** How the call went: every attempt, in order. Absent for a `ConfigurationError`. */
  declare readonly $metadata?: CallMetadata;

  /** This package makes the errors; a test may make one of its own. */
  constructor(message: string, init: ErrorInit) {
    super(message, init.cause && { cause: init.cause });
    nameClass(new.target);
    this.outcome = init.outcome;
    this.retryable = init.retryable;
    const { metadata, retryAfterMs } = init;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
    if (metadata) {
      const { attempts: _attempts, httpStatus: _httpStatus, request: _request, ...subject } = metadata;
      Object.assign(this, subject);
      this.$metadata = metadata;
    }
  }

  static {
    Object.defineProperties(this.prototype, {
      name: { get: nameOf, set: setName, configurable: true },
      [brand]: { get: kindsOf },
      [inspection]: { value: inspectWithoutAccessors },
    });
  }

  /** True for an error of this class, whichever copy of the package made it. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // A subclass in the caller's code has no kind of its own: its prototype decides, as usual.
    if (!Object.hasOwn(this, 'kind')) return Function.prototype[Symbol.hasInstance].call(this, value);
    return brandOf(value).includes(this.kind);
  }

  /**
   * The error as plain data, also for `JSON.stringify`: its fields and the name, code and message of its cause, without
   * secrets, customer data and texts of the service.
   */
  toJSON(): InstallmentErrorJSON {
    return errorJson(this);
  }

  /**
   * The error again, of its class, from what `toJSON` returned: at the other side of a worker, a queue or a log. Only
   * known fields are taken. `outcome` is the worst of what is stated, of the attempts, and of what the code allows, so
   * that no JSON makes it better than it was. An error with a code that this version does not know is an
   * `InstallmentError` with that code. `bodyText`, `resultMsg` and `body` are lost, because no JSON has them.
   *
   * @example
   * ```ts
   * import { InstallmentError, isInstallmentError } from 'installment-payments';
   *
   * // In the worker: parentPort.postMessage({ error: error.toJSON() })
   * export function outcomeOf(message: { readonly error: unknown }): string {
   *   const error = InstallmentError.fromJSON(message.error);
   *   return isInstallmentError(error) && error.code === 'VALIDATION' ? 'our mistake' : error.outcome;
   * }
   * ```
   * @param json - As `toJSON` returned it, or as `JSON.parse` or `structuredClone` gives it.
   * @throws TypeError if it is not the JSON of an error.
   */
  static fromJSON(json: unknown): InstallmentError {
    const { code, message, init, fields } = parseErrorJson(json);
    const known = classesByCode.get(code) ?? InstallmentError;
    // Of the class, but not by its constructor: each takes something else, and would write the message again.
    const error = Reflect.construct(InstallmentError, [message, init], known) as InstallmentError;
    return Object.assign(error, fields);
  }
}

type Inspect = (value: unknown, options: object) => string;

/** Prints as Node does, but with `getters: true` too without the value of an accessor, which may quote customer data. */
function inspectWithoutAccessors(
  this: InstallmentError,
  depth: number,
  options: object,
  inspect: Inspect,
): string {
  return inspect(this, { ...options, depth, customInspect: false, getters: false });
}

/** Gives a class that a minifier has renamed its name back: Node prints the name of an error's class. */
function nameClass(type: typeof InstallmentError): void {
  if (Object.hasOwn(type, 'kind') && type.name !== type.kind) {
    Object.defineProperty(type, 'name', { value: type.kind, configurable: true });
  }
}

/** A subclass in the caller's code may set its name, as errors usually do. */
function setName(this: InstallmentError, value: string): void {
  Object.defineProperty(this, 'name', { value, enumerable: false, configurable: true, writable: true });
}

function nameOf(this: InstallmentError): string {
  return (this.constructor as typeof InstallmentError).kind;
}

/** The kinds of an error's classes, its own first. */
function kindsOf(this: InstallmentError): string[] {
  const kinds: string[] = [];
  for (let type: unknown = this.constructor; typeof type === 'function'; type = Object.getPrototypeOf(type)) {
    if (Object.hasOwn(type, 'kind')) kinds.push((type as typeof InstallmentError).kind);
  }
  return kinds;
}

function brandOf(value: unknown): readonly unknown[] {
  const kinds = readProperty(value, brand);
  return Array.isArray(kinds) ? kinds : [];
}

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
 * `beforeSend`, or a `headers` or `secretKey` function, rejected or returned something unusable. Its error is the `cause`.
 * Nothing was sent by this call, except that `secretKey` is asked before each attempt: after a first one, `outcome` covers the attempts.
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
