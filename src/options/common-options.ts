import type { Agent } from 'node:http';
import * as z from 'zod/mini';
import type { Hooks, Logger, LogLevel } from '../http/observer.js';
import type { Fetch } from '../http/transport.js';
import { callback, boolean, oneOf } from '../validation/rules.js';
import { hasMethods, orUndefined } from '../values/untrusted-values.js';
import { longestTimerMs } from '../values/time-limit.js';
import { isWireInstant } from '../protocol/timestamps.js';
import { isInsecure } from '../protocol/urls.js';

/** Options of both clients, the merchant's and the lender's. */
export interface CommonOptions {
  /**
   * The time limit of one attempt in milliseconds, including the response body. @default 15000; for a call, the value
   * of the client
   */
  attemptTimeoutMs?: number | undefined;
  /**
   * The time limit of a whole call in milliseconds, from the moment the method is called. It includes attempts, waits
   * and reading a file.
   * @default 45000; for a call, the value of the client
   */
  totalTimeoutMs?: number | undefined;
  /** The maximum number of retries of a request. @default 2; for a call, the value of the client */
  maxRetries?: number | undefined;
  /**
   * Whether a request is retried after an attempt with an unknown outcome. If the service does not recognise a repeated
   * request by its idempotency key, pass `false`: a request is then retried only if it certainly was not sent, or after
   * HTTP 429. Uploads and allocations always follow this rule. @default true; for a call, the value of the client
   */
  repeatUnknown?: boolean | undefined;
  /**
   * An agent of `node:http` or `node:https`, or an agent derived from one: for a proxy, a client certificate, a private
   * CA, or a pool size. The agent must match the scheme of `baseUrl`, and decides which idle connections are used.
   * @default keep-alive agents that all clients of the process share
   */
  agent?: Agent | undefined;
  /**
   * Replaces the transport: for an interceptor, a different runtime, or the in-process mock. A `fetch` does not report
   * how much of a request was sent, so more failures have an unknown outcome. The `fetch` gets the body as a stream,
   * which node-fetch and cross-fetch do not support. `fetch` cannot be combined with `agent`.
   * @default `node:http` and `node:https`; under Cloudflare Workers, the `fetch` of Workers
   */
  fetch?: Fetch | undefined;
  /**
   * Permits http to hosts that are not loopback, for a mock in a container network. Anyone on the network path can read
   * and change the requests. A warning is logged.
   * @default false, or true if the environment variable `INSTALLMENT_ALLOW_INSECURE_HTTP` is `1`
   */
  allowInsecureHttp?: boolean | undefined;
  /** The logger, such as `console`. @default none, or standard error at the level in `INSTALLMENT_LOG` */
  logger?: Logger | undefined;
  /** The lowest level that is logged. @default 'info' */
  logLevel?: LogLevel | undefined;
  /** Functions that are called before a call is sent and after each attempt. */
  hooks?: Hooks | undefined;
  /** The clock for timestamps. Time limits and waits use a monotonic clock. @default the clock of the system */
  now?: (() => Date) | undefined;
}

const timerRule = `must be a number of milliseconds, greater than 0 and at most ${longestTimerMs}, such as 15000`;
const milliseconds = z
  .number(timerRule)
  .check(z.refine((value) => value > 0 && value <= longestTimerMs, timerRule));

const countRule = 'must be an integer, 0 or greater, such as 2';

export const limitRules = {
  attemptTimeoutMs: milliseconds,
  totalTimeoutMs: milliseconds,
  maxRetries: z
    .number(countRule)
    .check(z.refine((value) => Number.isSafeInteger(value) && value >= 0, countRule)),
  repeatUnknown: boolean,
};

export const commonRules = {
  attemptTimeoutMs: z._default(milliseconds, 15_000),
  totalTimeoutMs: z._default(milliseconds, 45_000),
  maxRetries: z._default(limitRules.maxRetries, 2),
  repeatUnknown: z._default(boolean, true),
  agent: z.optional(
    z.custom<Agent>(
      (value) => hasMethods(value, ['addRequest']) || hasMethods(value, ['createConnection', 'destroy']),
      'must be an agent of node:http or node:https, or an agent derived from one',
    ),
  ),
  fetch: z.optional(callback<Fetch>()),
  allowInsecureHttp: z._default(boolean, false),
  logger: z.optional(
    z.custom<Logger>(
      (value) => hasMethods(value, ['debug', 'info', 'warn', 'error']),
      'must have the methods debug, info, warn and error, like console',
    ),
  ),
  logLevel: z.optional(oneOf(['debug', 'info', 'warn', 'error', 'silent'])),
  hooks: z._default(
    z.strictObject(
      {
        beforeSend: z.optional(callback<NonNullable<Hooks['beforeSend']>>()),
        onAttempt: z.optional(callback<NonNullable<Hooks['onAttempt']>>()),
      },
      'must be an object with beforeSend, onAttempt or both',
    ),
    {},
  ),
  now: z.optional(
    callback<() => Date>('must be a function that returns a Date, such as () => new Date()').check(
      z.refine((now) => isWireInstant(orUndefined(now)), 'must return a valid Date, such as new Date()'),
    ),
  ),
};

interface TransportOptions {
  readonly baseUrl: string;
  readonly allowInsecureHttp: boolean;
  readonly agent?: unknown;
  readonly fetch?: unknown;
}

const evenIfOthersAreInvalid = { when: () => true };

/**
 * The rules that compare two options. They run even if other options are invalid, so that every problem is reported.
 */
export const transportRules = [
  z.refine<TransportOptions>(({ baseUrl, allowInsecureHttp }) => allowInsecureHttp || !isInsecure(baseUrl), {
    path: ['baseUrl'],
    message:
      'must be https: http is accepted only for localhost, 127.0.0.0/8 and [::1] (for a mock in a container ' +
      'network, set allowInsecureHttp: true)',
    ...evenIfOthersAreInvalid,
  }),
  z.refine<TransportOptions>(({ agent, fetch }) => agent === undefined || fetch === undefined, {
    path: ['agent'],
    message: 'cannot be combined with fetch, which does not use the agent: leave out agent or fetch',
    ...evenIfOthersAreInvalid,
  }),
];
