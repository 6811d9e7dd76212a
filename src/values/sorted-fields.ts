type Fields = Readonly<Record<string, unknown>>;

/** The names and texts of fields, sorted by name. */
function sortedEntries(fields: Fields, without: string | undefined): (readonly [string, string])[] {
  const textOf = (value: unknown) =>
    typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  return Object.keys(fields)
    .filter((name) => name !== without)
    .sort()
    .map((name) => [name, textOf(fields[name])]);
}

/** Fields as name=value, sorted by name and joined with &. */
export function sortedFields(fields: Fields, without?: string): string {
  return sortedEntries(fields, without)
    .map(([name, text]) => `${name}=${text}`)
    .join('&');
}

/** The names and values of fields, sorted by name and joined without a separator. */
export function concatenatedFields(fields: Fields, without?: string): string {
  return sortedEntries(fields, without).flat().join('');
}
