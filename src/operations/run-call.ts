import type { CallMetadata, CallName, WithMetadata } from '../errors/call-metadata.js';
import { makeError, withoutAttempts } from '../errors/make-error.js';
import { InstallmentError } from '../errors/installment-error.js';
import { internalFailure } from '../http/failures.js';
import type { Call } from '../http/call.js';
import { CallState } from '../http/call-state.js';
import { traceCall } from '../http/diagnostics.js';
import { sendWithRetries } from '../http/retry.js';
import { startOfCall } from '../http/runtime.js';
import type { Shared } from '../http/shared-resources.js';
import { isRepeat } from './parse-input.js';

/**
 * Runs a merchant's or a lender's call: prepares the request once for all attempts, sends the request, and reports the
 * start and the failure of the call. {@link CallState} reports the attempts.
 */
export function runCall<T extends object>(
  operation: CallName,
  shared: Shared,
  options: object,
  prepare: () => Call<T>,
): Promise<T & WithMetadata> {
  const { runtime, observer } = shared;
  // The start is recorded before anything else, because the total time limit counts from this moment.
  const started = startOfCall(runtime);
  return traceCall(operation, async (report) => {
    let callState: CallState<T> | undefined;
    try {
      const call = prepare();
      callState = new CallState(call, started, shared, report);
      const request = typeof call.request === 'function' ? await call.request(callState) : call.request;
      observer.starting(call, request.body?.length ?? 0);
      const { beforeSend } = observer.hooks;
      if (beforeSend) await callState.callFunction('beforeSend', () => beforeSend(call.subject));
      const result = await sendWithRetries(callState, request);
      return withMetadata(result, callState.metadata);
    } catch (error) {
      const soFar = callState ?? withoutAttempts({ operation }, isRepeat(options));
      // `makeError` takes the outcome from `soFar`, and ignores the outcome that `internalFailure` is given here.
      const thrown =
        error instanceof InstallmentError ? error : makeError(internalFailure(error, 'not_sent'), soFar);
      observer.failed(thrown, soFar.mayHaveBeenSent);
      throw thrown;
    }
  });
}

/** Adds the metadata to a result as a property that is not enumerable. */
function withMetadata<T extends object>(result: T, metadata: CallMetadata): T & WithMetadata {
  const hidden = { value: metadata, enumerable: false, configurable: true, writable: false };
  return Object.defineProperty(result, '$metadata', hidden) as T & WithMetadata;
}
