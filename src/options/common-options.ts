import * as z from 'zod';
import { ConfigurationError } from '../errors/errors.js';
import { type Hooks, type Logger, type LogLevel, Observer } from '../http/observer.js';
import { limitRules } from './call-options.js';
import { RetryBudget } from '../http/retry-budget.js';
import type { Shared } from '../http/retry.js';
import type { Runtime } from '../http/runtime.js';
import { transportLoader } from '../http/load-transport.js';
import type { Fetch } from '../http/transport.js';
import type { Agent } from 'node:http';
import { isInsecure } from './base-url.js';
import { logLevel, logSwitch, logSwitchVariable } from './log-switch.js';
import { isHeaderName, isHeaderValue, isReservedHeader } from '../protocol/headers.js';
import { isRecord } from '../protocol/records.js';
import { printable, issuesOf, type ValidationIssue } from '../protocol/issues.js';
import { unknownField } from '../protocol/field-rules.js';
import { isWireInstant } from '../protocol/timestamps.js';

/** Options that every client of the service has, the merchant's and the lender's. */
export interface CommonOptions {
  /** Milliseconds that one attempt may take, the body of the answer included. @default 15000 */
  attemptTimeoutMs?: number | undefined;
  /** Milliseconds that a whole call may take: attempts, waits, file reading. @default 45000 */
  totalTimeoutMs?: number | undefined;
  /** Maximum number of repeats of a request. @default 2 */
  maxRetries?: number | undefined;
  /**
   * An agent of `node:http` or `node:https`, or one made on them: for a proxy, a client certificate, a private CA, a
   * pool size. It must fit the scheme of `baseUrl`. @default one keep-alive agent that all clients of the process share
   */
  agent?: Agent | undefined;
  /**
   * Replaces the transport: for an interceptor, another runtime, or the in-process mock. A `fetch` cannot tell how far
   * a request came, so more failures have an unknown outcome. It cannot be combined with `agent`.
   * @default `node:http` and `node:https`
   */
  fetch?: Fetch | undefined;
  /**
   * Permits http to hosts that are not loopback. Anyone on the way can then read and change payments: it is meant for a
   * mock in a container network. A warning is logged.
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

/** The error of an option that can also be set in the environment. */
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
  try {
    return isWireInstant(now());
  } catch {
    return false;
  }
}

/** True for an object that has all of these methods. */
export function hasMethods(value: unknown, names: readonly string[]): boolean {
  return (
    typeof value === 'object' && value !== null && names.every((name) => isFunction(Reflect.get(value, name)))
  );
}

/** What is wrong with a set of extra headers, or undefined. Values are never quoted: they may be credentials. */
export function headersProblem(
  headers: unknown,
  isReserved: (name: string) => boolean = isReservedHeader,
): string | undefined {
  // By its tag: the entries of a Headers or a Map are not properties, and would be lost silently.
  if (Object.prototype.toString.call(headers) !== '[object Object]') {
    return "must be a plain object, such as { 'X-Trace': 'a' }, not a Headers, a Map or an array";
  }
  const names = new Set<string>();
  for (const [name, value] of Object.entries(headers as object) as [string, unknown][]) {
    if (!isHeaderName(name)) return `must not have the invalid header name ${printable(name)}`;
    if (isReserved(name)) return `must not set ${name}, which is set by the client and cannot be overridden`;
    if (names.has(name.toLowerCase())) return 'has the same header twice, in different case';
    names.add(name.toLowerCase());
    if (typeof value !== 'string' || !isHeaderValue(value)) {
      return `must not have a value for ${name} that contains other than printable Latin-1 characters`;
    }
  }
  return undefined;
}

/** Extra headers that stay the same for every request. */
export const headers = z.custom<Record<string, string>>().transform((value, context) => {
  const problem = headersProblem(value);
  if (problem === undefined) return { ...value };
  context.addIssue({ code: 'custom', message: problem, input: value });
  return z.NEVER;
});

/** Rules of the options that both clients have. */
export const commonRules = {
  attemptTimeoutMs: limitRules.attemptTimeoutMs.default(15_000),
  totalTimeoutMs: limitRules.totalTimeoutMs.default(45_000),
  maxRetries: limitRules.maxRetries.default(2),
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

/** A variable of the environment; undefined if it is empty or may not be read, as under Deno without --allow-env. */
function fromEnvironment(variable: string): string | undefined {
  try {
    const value = process.env[variable];
    return value === '' ? undefined : value;
  } catch {
    return undefined;
  }
}

/** The options, with those that are left out taken from the environment. Other variables are not read. */
export function withEnvironment(
  options: unknown,
  variables: Readonly<Record<string, string>>,
): Record<string, unknown> {
  if (!isRecord(options)) throw new ConfigurationError('options', 'must be an object');
  const complete = copyOf(options);
  for (const [name, variable] of Object.entries(variables)) {
    if (complete[name] === undefined) complete[name] = fromEnvironment(variable);
  }
  if (complete['logger'] === undefined) {
    Object.assign(complete, logSwitch(fromEnvironment(logSwitchVariable)));
  }
  const { baseUrl, allowInsecureHttp } = complete;
  if (allowInsecureHttp === undefined && isInsecure(String(baseUrl))) {
    complete['allowInsecureHttp'] = fromEnvironment('INSTALLMENT_ALLOW_INSECURE_HTTP') === '1';
  }
  return complete;
}

function copyOf(options: object): Record<string, unknown> {
  try {
    return { ...options };
  } catch {
    throw new ConfigurationError('options', 'cannot be read: a getter throws');
  }
}

/**
 * Checks options. Everything that is wrong becomes one `ConfigurationError`, which names the first option and quotes no
 * value. Unknown options come first: a misspelled name explains the option that is missing.
 */
export function checkOptions<T>(rules: z.ZodType<T>, options: unknown): T {
  const result = rules.safeParse(options);
  if (result.success) return result.data;
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

/** The caller's clock; if it fails during a call, the system's is used. */
function steady(now: () => Date): () => Date {
  return () => {
    try {
      const instant = now();
      if (isWireInstant(instant)) return instant;
    } catch {
      // As for an invalid date: the outcome of a payment matters more than the time on the request.
    }
    return new Date();
  };
}

interface TransportRuled {
  readonly baseUrl: string;
  readonly allowInsecureHttp: boolean;
  readonly agent?: unknown;
  readonly fetch?: unknown;
}

/** Adds the rules that compare options. They are checked beside other mistakes, so that one run names them all. */
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

/** What all calls of a new client share. */
export function sharedFor(
  options: Pick<CommonOptions, 'now' | 'logger' | 'logLevel' | 'hooks' | 'fetch' | 'agent'> & {
    readonly baseUrl: string;
    readonly logResultMsg?: boolean;
  },
  runtime: Runtime,
): Shared {
  const { now, logger, logLevel = 'info', hooks = {}, fetch, agent, baseUrl, logResultMsg } = options;
  const observer = new Observer({ logger, level: logLevel, logResultMsg }, hooks);
  if (isInsecure(baseUrl)) {
    observer.warned('allowInsecureHttp: requests are not encrypted, and anyone on the way can change them', {
      host: new URL(baseUrl).host,
    });
  }
  return {
    runtime: now ? { ...runtime, now: steady(now) } : runtime,
    budget: new RetryBudget(),
    observer,
    transport: transportLoader({ fetch, agent }),
  };
}
