const mostHeaders = 50;
const longestValue = 1024;

/** The headers of a response as a plain object; repeated values are joined. `raw` has names and values in turn. */
export function readableHeaders(raw: readonly string[]): Readonly<Record<string, string>> {
  const values = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = String(raw[index]).toLowerCase();
    const earlier = values.get(name);
    const value = String(raw[index + 1]);
    if (earlier !== undefined) values.set(name, `${earlier}, ${value}`);
    else if (values.size < mostHeaders) values.set(name, value);
  }
  return Object.freeze(
    Object.fromEntries(Array.from(values, ([name, value]) => [name, value.slice(0, longestValue)])),
  );
}
