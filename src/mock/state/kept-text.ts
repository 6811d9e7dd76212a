import type { JournalEntry } from './journal-types.js';

/** The number of characters that the journal keeps of a text, or of all fields of a form together. */
const keptCharacters = 16 * 1024;

/** The start of a text. It is copied, because a slice would keep the whole text in memory. */
function startOf(text: string, characters: number): string {
  return text.length <= characters ? text : Buffer.from(text.slice(0, characters)).toString();
}

export function keptText(text: string): string {
  return startOf(text, keptCharacters);
}

export function keptFields(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  let left = keptCharacters;
  const kept = Object.entries(fields).map(([name, text]) => {
    const start = startOf(text, left);
    left -= start.length;
    return [name, start] as const;
  });
  return Object.fromEntries(kept);
}

/** True if the journal keeps the whole text of a request. */
export function isWhole({ body = '', fields, bodyBytes, headers }: JournalEntry): boolean {
  if (!fields) return Buffer.byteLength(body) === (bodyBytes ?? Number(headers['content-length'] ?? 0));
  const length = Object.values(fields).reduce((sum, text) => sum + text.length, 0);
  return length < keptCharacters;
}
