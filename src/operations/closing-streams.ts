import { ignoreErrors } from '../errors/ignore-errors.js';
import { isWebStream } from '../protocol/file-source.js';

const ignore = () => undefined;

/** How a stream is closed; undefined for anything else. A Node stream can no longer end the process with its error. */
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

/** The values inside a wrapper; of an object with a class, those where a stream is usually found. */
function valuesIn(value: object): unknown[] {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
  return isPlain ? Object.values(value) : ['data', 'body'].map((name) => Reflect.get(value, name) as unknown);
}

/** The closers of every stream in a value, `depth` wrappers deep: a wrapper that is refused was handed over too. */
function closersIn(value: unknown, depth: number): (() => unknown)[] {
  if (typeof value !== 'object' || value === null) return [];
  try {
    const closer = closerOf(value);
    if (closer) return [closer];
    return depth === 0 ? [] : valuesIn(value).flatMap((inner) => closersIn(inner, depth - 1));
  } catch {
    return []; // a getter or a proxy that throws
  }
}

/** The fields of a request, each read by itself: one may have a getter that throws. */
function fieldsOf(request: unknown): [name: string, value: unknown][] {
  try {
    return Object.keys(Object(request) as object).map((name) => [name, valueAt(request as object, name)]);
  } catch {
    return []; // a proxy that throws
  }
}

function valueAt(request: object, name: string): unknown {
  try {
    return Reflect.get(request, name) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Runs the work of an upload, and closes every stream that its request handed over, however the work ends.
 * What stands inside `extraData` was not handed over.
 */
export async function closingStreams<T>(request: unknown, work: () => Promise<T>): Promise<T> {
  const closers = closersIn(request, 0);
  if (closers.length === 0)
    closers.push(
      ...fieldsOf(request).flatMap(([name, value]) => closersIn(value, name === 'extraData' ? 0 : 2)),
    );
  try {
    return await work();
  } finally {
    for (const close of closers) void ignoreErrors(close);
  }
}
