import { operations } from '../../../protocol/endpoints.js';
import type { JournalEntry } from '../../state/journal-types.js';
import { documentedStatuses } from './badges.js';
import { filtersOf, type Filters, type FormField } from './forms.js';

/** Requests to any path but the four of the service. */
const otherPaths = 'other';

/** The fields of the filters of the requests. A status that no document has may come by a link. */
export function requestFields({ status = '' }: Filters): readonly FormField[] {
  const statuses = new Set([...documentedStatuses, status.trim()].filter(Boolean));
  return [
    {
      name: 'operation',
      label: 'Operation',
      options: [['', 'All'], ...operations, [otherPaths, 'Other paths']],
    },
    { name: 'status', label: 'Status', options: [['', 'All'], ...statuses] },
    { name: 'reference', label: 'Reference' },
  ];
}

export function requestFiltersOf(query: Filters): Filters {
  return filtersOf(requestFields(query), query);
}

/** The identifiers that a request is known by, the most specific first. */
export function entryReferences(entry: JournalEntry): string[] {
  const { referenceId, lenderTransactionCode, requestId, contractNumber, idempotencyKey } = entry;
  return [referenceId, lenderTransactionCode, requestId, contractNumber, idempotencyKey].filter(
    (reference) => reference !== undefined,
  );
}

export function isShown(entry: JournalEntry, { operation, status, reference }: Filters): boolean {
  if (operation !== undefined && (entry.operation ?? otherPaths) !== operation) return false;
  if (status !== undefined && entry.resultStatus !== status) return false;
  return reference === undefined || hasText(entryReferences(entry), reference);
}

/** True if one of the texts has a part, in any case. */
export function hasText(texts: readonly string[], part: string): boolean {
  return texts.some((text) => text.toLowerCase().includes(part.toLowerCase()));
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
  filters: Filters,
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
