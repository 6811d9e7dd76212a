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

/**
 * Ends each payment as customers would, also one whose answer was lost: the customer may have the link from elsewhere.
 *
 * @param paysLate - In this world a payment that was declined may still be paid, which the customer does.
 */
export function playCustomers(mock: MockService, customer: Customer, paysLate: boolean) {
  const begun = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  const statuses = customer !== 'none' && paysLate ? ends.late : ends[customer];

  const settle = (referenceId: string, step: number) => {
    const status = statuses[step];
    if (status === undefined) return;
    try {
      mock.settle(referenceId, status);
    } catch {
      // The test has ended the payment itself.
      return;
    }
    settleLater(referenceId, step + 1);
  };
  const settleLater = (referenceId: string, step: number) => {
    if (statuses[step] === undefined) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      settle(referenceId, step);
    }, pauseMs);
    timers.add(timer);
  };
  // So early that the notification can come before the answer.
  const settleFirst = mock.world().notification === 'early' ? settle : settleLater;

  const unsubscribe = mock.subscribe((change) => {
    if (change.kind !== 'payment' || begun.has(change.referenceId)) return;
    begun.add(change.referenceId);
    settleFirst(change.referenceId, 0);
  });
  return {
    /** True while a payment is about to be ended. */
    isBusy: () => timers.size > 0,
    stop: () => {
      unsubscribe();
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
