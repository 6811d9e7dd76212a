import type { ResolvedWireSwitches } from '../../../protocol/wire-switches.js';
import { isDelay, type MockFault } from '../../wire/faults.js';
import type { JournalEntry } from '../../state/journal-types.js';
import type { MockPayment } from '../../state/payments.js';
import { badge, facts, link, zonedMoment } from '../shared/elements.js';
import { amountOf, faultText, isLost, paymentBadge, requestBadges } from './badges.js';
import { curlCommand, isSigned } from './curl.js';
import { diagnosisPanel } from './diagnosis-view.js';
import { bodyText, copyButton, exactText } from './exact-text.js';
import { entryReferences } from './filters.js';
import { DetailPage } from './layout.js';
import { headerFacts, Panel } from './panel.js';
import { payPath, paymentPath } from './payment-detail.js';

export interface RequestDetail {
  readonly entry: JournalEntry;
  /** The payment that the request is about, where there is one. */
  readonly payment: MockPayment | undefined;
  readonly origin: string;
  readonly wire: ResolvedWireSwitches;
  /** IDs of the neighbours, where they are kept. */
  readonly newer: number | undefined;
  readonly older: number | undefined;
}

/** Everything that is known about one request. */
export function requestDetailPage({ entry, payment, origin, wire, newer, older }: RequestDetail) {
  const title = entry.operation ?? `${entry.method} ${entry.path}`;
  const reference = entryReferences(entry)[0];
  const { at, idempotencyKey, resultMsg, durationMs, fault, faultPhase, error, contractNumber } = entry;
  const phase = faultPhase === 'after' ? 'after the service acted' : 'before the service acted';
  const contract = `/_mock/ui/contracts/${encodeURIComponent(contractNumber ?? '')}`;
  const neighbour = (id: number | undefined, label: string, rel: string) =>
    id !== undefined && link(`/_mock/ui/requests/${id}`, label, { rel });
  return (
    <DetailPage
      place="Requests"
      title={reference === undefined ? title : `${title} ${reference}`}
      isLive={!entry.completed}
      crumbs={[
        link('/_mock', 'All requests'),
        neighbour(newer, 'Newer', 'prev'),
        neighbour(older, 'Older', 'next'),
      ]}
      heading={title}
      beside={[
        reference !== undefined && <p class="reference mono">{reference}</p>,
        <p class="badges">{requestBadges(entry)}</p>,
        amountOf(entry),
      ]}
      summary={[
        ['Arrived', zonedMoment(at)],
        ['Took', durationMs === undefined ? undefined : `${durationMs.toFixed(1)} ms`],
        ['Message', resultMsg],
        ['Fault', fault && `${faultText(fault)}, ${phase}`],
        ['Broken off', error],
        ['Idempotency-Key', idempotencyKey && <code>{idempotencyKey}</code>],
        ['Payment', payment && paymentLinks(payment)],
        ['Contract', contractNumber && link(contract, contractNumber)],
      ]}
    >
      {entry.diagnosis && diagnosisPanel(entry.diagnosis, entry, wire)}
      <div class="beside">
        {requestPanel(entry)}
        {responsePanel(entry)}
      </div>
      {curlPanel(entry, origin, wire)}
    </DetailPage>
  );
}

const paymentLinks = (payment: MockPayment) => [
  link(paymentPath(payment), payment.referenceId),
  [' ', paymentBadge(payment), ' '],
  link(payPath(payment), 'Payment page'),
];

/** A request: its headers, and the fields of its form or its body as text. */
const requestPanel = ({ method, path, headers, fields, files = [], body, bodyBytes }: JournalEntry) => (
  <Panel id="request" title="Request">
    <p>
      <code>{`${method} ${path}`}</code>
      {bodyBytes !== undefined && <span class="quiet"> {bodyBytes} bytes</span>}
    </p>
    {headerFacts(headers)}
    <p class="quiet aside">Credentials are not kept, and signatures only where one was refused.</p>
    {fields && <h3>Form</h3>}
    {fields && headerFacts(fields, 'field-text')}
    {files.map(({ field, name, type, size, sha256 }) => [
      <h3>File {name}</h3>,
      facts([
        ['Field', field],
        ['Declared type', type],
        ['Size', `${size} bytes`],
        ['SHA-256', <code>{sha256}</code>],
      ]),
    ])}
    {body !== undefined && bodyText(body, bodyBytes)}
  </Panel>
);

const arrived: Readonly<Record<Exclude<MockFault, object>, string>> = {
  'connection-reset': 'nothing: the connection was reset',
  'empty-response': 'nothing: the connection was closed',
  hang: 'nothing: the connection stays open',
  'stalled-body': 'the first half of the body, and then nothing',
  'truncated-body': 'the first half of the body, and then the end of the connection',
  'invalid-json': 'the first half of the JSON, as a complete response',
  'html-502': "a gateway's HTML page, with status 502",
};

/** The response of the service, and how much of it arrived when a fault was injected. */
function responsePanel(entry: JournalEntry) {
  const { fault, httpStatus, response, completed } = entry;
  const struck = fault !== undefined && !isDelay(fault) && `The sender got ${arrived[fault]}. `;
  const acted = response ? 'The service acted, and this is what it answered:' : 'The service did not act.';
  const status = httpStatus !== undefined && badge('plain', `HTTP ${httpStatus}`);
  return (
    <Panel id="response" title={isLost(entry) ? 'Response, which was lost' : 'Response'} action={status}>
      {struck && <p class="notice warn">{struck + acted}</p>}
      {response && headerFacts(response.headers)}
      {response?.body && bodyText(response.body, response.bodyBytes)}
      {!response && !struck && <p class="quiet">{completed ? 'No response.' : 'No response yet.'}</p>}
    </Panel>
  );
}

function curlPanel(entry: JournalEntry, origin: string, wire: ResolvedWireSwitches) {
  const curl = curlCommand(entry, origin, wire);
  if ('reason' in curl) {
    return (
      <Panel id="curl" title="Send it again">
        <p class="quiet">There is no curl command for it: {curl.reason}</p>
      </Panel>
    );
  }
  return (
    <Panel id="curl" title="Send it again" action={copyButton('curl-command', 'Copy as curl')}>
      {isSigned(entry) && (
        <p class="quiet">
          Signs the request again with the key in <code>INSTALLMENT_SECRET_KEY</code> of your shell.
        </p>
      )}
      {exactText(curl.command, 'curl-command')}
    </Panel>
  );
}
