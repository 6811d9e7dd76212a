import { classesByCode } from './classes-by-code.js';
import { parseErrorJson } from './parse-error-json.js';
import { errorJson, type InstallmentErrorJSON } from './error-json.js';
import type { CallMetadata, CallName } from './call-metadata.js';
import type { FailureOutcome } from '../protocol/result-statuses.js';
import { readProperty } from '../values/untrusted-values.js';

/** The facts that an error of this package is made from. They may change in a minor version. */
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

  /** Stable between versions. For a `ResultError`, the `resultStatus`, or `UNKNOWN_RESULT` if that is not documented. */
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
  /**
   * True if the same call may succeed later. It is false where nothing documented lets the service recognise a repeat, and
   * where a repeat would not tell. What a service does with a repeated key is not documented.
   */
  readonly retryable: boolean;
  /** How long the service asked to wait, in milliseconds; absent if it did not. */
  declare readonly retryAfterMs?: number;
  /** How the call went: every attempt, in order. Absent for a `ConfigurationError`. */
  declare readonly $metadata?: CallMetadata;

  /**
   * This package makes the errors. Tests make them with `sampleError` of `installment-payments/mock`: what a constructor
   * takes may change in a minor version.
   */
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
