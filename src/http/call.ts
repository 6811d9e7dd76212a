import type { CallSubject, ResultMetadata } from '../errors/call-metadata.js';
import { HookError, InstallmentError } from '../errors/errors.js';
import { callerCause } from '../errors/redact.js';
import { bounded } from './bounded.js';
import { messageOf } from './judge.js';
import { abortedError, outOfTimeError } from './progress.js';
import { execute, type Call, type CallLimits, type Completed, type Shared } from './retry.js';

/** Something that has to be done before the first byte is sent, within the time of the call. */
export async function beforeFirstByte<T>(
  work: (signal: AbortSignal) => Promise<T>,
  {
    subject,
    limits,
    shared,
    failed,
  }: {
    readonly subject: CallSubject;
    readonly limits: CallLimits;
    readonly shared: Shared;
    /** The error for work that rejects; without one, work does not reject but for a fault of this package. */
    readonly failed?: (error: unknown) => InstallmentError;
  },
): Promise<T> {
  const { deadline, signal } = limits;
  const result = await bounded(work, { ms: deadline.left(), signal, runtime: shared.runtime });
  switch (result.ended) {
    case 'done':
      return result.value;
    case 'failed':
      throw failed ? failed(result.error) : result.error;
    case 'aborted':
      throw abortedError(subject, signal, { attempts: [], outcome: 'not_sent' });
    case 'timeout':
      throw outOfTimeError(subject, deadline.totalMs);
  }
}

/** The error for a hook that rejected: nothing was sent, and the hook's own error says why. */
export function hookError(
  hook: string,
  error: unknown,
  subject: CallSubject,
  sensitive: readonly string[],
): HookError {
  const init = {
    outcome: 'not_sent',
    retryable: true,
    metadata: { ...subject, attempts: [] },
    cause: callerCause(error, sensitive),
  } as const;
  return new HookError(messageOf(`${hook} rejected; see the cause`, init), init);
}

/** Asks the caller's hook, then sends the call. */
export async function perform<T>(
  call: Call<T>,
  shared: Shared,
  sensitive: () => readonly string[],
): Promise<Completed<T>> {
  const { subject, limits } = call;
  const { beforeSend } = shared.observer.hooks;
  if (beforeSend) {
    await beforeFirstByte(async () => beforeSend(subject), {
      subject,
      limits,
      shared,
      failed: (error) => hookError('beforeSend', error, subject, sensitive()),
    });
  }
  return execute(call, shared);
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

/** What a result has beside its fields: hidden from JSON and from loops over it. */
export interface WithMetadata {
  /** How the call went: HTTP status, idempotency key, every attempt. Not enumerable. */
  readonly $metadata: ResultMetadata;
}

/** Adds the metadata to a result without a trace in its JSON. */
export function withMetadata<T extends object>({ value, metadata }: Completed<T>): T & WithMetadata {
  const hidden = { value: metadata, enumerable: false, configurable: true, writable: false };
  return Object.defineProperty(value, '$metadata', hidden) as T & WithMetadata;
}
