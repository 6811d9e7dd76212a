import type { JournalEntry } from '../../state/journal-types.js';
import { ZonedMoment } from '../shared/moment.js';
import { faultText, RequestBadges } from './badges.js';
import { curlCommand, isSigned } from './curl.js';
import { DiagnosisView } from './diagnosis-view.js';
import { entryReferences } from './filters.js';
import { InspectorPage } from './layout.js';
import { Facts, Panel } from './panel.js';
import { RequestContent } from './request-content.js';

interface EntryProps {
  readonly entry: JournalEntry;
}

interface RequestDetailProps extends EntryProps {
  readonly origin: string;
  /** IDs of the neighbours, where they are kept. */
  readonly newer?: number | undefined;
  readonly older?: number | undefined;
}

/** Everything that is known about one request. */
export function RequestDetailPage({ entry, origin, newer, older }: RequestDetailProps) {
  const title = entry.operation ?? `${entry.method} ${entry.path}`;
  const reference = entryReferences(entry)[0];
  return (
    <InspectorPage place="Requests" title={reference === undefined ? title : `${title} ${reference}`}>
      <nav class="crumbs" aria-label="Other requests">
        <a href="/_mock">All requests</a>
        <Neighbour id={newer} rel="prev" label="Newer" />
        <Neighbour id={older} rel="next" label="Older" />
      </nav>
      <div data-live-region={entry.completed ? undefined : ''} id="region">
        <div class="heading">
          <h1>{title}</h1>
          {reference !== undefined && <p class="reference mono">{reference}</p>}
        </div>
        <p class="badges">
          <RequestBadges entry={entry} />
        </p>
        <Summary entry={entry} />
        {entry.diagnosis && <DiagnosisView diagnosis={entry.diagnosis} />}
        <Headers entry={entry} />
        <RequestContent entry={entry} />
        <Curl entry={entry} origin={origin} />
      </div>
    </InspectorPage>
  );
}

function Neighbour(props: { readonly id: number | undefined; readonly rel: string; readonly label: string }) {
  const { id, rel, label } = props;
  return (
    <span>
      {id !== undefined && (
        <a href={`/_mock/ui/requests/${String(id)}`} rel={rel}>
          {label}
        </a>
      )}
    </span>
  );
}

function Summary({ entry }: EntryProps) {
  const { at, method, path, idempotencyKey, httpStatus, resultMsg, durationMs, fault, faultPhase, error } =
    entry;
  const phase = faultPhase === 'after' ? 'after the service acted' : 'before the service acted';
  return (
    <section class="panel" aria-label="Summary">
      <Facts
        of={[
          ['Arrived', <ZonedMoment at={at} />],
          ['Request', <code>{`${method} ${path}`}</code>],
          ['Message', resultMsg],
          ['HTTP status', httpStatus],
          ['Fault', fault && `${faultText(fault)}, ${phase}`],
          ['Broken off', error],
          ['Took', durationMs === undefined ? undefined : `${durationMs.toFixed(1)} ms`],
          ['Idempotency-Key', idempotencyKey && <code>{idempotencyKey}</code>],
        ]}
      />
    </section>
  );
}

function Headers({ entry }: EntryProps) {
  return (
    <Panel id="headers" title="Headers">
      <Facts of={Object.entries(entry.headers).map(([name, value]) => [name, <code>{value}</code>])} />
      <p class="quiet">Credentials are not kept, and signatures only where one was refused.</p>
    </Panel>
  );
}

function Curl({ entry, origin }: EntryProps & { readonly origin: string }) {
  const curl = curlCommand(entry, origin);
  if ('reason' in curl) {
    return (
      <Panel id="curl" title="Send it again">
        <p class="quiet">There is no curl command for it: {curl.reason}</p>
      </Panel>
    );
  }
  const copy = (
    <button class="button" type="button" data-copy="curl-command" hidden>
      Copy as curl
    </button>
  );
  return (
    <Panel id="curl" title="Send it again" action={copy}>
      {isSigned(entry) && (
        <p class="quiet">
          Signs the request again with the key in <code>INSTALLMENT_SECRET_KEY</code> of your shell.
        </p>
      )}
      <pre class="text" id="curl-command" tabindex={0}>
        {curl.command}
      </pre>
    </Panel>
  );
}
