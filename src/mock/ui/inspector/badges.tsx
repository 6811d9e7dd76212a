import { resultStatuses } from '../../../protocol/result-statuses.js';
import { isDelay, type MockFault } from '../../wire/faults.js';
import type { Diagnosis } from '../../diagnosis/types.js';
import type { JournalEntry } from '../../state/journal-types.js';
import type { MockPayment } from '../../state/payments.js';
import { Badge, type Tone } from '../shared/badge.js';
import { dong } from '../shared/money.js';

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

/** True where the service acted and its answer did not arrive as it was. */
export function isLost({ fault, faultPhase }: JournalEntry): boolean {
  return fault !== undefined && !isDelay(fault) && faultPhase === 'after';
}

export interface EntryProps {
  readonly entry: JournalEntry;
}

/** How a request ended, and what was unusual about it. */
export function RequestBadges({ entry }: EntryProps) {
  const { resultStatus, completed, fault, hasDiagnosis, replay, scripted, error, operation, own } = entry;
  const lost = isLost(entry);
  return (
    <>
      {lost && <Badge tone="warn">answer lost</Badge>}
      {resultStatus !== undefined && (
        <Badge tone={lost ? 'plain' : statusTone(resultStatus)}>{resultStatus}</Badge>
      )}
      {!completed && <Badge tone="note">in progress</Badge>}
      {replay && <Badge tone="note">replay</Badge>}
      {scripted && <Badge tone="note">scripted</Badge>}
      {fault !== undefined && <Badge tone="warn">fault: {faultText(fault)}</Badge>}
      {/* The causes are on the page of the request: making them for a whole list takes seconds. */}
      {hasDiagnosis && <Badge tone="bad">diagnosis</Badge>}
      {operation === undefined && !own && <Badge tone="plain">unknown path</Badge>}
      {error !== undefined && <Badge tone="bad">broken off</Badge>}
    </>
  );
}

/** The mistakes that made a signature wrong, each by its word. */
export function Causes({ diagnosis }: { readonly diagnosis: Diagnosis }) {
  return (
    <>
      {diagnosis.cause.split(' + ').map((mistake) => (
        <Badge tone="bad">
          <code>{mistake}</code>
        </Badge>
      ))}
    </>
  );
}

/** The amount of a request, and whether a lender took it back. */
export function Amount({ of: { amount, receivedStatus } }: { readonly of: JournalEntry }) {
  if (amount === undefined) return <></>;
  const reversed = receivedStatus === 'REVERSED';
  return (
    <span class={reversed ? 'amount reversed' : 'amount'}>
      {reversed && 'Reversed '}
      {dong(amount)}
    </span>
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
