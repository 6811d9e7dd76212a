import { ignoreErrors } from '../errors/ignore-errors.js';
import { isWebStream } from '../protocol/file-source.js';
import { isPlainObject, readProperty, valueOf } from '../values/untrusted-values.js';

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

/** The fields of a wrapper; of an object with a class, only those where a stream is usually found. */
function fieldsOf(wrapper: object): string[] {
  return Array.isArray(wrapper) || isPlainObject(wrapper) ? Object.keys(wrapper) : ['data', 'body'];
}

// A request, its file or a list of files, a wrapper, its stream.
const deepest = 3;

/** Streams that a call closes at its end. A second call that closed the same one would cut the file of the first short. */
const held = new WeakSet();

/** The closers of every stream in a request, except inside its `extraData`. A getter that throws is skipped. */
function* closersIn(value: unknown, depth = deepest): Generator<() => unknown> {
  if (typeof value !== 'object' || value === null) return;
  const closer = valueOf(() => closerOf(value));
  if (closer) {
    if (!held.has(value)) yield closer;
    held.add(value);
  } else if (depth > 0) {
    const isRequest = depth === deepest;
    // `file` may be an accessor of the request's class.
    const names =
      valueOf(() => (isRequest ? new Set([...Object.keys(value), 'file']) : fieldsOf(value))) ?? [];
    for (const name of names) {
      yield* closersIn(readProperty(value, name), isRequest && name === 'extraData' ? 0 : depth - 1);
    }
  }
}

/** Does work, and closes every stream of its request, however the work ends. */
export async function closingStreams<T>(request: unknown, work: () => Promise<T>): Promise<T> {
  const closers = [...closersIn(request)];
  try {
    return await work();
  } finally {
    for (const close of closers) void ignoreErrors(close);
  }
}
