import { resultStatuses } from '../../../protocol/result-statuses.js';
import { isDelay, type MockFault } from '../../controls/faults.js';
import type { JournalEntry } from '../../state/journal-types.js';
import type { MockPayment } from '../../state/payments.js';
import { Badge, type Tone } from '../shared/badge.js';

const documented = Object.values(resultStatuses).flatMap((statuses) => Object.entries(statuses));

/** Every documented result status of either operation, once. */
export const documentedStatuses: readonly string[] = [...new Set(documented.map(([status]) => status))];

const uncertain: ReadonlySet<string> = new Set(
  documented.filter(([, { outcome }]) => outcome === 'unknown').map(([status]) => status),
);

function statusTone(status: string): Tone {
  if (status === 'APPROVED') return 'good';
  return uncertain.has(status) || !documentedStatuses.includes(status) ? 'warn' : 'bad';
}

export function faultText(fault: MockFault): string {
  return isDelay(fault) ? `${String(fault.delayMs)} ms late` : fault;
}

/** How a request ended, and what was unusual about it. */
export function RequestBadges({ entry }: { readonly entry: JournalEntry }) {
  const { resultStatus, completed, fault, diagnosis, replay, scripted, error, operation } = entry;
  return (
    <>
      {resultStatus !== undefined && <Badge tone={statusTone(resultStatus)}>{resultStatus}</Badge>}
      {!completed && <Badge tone="note">in progress</Badge>}
      {replay && <Badge tone="note">replay</Badge>}
      {scripted && <Badge tone="note">scripted</Badge>}
      {fault !== undefined && <Badge tone="warn">fault: {faultText(fault)}</Badge>}
      {diagnosis && <Badge tone="bad">bad signature</Badge>}
      {operation === undefined && <Badge tone="plain">unknown path</Badge>}
      {error !== undefined && <Badge tone="bad">broken off</Badge>}
    </>
  );
}

const paymentTones: Readonly<Record<MockPayment['status'], Tone>> = {
  pending: 'note',
  paid: 'good',
  declined: 'bad',
  expired: 'warn',
};

export function PaymentBadge({ status }: Pick<MockPayment, 'status'>) {
  return <Badge tone={paymentTones[status]}>{status}</Badge>;
}
