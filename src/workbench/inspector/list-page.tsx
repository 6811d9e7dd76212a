import type { Child } from 'hono/jsx';
import { link } from '../../mock/ui/elements.js';
import { button, emptyState, table, type Columns } from './components.js';
import type { Page } from './layout.js';

/** The number of records on one page of a list. */
const pageSize = 50;

/** The query of a list: a text to search for, and the position in the list before which the page ends. */
export type ListQuery = Readonly<Partial<Record<'search' | 'before', string>>>;

export const pathOf = (path: string, query: ListQuery) => `${path}?${new URLSearchParams(query).toString()}`;

/** The records that contain the search text, case-insensitively. */
export function found<Row extends object>(records: readonly Row[], { search = '' }: ListQuery) {
  const part = search.trim().toLowerCase();
  const hasPart = (value: unknown) => typeof value === 'string' && value.toLowerCase().includes(part);
  return records.filter((record) => Object.values(record).some(hasPart));
}

/** The newest records before a position in a list that begins with the oldest. */
export function newest<Row>(records: readonly Row[], { before }: ListQuery = {}) {
  const end = Math.min(Number(before) || Infinity, records.length);
  const start = Math.max(0, end - pageSize);
  return { rows: records.slice(start, end).reverse(), start };
}

/** The heading of a list, with the number of its records and the search in them. */
export const listHeading = (place: string, count: string, query: ListQuery) => (
  <div class="heading">
    <h1>{place}</h1>
    <span class="quiet" role="status">
      {count}
    </span>
    <form class="search" role="search">
      <input type="search" name="search" value={query.search} aria-label="Search" placeholder="Search" />
      {button('Search')}
    </form>
  </div>
);

interface List<Row> {
  readonly place: Page['place'];
  /** The records, oldest first. */
  readonly records: readonly Row[];
  readonly columns: Columns<Row>;
  readonly idOf: (record: Row) => string;
  /** The content that is shown while there are no records. */
  readonly empty: Child;
}

/** A list of records, the newest first: one page of the list, and the link to older records. */
export function listPage<Row extends object>(query: ListQuery, { place, records, ...list }: List<Row>) {
  const matches = found(records, query);
  const { rows, start } = newest(matches, query);
  const { search = '' } = query;
  const count = search === '' ? `${records.length}` : `${matches.length} of ${records.length}`;
  const nothing = records.length === 0 ? list.empty : emptyState('No match', link('?', 'Show all'));
  const older = pathOf('', { search, before: String(start) });
  return [
    listHeading(place, count, query),
    <div class="panel list">{rows.length === 0 ? nothing : table(place, list.columns, rows, list.idOf)}</div>,
    start > 0 && <p class="older">{link(older, `Older ${place.toLowerCase()}`)}</p>,
  ];
}
