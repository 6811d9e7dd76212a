import type { ResolvedWireSwitches } from '../../../protocol/wire-switches.js';
import { isDelay, type MockFault } from '../../common/faults.js';
import { isLost } from '../../state/journal.js';
import type { JournalEntry } from '../../state/journal-types.js';
import type { MockControls } from '../../controls/mock-controls.js';
import type { MockPayment } from '../../state/payment-record.js';
import { badge, facts, link, quiet, zonedMoment } from '../shared/elements.js';
import { amountOf, faultText, paymentBadge, requestBadges } from './badges.js';
import { curlCommand, isSigned } from './curl.js';
import { diagnosisPanel } from './diagnosis-view.js';
import { bodyText, copyButton, exactText } from './exact-text.js';
import { entryReferences } from './filters.js';
import { besideEachOther, detailPage } from './layout.js';
import { headerFacts, panel } from './panel.js';
import { payPath, paymentPath } from './payment-detail.js';

/** Everything that is known about one request. */
export function requestDetailPage(
  entry: JournalEntry,
  mock: MockControls,
  wire: ResolvedWireSwitches,
  origin: string,
) {
  const { id, referenceId, merchantId } = entry;
  const payment = referenceId === undefined ? undefined : mock.payments.get(referenceId, merchantId);
  const { at, idempotencyKey, resultMsg, durationMs, fault, faultPhase, error, contractNumber = '' } = entry;
  const heading = entry.operation ?? `${entry.method} ${entry.path}`;
  const [reference] = entryReferences(entry);
  const phase = faultPhase === 'after' ? 'after the service acted' : 'before the service acted';
  const contract = `/_mock/ui/contracts/${encodeURIComponent(contractNumber)}`;
  const neighbour = (other: number, label: string, rel: string) =>
    mock.journal.get(other) && link(`/_mock/ui/requests/${other}`, label, { rel });
  return detailPage({
    place: 'Requests',
    title: reference === undefined ? heading : `${heading} ${reference}`,
    isLive: !entry.completed,
    crumbs: [
      link('/_mock', 'All requests'),
      neighbour(id + 1, 'Newer', 'prev'),
      neighbour(id - 1, 'Older', 'next'),
    ],
    heading,
    beside: [
      reference !== undefined && <p class="reference mono">{reference}</p>,
      <p class="badges">{requestBadges(entry)}</p>,
      amountOf(entry),
    ],
    summary: [
      ['Arrived', zonedMoment(at)],
      ['Took', durationMs === undefined ? undefined : `${durationMs.toFixed(1)} ms`],
      ['Message', resultMsg],
      ['Fault', fault && `${faultText(fault)}, ${phase}`],
      ['Broken off', error],
      ['Idempotency-Key', idempotencyKey && <code>{idempotencyKey}</code>],
      ['Payment', payment && paymentLinks(payment)],
      ['Contract', entry.contractNumber && link(contract, contractNumber)],
    ],
    content: [
      entry.diagnosis && diagnosisPanel(entry.diagnosis, entry, wire),
      besideEachOther(requestPanel(entry), responsePanel(entry)),
      curlPanel(entry, origin, wire),
    ],
  });
}

const paymentLinks = (payment: MockPayment) => [
  link(paymentPath(payment), payment.referenceId),
  [' ', paymentBadge(payment), ' '],
  link(payPath(payment), 'Payment page'),
];

/** A request: its headers, and the fields of its form or its body as text. */
const requestPanel = ({ method, path, headers, fields, files = [], body, bodyBytes }: JournalEntry) =>
  panel('request', 'Request', [
    <p>{[<code>{`${method} ${path}`}</code>, quiet(bodyBytes && ` ${bodyBytes} bytes`)]}</p>,
    headerFacts(headers),
    <p class="quiet aside">Credentials are not kept, and signatures only where one was refused.</p>,
    fields && [<h3>Form</h3>, headerFacts(fields, 'field-text')],
    files.map(({ field, name, type, size, sha256 }) => [
      <h3>File {name}</h3>,
      facts([
        ['Field', field],
        ['Declared type', type],
        ['Size', `${size} bytes`],
        ['SHA-256', <code>{sha256}</code>],
      ]),
    ]),
    body !== undefined && bodyText(body, bodyBytes),
  ]);

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
  const acted = entry.acted ? 'The service acted' : 'The service did not act';
  const answered = response ? ', and this is what it answered:' : '.';
  const nothing = <p class="quiet">{completed ? 'No response.' : 'No response yet.'}</p>;
  const content = [
    struck && <p class="notice warn">{struck + acted + answered}</p>,
    response && headerFacts(response.headers),
    response?.body && bodyText(response.body, response.bodyBytes),
    !response && !struck && nothing,
  ];
  const title = isLost(entry) ? 'Response, which was lost' : 'Response';
  return panel('response', title, content, httpStatus && badge('plain', `HTTP ${httpStatus}`));
}

const howSigned = (
  <p class="quiet">
    Signs the request again with the key in <code>INSTALLMENT_SECRET_KEY</code> of your shell.
  </p>
);

function curlPanel(entry: JournalEntry, origin: string, wire: ResolvedWireSwitches) {
  const curl = curlCommand(entry, origin, wire);
  const id = 'curl-command';
  const [content, action] =
    'reason' in curl
      ? [<p class="quiet">There is no curl command for it: {curl.reason}</p>]
      : [[isSigned(entry) && howSigned, exactText(curl.command, id)], copyButton(id, 'Copy as curl')];
  return panel('curl', 'Send it again', content, action);
}
