import type { MockPayment } from '../state/payment-record.js';
import { unknownStatuses, type Scenario } from '../scenarios/dimensions.js';
import {
  forgeries,
  paidDecoys,
  unknownReference,
  webhookPlans,
  type Forgery,
  type DecoyWebhook,
} from '../scenarios/webhook-plans.js';
import type { WebhookDelivery } from './webhook-types.js';

/** How a webhook differs from the announcement of an end; empty for such an announcement. */
export type WebhookVariant = Pick<WebhookDelivery, 'forgery' | 'decoy'>;

/** The preliminary webhooks of a payment: those that a scenario sends before the one that announces its end. */
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

/** The difference from the genuine webhook. */
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

/** What a webhook reports. */
interface Report {
  readonly payment: MockPayment;
  /** Replaces the word for the status. */
  readonly statusWord?: string | undefined;
  /** The payment whose genuine webhook this one must differ from. */
  readonly genuine?: MockPayment;
}

/** What a webhook reports of a payment, if it is made at this time. */
export function reportOf(payment: MockPayment, { forgery, decoy }: WebhookVariant, at: Date): Report {
  if (decoy) {
    const { settledAt: _settledAt, paymentTransId: _transaction, ...unsettled } = payment;
    const base: MockPayment = decoy === 'pending' ? unsettled : { ...payment, settledAt: at };
    const genuine: MockPayment = { ...base, status: 'paid' };
    const statusWord = unknownStatuses.find((word) => word === decoy);
    return { payment: { ...genuine, ...changes[decoy](payment.request) }, statusWord, genuine };
  }
  if (!forgery) return { payment };
  // With the right amount: a shop that compares nothing but amounts must not be safe by luck.
  const claimed: MockPayment = { ...payment, status: 'paid', settledAt: at, paymentTransId: 'PT-FORGED' };
  if (forgery !== 'other-body') return { payment: claimed };
  return { payment: { ...claimed, ...oneMore(payment.request) }, genuine: claimed };
}
