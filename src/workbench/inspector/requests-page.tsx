import type { JournalEntry, MockControls } from '../../mock/observation.js';
import { link, quiet, timeOfDay } from '../../mock/ui/elements.js';
import { amountCell, durationText, requestBadges } from './badges.js';
import type { Columns } from './components.js';
import type { Page } from './layout.js';
import { listPage, pathOf, type ListQuery } from './list-page.js';
import { exactText } from './texts.js';

/** The URL of the list of requests in which a reference occurs. */
export const requestsWith = (reference: string) => pathOf('/_mock', { search: reference });

/** The operation of a request, or its method and path if it has no operation. */
export const titleOf = (entry: JournalEntry) => entry.operation ?? `${entry.method} ${entry.path}`;

/** The most specific reference that a request has. */
export const referenceOf = (entry: JournalEntry) =>
  entry.referenceId ?? entry.lenderTransactionCode ?? entry.requestId ?? entry.idempotencyKey;

const columns: Columns<JournalEntry> = [
  ['Operation', (entry) => link(`/_mock/ui/requests/${entry.id}`, titleOf(entry))],
  ['Reference', (entry) => [<code>{referenceOf(entry)}</code>, ' ', quiet(entry.contractNumber)], 'wide'],
  ['Amount', amountCell, 'amount'],
  ['Result', (entry) => <span class="badges">{requestBadges(entry)}</span>, 'wide'],
  ['Arrived', ({ at }) => timeOfDay(at), 'time'],
  ['Took', durationText, 'time minor'],
];

/** The start page: every request that arrived. */
export function requestsPage(query: ListQuery, origin: string, { journal }: MockControls): Page {
  const main = listPage(query, {
    place: 'Requests',
    records: journal.all(),
    columns,
    idOf: ({ id }) => `request-${id}`,
    empty: nothingYet(origin),
  });
  return { place: 'Requests', main };
}

const nothingYet = (origin: string) => (
  <div class="empty">
    <h2>Nothing has arrived yet</h2>
    <p>Send a request to this mock from your own program and it appears here:</p>
    {exactText(`INSTALLMENT_BASE_URL=${origin} npm start`)}
  </div>
);
