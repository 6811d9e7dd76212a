import * as z from 'zod';
import { ConfigurationError } from '../errors/errors.js';
import type { Hooks, Logger, LogLevel } from '../http/observer.js';
import { limitRules } from './limits.js';
import { Observer } from '../http/observer.js';
import { RetryBudget } from '../http/retry-budget.js';
import type { Shared } from '../http/retry.js';
import type { Runtime } from '../http/runtime.js';
import type { Fetch } from '../http/transport.js';
import { isHeaderName, isHeaderValue, isReservedHeader } from '../protocol/headers.js';
import { isRecord } from '../protocol/records.js';
import { parseUrl, printable, unknownField } from '../protocol/text.js';
import { isWireInstant } from '../protocol/timestamps.js';
import { issuesOf, type ValidationIssue } from '../protocol/validation.js';

/** Options that every client of the service has, the merchant's and the lender's. */
export interface CommonOptions {
  /**
   * Where the service is: https, or http to a loopback host. A path prefix is kept; credentials, query and fragment
   * are refused. @default the environment's `INSTALLMENT_BASE_URL`
   */
  baseUrl?: string | URL | undefined;
  /** Milliseconds that one attempt may take, the body of the answer included. @default 15000 */
  attemptTimeoutMs?: number | undefined;
  /** Milliseconds that a whole call may take: attempts, waits, file reading. @default 45000 */
  totalTimeoutMs?: number | undefined;
  /** How often a request is repeated at most. @default 2 */
  maxRetries?: number | undefined;
  /** Carries the requests: for a proxy, an interceptor, or a test. @default the global `fetch`, looked up at each call */
  fetch?: Fetch | undefined;
  /** Where records go; `console` fits. @default none */
  logger?: Logger | undefined;
  /** The least that is logged. @default 'info' when there is a logger */
  logLevel?: LogLevel | undefined;
  /** Code that is told of a call's course. */
  hooks?: Hooks | undefined;
  /** The wall clock, for timestamps; limits and waits have one of their own. @default the system's */
  now?: (() => Date) | undefined;
}

/** Ports that fetch refuses (Fetch standard, port blocking), and 0, which is none. */
const blockedPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The base URL without its last slash, or in words what is wrong with it. */
function baseUrlOf(value: string | URL): { readonly url: string } | { readonly problem: string } {
  const written = String(value);
  const url = parseUrl(written);
  if (!url || /\s/.test(written))
    return { problem: 'must be an absolute URL, such as https://pay.example/api' };
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopbackHost.test(url.hostname))) {
    return { problem: 'must be https; http is for localhost, 127.0.0.0/8 and [::1] only' };
  }
  if (url.username !== '' || url.password !== '') return { problem: 'must not hold credentials' };
  if (/[?#]/.test(written)) return { problem: 'must have no query and no fragment' };
  if (url.port !== '' && blockedPorts.has(Number(url.port)))
    return { problem: 'has a port that fetch blocks' };
  return { url: url.href.replace(/\/+$/, '') };
}

const baseUrl = z.custom<string | URL>().transform((value, context): string => {
  const isUrl = typeof value === 'string' || Object.prototype.toString.call(value) === '[object URL]';
  const result = isUrl
    ? baseUrlOf(value)
    : { problem: requiredOr('INSTALLMENT_BASE_URL', 'must be text or a URL').error({ input: value }) };
  if ('url' in result) return result.url;
  context.addIssue({ code: 'custom', message: result.problem, input: value });
  return z.NEVER;
});

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

function hasMethods(value: unknown, names: readonly string[]): boolean {
  return (
    typeof value === 'object' && value !== null && names.every((name) => isFunction(Reflect.get(value, name)))
  );
}

/** What is wrong with a set of extra headers, or undefined. Values are never quoted: they may be credentials. */
export function headersProblem(headers: unknown): string | undefined {
  // By its tag: the entries of a Headers or a Map are no properties, and would be lost without a word.
  if (Object.prototype.toString.call(headers) !== '[object Object]') {
    return "must be a plain object, such as { 'X-Trace': 'a' }, not a Headers, a Map or an array";
  }
  const names = new Set<string>();
  for (const [name, value] of Object.entries(headers as object) as [string, unknown][]) {
    if (!isHeaderName(name)) return `must not have the invalid header name ${printable(name)}`;
    if (isReservedHeader(name)) {
      return `must not set ${name}, which is set by the client and cannot be overridden`;
    }
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
  baseUrl,
  attemptTimeoutMs: limitRules.attemptTimeoutMs.default(15_000),
  totalTimeoutMs: limitRules.totalTimeoutMs.default(45_000),
  maxRetries: limitRules.maxRetries.default(2),
  fetch: z.custom<Fetch>(isFunction, aFunction).optional(),
  logger: z
    .custom<Logger>(
      (value) => hasMethods(value, ['debug', 'info', 'warn', 'error']),
      'must have the methods debug, info, warn and error, like console',
    )
    .optional(),
  logLevel: z
    .enum(
      ['debug', 'info', 'warn', 'error', 'silent'],
      "must be 'debug', 'info', 'warn', 'error' or 'silent'",
    )
    .optional(),
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

const environment = {
  baseUrl: 'INSTALLMENT_BASE_URL',
  clientId: 'INSTALLMENT_CLIENT_ID',
  secretKey: 'INSTALLMENT_SECRET_KEY',
  merchantId: 'INSTALLMENT_MERCHANT_ID',
  storeId: 'INSTALLMENT_STORE_ID',
  platformId: 'INSTALLMENT_PLATFORM_ID',
} as const;

/** An option that the environment can hold. */
export type EnvironmentOption = keyof typeof environment;

/** A variable of the environment; undefined if it is empty or may not be read, as under Deno without --allow-env. */
function variable(name: string): string | undefined {
  try {
    return process.env[name] === '' ? undefined : process.env[name];
  } catch {
    return undefined;
  }
}

/** The options, with those that are left out taken from the environment. Other variables are not read. */
export function withEnvironment(
  options: unknown,
  names: readonly EnvironmentOption[],
): Record<string, unknown> {
  if (!isRecord(options)) throw new ConfigurationError('options', 'must be an object');
  const complete = copyOf(options);
  for (const name of names) {
    if (complete[name] === undefined) complete[name] = variable(environment[name]);
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

/** What all calls of a client share. */
export function sharedFor(
  { now, logger, logLevel, hooks }: Pick<CommonOptions, 'now' | 'logger' | 'logLevel' | 'hooks'>,
  runtime: Runtime,
): Shared {
  return {
    runtime: now ? { ...runtime, now: steady(now) } : runtime,
    budget: new RetryBudget(),
    observer: new Observer(logger, logLevel ?? 'info', hooks ?? {}),
  };
}
