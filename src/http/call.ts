import type { CallName, WithMetadata } from '../errors/call-metadata.js';
import { InstallmentError } from '../errors/errors.js';
import { abortedBy, AttemptHistory, outOfTime, type CallDescription } from './attempts.js';
import type { CallLimits } from './call-limits.js';
import { hookError } from './hook-error.js';
import { sendWithRetries, type Call, type Completed } from './retry.js';
import { type Shared } from './shared.js';
import { withTimeout } from './with-timeout.js';

/** Does work before the first byte is sent, within the limits of the call. */
export async function beforeFirstByte<T>(
  work: (signal: AbortSignal) => Promise<T>,
  call: CallDescription & { readonly limits: CallLimits },
  { runtime }: Shared,
): Promise<{ readonly value: T } | { readonly error: unknown }> {
  const { signal, totalTimeoutMs, leftMs } = call.limits;
  const result = await withTimeout(work, { ms: leftMs(), signal, runtime });
  switch (result.ended) {
    case 'done':
      return { value: result.value };
    case 'failed':
      return { error: result.error };
    case 'aborted':
      throw new AttemptHistory(call).toError(abortedBy(signal, 'not_sent'));
    case 'timeout':
      throw new AttemptHistory(call).toError(outOfTime(totalTimeoutMs));
  }
}

/** Calls the caller's hook, then sends the call. */
export async function sendCall<T>(call: Call<T>, shared: Shared): Promise<Completed<T>> {
  const { subject, request } = call;
  const { observer } = shared;
  observer.starting(call, request.body.length);
  const { beforeSend } = observer.hooks;
  if (beforeSend) {
    const asked = await beforeFirstByte(async () => beforeSend(subject), call, shared);
    if ('error' in asked) throw hookError('beforeSend', asked.error, call, call.sensitive());
  }
  return sendWithRetries(call, shared);
}

/** Logs the error that a call ends with. */
export async function reportingFailure<T>(call: Promise<T>, { observer }: Shared): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof InstallmentError) observer.failed(error);
    throw error;
  }
}

/** Runs a call of a client from start to end. `context` is what the client's calls work with. */
export function runCall<Context extends { readonly shared: Shared }, T extends WithMetadata>(
  operation: CallName,
  context: Context,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const { shared } = context;
  return shared.observer.traced(operation, (observer) => {
    const own = observer === shared.observer ? context : { ...context, shared: { ...shared, observer } };
    return reportingFailure(work(own), shared);
  });
}

/** Adds the metadata to a result as a property that is not enumerable. */
export function withMetadata<T extends object>({ value, metadata }: Completed<T>): T & WithMetadata {
  const hidden = { value: metadata, enumerable: false, configurable: true, writable: false };
  return Object.defineProperty(value, '$metadata', hidden) as T & WithMetadata;
}
