import { messageOf } from '../errors/error-messages.js';
import type { CallMetadata, WithMetadata } from '../errors/call-metadata.js';
import { HookError, InstallmentError } from '../errors/errors.js';
import { callerCause } from '../errors/redact.js';
import { abortedBy, AttemptHistory, outOfTime, type CallDescription } from './attempts.js';
import type { CallLimits } from './call-limits.js';
import { sendWithRetries, type Call, type Completed, type Shared } from './retry.js';
import { withTimeout } from './with-timeout.js';

/** Work that has to be done before the first byte is sent, within the time of the call. */
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

/** The error for a hook that rejected: nothing was sent, and the hook's own error is the cause. */
export function hookError(
  hook: string,
  error: unknown,
  call: CallDescription,
  sensitive: readonly string[],
): HookError {
  const metadata: CallMetadata = { ...call.subject, request: call.target, attempts: [] };
  const cause = callerCause(error, sensitive);
  const init = { outcome: 'not_sent', retryable: true, metadata, cause } as const;
  return new HookError(messageOf(`${hook} rejected; see the cause`, init), init);
}

/** Asks the caller's hook, then sends the call. */
export async function sendCall<T>(
  call: Call<T>,
  shared: Shared,
  sensitive: () => readonly string[],
): Promise<Completed<T>> {
  const { subject, request } = call;
  const { observer } = shared;
  observer.starting(call, request.body.length);
  const { beforeSend } = observer.hooks;
  if (beforeSend) {
    const asked = await beforeFirstByte(async () => beforeSend(subject), call, shared);
    if ('error' in asked) throw hookError('beforeSend', asked.error, call, sensitive());
  }
  return sendWithRetries(call, shared);
}

/** Logs the error that a call ends with, and passes it on. */
export async function reportingFailure<T>(call: Promise<T>, { observer }: Shared): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof InstallmentError) observer.failed(error);
    throw error;
  }
}

/** Adds the metadata to a result without a trace in its JSON. */
export function withMetadata<T extends object>({ value, metadata }: Completed<T>): T & WithMetadata {
  const hidden = { value: metadata, enumerable: false, configurable: true, writable: false };
  return Object.defineProperty(value, '$metadata', hidden) as T & WithMetadata;
}
