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

/** A copy of what an object has itself. It inherits nothing, not even from a polluted `Object.prototype`. */
export function ownCopy<T extends object>(value: T): T {
  return Object.assign(Object.create(null) as T, value);
}

function isRoot(prototype: object): boolean {
  return Object.getPrototypeOf(prototype) === null;
}

function isPolluted(root: object, names: readonly string[]): boolean {
  for (const _inherited in root) return true;
  return names.some((name) => name in root);
}

/**
 * An object to read these fields from: its own ones, and those that its class has (accessors, as of an ORM's entities).
 * What it inherits from `Object.prototype` is not a field. Any other value is returned as it is.
 */
export function fieldsOf(value: unknown, names: readonly string[]): unknown {
  if (!isRecord(value)) return value;
  const first = Object.getPrototypeOf(value) as object | null;
  if (first === null || (first === Object.prototype && !isPolluted(first, names))) return value;
  const fields = ownCopy(value);
  for (
    let type: object | null = first;
    type && !isRoot(type);
    type = Object.getPrototypeOf(type) as object | null
  ) {
    for (const name of names) {
      if (!(name in fields) && Object.hasOwn(type, name)) fields[name] = value[name];
    }
  }
  return fields;
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
