import type { JournalEntry } from '../../state/journal-types.js';
import { link, timeOfDay } from '../shared/elements.js';
import { amountOf, requestBadges } from './badges.js';
import { copyButton, exactText } from './exact-text.js';
import { entryReferences, requestFields, requestFiltersOf, requestPage } from './filters.js';
import { firstRequest } from './first-request.js';
import { filterForm, queryOf, type Texts } from './forms.js';
import type { InspectorSetup } from './inspector-setup.js';
import { emptyState, type Page } from './layout.js';
import { actionForm } from './panel.js';

/** One request of the list: a link to everything about it. */
export function requestRow(entry: JournalEntry) {
  const { id, operation, method, path, at, durationMs, contractNumber } = entry;
  const took = durationMs !== undefined && `${durationMs.toFixed(durationMs < 10 ? 1 : 0)} ms`;
  return (
    <li data-id={id}>
      <a href={`/_mock/ui/requests/${id}`}>
        <span class="when">{timeOfDay(at)}</span>
        <span class="what">{operation ?? `${method} ${path}`}</span>
        <span class="names">
          <span class="reference">{entryReferences(entry)[0]}</span>{' '}
          <span class="quiet">{contractNumber}</span>
        </span>
        {amountOf(entry)}
        <span class="badges">{requestBadges(entry)}</span>
        <span class="took">{took}</span>
      </a>
    </li>
  );
}

/** The rows that a query asks for; only the newest page is live. The command is a signed request. */
export function requestsOf(query: Texts, origin: string, { journal, clientOptions, now }: InspectorSetup) {
  const filters = requestFiltersOf(query);
  const before = Number(query['before'] ?? Infinity);
  const page = requestPage(journal.all(), filters, before);
  const curl = firstRequest(origin, clientOptions(), now());
  return { ...page, filters, origin, curl, isOlder: Number.isFinite(before) };
}

type Requests = ReturnType<typeof requestsOf>;

/** A page of rows, the link to older ones, and the text for an empty list. The page's script loads it too. */
export function requestRows({ entries, olderThan, filters, origin, curl }: Requests) {
  const older = `/_mock?${queryOf(filters, { before: String(olderThan) })}`;
  return (
    <>
      <ol class="requests" data-requests="">
        {entries.map(requestRow)}
      </ol>
      <p class="older" data-older="">
        {olderThan !== undefined && link(older, 'Older requests', { class: 'button' })}
      </p>
      <div data-empty="">{queryOf(filters) === '' ? nothingYet(origin, curl) : nothingMatches}</div>
    </>
  );
}

/** The start page: every request that arrived, newest first. */
export function requestListPage(requests: Requests): Page {
  const { filters, isOlder } = requests;
  const main = [
    <div class="heading">
      <h1>Requests</h1>
      {isOlder && link(`/_mock?${queryOf(filters)}`, 'Back to the newest')}
      {actionForm('clear', {}, clear, { class: 'end' })}
    </div>,
    filterForm('/_mock', 'Filter requests', requestFields(filters), filters),
    <div class="panel" data-live-list={isOlder ? undefined : ''}>
      {requestRows(requests)}
    </div>,
  ];
  return { place: 'Requests', main };
}

const clear = (
  <button class="button" title="Forgets these requests. Payments and everything else stay.">
    Clear
  </button>
);

const nothingYet = (origin: string, curl: string) => (
  <div class="empty">
    <h2>Nothing has arrived yet</h2>
    <p>Send a request to this mock and it appears here: from your own program,</p>
    {exactText(`INSTALLMENT_BASE_URL=${origin} npm start`)}
    <div class="heading">
      <p>or signed already, from a shell.</p>
      {copyButton('first-request', 'Copy as curl')}
    </div>
    {exactText(curl, 'first-request')}
  </div>
);

const nothingMatches = emptyState('No request matches', [
  'Matching requests appear here as they arrive. ',
  link('/_mock', 'Show all requests'),
]);
