import type { Attempt, CallSubject } from '../errors/call-metadata.js';
import type { Failure } from '../errors/failure.js';
import type { InstallmentError } from '../errors/installment-error.js';
import { ValidationError } from '../errors/errors.js';
import { DuplicateReferenceIdError } from '../errors/status-errors.js';
import { pathText } from '../validation/broken-rules.js';
import { ignoreErrors, omitUndefined } from '../values/untrusted-values.js';
import type { Call } from './call.js';
import type { WireResponse } from './transport.js';

/** The lowest level that is logged: `'debug'` logs everything, `'silent'` nothing. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** A logger: `console`, or an object with the same four methods. A record contains only plain data. */
export interface Logger {
  /** Logs a request that is about to be sent, an amount that is possibly in the wrong unit, and a handled webhook. */
  debug(message: string, record: Readonly<Record<string, unknown>>): unknown;
  /** Logs an accepted attempt, and the time until a retry. */
  info(message: string, record: Readonly<Record<string, unknown>>): unknown;
  /** Logs an attempt or a webhook that was not accepted, and an option or input that is probably a mistake. */
  warn(message: string, record: Readonly<Record<string, unknown>>): unknown;
  /** Logs a call that failed, a webhook that got a 500, and a failure in the order module. */
  error(message: string, record: Readonly<Record<string, unknown>>): unknown;
}

/** Functions that are called during a call. */
export interface Hooks {
  /**
   * A function that is called and awaited once per call, before the first byte is sent. For example, it can store the
   * idempotency key. If the function rejects, the call rejects with a `HookError` and nothing is sent.
   */
  beforeSend?: ((context: CallSubject) => void | Promise<void>) | undefined;
  /** A function that is called after each attempt. Errors that it throws are ignored. */
  onAttempt?: ((attempt: Attempt, context: CallSubject) => void | Promise<void>) | undefined;
}

const levels: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 };

const longestPaths = 500;

/** Matches the names of response headers that contain the service's ID of the request. */
const requestIdHeader = /^(?:x-)?(?:\w{1,20}-)?(?:request|correlation|trace)-?id$/i;

/** The paths of the broken rules: `customer.phoneNumber, items[0].price`. */
function pathsOf({ issues }: ValidationError): string {
  const paths = issues.map(({ path }) => pathText(path) || 'the request').join(', ');
  return paths.slice(0, longestPaths);
}

export interface ObserverOptions {
  readonly logger?: Logger | undefined;
  readonly logLevel?: LogLevel | undefined;
  readonly hooks?: Hooks | undefined;
}

/**
 * Reports a call to the hooks and the log. A record contains identifiers and facts about the attempts, but never a
 * body, a signature or a secret.
 */
export class Observer {
  readonly #logger: Logger | undefined;
  readonly #level: LogLevel;
  readonly hooks: Hooks;

  constructor({ logger, logLevel = 'info', hooks = {} }: ObserverOptions) {
    this.#logger = logger;
    this.#level = logLevel;
    this.hooks = hooks;
  }

  attempted(
    attempt: Attempt,
    { subject, target, mayHaveBeenSent }: Call<unknown>,
    number: number,
    response?: Pick<WireResponse, 'headers'>,
  ): void {
    const level = attempt.outcome === 'accepted' ? 'info' : 'warn';
    if (this.#logs(level)) {
      const { startedAt: _, durationMs, ...others } = attempt;
      this.#write(level, `${subject.operation} attempt ${number}: ${attempt.outcome}`, {
        ...subject,
        ...target,
        attempt: number,
        mayHaveBeenSent: mayHaveBeenSent || undefined,
        ...others,
        // The record contains only the name of the header. `$metadata.responseHeaders` contains the value.
        requestIdHeader: response?.headers.find((name, at) => at % 2 === 0 && requestIdHeader.test(name)),
        durationMs: Math.round(durationMs),
      });
    }
    const { onAttempt } = this.hooks;
    if (onAttempt) void ignoreErrors(() => onAttempt(attempt, subject));
  }

  waiting(subject: CallSubject, ms: number, attempt: number, { facts, problem }: Failure): void {
    if (!this.#logs('info')) return;
    const waitMs = Math.round(ms);
    const record = { ...subject, attempt, waitMs, error: facts.summary ?? problem };
    this.#write('info', `${subject.operation} attempt ${attempt + 1} follows in ${waitMs} ms`, record);
  }

  starting({ subject, target, mayHaveBeenSent }: Call<unknown>, bodyBytes: number): void {
    if (!this.#logs('debug')) return;
    const record = { ...subject, ...target, mayHaveBeenSent: mayHaveBeenSent || undefined, bodyBytes };
    this.#write('debug', `${subject.operation} is about to be sent`, record);
  }

  failed(error: InstallmentError, mayHaveBeenSent: boolean): void {
    const { code, outcome, retryable, nextStep, retryAfterMs, $metadata } = error;
    if (!$metadata || !this.#logs('error')) return;
    const { attempts, request, ...subject } = $metadata;
    this.#write('error', `${subject.operation} failed: ${code}, outcome ${outcome}`, {
      ...subject,
      ...request,
      code,
      // A documented status is the `code` itself.
      resultStatus: code === 'UNKNOWN_RESULT' ? attempts.at(-1)?.resultStatus : undefined,
      outcome,
      retryable,
      nextStep,
      mayHaveBeenSent: mayHaveBeenSent || undefined,
      retryAfterMs,
      probablyAccepted: error instanceof DuplicateReferenceIdError ? error.probablyAccepted : undefined,
      attempts: attempts.length,
      issues: error instanceof ValidationError ? pathsOf(error) : undefined,
    });
  }

  /** Logs a message about the client or its input, such as input that is permitted but is probably a mistake. */
  log(level: Exclude<LogLevel, 'silent'>, message: string, record: object): void {
    if (this.#logs(level)) this.#write(level, message, record);
  }

  #logs(level: LogLevel): boolean {
    return this.#logger !== undefined && levels[level] >= levels[this.#level];
  }

  #write(level: Exclude<LogLevel, 'silent'>, message: string, record: object): void {
    void ignoreErrors(() => this.#logger?.[level](message, omitUndefined({ ...record })));
  }
}
