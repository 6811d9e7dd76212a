/** Escapes each character that a log or a terminal would interpret. The characters in `kept` stay as they are. */
export function printable(text: string, kept = ''): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    kept.includes(character) ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** Lists values for a message: `'a', 'b' or 3`. */
export function listed(values: readonly unknown[]): string {
  const shown = values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value)));
  return [shown.slice(0, -1).join(', '), ...shown.slice(-1)].filter((part) => part !== '').join(' or ');
}

/** Formats lines in columns of equal width. In a line with fewer cells, the last cell uses the rest of the width. */
export function table(rows: readonly (readonly string[])[], indent = '  '): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map(({ [column]: cell = '' }) => cell.length)),
  );
  return rows.map((cells) => {
    const padded = cells.map((cell, column) =>
      column === cells.length - 1 ? cell : cell.padEnd(widths[column] ?? 0),
    );
    return indent + padded.join('  ');
  });
}
