import { readProperty } from '../values/untrusted-values.js';
import type { ValidationIssue } from '../protocol/issues.js';
import type { FailureOutcome } from '../protocol/result-statuses.js';
import type { CallMetadata, CallSubject } from './call-metadata.js';
import type { NextStep } from './next-step.js';

/** An attempt in JSON: its time is ISO 8601 text. */
export type AttemptJSON = Omit<CallMetadata['attempts'][number], 'startedAt'> & {
  readonly startedAt: string;
};

/** The error behind another one, in JSON. Its message is left out: it is somebody else's text. */
export interface CauseJSON {
  /** Such as `Error`. */
  readonly name: string;
  /** Such as `ECONNRESET`. */
  readonly code?: string;
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
  /** The next step. */
  readonly nextStep: NextStep;
  /** The advice for the merchant. */
  readonly action: string;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** HTTP status of the last answer. */
  readonly httpStatus?: number;
  /** How the call went. */
  readonly $metadata?: Omit<CallMetadata, 'attempts' | 'responseHeaders'> & {
    readonly attempts: readonly AttemptJSON[];
  };
  /** The error behind this one. */
  readonly cause?: CauseJSON;
  /** Of a `ConfigurationError`. */
  readonly option?: string;
  /** Of a `ValidationError`. */
  readonly issues?: readonly ValidationIssue[];
  /** Of a `ResultError` with a documented status. */
  readonly resultStatus?: string;
  /** Of a `DuplicateReferenceIdError`. */
  readonly probablyAccepted?: boolean;
}

export function causeJson(cause: unknown): CauseJSON | undefined {
  const name = readProperty(cause, 'name');
  const code = readProperty(cause, 'code');
  if (typeof name !== 'string') return undefined;
  return { name, ...(typeof code === 'string' && { code }) };
}
