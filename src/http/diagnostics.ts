import { channel, tracingChannel } from 'node:diagnostics_channel';
import type {
  Attempt,
  CallName,
  CallSubject,
  RequestTarget,
  ResultMetadata,
  WithMetadata,
} from '../errors/call-metadata.js';
import { orUndefined } from '../values/untrusted-values.js';

/**
 * A message of the tracing channel `installment-payments:call`, about one call. All events of a call have the same
 * message object. Except for `error`, a message contains no headers and no bodies.
 *
 * @example
 * ```ts
 * import { tracingChannel } from 'node:diagnostics_channel';
 * import type { CallMessage } from 'installment-payments';
 *
 * tracingChannel<object, CallMessage>('installment-payments:call').asyncEnd.subscribe((message) => {
 *   const { operation, error } = message as CallMessage;
 *   console.log(operation, error ? 'failed' : 'succeeded');
 * });
 * ```
 */
export interface CallMessage {
  /** The operation of the call. */
  readonly operation: CallName;
  /** A copy of the result's `$metadata`, which is set before the event `asyncStart`. */
  result?: ResultMetadata;
  /**
   * The `InstallmentError` that the call rejects with: the same object that your code receives. This member is set
   * before the event `error`.
   */
  error?: unknown;
}

/**
 * A message of the channel `installment-payments:attempt`, about one finished attempt. A message contains no headers
 * and no bodies.
 *
 * @example
 * ```ts
 * import { subscribe } from 'node:diagnostics_channel';
 * import type { AttemptMessage } from 'installment-payments';
 *
 * subscribe('installment-payments:attempt', (message) => {
 *   const { subject, number, attempt } = message as AttemptMessage;
 *   console.log(subject.operation, number, attempt.outcome, attempt.error);
 * });
 * ```
 */
export interface AttemptMessage {
  /** The call that the attempt belongs to: the same object as in the events of the call. */
  readonly call: CallMessage;
  /** The number of the attempt: 1 for the first attempt of the call. */
  readonly number: number;
  /** The record of the attempt. */
  readonly attempt: Attempt;
  /** The code of the failure, if the attempt failed. If no other attempt follows, the call's error has this code. */
  readonly code?: string;
  /** The identifiers of the call. */
  readonly subject: CallSubject;
  /** Scheme, host and port of the request, as in `https://pay.example:8443`. */
  readonly origin: string;
  /** Method, host and path of the request, without its query. */
  readonly request: RequestTarget;
}

const calls = tracingChannel<object, CallMessage>('installment-payments:call');
const attempts = channel('installment-payments:attempt');
const { start, end, asyncStart, asyncEnd, error } = calls;
// `hasSubscribers` of a tracing channel itself is undefined on Node 20.9 and under Bun.
const channels = [start, end, asyncStart, asyncEnd, error, attempts];
const isSubscribed = ({ hasSubscribers }: { readonly hasSubscribers: boolean }) => hasSubscribers;

/** The instrument of one call, such as the spans of OpenTelemetry. */
export interface CallInstrument {
  /** Runs the call in a context that the instrument chooses. */
  readonly run: (work: () => void) => void;
  readonly attempted: (message: AttemptMessage) => void;
  readonly ended: (message: CallMessage) => void;
}

/**
 * The instrumentation of the process: a function that makes an instrument for each call that starts. It is needed in
 * addition to the channel: a subscriber of the channel can only set the store of an AsyncLocalStorage, but
 * OpenTelemetry can use a different context manager. If the instrumentation is removed during a call, the instrument
 * still receives the rest of that call. Errors of the instrument are ignored.
 */
export type Instrumentation = (message: CallMessage) => CallInstrument;

const instrumentationKey: unique symbol = Symbol.for('installment-payments.instrumentation') as never;
const globals: typeof globalThis & { [instrumentationKey]?: Instrumentation | undefined } = globalThis;

/** Sets the instrumentation of the process; the returned function removes it. */
export function setInstrumentation(instrumentation: Instrumentation): () => void {
  globals[instrumentationKey] = instrumentation;
  return () => {
    if (globals[instrumentationKey] === instrumentation) globals[instrumentationKey] = undefined;
  };
}

/** Reports an attempt of one call to the subscribers and to the instrument. */
export type ReportAttempt = (message: Omit<AttemptMessage, 'call'>) => void;

/** Runs work exactly once: in the instrument's context, or without a context if `run` of the instrument fails. */
function runWithin<T>(instrument: CallInstrument | undefined, work: () => T): T {
  let started: { readonly result: T } | undefined;
  const once = () => (started ??= { result: work() });
  orUndefined(() => instrument?.run(once));
  return once().result;
}

async function trace<T extends WithMetadata>(
  message: CallMessage,
  instrumentation: Instrumentation | undefined,
  work: (report: ReportAttempt) => Promise<T>,
): Promise<T> {
  const instrument = orUndefined(() => instrumentation?.(message));
  const report: ReportAttempt = (about) => {
    const attempt = Object.freeze({ call: message, ...about });
    attempts.publish(attempt);
    orUndefined(() => instrument?.attempted(attempt));
  };
  try {
    const result = await start.runStores(message, () => {
      const running = runWithin(instrument, () => work(report));
      end.publish(message);
      return running;
    });
    // A subscriber can have frozen the message.
    Reflect.set(message, 'result', { ...result.$metadata });
    return result;
  } catch (reason) {
    Reflect.set(message, 'error', reason);
    error.publish(message);
    throw reason;
  } finally {
    asyncStart.publish(message);
    asyncEnd.publish(message);
    orUndefined(() => instrument?.ended(message));
  }
}

/** Runs a call, and reports the call to the subscribers and the instrumentation that exist when the call starts. */
export function traceCall<T extends WithMetadata>(
  operation: CallName,
  work: (report?: ReportAttempt) => Promise<T>,
): Promise<T> {
  const instrumentation = globals[instrumentationKey];
  return instrumentation || channels.some(isSubscribed)
    ? trace({ operation }, instrumentation, work)
    : work();
}
