import type { Attempt, CallMetadata, Phase } from '../errors/call-metadata.js';
import { shownStatus } from '../errors/foreign-errors.js';
import type { CallSoFar } from '../errors/error-table.js';
import { worseOf, type FailureOutcome } from '../protocol/result-statuses.js';
import type { AttemptResult } from './attempt-result.js';
import type { Call } from './call.js';
import type { WireResponse } from './transport.js';

/** The record of an attempt besides its result. */
type AboutAttempt = Pick<Attempt, 'startedAt' | 'durationMs' | 'requestTime'> & {
  readonly phase?: Phase | undefined;
  readonly response?: WireResponse | undefined;
};

const mostHeaders = 50;
const longestValue = 1024;

/** The headers of a response as a plain object; repeated values are joined. `raw` has names and values in turn. */
function readableHeaders(raw: readonly string[]): Readonly<Record<string, string>> {
  const values = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = String(raw[index]).toLowerCase();
    const earlier = values.get(name);
    const value = String(raw[index + 1]);
    if (earlier !== undefined) values.set(name, `${earlier}, ${value}`);
    else if (values.size < mostHeaders) values.set(name, value);
  }
  return Object.freeze(
    Object.fromEntries(Array.from(values, ([name, value]) => [name, value.slice(0, longestValue)])),
  );
}

/** The attempts of one call. */
export class AttemptHistory implements CallSoFar {
  readonly attempts: Attempt[] = [];
  outcome: FailureOutcome;
  mayHaveActedBefore: boolean;
  readonly mayHaveBeenSent: boolean;
  readonly policy: CallSoFar['policy'];
  readonly #call: Pick<Call<unknown>, 'subject' | 'target'>;
  #lastResponse: WireResponse | undefined;

  constructor(call: Pick<Call<unknown>, 'subject' | 'target' | 'policy' | 'mayHaveBeenSent'>) {
    this.#call = call;
    this.policy = call.policy;
    this.mayHaveBeenSent = call.mayHaveBeenSent;
    this.mayHaveActedBefore = this.mayHaveBeenSent;
    this.outcome = this.mayHaveBeenSent ? 'unknown' : 'not_sent';
  }

  add(
    result: AttemptResult<unknown>,
    { startedAt, durationMs, requestTime, phase, response }: AboutAttempt,
  ): Attempt {
    const { outcome } = result;
    const status = outcome === 'accepted' ? result.resultStatus : result.facts.resultStatus;
    const resultStatus = status === undefined ? undefined : shownStatus(status);
    // Filled in place: spreads here took about 5 % of the CPU of a payment.
    const attempt: { -readonly [Field in keyof Attempt]: Attempt[Field] } = {
      startedAt,
      durationMs,
      requestTime,
      outcome,
    };
    if (phase !== undefined) attempt.phase = phase;
    if (response !== undefined) attempt.httpStatus = response.httpStatus;
    if (resultStatus !== undefined) attempt.resultStatus = resultStatus;
    if (outcome !== 'accepted') attempt.error = result.facts.summary ?? result.problem;
    Object.freeze(attempt);
    this.attempts.push(attempt);
    this.#lastResponse = response ?? this.#lastResponse;
    this.mayHaveActedBefore = this.outcome === 'unknown';
    // The service has acted: whatever fails after that, the result is lost.
    this.outcome = outcome === 'accepted' ? 'unknown' : worseOf(this.outcome, outcome);
    return attempt;
  }

  get metadata(): CallMetadata {
    const { subject, target } = this.#call;
    const { httpStatus, headers } = this.#lastResponse ?? {};
    const metadata = {
      ...subject,
      request: target,
      ...(httpStatus !== undefined && { httpStatus }),
      attempts: Object.freeze([...this.attempts]),
    };
    if (headers) {
      // Read by few callers, and hidden from an inspection of hidden properties too.
      Object.defineProperty(metadata, 'responseHeaders', { get: () => readableHeaders(headers) });
    }
    return Object.freeze(metadata);
  }
}
