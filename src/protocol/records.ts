/** True for an object that is not an array: what JSON calls an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A property of any value; undefined if there is none, or if its getter throws. */
export function readProperty(value: unknown, key: PropertyKey): unknown {
  try {
    return Object(value) === value ? Reflect.get(value as object, key) : undefined;
  } catch {
    return undefined;
  }
}
