import { tryParseJson } from '../values/untrusted-values.js';
import type { Restore } from './commands.js';

/** The key of the row that contains the restores of the database. This row is not an order. */
export const restoreKey = '*';

/** The maximum number of restores that are kept. The earliest restores are removed. */
const mostRestores = 20;

interface StoredRestores {
  readonly restores?: readonly Restore[];
}

/** The restores in the row with {@link restoreKey}. */
export function restoresIn(data: string | undefined): readonly Restore[] {
  const stored = tryParseJson(data ?? '') as StoredRestores | undefined;
  return stored?.restores ?? [];
}

/** The data of the row with {@link restoreKey}, with a restore added. */
export function withRestore(data: string | undefined, restore: Restore): string {
  const stored: StoredRestores = { restores: [...restoresIn(data), restore].slice(-mostRestores) };
  return JSON.stringify(stored);
}
