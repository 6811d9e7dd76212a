import type { MockService } from '../types.js';

/** The ways in which a rehearsal ends payments. */
export const customers = ['none', 'pays', 'declines', 'expires'] as const;

/** How a rehearsal ends payments: `'none'` leaves that to the test. */
export type Customer = (typeof customers)[number];

/** The settlements of a payment, one after the other. */
const ends = {
  none: [],
  pays: ['paid'],
  declines: ['declined'],
  expires: ['expired'],
  late: ['declined', 'paid'],
} as const;

// Longer than the answer to a request takes on one machine.
const pauseMs = 100;

/** How the payments of a run are ended. */
interface Play {
  readonly customer: Customer;
  /** In this world a payment that was declined may still be paid, which the customer does. */
  readonly paysLate: boolean;
  /** How long nothing asks for a payment until its customer has the link from elsewhere, in milliseconds. */
  readonly linkAfterMs: number;
  /** Called before a payment is first ended. */
  readonly beforeEnd: (referenceId: string) => Promise<void>;
}

/**
 * Ends each payment as customers would: soon after the merchant was given its paymentUrl. If the merchant was not given
 * it and has stopped asking, the customer has the link from elsewhere, because the service may send it too. Before that,
 * a merchant has its chance to ask again.
 */
export function playCustomers(mock: MockService, { customer, paysLate, linkAfterMs, beforeEnd }: Play) {
  const begun = new Set<string>();
  const timers = new Map<string, NodeJS.Timeout>();
  const statuses = customer !== 'none' && paysLate ? ends.late : ends[customer];
  const isEarly = mock.world().notification === 'early';

  const later = (referenceId: string, afterMs: number, act: () => void) => {
    clearTimeout(timers.get(referenceId));
    const timer = setTimeout(() => {
      timers.delete(referenceId);
      act();
    }, afterMs);
    timers.set(referenceId, timer);
  };
  const settle = (referenceId: string, step = 0) => {
    const status = statuses[step];
    if (status === undefined) return;
    begun.add(referenceId);
    try {
      mock.settle(referenceId, status);
    } catch {
      // The test has ended the payment itself.
      return;
    }
    if (step + 1 < statuses.length) later(referenceId, pauseMs, () => settle(referenceId, step + 1));
  };
  const approach = (referenceId: string) => {
    const isOpen = !begun.has(referenceId) && mock.payments.get(referenceId)?.status === 'pending';
    if (!isOpen || statuses.length === 0) return;
    // So early that the notification can come before the answer.
    if (isEarly) {
      settle(referenceId);
      return;
    }
    const given = {
      operation: 'initiatePayment',
      referenceId,
      resultStatus: 'APPROVED',
      answer: 'sent',
    } as const;
    later(referenceId, mock.journal.find(given) ? pauseMs : linkAfterMs, () => {
      begun.add(referenceId);
      void beforeEnd(referenceId).then(() => settle(referenceId));
    });
  };

  const unsubscribe = mock.subscribe((change) => {
    if (change.kind === 'payment') approach(change.referenceId);
    if (change.kind !== 'request' || change.entry.operation !== 'initiatePayment') return;
    if (change.entry.referenceId !== undefined) approach(change.entry.referenceId);
  });
  return {
    /** True while a payment is about to be ended. */
    isBusy: () => timers.size > 0,
    stop: () => {
      unsubscribe();
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
