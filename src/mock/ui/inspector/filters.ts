import { operations } from '../../../protocol/endpoints.js';
import type { JournalEntry } from '../../state/journal-types.js';
import { documentedStatuses } from '../../../protocol/result-statuses.js';
import { filtersOf, type FormField, type Texts } from './forms.js';

/** Requests to any path but the four of the service. */
const otherPaths = 'other';

/** The fields of the filters of the requests. A status that no document has may come by a link. */
export function requestFields({ status = '' }: Texts): readonly FormField[] {
  const statuses = new Set([...documentedStatuses, status.trim()].filter(Boolean));
  const others = [otherPaths, 'Other paths'] as const;
  return [
    { name: 'operation', label: 'Operation', options: [['', 'All'], ...operations, others] },
    { name: 'status', label: 'Status', options: [['', 'All'], ...statuses] },
    { name: 'reference', label: 'Reference' },
  ];
}

export function requestFiltersOf(query: Texts): Texts {
  return filtersOf(requestFields(query), query);
}

/** The identifiers that a request is known by, the most specific first. */
export function entryReferences(entry: JournalEntry): string[] {
  const { referenceId, lenderTransactionCode, requestId, contractNumber, idempotencyKey } = entry;
  const references = [referenceId, lenderTransactionCode, requestId, contractNumber, idempotencyKey];
  return references.filter((reference) => reference !== undefined);
}

export function isShown(entry: JournalEntry, { operation, status, reference = '' }: Texts): boolean {
  if (operation !== undefined && (entry.operation ?? otherPaths) !== operation) return false;
  if (status !== undefined && entry.resultStatus !== status) return false;
  return reference === '' || hasText(entryReferences(entry), reference);
}

/** True if one of the texts has a part, in any case. */
export function hasText(texts: readonly string[], part: string): boolean {
  return texts.some((text) => text.toLowerCase().includes(part.toLowerCase()));
}

/** Requests on one page of the list. */
const pageSize = 100;

/** One page of the journal: the newest requests that the filters let through, of those before an ID. */
export function requestPage(entries: readonly JournalEntry[], filters: Texts, before: number) {
  const found: JournalEntry[] = [];
  for (let index = entries.length - 1; index >= 0 && found.length <= pageSize; index -= 1) {
    const entry = entries[index];
    if (entry && entry.id < before && isShown(entry, filters)) found.push(entry);
  }
  /** Older requests have an ID below this one; undefined where there are none. */
  const olderThan = found.length > pageSize ? found[pageSize - 1]?.id : undefined;
  return { entries: found.slice(0, pageSize), olderThan };
}
