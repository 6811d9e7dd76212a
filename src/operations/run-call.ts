import type { CallName, WithMetadata } from '../errors/call-metadata.js';
import { InstallmentError } from '../errors/installment-error.js';
import { askCaller } from '../http/ask-caller.js';
import type { Call, Completed } from '../http/call.js';
import { traceCall } from '../http/diagnostics.js';
import { sendWithRetries } from '../http/retry.js';
import type { Shared } from '../http/shared-resources.js';

/**
 * Runs a merchant's or a lender's call from start to end: observes it, prepares its frozen bytes, sends them, and reports a
 * failure. Only this function wraps a call.
 */
export function runCall<T extends object>(
  operation: CallName,
  shared: Shared,
  prepare: () => Call<T> | Promise<Call<T>>,
): Promise<T & WithMetadata> {
  return traceCall(operation, async (tell) => {
    const { runtime, observer } = shared;
    try {
      const call = await prepare();
      observer.starting(call);
      const { beforeSend } = observer.hooks;
      if (beforeSend) await askCaller('beforeSend', () => beforeSend(call.subject), call, runtime);
      return withMetadata(await sendWithRetries(call, { ...shared, observer: observer.tracing(tell) }));
    } catch (error) {
      if (error instanceof InstallmentError) observer.failed(error);
      throw error;
    }
  });
}

/** Adds the metadata to a result as a property that is not enumerable. */
function withMetadata<T extends object>({ value, metadata }: Completed<T>): T & WithMetadata {
  const hidden = { value: metadata, enumerable: false, configurable: true, writable: false };
  return Object.defineProperty(value, '$metadata', hidden) as T & WithMetadata;
}
