type Fields = Readonly<Record<string, unknown>>;

/** The names and texts of fields, sorted by name. */
function sortedEntries(fields: Fields, except: string | undefined): (readonly [string, string])[] {
  const textOf = (value: unknown) => {
    if (typeof value === 'string') return value;
    return value === null ? '' : JSON.stringify(value);
  };
  return Object.keys(fields)
    .filter((name) => name !== except)
    .sort()
    .map((name) => [name, textOf(fields[name])]);
}

/** Fields as name=value, sorted by name and joined with &. */
export function sortedFields(fields: Fields, except?: string): string {
  return sortedEntries(fields, except)
    .map(([name, text]) => `${name}=${text}`)
    .join('&');
}

/** The names and values of fields, sorted by name and joined without a separator. */
export function concatenatedFields(fields: Fields, except?: string): string {
  return sortedEntries(fields, except).flat().join('');
}
