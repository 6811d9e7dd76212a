import { resultStatuses } from '../../../protocol/result-status.js';
import { isDelay, type MockFault } from '../../controls/faults.js';
import type { JournalEntry } from '../../state/journal-types.js';
import { html, type Markup } from '../shared/markup.js';
import type { MockPayment } from '../../state/payments.js';

type Tone = 'good' | 'bad' | 'warn' | 'note' | 'plain';

function badge(tone: Tone, text: string): Markup {
  return html`<span class="badge ${tone}">${text}</span>`;
}

/** Every documented result status of either operation, once. */
export const documentedStatuses: readonly string[] = [
  ...new Set(Object.values(resultStatuses).flatMap((statuses) => Object.keys(statuses))),
];

const uncertain: ReadonlySet<string> = new Set(
  Object.values(resultStatuses).flatMap((statuses) =>
    Object.entries(statuses)
      .filter(([, { outcome }]) => outcome === 'unknown')
      .map(([status]) => status),
  ),
);

function statusTone(status: string): Tone {
  if (status === 'APPROVED') return 'good';
  return uncertain.has(status) || !documentedStatuses.includes(status) ? 'warn' : 'bad';
}

/** A result status in the colour of what it means. */
export function statusBadge(status: string): Markup {
  return badge(statusTone(status), status);
}

export function faultText(fault: MockFault): string {
  return isDelay(fault) ? `${String(fault.delayMs)} ms late` : fault;
}

/** How a request ended, and what was unusual about it. */
export function requestBadges(entry: JournalEntry): Markup[] {
  const { resultStatus, completed, fault, diagnosis, replay, scripted, error, operation } = entry;
  return [
    ...(resultStatus === undefined ? [] : [statusBadge(resultStatus)]),
    ...(completed ? [] : [badge('note', 'in progress')]),
    ...(replay ? [badge('note', 'replay')] : []),
    ...(scripted ? [badge('note', 'scripted')] : []),
    ...(fault === undefined ? [] : [badge('warn', `fault: ${faultText(fault)}`)]),
    ...(diagnosis ? [badge('bad', 'bad signature')] : []),
    ...(operation ? [] : [badge('plain', 'unknown path')]),
    ...(error === undefined ? [] : [badge('bad', 'broken off')]),
  ];
}

const paymentTones: Readonly<Record<MockPayment['status'], Tone>> = {
  pending: 'note',
  paid: 'good',
  declined: 'bad',
  expired: 'warn',
};

export function paymentBadge(status: MockPayment['status']): Markup {
  return badge(paymentTones[status], status);
}
