/** The value of synchronous work; undefined if it throws. */
export function valueOf<T>(work: () => T): T | undefined {
  let value: T | undefined;
  try {
    value = work();
  } catch {
    // It stays undefined.
  }
  return value;
}

/** True for an object that is not an array: what JSON calls an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A property of any value; undefined if there is none, or if its getter throws. */
export function readProperty(value: unknown, key: PropertyKey): unknown {
  return valueOf((): unknown => (Object(value) === value ? Reflect.get(value as object, key) : undefined));
}

/** True for an object that has all of these methods. */
export function hasMethods(value: unknown, names: readonly string[]): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    names.every((name) => typeof readProperty(value, name) === 'function')
  );
}
