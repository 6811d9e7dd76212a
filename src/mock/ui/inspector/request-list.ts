import type { JournalEntry } from '../../state/journal-types.js';
import { timeOfDay } from '../shared/clock.js';
import { html, type Markup } from '../shared/markup.js';
import { documentedStatuses, requestBadges } from './badges.js';
import {
  isFiltered,
  operations,
  otherPaths,
  queryOf,
  referencesOf,
  type RequestFilters,
  type RequestPage,
} from './filters.js';
import { choice } from './forms.js';
import { emptyState, inspectorPage } from './layout.js';

/** One request of the list: a link to everything about it. */
export function requestRow(entry: JournalEntry): Markup {
  const { id, operation, method, path, at, durationMs } = entry;
  return html`<li data-id="${id}">
    <a href="/_mock/ui/requests/${id}">
      <span class="what">${operation ?? `${method} ${path}`}</span>
      <span class="reference">${referencesOf(entry)[0] ?? ''}</span>
      <span class="badges">${requestBadges(entry)}</span>
      <span class="when">${timeOfDay(at)}</span>
      <span class="took"
        >${durationMs === undefined ? '' : `${durationMs.toFixed(durationMs < 10 ? 1 : 0)} ms`}</span
      >
    </a>
  </li>`;
}

/** The rows of a stretch, the way to older ones, and what stands where there are none: the page's script loads it too. */
export function requestRows(
  { entries, olderThan }: RequestPage,
  filters: RequestFilters,
  origin: string,
): Markup {
  return html`<ol class="requests" data-requests>
      ${entries.map(requestRow)}
    </ol>
    <p class="older" data-older>
      ${olderThan !== undefined && html`<a class="button" href="/_mock?${queryOf(filters, { before: String(olderThan) })}">Older requests</a>`}
    </p>
    <div data-empty>${isFiltered(filters) ? nothingMatches : nothingYet(origin)}</div>`;
}

/** The start page: every request that arrived, newest first. */
export function requestListPage(
  page: RequestPage,
  filters: RequestFilters,
  { origin, isOlder }: { readonly origin: string; readonly isOlder: boolean },
): Markup {
  return inspectorPage(
    'Requests',
    'Requests',
    html`<div class="heading">
        <h1>Requests</h1>
        ${isOlder && html`<a href="/_mock?${queryOf(filters)}">Back to the newest</a>`}
      </div>
      ${filterForm(filters)}
      <div class="panel" ${isOlder ? '' : 'data-live-list'}>${requestRows(page, filters, origin)}</div>`,
  );
}

function filterForm(filters: RequestFilters): Markup {
  const { status = '', reference = '' } = filters;
  const statuses = status === '' || documentedStatuses.includes(status) ? [] : [status];
  return html`<form class="filters" action="/_mock" role="search" aria-label="Filter requests" data-filters>
    ${choice('operation', 'Operation', [['', 'All'], ...operations, [otherPaths, 'Unknown path']], filters.operation ?? '')}
    ${choice('status', 'Status', [['', 'All'], ...documentedStatuses, ...statuses], status)}
    <label class="field wide">
      <span>Reference</span>
      <input type="search" name="reference" value="${reference}" autocomplete="off" spellcheck="false" />
    </label>
    <button class="button">Filter</button>
  </form>`;
}

function nothingYet(origin: string): Markup {
  return emptyState(
    'Nothing has arrived yet',
    html`<p>Send a request to this mock and it shows up here by itself.</p>
      <pre tabindex="0"><code>INSTALLMENT_BASE_URL=${origin} npm start</code></pre>`,
  );
}

const nothingMatches = emptyState(
  'No request matches',
  html`<p>Requests that match show up here as they arrive. <a href="/_mock">Show all requests</a></p>`,
);
