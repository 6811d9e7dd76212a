import { CopyButton, ExactText } from '../shared/exact-text.js';
import { TimeOfDay } from '../shared/moment.js';
import { Amount, RequestBadges, type EntryProps } from './badges.js';
import { entryReferences, requestFields, type RequestPage } from './filters.js';
import { FilterForm, queryOf, type Filters } from './forms.js';
import { EmptyState, InspectorPage } from './layout.js';

/** One request of the list: a link to everything about it. */
export function RequestRow({ entry }: EntryProps) {
  const { id, operation, method, path, at, durationMs, contractNumber } = entry;
  return (
    <li data-id={id}>
      <a href={`/_mock/ui/requests/${String(id)}`}>
        <span class="when">
          <TimeOfDay at={at} />
        </span>
        <span class="what">{operation ?? `${method} ${path}`}</span>
        <span class="names">
          <span class="reference">{entryReferences(entry)[0]}</span>{' '}
          <span class="quiet">{contractNumber}</span>
        </span>
        <Amount of={entry} />
        <span class="badges">
          <RequestBadges entry={entry} />
        </span>
        <span class="took">
          {durationMs !== undefined && `${durationMs.toFixed(durationMs < 10 ? 1 : 0)} ms`}
        </span>
      </a>
    </li>
  );
}

interface RequestRowsProps {
  readonly page: RequestPage;
  readonly filters: Filters;
  readonly origin: string;
  /** A signed request as a command. */
  readonly curl: string;
}

/** A page of rows, the link to older ones, and the text for an empty list. The page's script loads it too. */
export function RequestRows({ page: { entries, olderThan }, filters, origin, curl }: RequestRowsProps) {
  return (
    <>
      <ol class="requests" data-requests="">
        {entries.map((entry) => (
          <RequestRow entry={entry} />
        ))}
      </ol>
      <p class="older" data-older="">
        {olderThan !== undefined && (
          <a class="button" href={`/_mock?${queryOf(filters, { before: String(olderThan) })}`}>
            Older requests
          </a>
        )}
      </p>
      <div data-empty="">
        {queryOf(filters) === '' ? <NothingYet origin={origin} curl={curl} /> : <NothingMatches />}
      </div>
    </>
  );
}

/** The start page: every request that arrived, newest first. Only the newest page is live. */
export function RequestListPage({ isOlder, ...rows }: RequestRowsProps & { readonly isOlder: boolean }) {
  return (
    <InspectorPage place="Requests">
      <div class="heading">
        <h1>Requests</h1>
        {isOlder && <a href={`/_mock?${queryOf(rows.filters)}`}>Back to the newest</a>}
        <form method="post" action="/_mock/ui/clear" class="end">
          <button class="button" title="Forgets these requests. Payments and everything else stay.">
            Clear
          </button>
        </form>
      </div>
      <FilterForm
        action="/_mock"
        label="Filter requests"
        fields={requestFields(rows.filters)}
        filters={rows.filters}
      />
      <div class="panel" data-live-list={isOlder ? undefined : ''}>
        <RequestRows {...rows} />
      </div>
    </InspectorPage>
  );
}

function NothingYet({ origin, curl }: Pick<RequestRowsProps, 'origin' | 'curl'>) {
  return (
    <EmptyState title="Nothing has arrived yet">
      <p>Send a request to this mock and it appears here: from your own program,</p>
      <ExactText text={`INSTALLMENT_BASE_URL=${origin} npm start`} />
      <div class="heading">
        <p>or signed already, from a shell.</p>
        <CopyButton of="first-request" label="Copy as curl" />
      </div>
      <ExactText id="first-request" text={curl} />
    </EmptyState>
  );
}

function NothingMatches() {
  return (
    <EmptyState title="No request matches">
      <p>
        Matching requests appear here as they arrive. <a href="/_mock">Show all requests</a>
      </p>
    </EmptyState>
  );
}
