/** The value of synchronous work; undefined if it throws, as a getter or a proxy can. */
export function orUndefined<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Runs best-effort work and ignores its errors: a payment must not fail because a log could not be written. */
export async function ignoreErrors(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch {
    // The error is ignored on purpose.
  }
}

/** The value of a JSON text; undefined for any other text. */
export function tryParseJson(text: string): unknown {
  return orUndefined((): unknown => JSON.parse(text));
}

/** True for an object that is not an array: a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for an object without a class, from any realm. */
export function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A property of any value; undefined if it is missing or its getter throws. */
export function readProperty(value: unknown, key: PropertyKey): unknown {
  return orUndefined((): unknown =>
    Object(value) === value ? Reflect.get(value as object, key) : undefined,
  );
}

/** A property that is a finite number; undefined for any other property. */
export function finiteNumberAt(value: unknown, key: PropertyKey): number | undefined {
  const found = readProperty(value, key);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

/** The fields whose value is not undefined. */
export function omitUndefined<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/** True for an object that has all of these methods. */
export function hasMethods(value: unknown, names: readonly string[]): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => typeof readProperty(value, name) === 'function')
  );
}
