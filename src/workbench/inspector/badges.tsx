import {
  isAnswerLost,
  isDelay,
  type JournalEntry,
  type MockFault,
  type MockPayment,
  type WebhookDelivery,
} from '../../mock/observation.js';
import { badge, dong } from '../../mock/ui/elements.js';

export function faultText(fault: MockFault): string {
  return isDelay(fault) ? `${fault.delayMs} ms late` : fault;
}

/** The badges of a request: its result, and what was unusual about it. */
export function requestBadges(entry: JournalEntry) {
  const { resultStatus, completed, fault, hasDiagnosis, replay, scripted, error, operation, own } = entry;
  const lost = isAnswerLost(entry);
  const tone = resultStatus === 'APPROVED' ? 'good' : 'bad';
  return [
    lost && badge('warn', 'response lost'),
    resultStatus !== undefined && badge(lost ? 'plain' : tone, resultStatus),
    !completed && badge('note', 'in progress'),
    replay && badge('note', 'replay'),
    scripted && badge('note', 'scripted'),
    fault !== undefined && badge('warn', `fault: ${faultText(fault)}`),
    // The causes are on the page of the request: a diagnosis for each row of a list would need seconds.
    hasDiagnosis && badge('bad', 'diagnosis'),
    operation === undefined && !own && badge('plain', 'unknown path'),
    error !== undefined && badge('bad', 'broken off'),
  ];
}

/** The amount of a request. It is marked if a lender has reversed it. */
export const amountCell = ({ amount, receivedStatus }: JournalEntry) =>
  amount !== undefined && (
    <span class="amount">{[receivedStatus === 'REVERSED' && 'Reversed ', dong(amount)]}</span>
  );

const paymentTones = { pending: 'note', paid: 'good', declined: 'bad', expired: 'warn' } as const;

export const paymentBadge = ({ status }: MockPayment) => badge(paymentTones[status], status);

const webhookTones = { pending: 'note', delivered: 'good', failed: 'bad' } as const;

export const webhookBadges = ({ status, forgery }: WebhookDelivery) => (
  <span class="badges">{[badge(webhookTones[status], status), forgery && badge('note', 'forged')]}</span>
);

/** A duration in milliseconds, with a decimal if it is short. */
export function durationText({ durationMs: ms }: { readonly durationMs?: number }): string | undefined {
  return ms === undefined ? undefined : `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
}
