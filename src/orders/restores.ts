import { tryParseJson } from '../values/untrusted-values.js';
import type { Restore } from './commands.js';

/** The key of the row with the times at which the database was restored. It is not an order. */
export const restoreKey = '*';

/** The most restores that are kept. The earliest are dropped. */
const mostRestores = 20;

interface StoredRestores {
  readonly restores?: readonly Restore[];
}

/** The restores in the row with {@link restoreKey}. */
export function restoresIn(data: string | undefined): readonly Restore[] {
  const stored = tryParseJson(data ?? '') as StoredRestores | undefined;
  return stored?.restores ?? [];
}

/** The data of that row with a restore added. */
export function withRestore(data: string | undefined, restore: Restore): string {
  const stored: StoredRestores = { restores: [...restoresIn(data), restore].slice(-mostRestores) };
  return JSON.stringify(stored);
}
