import type { Attempt, CallSubject } from '../errors/call-metadata.js';
import type { Failure } from '../errors/error-table.js';
import { hiddenIn, type InstallmentError } from '../errors/installment-error.js';
import { ValidationError } from '../errors/errors.js';
import { DuplicateReferenceIdError } from '../errors/status-errors.js';
import { pathText, printable } from '../protocol/issues.js';
import { ignoreErrors } from '../errors/ignore-errors.js';
import type { AttemptResult } from './attempt-result.js';
import type { Call } from './call.js';
import type { TellAttempt } from './diagnostics.js';

/** How much is logged, from everything to nothing. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Receives the log: `console`, or an object with the same four methods. A record has plain values. */
export interface Logger {
  /** A request that is about to be sent, by its size. */
  debug(message: string, record: Readonly<Record<string, unknown>>): unknown;
  /** An attempt that was accepted, and a wait before the next one. */
  info(message: string, record: Readonly<Record<string, unknown>>): unknown;
  /** An attempt that was not accepted. */
  warn(message: string, record: Readonly<Record<string, unknown>>): unknown;
  /** A call that failed in the end. */
  error(message: string, record: Readonly<Record<string, unknown>>): unknown;
}

/** Functions that are called during a call. */
export interface Hooks {
  /**
   * Awaited once per call, before the first byte is sent: the place to persist the idempotency key. If it rejects,
   * the call rejects with a `HookError` and nothing is sent.
   */
  beforeSend?: ((context: CallSubject) => void | Promise<void>) | undefined;
  /** Called after each attempt. Its errors are ignored. */
  onAttempt?: ((attempt: Attempt, context: CallSubject) => void | Promise<void>) | undefined;
}

const levels: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 };

const longestPaths = 500;

/** Where the broken rules are: `customer.phoneNumber, items[0].price`. */
function pathsOf({ issues }: ValidationError): string {
  return printable(issues.map(({ path }) => pathText(path) || 'the request').join(', ')).slice(
    0,
    longestPaths,
  );
}

export interface LogSettings {
  readonly logger: Logger | undefined;
  readonly level: LogLevel;
}

/** Tells hooks, log and diagnostics about a call. A record lists its fields one by one, so that no other gets in. */
export class Observer {
  readonly #log: LogSettings;
  readonly #tell: TellAttempt | undefined;
  readonly hooks: Hooks;

  constructor(log: LogSettings, hooks: Hooks, tell?: TellAttempt) {
    this.#log = log;
    this.#tell = tell;
    this.hooks = hooks;
  }

  /** The observer of one call, whose attempts diagnostics are told of. */
  tracing(tell: TellAttempt): Observer {
    return new Observer(this.#log, this.hooks, tell);
  }

  attempted(
    attempt: Attempt,
    result: AttemptResult<unknown>,
    call: Pick<Call<unknown>, 'subject' | 'target' | 'url' | 'mayHaveBeenSent'>,
    number: number,
  ): void {
    const { subject, target, url } = call;
    const { outcome } = attempt;
    this.#record(
      outcome === 'accepted' ? 'info' : 'warn',
      () => `${subject.operation} attempt ${number}: ${outcome}`,
      () => {
        const { startedAt: _, durationMs, requestTime, ...answer } = attempt;
        const about = {
          ...subject,
          ...target,
          attempt: number,
          mayHaveBeenSent: call.mayHaveBeenSent || undefined,
        };
        return { ...about, ...answer, requestTime, durationMs: Math.round(durationMs) };
      },
    );
    this.#tell?.({
      number,
      attempt,
      ...(result.outcome !== 'accepted' && { code: result.code }),
      subject,
      origin: url.origin,
      request: target,
    });
    const { onAttempt } = this.hooks;
    if (onAttempt) void ignoreErrors(() => onAttempt(attempt, subject));
  }

  waiting(subject: CallSubject, ms: number, attempt: number, { facts, problem }: Failure): void {
    const waitMs = Math.round(ms);
    this.#record(
      'info',
      () => `${subject.operation} waits ${waitMs} ms before attempt ${attempt + 1}`,
      () => ({ ...subject, attempt, waitMs, error: facts.summary ?? problem }),
    );
  }

  starting({ subject, target, mayHaveBeenSent }: Call<unknown>, bodyBytes: number): void {
    this.#record(
      'debug',
      () => `${subject.operation} is about to be sent`,
      () => ({ ...subject, ...target, mayHaveBeenSent: mayHaveBeenSent || undefined, bodyBytes }),
    );
  }

  failed(error: InstallmentError): void {
    const { code, outcome, retryable, nextStep, retryAfterMs, $metadata } = error;
    if (!$metadata) return;
    const { attempts, request, ...subject } = $metadata;
    this.#record(
      'error',
      () => `${subject.operation} failed: ${code}, outcome ${outcome}`,
      () => ({
        ...subject,
        ...request,
        code,
        outcome,
        retryable,
        nextStep,
        mayHaveBeenSent: hiddenIn(error).mayHaveBeenSent,
        retryAfterMs,
        probablyAccepted: error instanceof DuplicateReferenceIdError ? error.probablyAccepted : undefined,
        attempts: attempts.length,
        issues: error instanceof ValidationError ? pathsOf(error) : undefined,
      }),
    );
  }

  /** Something that is permitted, and may be a mistake. */
  warned(message: string, record: Record<string, unknown>): void {
    this.#record(
      'warn',
      () => message,
      () => record,
    );
  }

  /** Texts and records are made only if they are logged. */
  #record(
    level: Exclude<LogLevel, 'silent'>,
    message: () => string,
    record: () => Record<string, unknown>,
  ): void {
    const { logger, level: threshold } = this.#log;
    if (!logger || levels[level] < levels[threshold]) return;
    const present = Object.fromEntries(Object.entries(record()).filter(([, value]) => value !== undefined));
    void ignoreErrors(() => logger[level](message(), present));
  }
}
