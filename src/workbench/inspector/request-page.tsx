import type { ResolvedWireSwitches as Wire } from '../../protocol/wire-switches.js';
import { isAnswerLost, type JournalEntry, type MockControls } from '../../mock/observation.js';
import { badge, link, quiet, zonedMoment } from '../../mock/ui/elements.js';
import { amountCell, durationText, faultText, paymentBadge, requestBadges } from './badges.js';
import { headerFacts, panel } from './components.js';
import { curlCommand, isSigned } from './curl.js';
import { diagnosisPanel } from './diagnosis-panel.js';
import { recordPage } from './layout.js';
import { contractLink } from './lender-page.js';
import { payLink, paymentPath } from './payments-pages.js';
import { referenceOf, titleOf } from './requests-page.js';
import { bodyText, copyButton, exactText } from './texts.js';

/** The page of one request with all its data. */
export function requestPage(entry: JournalEntry, mock: MockControls, origin: string, wire: Wire) {
  const { at, referenceId, merchantId, idempotencyKey, resultMsg, fault, error, contractNumber } = entry;
  const payment = referenceId === undefined ? undefined : mock.payments.get(referenceId, merchantId);
  return recordPage({
    place: 'Requests',
    title: `${titleOf(entry)} ${referenceOf(entry) ?? ''}`.trim(),
    crumbs: link('/_mock', 'All requests'),
    beside: [<p class="badges">{requestBadges(entry)}</p>, amountCell(entry)],
    summary: [
      ['Arrived', zonedMoment(at)],
      ['Took', durationText(entry)],
      ['Message', resultMsg],
      ['Warnings', entry.warnings?.join(' ')],
      ['Unknown fields', entry.unknownFields?.join(', ')],
      ['Fault', fault && `${faultText(fault)}, ${entry.faultPhase ?? 'before'} the service acts`],
      ['Broken off', error],
      ['Idempotency-Key', idempotencyKey],
      ['Payment', payment && [link(paymentPath(payment), 'Payment '), paymentBadge(payment)]],
      ['Payment page', payment && payLink(payment, 'Open')],
      ['Contract', contractNumber && contractLink(contractNumber)],
    ],
    content: [
      entry.diagnosis && diagnosisPanel(entry.diagnosis, entry, wire),
      <div class="beside">{[requestPanel(entry), responsePanel(entry)]}</div>,
      curlPanel(entry, origin, wire),
    ],
  });
}

/** The request: its headers, and the fields of its form or its body as text. */
const requestPanel = ({ method, path, headers, fields, files = [], body, bodyBytes }: JournalEntry) =>
  panel('request', 'Request', [
    <p>{[<code>{`${method} ${path}`}</code>, quiet(bodyBytes && ` ${bodyBytes} bytes`)]}</p>,
    headerFacts(headers),
    <p class="quiet">Credentials are not kept, and a signature only if it was refused.</p>,
    fields && [<h3>Form</h3>, headerFacts(fields)],
    files.map(({ name, size, ...file }) => [
      <h3>File {name}</h3>,
      headerFacts({ bytes: `${size}`, ...file }),
    ]),
    body !== undefined && bodyText(body, bodyBytes),
  ]);

/** The response of the service, whether it arrived or not. */
function responsePanel(entry: JournalEntry) {
  const { httpStatus, response, completed } = entry;
  const content = [
    response && headerFacts(response.headers),
    response?.body && bodyText(response.body, response.bodyBytes),
    !response && <p class="quiet">{completed ? 'No response.' : 'No response yet.'}</p>,
  ];
  const title = isAnswerLost(entry) ? 'Response, which was lost' : 'Response';
  return panel('response', title, content, httpStatus && badge('plain', `HTTP ${httpStatus}`));
}

function curlPanel(entry: JournalEntry, origin: string, wire: Wire) {
  const command = curlCommand(entry, origin, wire);
  if (command === undefined) return undefined;
  const key = <code>INSTALLMENT_SECRET_KEY</code>;
  const how = <p class="quiet">{['Signed with the key in ', key, ' of your shell.']}</p>;
  const content = [isSigned(entry) && how, exactText(command, 'command')];
  return panel('curl', 'Send it again', content, copyButton('command', 'Copy as curl'));
}
