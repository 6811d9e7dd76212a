import type { Attempt, CallSubject } from '../errors/call-metadata.js';
import type { InstallmentError } from '../errors/errors.js';
import { quietly } from '../errors/ignore-errors.js';

/** How much is logged, from everything to nothing. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Where records go: `console`, or anything of its shape. Each call has a message and a record of plain values. */
export interface Logger {
  /** What is about to be sent: its size, not its content. */
  debug(message: string, record: Readonly<Record<string, unknown>>): unknown;
  /** An attempt that was accepted, and a wait before the next one. */
  info(message: string, record: Readonly<Record<string, unknown>>): unknown;
  /** An attempt that was not accepted. */
  warn(message: string, record: Readonly<Record<string, unknown>>): unknown;
  /** A call that failed in the end. */
  error(message: string, record: Readonly<Record<string, unknown>>): unknown;
}

/** Code of the caller that is told of a call's course. */
export interface Hooks {
  /**
   * Awaited once per call, before the first byte is sent: the place to persist the idempotency key. If it rejects,
   * the call rejects with a `HookError` and nothing is sent.
   */
  beforeSend?: ((context: CallSubject) => void | Promise<void>) | undefined;
  /** Told of each attempt once it ended. What it throws changes nothing. */
  onAttempt?: ((attempt: Attempt, context: CallSubject) => void | Promise<void>) | undefined;
}

const levels: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 };

/** Passes a call's course on to hooks and log. Records name what they hold one by one: nothing else can get in. */
export class Observer {
  readonly #logger: Logger | undefined;
  readonly #threshold: number;
  readonly hooks: Hooks;

  constructor(logger: Logger | undefined, logLevel: LogLevel, hooks: Hooks) {
    this.#logger = logger;
    this.#threshold = levels[logLevel];
    this.hooks = hooks;
  }

  attempted(attempt: Attempt, subject: CallSubject, number: number): void {
    const { outcome, httpStatus, resultStatus, error, requestTime } = attempt;
    const durationMs = Math.round(attempt.durationMs);
    const record = {
      ...subject,
      attempt: number,
      outcome,
      httpStatus,
      resultStatus,
      error,
      requestTime,
      durationMs,
    };
    this.#log(
      outcome === 'accepted' ? 'info' : 'warn',
      `${subject.operation} attempt ${number}: ${outcome}`,
      record,
    );
    const { onAttempt } = this.hooks;
    if (onAttempt) void quietly(() => onAttempt(attempt, subject));
  }

  waiting(
    subject: CallSubject,
    { waitMs, attempt, error }: { waitMs: number; attempt: number; error: string },
  ): void {
    const record = { ...subject, attempt, waitMs: Math.round(waitMs), error };
    this.#log('info', `${subject.operation} waits ${record.waitMs} ms before attempt ${attempt + 1}`, record);
  }

  starting(subject: CallSubject, bodyBytes: number): void {
    this.#log('debug', `${subject.operation} is ready to be sent`, { ...subject, bodyBytes });
  }

  failed({ code, outcome, retryable, $metadata }: InstallmentError): void {
    if (!$metadata) return;
    const { attempts, ...subject } = $metadata;
    const record = { ...subject, code, outcome, retryable, attempts: attempts.length };
    this.#log('error', `${subject.operation} failed: ${code}, outcome ${outcome}`, record);
  }

  #log(level: Exclude<LogLevel, 'silent'>, message: string, record: Record<string, unknown>): void {
    const logger = this.#logger;
    if (!logger || levels[level] < this.#threshold) return;
    const present = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
    void quietly(() => logger[level](message, present));
  }
}
