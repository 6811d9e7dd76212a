import { resultStatuses } from '../../../protocol/result-statuses.js';
import { isDelay, type MockFault } from '../../common/faults.js';
import type { JournalEntry } from '../../state/journal-types.js';
import { isLost } from '../../state/journal.js';
import type { MockPayment } from '../../state/payment-record.js';
import { badge, dong, type Tone } from '../shared/elements.js';

const documented = Object.values(resultStatuses).flatMap((statuses) => Object.entries(statuses));

function statusTone(status: string): Tone {
  if (status === 'APPROVED') return 'good';
  const meanings = documented.filter(([name]) => name === status);
  return meanings.length === 0 || meanings.some(([, { outcome }]) => outcome === 'unknown') ? 'warn' : 'bad';
}

export function faultText(fault: MockFault): string {
  return isDelay(fault) ? `${fault.delayMs} ms late` : fault;
}

/** How a request ended, and what was unusual about it. */
export function requestBadges(entry: JournalEntry) {
  const { resultStatus, completed, fault, hasDiagnosis, replay, scripted, error, operation, own } = entry;
  const lost = isLost(entry);
  return [
    lost && badge('warn', 'answer lost'),
    resultStatus !== undefined && badge(lost ? 'plain' : statusTone(resultStatus), resultStatus),
    !completed && badge('note', 'in progress'),
    replay && badge('note', 'replay'),
    scripted && badge('note', 'scripted'),
    fault !== undefined && badge('warn', `fault: ${faultText(fault)}`),
    // The causes are on the page of the request: making them for a whole list takes seconds.
    hasDiagnosis && badge('bad', 'diagnosis'),
    operation === undefined && !own && badge('plain', 'unknown path'),
    error !== undefined && badge('bad', 'broken off'),
  ];
}

/** The amount of a request, and whether a lender took it back. */
export function amountOf({ amount, receivedStatus }: JournalEntry) {
  if (amount === undefined) return undefined;
  const reversed = receivedStatus === 'REVERSED';
  return (
    <span class={reversed ? 'amount reversed' : 'amount'}>
      {reversed ? `Reversed ${dong(amount)}` : dong(amount)}
    </span>
  );
}

const paymentTones = { pending: 'note', paid: 'good', declined: 'bad', expired: 'warn' } as const;

export const paymentBadge = ({ status }: MockPayment) => badge(paymentTones[status], status);
