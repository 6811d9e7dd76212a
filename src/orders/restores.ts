import { orUndefined } from '../values/untrusted-values.js';
import type { Restore } from './commands.js';

/** The key of a row that is not an order: it has the times at which the database was restored. */
export const restoreKey = '*';

/** More restores than this are not kept: the earliest go. */
const mostRestores = 20;

interface StoredRestores {
  readonly restores?: readonly Restore[];
}

/** The restores in the row with {@link restoreKey}. */
export function restoresIn(data: string | undefined): readonly Restore[] {
  const stored = orUndefined(() => JSON.parse(data ?? '{}') as StoredRestores);
  return stored?.restores ?? [];
}

/** The data of that row with one more restore. */
export function withRestore(data: string | undefined, restore: Restore): string {
  const stored: StoredRestores = { restores: [...restoresIn(data), restore].slice(-mostRestores) };
  return JSON.stringify(stored);
}
