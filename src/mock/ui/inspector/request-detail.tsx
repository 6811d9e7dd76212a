import type { ResolvedWireSwitches } from '../../../protocol/wire-switches.js';
import type { JournalEntry } from '../../state/journal-types.js';
import type { MockPayment } from '../../state/payments.js';
import { CopyButton, ExactText } from '../shared/exact-text.js';
import { ZonedMoment } from '../shared/moment.js';
import { Amount, faultText, PaymentBadge, RequestBadges } from './badges.js';
import { curlCommand, isSigned } from './curl.js';
import { DiagnosisView } from './diagnosis-view.js';
import { entryReferences } from './filters.js';
import { DetailPage, type Crumb } from './layout.js';
import { Panel } from './panel.js';
import { payPath, paymentPath } from './payment-detail.js';
import { RequestPanel, ResponsePanel } from './request-panels.js';

interface RequestDetailProps {
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
export function RequestDetailPage({ entry, payment, origin, wire, newer, older }: RequestDetailProps) {
  const title = entry.operation ?? `${entry.method} ${entry.path}`;
  const reference = entryReferences(entry)[0];
  const { at, idempotencyKey, resultMsg, durationMs, fault, faultPhase, error, contractNumber } = entry;
  const phase = faultPhase === 'after' ? 'after the service acted' : 'before the service acted';
  return (
    <DetailPage
      place="Requests"
      title={reference === undefined ? title : `${title} ${reference}`}
      isLive={!entry.completed}
      crumbs={[
        ['/_mock', 'All requests'],
        ...neighbour(newer, 'Newer', 'prev'),
        ...neighbour(older, 'Older', 'next'),
      ]}
      beside={
        <>
          {reference !== undefined && <p class="reference mono">{reference}</p>}
          <p class="badges">
            <RequestBadges entry={entry} />
          </p>
          <Amount of={entry} />
        </>
      }
      heading={title}
      facts={[
        ['Arrived', <ZonedMoment at={at} />],
        ['Took', durationMs === undefined ? undefined : `${durationMs.toFixed(1)} ms`],
        ['Message', resultMsg],
        ['Fault', fault && `${faultText(fault)}, ${phase}`],
        ['Broken off', error],
        ['Idempotency-Key', idempotencyKey && <code>{idempotencyKey}</code>],
        ['Payment', payment && <PaymentLinks payment={payment} />],
        [
          'Contract',
          contractNumber && (
            <a href={`/_mock/ui/contracts/${encodeURIComponent(contractNumber)}`}>{contractNumber}</a>
          ),
        ],
      ]}
    >
      {entry.diagnosis && <DiagnosisView diagnosis={entry.diagnosis} entry={entry} wire={wire} />}
      <div class="beside">
        <RequestPanel entry={entry} />
        <ResponsePanel entry={entry} />
      </div>
      <Curl entry={entry} origin={origin} wire={wire} />
    </DetailPage>
  );
}

function neighbour(id: number | undefined, label: string, rel: string): readonly Crumb[] {
  return id === undefined ? [] : [[`/_mock/ui/requests/${String(id)}`, label, rel]];
}

function PaymentLinks({ payment }: { readonly payment: MockPayment }) {
  return (
    <>
      <a href={paymentPath(payment)}>{payment.referenceId}</a> <PaymentBadge status={payment.status} />{' '}
      <a href={payPath(payment)}>Payment page</a>
    </>
  );
}

function Curl({ entry, origin, wire }: Pick<RequestDetailProps, 'entry' | 'origin' | 'wire'>) {
  const curl = curlCommand(entry, origin, wire);
  if ('reason' in curl) {
    return (
      <Panel id="curl" title="Send it again">
        <p class="quiet">There is no curl command for it: {curl.reason}</p>
      </Panel>
    );
  }
  return (
    <Panel id="curl" title="Send it again" action={<CopyButton of="curl-command" label="Copy as curl" />}>
      {isSigned(entry) && (
        <p class="quiet">
          Signs the request again with the key in <code>INSTALLMENT_SECRET_KEY</code> of your shell.
        </p>
      )}
      <ExactText id="curl-command" text={curl.command} />
    </Panel>
  );
}
