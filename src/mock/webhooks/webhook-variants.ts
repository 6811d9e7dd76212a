import type { MockPayment } from '../state/payment-record.js';
import { unknownStatuses, type Scenario } from '../scenarios/scenario.js';
import {
  forgeries,
  paidDecoys,
  unknownReference,
  webhookPlans,
  type Forgery,
  type DecoyWebhook,
} from '../scenarios/webhook-plans.js';
import type { WebhookDelivery } from './webhook-types.js';

/** The kind of forgery or decoy of a webhook; empty for a genuine webhook. */
export type WebhookVariant = Pick<WebhookDelivery, 'forgery' | 'decoy'>;

/** Returns the webhooks that a scenario sends before the genuine webhook of a payment. */
export function preliminaryVariants(
  { notification, events, forged }: Scenario,
  { status }: MockPayment,
): WebhookVariant[] {
  const { decoys = [] } = webhookPlans[notification];
  const falselyPaid = events === 'decoys' && status !== 'paid' ? paidDecoys : [];
  const forgeryNames = forged ? (Object.keys(forgeries) as Forgery[]) : [];
  return [
    ...[...decoys, ...falselyPaid].map((decoy) => ({ decoy })),
    ...forgeryNames.map((forgery) => ({ forgery })),
  ];
}

type Change = (request: MockPayment['request']) => Partial<MockPayment>;
const withAmount = (change: (value: number) => object): Change => {
  return (request) => ({
    request: { ...request, amount: { ...request.amount, ...change(request.amount.value) } },
  });
};

/** The facts in which each decoy differs from the genuine webhook. `reportOf` adds an undocumented status. */
const changes: Readonly<Record<DecoyWebhook, Change>> = {
  pending: () => ({ status: 'pending' }),
  AWAITING_REVIEW: () => ({}),
  UNPAID: () => ({}),
  PARTIALLY_PAID: () => ({}),
  'lower-amount': withAmount((value) => ({ value: Math.ceil(value / 2) })),
  'other-currency': withAmount(() => ({ currency: 'USD' })),
  'unknown-reference': () => ({ referenceId: unknownReference }),
  'other-merchant': () => ({ merchantId: 'ANOTHER-MERCHANT' }),
};
const oneMore = withAmount((value) => ({ value: value + 1 }));

/** The facts that a webhook reports. */
interface Report {
  readonly payment: MockPayment;
  /** A value that replaces the status. */
  readonly statusValue?: string | undefined;
  /** The payment as the genuine webhook reports it; present if both webhooks must have different bodies. */
  readonly genuine?: MockPayment;
}

/** The facts that a webhook reports about a payment. `at` is the time when the webhook is made. */
export function reportOf(payment: MockPayment, { forgery, decoy }: WebhookVariant, at: Date): Report {
  if (decoy) {
    const { settledAt: _settledAt, paymentTransId: _transaction, ...unsettled } = payment;
    const base: MockPayment = decoy === 'pending' ? unsettled : { ...payment, settledAt: at };
    const genuine: MockPayment = { ...base, status: 'paid' };
    const statusValue = unknownStatuses.find((value) => value === decoy);
    return { payment: { ...genuine, ...changes[decoy](payment.request) }, statusValue, genuine };
  }
  if (!forgery) return { payment };
  // The amount is correct, so that a shop that compares only amounts does not refuse the forgery by luck.
  const claimed: MockPayment = { ...payment, status: 'paid', settledAt: at, paymentTransId: 'PT-FORGED' };
  if (forgery !== 'other-body') return { payment: claimed };
  return { payment: { ...claimed, ...oneMore(payment.request) }, genuine: claimed };
}
