import type { CallMetadata, CallSubject } from './call-metadata.js';
import { readProperty } from '../values/untrusted-values.js';
import type { ValidationIssue } from '../protocol/issues.js';
import type { FailureOutcome } from '../protocol/result-statuses.js';

/** An attempt in JSON: its time is ISO 8601 text. */
export type AttemptJSON = Omit<CallMetadata['attempts'][number], 'startedAt'> & {
  readonly startedAt: string;
};

/** The error behind another one, in JSON. */
export interface CauseJSON {
  /** Such as `Error`. */
  readonly name: string;
  /** Already redacted. */
  readonly message: string;
  /** Such as `ECONNRESET`. */
  readonly code?: string;
  /** Such as `read`. */
  readonly syscall?: string;
}

/** The result of an error's `toJSON`: plain data, for a log, a queue or another thread. */
export interface InstallmentErrorJSON extends Partial<CallSubject> {
  /** Name of the class. */
  readonly name: string;
  /** The whole message. */
  readonly message: string;
  /** The code of the error. */
  readonly code: string;
  /** The state of the service's side, as far as it is known. */
  readonly outcome: FailureOutcome;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** How the call went. */
  readonly $metadata?: Omit<CallMetadata, 'attempts'> & { readonly attempts: readonly AttemptJSON[] };
  /** The error behind this one. */
  readonly cause?: CauseJSON;
  /** Of a `ConfigurationError`. */
  readonly option?: string;
  /** Of a `ValidationError`. */
  readonly issues?: readonly ValidationIssue[];
  /** Of a `ResultError` with a documented status. */
  readonly resultStatus?: string;
  /** Of a `ResultError`. */
  readonly action?: string;
  /** Of a `DuplicateReferenceIdError`. */
  readonly probablyAccepted?: boolean;
  /** Of a `NotificationRejectedError`. */
  readonly httpStatus?: number;
}

/** The words of a cause, which was redacted when it was made. */
function causeJson(cause: Error): CauseJSON {
  const { name, message } = cause;
  const words = ['code', 'syscall'].map((key) => [key, readProperty(cause, key)] as const);
  return { name, message, ...Object.fromEntries(words.filter(([, value]) => typeof value === 'string')) };
}

/** An error as plain data. */
export function errorJson(
  error: Pick<InstallmentErrorJSON, 'name' | 'message' | 'code' | 'outcome' | 'retryable'> & {
    readonly $metadata?: CallMetadata;
    readonly cause?: unknown;
  },
): InstallmentErrorJSON {
  const { name, message, code, outcome, retryable, $metadata, cause } = error;
  const attempts = $metadata?.attempts.map((each) => ({ ...each, startedAt: each.startedAt.toJSON() }));
  return {
    name,
    message,
    ...Object.fromEntries(Object.entries(error)),
    code,
    outcome,
    retryable,
    ...($metadata && attempts && { $metadata: { ...$metadata, attempts } }),
    ...(cause instanceof Error && { cause: causeJson(cause) }),
  };
}
