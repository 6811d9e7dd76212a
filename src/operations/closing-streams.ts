import { ignoreErrors } from '../errors/ignore-errors.js';
import { isWebStream } from '../protocol/file-source.js';
import { readProperty } from '../protocol/records.js';

const ignore = () => undefined;

/** How a stream is closed; undefined for any other value. An error of a Node stream no longer ends the process. */
function closerOf(value: object): (() => unknown) | undefined {
  if (isWebStream(value)) return () => value.cancel();
  const { destroy, on, next, return: end }: Partial<Record<string, unknown>> = Object(value) as object;
  if (typeof destroy === 'function' && typeof on === 'function') {
    Reflect.apply(on, value, ['error', ignore]);
    return () => Reflect.apply(destroy, value, []) as unknown;
  }
  return typeof next === 'function' && typeof end === 'function'
    ? () => Reflect.apply(end, value, []) as unknown
    : undefined;
}

/** The values inside a wrapper; of an object with a class, only those where a stream is usually found. */
function valuesIn(value: object): unknown[] {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
  return (isPlain ? Object.keys(value) : ['data', 'body']).map((name) => readProperty(value, name));
}

/** The closers of every stream in a value, up to `depth` wrappers deep. */
function closersIn(value: unknown, depth: number): (() => unknown)[] {
  if (typeof value !== 'object' || value === null) return [];
  try {
    const closer = closerOf(value);
    if (closer) return [closer];
    return depth === 0 ? [] : valuesIn(value).flatMap((inner) => closersIn(inner, depth - 1));
  } catch {
    return []; // a proxy that throws
  }
}

/** The closers of every stream in a request. What is inside `extraData` is not closed. */
function closersOf(request: unknown): (() => unknown)[] {
  const own = closersIn(request, 0);
  if (own.length > 0) return own;
  try {
    return Object.keys(Object(request) as object).flatMap((name) =>
      closersIn(readProperty(request, name), name === 'extraData' ? 0 : 2),
    );
  } catch {
    return []; // a proxy that throws
  }
}

/** Runs the work of an upload, and closes every stream of its request, however the work ends. */
export async function closingStreams<T>(request: unknown, work: () => Promise<T>): Promise<T> {
  const closers = closersOf(request);
  try {
    return await work();
  } finally {
    for (const close of closers) void ignoreErrors(close);
  }
}
