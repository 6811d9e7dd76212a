import type { Agent } from 'node:http';
import * as z from 'zod';
import { ConfigurationError } from '../errors/errors.js';
import type { Hooks, Logger, LogLevel } from '../http/observer.js';
import type { RetryBudgetOptions } from '../http/retry-budget.js';
import type { Fetch } from '../http/transport.js';
import { unknownField } from '../protocol/field-rules.js';
import { issuesOf, printable, type ValidationIssue } from '../protocol/issues.js';
import { hasMethods, ownCopy, valueOf } from '../protocol/untrusted-values.js';
import { isWireInstant } from '../protocol/timestamps.js';
import { isInsecure } from '../protocol/urls.js';
import { limitRules } from './call-options.js';
import { logLevel } from './log-switch.js';

/** Options of both clients, the merchant's and the lender's. */
export interface CommonOptions {
  /** Milliseconds that one attempt may take, including the body of the answer. @default 15000 */
  attemptTimeoutMs?: number | undefined;
  /** Milliseconds that a whole call may take: attempts, waits and reading a file. @default 45000 */
  totalTimeoutMs?: number | undefined;
  /** Maximum number of repeats of a request. @default 2 */
  maxRetries?: number | undefined;
  /**
   * Whether a request is repeated after an attempt with an unknown outcome. `false` is for a service that is known to
   * ignore repeated keys: then a request is repeated only if it certainly was not sent, and after HTTP 429.
   * @default true
   */
  repeatUnknown?: boolean | undefined;
  /**
   * Limits the repeats of all calls of this client together: a bucket of tokens, of which a repeat costs 10, after a 429
   * 5, and 1 if nothing was sent. They come back when a repeat succeeds, and with time. `false` sets no limit.
   * @default a capacity of 500, and 10 a second
   */
  retryBudget?: RetryBudgetOptions | false | undefined;
  /**
   * An agent of `node:http` or `node:https`, or one made on them: for a proxy, a client certificate, a private CA, a
   * pool size. It must fit the scheme of `baseUrl`, and it decides which idle connections are used.
   * @default keep-alive agents that all clients of the process share
   */
  agent?: Agent | undefined;
  /**
   * Replaces the transport: for an interceptor, another runtime, or the in-process mock. A `fetch` does not report how
   * far a request came, so more failures have an unknown outcome. It cannot be combined with `agent`.
   * @default `node:http` and `node:https`; under Cloudflare Workers, their `fetch`
   */
  fetch?: Fetch | undefined;
  /**
   * Permits http to hosts that are not loopback, for a mock in a container network. Anyone on the way can read and change
   * the requests. A warning is logged.
   * @default false, or true where the environment's `INSTALLMENT_ALLOW_INSECURE_HTTP` is `1`
   */
  allowInsecureHttp?: boolean | undefined;
  /**
   * Receives the log, such as `console`. Without one, the environment's `INSTALLMENT_LOG` sets the lowest level that is
   * written to standard error, a line each, as in `INSTALLMENT_LOG=debug`. @default none
   */
  logger?: Logger | undefined;
  /** The lowest level that `logger` receives. @default 'info' */
  logLevel?: LogLevel | undefined;
  /** Functions that are called before a call is sent and after each attempt. */
  hooks?: Hooks | undefined;
  /** The clock for timestamps; limits and waits use a monotonic clock. @default the system's */
  now?: (() => Date) | undefined;
}

export function requiredOr(variable: string, wrong: string) {
  return {
    error: ({ input }: { readonly input?: unknown }) =>
      input === undefined ? `is required: pass it, or set ${variable}` : wrong,
  };
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

const aFunction = 'must be a function';

function returnsInstant(now: () => unknown): boolean {
  return isWireInstant(valueOf(now));
}

const tokensRule = 'must be a number, 0 or greater, such as 500';
const tokens = z.number(tokensRule).min(0, tokensRule);

export const commonRules = {
  attemptTimeoutMs: limitRules.attemptTimeoutMs.default(15_000),
  totalTimeoutMs: limitRules.totalTimeoutMs.default(45_000),
  maxRetries: limitRules.maxRetries.default(2),
  repeatUnknown: limitRules.repeatUnknown.default(true),
  retryBudget: z
    .union(
      [
        z.literal(false),
        z.strictObject({
          capacity: tokens.optional(),
          refillPerSecond: tokens.optional(),
        }),
      ],
      'must be false or an object with capacity, refillPerSecond or both, such as { capacity: 500, refillPerSecond: 10 }',
    )
    .optional(),
  agent: z
    .custom<Agent>(
      (value) => hasMethods(value, ['addRequest']) || hasMethods(value, ['createConnection', 'destroy']),
      'must be an agent of node:http or node:https, or one made on them',
    )
    .optional(),
  fetch: z.custom<Fetch>(isFunction, aFunction).optional(),
  allowInsecureHttp: z.boolean('must be true or false').default(false),
  logger: z
    .custom<Logger>(
      (value) => hasMethods(value, ['debug', 'info', 'warn', 'error']),
      'must have the methods debug, info, warn and error, like console',
    )
    .optional(),
  logLevel: logLevel.optional(),
  hooks: z
    .strictObject(
      {
        beforeSend: z.custom<NonNullable<Hooks['beforeSend']>>(isFunction, aFunction).optional(),
        onAttempt: z.custom<NonNullable<Hooks['onAttempt']>>(isFunction, aFunction).optional(),
      },
      'must be an object with beforeSend, onAttempt or both',
    )
    .default({}),
  now: z
    .custom<() => Date>(isFunction, 'must be a function that returns a Date, such as () => new Date()')
    .refine(returnsInstant, 'must return a valid Date, such as new Date()')
    .optional(),
};

/**
 * Checks options. One `ConfigurationError` has every problem and no value. Unknown options come first: a misspelled name
 * explains a missing option.
 */
export function checkOptions<T extends object>(rules: z.ZodType<T>, options: unknown): T {
  const result = rules.safeParse(options);
  if (result.success) return ownCopy(result.data);
  const issues = issuesOf(result.error, options);
  const isUnknown = ({ message }: ValidationIssue) => message === unknownField;
  const [first, ...others] = [
    ...issues.filter(isUnknown),
    ...issues.filter((issue) => !isUnknown(issue)),
  ].map((issue) => ({
    option: issue.path.join('.') || 'options',
    problem: isUnknown(issue) ? 'is an unknown option' : issue.message,
  }));
  if (!first) throw new ConfigurationError('options', 'must be an object');
  const more = others.map(({ option, problem }) => `; ${printable(option)} ${problem}`);
  throw new ConfigurationError(first.option, first.problem + more.join(''));
}

interface TransportRuled {
  readonly baseUrl: string;
  readonly allowInsecureHttp: boolean;
  readonly agent?: unknown;
  readonly fetch?: unknown;
}

/** Adds the rules that compare options. They run even if other options are wrong, so that every problem is reported. */
export function withTransportRules<T extends TransportRuled>(rules: z.ZodType<T>): z.ZodType<T> {
  const always = { when: () => true };
  return rules
    .refine(({ baseUrl, allowInsecureHttp }) => allowInsecureHttp || !isInsecure(baseUrl), {
      path: ['baseUrl'],
      message:
        'must be https: http is accepted for localhost, 127.0.0.0/8 and [::1], and with allowInsecureHttp: true for a ' +
        'mock in a container network',
      ...always,
    })
    .refine(({ agent, fetch }) => agent === undefined || fetch === undefined, {
      path: ['agent'],
      message: 'cannot be combined with fetch: an agent belongs to the transport that fetch replaces',
      ...always,
    });
}
