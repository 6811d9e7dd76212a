import type { InstallmentError } from '../errors/installment-error.js';
import { HookError } from '../errors/errors.js';
import { callerCause } from '../errors/redact.js';
import { AttemptHistory } from './attempt-history.js';
import { abortedBy, making, outOfTime } from './attempt-result.js';
import { bounded } from './bounded.js';
import type { Call, TimedCall } from './call.js';
import type { Runtime } from './runtime.js';

/** How a call has gone so far, if work is done between its attempts. */
interface Progress {
  readonly history: AttemptHistory;
  /** The error of the call if its time ends now. */
  readonly lastError: () => InstallmentError;
}

/**
 * Does work within the terms of a call, while nothing is being sent. The work ends at once with the call's time or
 * signal; `failed` makes the error of work that failed.
 */
export async function withinTerms<T>(
  work: (signal: AbortSignal) => Promise<T>,
  call: TimedCall,
  runtime: Runtime,
  failed: (error: unknown) => InstallmentError,
  progress?: Progress,
): Promise<T> {
  const { signal, totalTimeoutMs, leftMs } = call.terms;
  const result = await bounded(work, { ms: leftMs(), signal, runtime });
  if (result.ended === 'done') return result.value;
  if (result.ended === 'failed') throw failed(result.error);
  const history = progress?.history ?? new AttemptHistory(call);
  if (result.ended === 'aborted') throw history.toError(abortedBy(signal, history.outcome));
  throw progress?.lastError() ?? history.toError(outOfTime(totalTimeoutMs));
}

/** Asks a function of the caller, within the terms of the call. */
export function askCaller<T>(
  hook: string,
  ask: () => T | Promise<T>,
  call: TimedCall & Pick<Call<unknown>, 'sensitive'>,
  runtime: Runtime,
  progress?: Progress,
): Promise<T> {
  const failed = (error: unknown) => {
    const cause = callerCause(error, call.sensitive());
    const description = `${hook} rejected; see the cause`;
    const toError = making(HookError, description);
    // Without an attempt it is `not_sent`, whatever was sent before this call; else the attempts decide.
    if (progress && progress.history.attempts.length > 0) {
      return progress.history.toError({ outcome: 'not_sent', transient: true, description, cause, toError });
    }
    const metadata = { ...call.subject, request: call.target, attempts: [] };
    return toError({ outcome: 'not_sent', retryable: true, metadata, cause });
  };
  return withinTerms(async () => ask(), call, runtime, failed, progress);
}
