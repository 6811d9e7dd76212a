import { readProperty, orUndefined } from '../values/untrusted-values.js';

// A foreign error is an error of a transport or of the caller's code. Messages of this package repeat only a few short
// facts of a foreign error, because its own message can contain the signature, the body or credentials.

// A code can contain a slash (ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE) or consist of words (Bun's ConnectionRefused).
const safeShapes = {
  name: /^[A-Z][A-Za-z]{0,40}(?:Error|Exception)$/,
  code: /^(?:[A-Z][A-Z0-9_/]{0,60}|(?:[A-Z][a-z]{1,20}){2,4})$/,
  syscall: /^[a-z]{1,20}$/i,
};

/** The facts of a foreign error that are safe to show: its name, its code and its system call. */
interface SafeFacts {
  readonly name: string;
  readonly code: string | undefined;
  readonly syscall: string | undefined;
}

function safeFact(error: unknown, key: keyof typeof safeShapes): string | undefined {
  const value = readProperty(error, key);
  return typeof value === 'string' && safeShapes[key].test(value) ? value : undefined;
}

/** The safe facts of one error, without the facts of its causes. */
export function safeFactsOf(error: unknown): SafeFacts {
  return {
    name: safeFact(error, 'name') ?? 'Error',
    code: safeFact(error, 'code'),
    syscall: safeFact(error, 'syscall'),
  };
}

/** A copy of an error that a transport threw. */
export interface RebuiltError extends Error {
  readonly cause?: RebuiltError;
  /** The errors of parallel tries to connect, one for each address of a host name; never empty. */
  readonly errors?: readonly RebuiltError[];
}

/** An error and the errors that it wraps, outermost first. */
export function errorChain(error: RebuiltError): RebuiltError[] {
  const inner = error.cause ?? error.errors?.[0];
  return inner ? [error, ...errorChain(inner)] : [error];
}

/** The safe facts of the innermost error with a code, or of the outermost error if none has a code. */
export function innermostSafeFacts(error: unknown): SafeFacts {
  const chain = errorChain(rebuildError(error)).map(safeFactsOf);
  return chain.findLast((facts) => facts.code !== undefined) ?? safeFactsOf(error);
}

/** A short description of an error, such as `ECONNRESET (read)`. */
export function shortDescription({ name, code, syscall }: SafeFacts): string {
  return `${code ?? name}${syscall ? ` (${syscall})` : ''}`;
}

/** Returns a status that consists of letters, `_` and `-`. Any other text could contain customer data. */
export function shownStatus(resultStatus: string): string | undefined {
  return /^[A-Za-z][A-Za-z_-]{0,59}$/.test(resultStatus) ? resultStatus : undefined;
}

/**
 * The maximum number of errors that are copied. Several are needed, because errors nest, and a host name can have
 * several addresses. A limit is needed, because an error can contain itself.
 */
export const mostErrors = 20;
const longestMessage = 500;
const keptProperties = ['code', 'syscall', 'address', 'port'];

function textAt(error: unknown, key: string): string | undefined {
  const value = readProperty(error, key);
  return typeof value === 'string' ? value : undefined;
}

/**
 * Copies an error that a transport threw, and its causes: the name, message, code, system call and address. Other
 * properties are left out: they can be the request itself, with its signature and body. `budget` counts the errors that
 * can still be copied.
 */
export function rebuildError(error: unknown, budget = { left: mostErrors }): RebuiltError {
  budget.left -= 1;
  const text = typeof error === 'string' ? error : textAt(error, 'message');
  const message = text ? text.slice(0, longestMessage) : shortDescription(safeFactsOf(error));
  const rebuild = (inner: unknown) => (budget.left > 0 ? [rebuildError(inner, budget)] : []);
  const cause = readProperty(error, 'cause');
  const [rebuiltCause] = typeof cause === 'object' && cause !== null && cause !== error ? rebuild(cause) : [];
  const options = rebuiltCause && { cause: rebuiltCause };
  const errors = readProperty(error, 'errors');
  const firstErrors = () =>
    Array.isArray(errors) ? Array.from(errors.slice(0, mostErrors) as unknown[]) : [];
  const branches = (orUndefined(firstErrors) ?? []).flatMap(rebuild);
  const rebuilt =
    branches.length > 0 ? new AggregateError(branches, message, options) : new Error(message, options);
  const name = textAt(error, 'name') ?? 'Error';
  const hidden = { enumerable: false, configurable: true, writable: true };
  Object.defineProperty(rebuilt, 'name', { value: name, ...hidden });
  // The stack is replaced, because it would point to this function.
  Object.defineProperty(rebuilt, 'stack', { value: `${name}: ${message}`, ...hidden });
  for (const key of keptProperties) {
    const value = readProperty(error, key);
    if (typeof value === 'string' || typeof value === 'number') Object.assign(rebuilt, { [key]: value });
  }
  return rebuilt as RebuiltError;
}
