/** Returns the table unchanged. Its type contains the names of the rows, not their texts, so declarations are short. */
export const tableOf =
  <Row>() =>
  <Name extends string>(table: Readonly<Record<Name, Row>>) =>
    table;

/** Groups values by key, in the order of the first value of each key. Values without a key are left out. */
export function groupBy<T, Key>(
  values: Iterable<T>,
  keyOf: (value: T) => Key | undefined,
): ReadonlyMap<Key, readonly [T, ...T[]]> {
  const groups = new Map<Key, [T, ...T[]]>();
  for (const value of values) {
    const key = keyOf(value);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
