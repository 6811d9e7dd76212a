/** Fields as name=value, sorted by name and joined by &. */
export function sortedFields(fields: Readonly<Record<string, unknown>>, without?: string): string {
  const textOf = (value: unknown) =>
    typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  return Object.keys(fields)
    .filter((name) => name !== without)
    .sort()
    .map((name) => `${name}=${textOf(fields[name])}`)
    .join('&');
}
