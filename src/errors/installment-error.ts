import { brandClass } from './brand.js';
import { readProperty } from '../values/untrusted-values.js';
import type { ValidationIssue } from '../protocol/issues.js';
import type { FailureOutcome } from '../protocol/result-statuses.js';
import type { AttemptJSON, CallMetadata, CallName, NextStep } from './call-metadata.js';

/** The facts about a failure, without its outcome. */
export interface FailureFacts {
  /** A short description for the record of the attempt, such as `ECONNRESET (read)`. @default the problem */
  readonly summary?: string;
  /**
   * The cause; absent if there is none. A cause can be present and `undefined`, because a function of the caller can
   * throw `undefined`.
   */
  readonly cause?: unknown;
  /** The body of the response: its bytes, or the parsed value. */
  readonly body?: unknown;
  /** The result status as the service sent it. */
  readonly resultStatus?: string;
  /** The service's own text. */
  readonly resultMsg?: string;
  readonly issues?: readonly ValidationIssue[];
  /** True if the service may have acted before the last attempt began: on an earlier attempt, or on an earlier call. */
  readonly mayHaveActedBefore?: boolean;
  /** The wait from the header `Retry-After`, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /**
   * True if an idle connection was lost before a byte of the response arrived. The connection was probably dead, so the
   * next attempt needs no wait.
   */
  readonly wasIdleConnectionLost?: boolean;
}

/** The facts from which `makeError` creates an error. */
export interface ErrorFacts {
  readonly message: string;
  /** The properties that errors of every code have. */
  readonly fields: Omit<InstallmentError, keyof Error | 'toJSON'>;
  readonly facts: FailureFacts;
}

const inspection = Symbol.for('nodejs.util.inspect.custom');
const hiddenFacts = new WeakMap<object, FailureFacts>();

/**
 * The facts of the failure from which an error was created, including texts of the service; empty for an error of
 * another copy of this package.
 */
export function hiddenFactsOf(error: object): FailureFacts {
  return hiddenFacts.get(error) ?? {};
}

/**
 * The base class of every error of a client. Read `outcome` first: it says what is known about the service's side after
 * the whole call.
 *
 * `instanceof` works across ESM, CommonJS and all entries of the package.
 *
 * @example
 * ```ts
 * import { InstallmentError } from 'installment-payments';
 *
 * export function whatToDo(error: unknown): string {
 *   if (!(error instanceof InstallmentError)) throw error;
 *   switch (error.nextStep) {
 *     case 'repeat':
 *       return 'send the stored request again, with mayHaveBeenSent: true';
 *     case 'look_up':
 *       return 'look the payment up, and do not start another payment';
 *     case 'call_again':
 *       return `call again in ${error.retryAfterMs ?? 1000} ms`;
 *     default:
 *       return error.action;
 *   }
 * }
 * ```
 */
export abstract class InstallmentError extends Error {
  /**
   * The code, which stays the same in every version: for a `ResultError`, its `resultStatus`, or `UNKNOWN_RESULT` if
   * the status is not documented.
   */
  declare readonly code: string;
  /** The operation that was called; absent for a `ConfigurationError`. */
  declare readonly operation?: CallName;
  /** The merchant's `referenceId`; absent if the input contains no valid `referenceId`. */
  declare readonly referenceId?: string;
  /** The idempotency key of every attempt. A repeat of the same request has the same key. */
  declare readonly idempotencyKey?: string;
  /** The lender's code of the receipt, if a lender sent one. */
  declare readonly lenderTransactionCode?: string;
  /** The ID of the lender's notification, if a lender sent one. */
  declare readonly requestId?: string;
  /** The state of the service's side after all attempts, as far as it is known. */
  declare readonly outcome: FailureOutcome;
  /**
   * True if the same call can succeed later. False in three cases:
   *
   * - The call would fail again.
   * - Only a look-up can settle the outcome.
   * - The service may have acted, and after a retry it could act twice: no documented key identifies the retry, or
   *   `repeatUnknown` is false.
   *
   * How a service handles a repeated key is not documented.
   */
  declare readonly retryable: boolean;
  /**
   * The next step, which follows from `outcome` and `retryable`, from `mayHaveBeenSent`, and from whether the service
   * could act a second time on a repeat.
   */
  declare readonly nextStep: NextStep;
  /**
   * The advice for the merchant, in one or two sentences. For a documented status, this is the `action` in
   * `resultStatuses`. If the service may have acted on an earlier attempt, the advice says how to find out.
   */
  declare readonly action: string;
  /** The wait from the header `Retry-After` of the response, in milliseconds; absent without this header. */
  declare readonly retryAfterMs?: number;
  /** The HTTP status of the last response, if there was one. */
  declare readonly httpStatus?: number;
  /** The record of the call: every attempt, in order. Absent for a `ConfigurationError`. */
  declare readonly $metadata?: CallMetadata;

  /** Errors are created by this package. In tests, create them with `sampleError` of `installment-payments/mock`. */
  constructor({ message, fields, facts }: ErrorFacts) {
    super(message, 'cause' in facts ? { cause: facts.cause } : undefined);
    Object.assign(this, fields);
    hiddenFacts.set(this, facts);
  }

  static {
    brandClass(this, 'InstallmentError');
    Object.defineProperty(this.prototype, inspection, { value: inspectWithoutAccessors });
  }

  /**
   * Returns the error as plain data, also for `JSON.stringify`: its fields and the name and code of its cause, without
   * secrets, customer data and foreign texts.
   */
  toJSON(): InstallmentErrorJSON {
    const { name, message, $metadata } = this;
    const fields = Object.fromEntries(Object.entries(this)) as Omit<InstallmentErrorJSON, 'name' | 'message'>;
    const attempts = $metadata?.attempts.map((each) => ({ ...each, startedAt: each.startedAt.toJSON() }));
    const cause = causeJson(this.cause);
    return {
      name,
      message,
      ...fields,
      ...($metadata && attempts && { $metadata: { ...$metadata, attempts } }),
      ...(cause && { cause }),
    };
  }
}

/** The result of an error's `toJSON`: plain data, for a log, a queue or another thread. */
export interface InstallmentErrorJSON extends Omit<
  InstallmentError,
  '$metadata' | 'cause' | 'stack' | 'toJSON'
> {
  /** The record of the call. */
  readonly $metadata?: Omit<CallMetadata, 'attempts' | 'responseHeaders'> & {
    readonly attempts: readonly AttemptJSON[];
  };
  /** The name and code of the cause. Its message is left out, because it can contain any text. */
  readonly cause?: { readonly name: string; readonly code?: string };
  /** The name of the option, for a `ConfigurationError`. */
  readonly option?: string;
  /** The broken rules, for a `ValidationError`. */
  readonly issues?: readonly ValidationIssue[];
  /** The result status, for a `ResultError` with a documented status. */
  readonly resultStatus?: string;
  /** Whether the payment probably exists, for a `DuplicateReferenceIdError`. */
  readonly probablyAccepted?: boolean;
}

function causeJson(cause: unknown): InstallmentErrorJSON['cause'] {
  const name = readProperty(cause, 'name');
  const code = readProperty(cause, 'code');
  if (typeof name !== 'string') return undefined;
  return { name, ...(typeof code === 'string' && { code }) };
}

type Inspect = (value: unknown, options: object) => string;

/**
 * Prints the error as Node does, but never the values of accessors, which can be customer data. The option `getters:
 * true` has no effect.
 */
function inspectWithoutAccessors(
  this: InstallmentError,
  depth: number,
  options: object,
  inspect: Inspect,
): string {
  return inspect(this, { ...options, depth, customInspect: false, getters: false });
}
