import type { Attempt, CallSubject } from '../errors/call-metadata.js';
import { ValidationError, type InstallmentError } from '../errors/errors.js';
import { printable } from '../protocol/text.js';
import { pathText } from '../protocol/validation.js';
import { ignoreErrors } from '../errors/ignore-errors.js';
import type { CallDescription } from './attempts.js';

/** How much is logged, from everything to nothing. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Where records go: `console`, or anything of its shape. Each call has a message and a record of plain values. */
export interface Logger {
  /** What is about to be sent: its size, not its content. */
  debug(message: string, record: Readonly<Record<string, unknown>>): unknown;
  /** An attempt that was accepted, and a wait before the next one. */
  info(message: string, record: Readonly<Record<string, unknown>>): unknown;
  /** An attempt that was not accepted; an order whose amount differs from the sum of its items. */
  warn(message: string, record: Readonly<Record<string, unknown>>): unknown;
  /** A call that failed in the end. */
  error(message: string, record: Readonly<Record<string, unknown>>): unknown;
}

/** Functions of the caller that are called as a call proceeds. */
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

const longestText = 500;

function shortText(value: string): string {
  return printable(value).slice(0, longestText);
}

/** Where the broken rules are: `customer.phoneNumber, items[0].price`. */
function pathsOf({ issues }: ValidationError): string {
  return shortText(issues.map(({ path }) => pathText(path) || 'the request').join(', '));
}

/** Tells hooks and log what a call does. Records name their fields one by one, so that nothing else gets in. */
export class Observer {
  readonly #logger: Logger | undefined;
  readonly #threshold: number;
  readonly #logResultMsg: boolean;
  readonly hooks: Hooks;

  constructor(logger: Logger | undefined, logLevel: LogLevel, hooks: Hooks, logResultMsg = false) {
    this.#logger = logger;
    this.#threshold = levels[logLevel];
    this.#logResultMsg = logResultMsg;
    this.hooks = hooks;
  }

  attempted(attempt: Attempt, { subject, target }: CallDescription, number: number): void {
    const { outcome, phase, httpStatus, resultStatus, error, requestTime } = attempt;
    const durationMs = Math.round(attempt.durationMs);
    const record = {
      ...subject,
      ...target,
      attempt: number,
      outcome,
      phase,
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
    if (onAttempt) void ignoreErrors(() => onAttempt(attempt, subject));
  }

  waiting(
    subject: CallSubject,
    { waitMs, attempt, error }: { waitMs: number; attempt: number; error: string },
  ): void {
    const record = { ...subject, attempt, waitMs: Math.round(waitMs), error };
    this.#log('info', `${subject.operation} waits ${record.waitMs} ms before attempt ${attempt + 1}`, record);
  }

  starting({ subject, target }: CallDescription, bodyBytes: number): void {
    this.#log('debug', `${subject.operation} is about to be sent`, { ...subject, ...target, bodyBytes });
  }

  failed(error: InstallmentError): void {
    const { code, outcome, retryable, $metadata } = error;
    if (!$metadata) return;
    const { attempts, request, ...subject } = $metadata;
    const record = {
      ...subject,
      ...request,
      code,
      outcome,
      retryable,
      attempts: attempts.length,
      issues: error instanceof ValidationError ? pathsOf(error) : undefined,
      resultMsg: this.#logResultMsg && 'resultMsg' in error ? shortText(String(error.resultMsg)) : undefined,
    };
    this.#log('error', `${subject.operation} failed: ${code}, outcome ${outcome}`, record);
  }

  /** What is permitted, and perhaps a mistake. */
  warned(message: string, record: Record<string, unknown>): void {
    this.#log('warn', message, record);
  }

  #log(level: Exclude<LogLevel, 'silent'>, message: string, record: Record<string, unknown>): void {
    const logger = this.#logger;
    if (!logger || levels[level] < this.#threshold) return;
    const present = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
    void ignoreErrors(() => logger[level](message, present));
  }
}
