import { worseOf, type FailureOutcome } from '../protocol/result-statuses.js';

type FailureFacts = Partial<Pick<JobFailure, 'outcome' | 'isFinal' | 'retryAfterMs' | 'cause'>>;

/**
 * How a run of a job failed. It is not an `InstallmentError`: the client's error is its `cause`. The message begins with
 * the outcome and the code: `rejected INVALID_AMOUNT: …`.
 *
 * @example
 * ```ts
 * import { JobFailure } from 'installment-payments/queue';
 *
 * export function waitMs(error: unknown): number | undefined {
 *   if (!(error instanceof JobFailure) || error.isFinal) return undefined; // a person looks at it
 *   return error.retryAfterMs ?? 60_000;
 * }
 * ```
 */
export class JobFailure extends Error {
  /** The worst outcome over all runs of the job. */
  readonly outcome: FailureOutcome;
  /** True where another run would end in the same way, or could act twice. */
  readonly isFinal: boolean;
  /** How long the service asked to wait, in milliseconds. */
  declare readonly retryAfterMs?: number | undefined;
  readonly #text: string;

  /** @internal */
  constructor(
    /** The code of the client's error, or one of the queue's own, such as `LOCK_LOST`. */
    readonly code: string,
    text: string,
    { outcome = 'not_sent', isFinal = false, retryAfterMs, cause }: FailureFacts = {},
  ) {
    super(`${outcome} ${code}: ${text}`, cause === undefined ? undefined : { cause });
    this.name = 'JobFailure';
    // It is stored with the job, where the path of this module helps nobody.
    this.stack = `JobFailure: ${this.message}`;
    this.outcome = outcome;
    this.isFinal = isFinal;
    this.#text = text;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }

  /** @internal The failure of a job whose earlier runs ended so. */
  after(earlier: FailureOutcome): JobFailure {
    const { code, outcome, isFinal, retryAfterMs, cause } = this;
    if (worseOf(earlier, outcome) === outcome) return this;
    const text = `an earlier run or job ended ${earlier}, this run ${outcome}. ${this.#text}`;
    return new JobFailure(code, text, { outcome: earlier, isFinal, retryAfterMs, cause });
  }
}
