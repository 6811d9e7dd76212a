import { requestsFor } from '../findings/evidence.js';
import { paymentKey, type MockPayment, type PaymentName } from '../state/payment-record.js';
import type { MockService } from '../types.js';

/** The ways in which a rehearsal ends payments. */
export const customers = ['none', 'pays', 'declines', 'expires'] as const;

/** How a rehearsal ends payments: `'none'` leaves that to the test. */
export type RehearsedCustomer = (typeof customers)[number];

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
  readonly customer: RehearsedCustomer;
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

  const later = (payment: PaymentName, afterMs: number, act: () => void) => {
    const key = paymentKey(payment);
    clearTimeout(timers.get(key));
    const timer = setTimeout(() => {
      timers.delete(key);
      act();
    }, afterMs);
    timers.set(key, timer);
  };
  const settle = (payment: PaymentName, step = 0) => {
    const status = statuses[step];
    if (status === undefined) return;
    begun.add(paymentKey(payment));
    try {
      mock.settle(payment.referenceId, status, payment.merchantId);
    } catch {
      // The test has ended the payment itself.
      return;
    }
    if (step + 1 < statuses.length) later(payment, pauseMs, () => settle(payment, step + 1));
  };
  const approach = (payment: MockPayment) => {
    const isOpen = !begun.has(paymentKey(payment)) && payment.status === 'pending';
    if (!isOpen || statuses.length === 0) return;
    // So early that the notification can come before the answer.
    if (isEarly) {
      settle(payment);
      return;
    }
    const { referenceId, merchantId } = payment;
    const given = { operation: 'initiatePayment', resultStatus: 'APPROVED', answer: 'sent' } as const;
    later(payment, mock.journal.find({ ...given, referenceId, merchantId }) ? pauseMs : linkAfterMs, () => {
      begun.add(paymentKey(payment));
      void beforeEnd(referenceId).then(() => settle(payment));
    });
  };

  const unsubscribe = mock.subscribe((change) => {
    const isRequest = change.kind === 'request' && change.entry.operation === 'initiatePayment';
    if (change.kind === 'payment') requestsFor(change, mock.payments.all()).forEach(approach);
    else if (isRequest) requestsFor(change.entry, mock.payments.all()).forEach(approach);
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
