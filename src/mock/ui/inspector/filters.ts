import { operations, type Operation } from '../../../protocol/endpoints.js';
import type { JournalEntry } from '../../state/journal-types.js';
import type { PaymentFilters } from './payment-filters.js';

/** Requests to a path that is not one of the service's: an operation of one's own, or an unknown path. */
export const otherPaths = 'other';

/** Which requests a list shows. */
export interface RequestFilters {
  readonly operation?: Operation | typeof otherPaths;
  /** A result status. */
  readonly status?: string;
  /** Part of any reference that the request is known by. */
  readonly reference?: string;
}

/** The filters of a query; empty and unknown ones are ignored. */
export function filtersOf(query: Readonly<Record<string, string>>): RequestFilters {
  const { operation = '', status = '', reference = '' } = query;
  const known = ([...operations, otherPaths] as const).find((name) => name === operation);
  return {
    ...(known && { operation: known }),
    ...(status !== '' && { status }),
    ...(reference.trim() !== '' && { reference: reference.trim() }),
  };
}

/** Filters of a list as the query of its address, together with `more`. */
export function queryOf(
  filters: RequestFilters | PaymentFilters,
  more: Readonly<Record<string, string>> = {},
): string {
  return new URLSearchParams({ ...filters, ...more }).toString();
}

export function isFiltered(filters: RequestFilters): boolean {
  return Object.keys(filters).length > 0;
}

/** The identifiers that a request is known by, the most specific first. */
export function entryReferences(entry: JournalEntry): string[] {
  const { referenceId, lenderTransactionCode, requestId, contractNumber, idempotencyKey } = entry;
  return [referenceId, lenderTransactionCode, requestId, contractNumber, idempotencyKey].filter(
    (reference) => reference !== undefined,
  );
}

export function isShown(entry: JournalEntry, { operation, status, reference }: RequestFilters): boolean {
  if (operation !== undefined && (entry.operation ?? otherPaths) !== operation) return false;
  if (status !== undefined && entry.resultStatus !== status) return false;
  if (reference === undefined) return true;
  const wanted = reference.toLowerCase();
  return entryReferences(entry).some((each) => each.toLowerCase().includes(wanted));
}

/** Requests on one page of the list. */
export const pageSize = 100;

/** One page of the journal, newest first. */
export interface RequestPage {
  readonly entries: readonly JournalEntry[];
  /** Older requests have an ID below this one; absent where there are none. */
  readonly olderThan?: number;
}

/** The newest requests that the filters let through; those before an ID, where one is given. */
export function requestPage(
  entries: readonly JournalEntry[],
  filters: RequestFilters,
  before = Infinity,
): RequestPage {
  const found: JournalEntry[] = [];
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (!entry || entry.id >= before || !isShown(entry, filters)) continue;
    const last = found.at(-1);
    if (found.length === pageSize && last) return { entries: found, olderThan: last.id };
    found.push(entry);
  }
  return { entries: found };
}
