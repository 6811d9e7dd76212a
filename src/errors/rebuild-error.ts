import { describe, wordsOf } from './error-words.js';
import { readProperty, valueOf } from '../values/untrusted-values.js';

const longestMessage = 500;
/** Errors nest once or twice, and a name has a few addresses. One that contains itself is cut off. */
const mostErrors = 20;
const kept = ['code', 'syscall', 'address', 'port'];

/** A text of another error; undefined if it has none, or its getter throws. */
function textAt(error: unknown, key: string): string | undefined {
  const value = readProperty(error, key);
  return typeof value === 'string' ? value : undefined;
}

/** The errors of parallel attempts to connect, one for each address of a name. */
export function branchesOf(error: unknown): readonly unknown[] {
  const errors = readProperty(error, 'errors');
  return valueOf(() => (Array.isArray(errors) ? Array.from(errors as unknown[]) : [])) ?? [];
}

/**
 * A new error with the name, message, code, system call and address of one that a transport threw, and its causes likewise.
 * Any other property is left out: it may be the request itself, with its signature and body.
 */
export function rebuildError(error: unknown, budget = { left: mostErrors }): Error {
  budget.left -= 1;
  const text = typeof error === 'string' ? error : textAt(error, 'message');
  const message = text ? text.slice(0, longestMessage) : describe(wordsOf(error));
  const rebuild = (inner: unknown) => (budget.left > 0 ? [rebuildError(inner, budget)] : []);
  const cause = readProperty(error, 'cause');
  const [rebuiltCause] = cause === undefined || cause === null ? [] : rebuild(cause);
  const options = rebuiltCause && { cause: rebuiltCause };
  const branches = branchesOf(error).flatMap(rebuild);
  const rebuilt =
    branches.length > 0 ? new AggregateError(branches, message, options) : new Error(message, options);
  const name = textAt(error, 'name') ?? 'Error';
  const hidden = { enumerable: false, configurable: true, writable: true };
  Object.defineProperty(rebuilt, 'name', { value: name, ...hidden });
  // The stack of the new error would point at this line.
  Object.defineProperty(rebuilt, 'stack', { value: `${name}: ${message}`, ...hidden });
  for (const key of kept) {
    const value = readProperty(error, key);
    if (typeof value === 'string' || typeof value === 'number') Object.assign(rebuilt, { [key]: value });
  }
  return rebuilt;
}
