import { brandClass } from './brand.js';
import { readProperty } from '../values/untrusted-values.js';
import type { ValidationIssue } from '../protocol/issues.js';
import type { FailureOutcome } from '../protocol/result-statuses.js';
import type { AttemptJSON, CallMetadata, CallName, NextStep } from './call-metadata.js';

/** The facts about a failure besides its outcome. */
export interface FailureFacts {
  /** In short, for the record of the attempt: `ECONNRESET (read)`. @default the problem */
  readonly summary?: string;
  /** Absent without a cause: `undefined` may be what a caller's function threw. */
  readonly cause?: unknown;
  /** The body of the response: its bytes, or parsed. */
  readonly body?: unknown;
  /** As the service sent it. */
  readonly resultStatus?: string;
  /** The service's own text. */
  readonly resultMsg?: string;
  readonly issues?: readonly ValidationIssue[];
  /** Whether the service may have acted before the last attempt, in this call or before it. */
  readonly mayHaveActedBefore?: boolean;
  /** How long the service asked to wait. */
  readonly retryAfterMs?: number | undefined;
  /** An idle connection ended without a byte of a response, so it was dead: the next attempt follows at once. */
  readonly wasIdleConnectionLost?: boolean;
}

/** The facts that an error is made from, by `makeError`. */
export interface ErrorFacts {
  readonly message: string;
  /** The properties that errors of every code have. */
  readonly fields: Omit<InstallmentError, keyof Error | 'toJSON'>;
  readonly facts: FailureFacts;
}

const inspection = Symbol.for('nodejs.util.inspect.custom');
const hiddenFacts = new WeakMap<object, FailureFacts>();

/** The facts of an error's failure, with texts of the service; nothing for an error of another copy of this package. */
export function hiddenIn(error: object): FailureFacts {
  return hiddenFacts.get(error) ?? {};
}

/**
 * The base of every error of a client. Read `outcome` first: it says what is known about the service's
 * side after the whole call.
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
 *       return 'look the payment up, and start no other one';
 *     case 'call_again':
 *       return `call again in ${error.retryAfterMs ?? 1000} ms`;
 *     default:
 *       return error.action;
 *   }
 * }
 * ```
 */
export abstract class InstallmentError extends Error {
  /** Stable between versions. For a `ResultError`, the `resultStatus`, or `UNKNOWN_RESULT` if that is not documented. */
  declare readonly code: string;
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
  declare readonly outcome: FailureOutcome;
  /**
   * True if the same call may succeed later. It is false where nothing documented lets the service recognise a retry, and
   * where a retry would not tell. What a service does with a repeated key is not documented.
   */
  declare readonly retryable: boolean;
  /** The next step, which follows from `outcome`, `retryable` and `mayHaveBeenSent`. */
  declare readonly nextStep: NextStep;
  /**
   * The advice for the merchant, in a sentence or two. For a documented status it is the `action` in `resultStatuses`,
   * unless the service may have acted on an earlier attempt: there it says how to find out.
   */
  declare readonly action: string;
  /** How long the service asked to wait, in milliseconds; absent if it did not. */
  declare readonly retryAfterMs?: number;
  /** HTTP status of the last response, if there was one. */
  declare readonly httpStatus?: number;
  /** How the call went: every attempt, in order. Absent for a `ConfigurationError`. */
  declare readonly $metadata?: CallMetadata;

  /** This package makes the errors. Tests make them with `sampleError` of `installment-payments/mock`. */
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
   * The error as plain data, also for `JSON.stringify`: its fields and the name and code of its cause, without secrets,
   * customer data and texts of others.
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
  /** How the call went. */
  readonly $metadata?: Omit<CallMetadata, 'attempts' | 'responseHeaders'> & {
    readonly attempts: readonly AttemptJSON[];
  };
  /** The error behind this one. Its message is left out: it is somebody else's text. */
  readonly cause?: { readonly name: string; readonly code?: string };
  /** Of a `ConfigurationError`. */
  readonly option?: string;
  /** Of a `ValidationError`. */
  readonly issues?: readonly ValidationIssue[];
  /** Of a `ResultError` with a documented status. */
  readonly resultStatus?: string;
  /** Of a `DuplicateReferenceIdError`. */
  readonly probablyAccepted?: boolean;
}

function causeJson(cause: unknown): InstallmentErrorJSON['cause'] {
  const name = readProperty(cause, 'name');
  const code = readProperty(cause, 'code');
  if (typeof name !== 'string') return undefined;
  return { name, ...(typeof code === 'string' && { code }) };
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
