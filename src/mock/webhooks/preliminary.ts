import type { MockPayment } from '../state/payment-record.js';
import type { World } from '../worlds/dimensions.js';
import {
  forgeries,
  strangeNotifications,
  webhookPlans,
  type Forgery,
  type OddNotification,
} from '../worlds/webhooks.js';

/** A webhook that comes before the one that tells the end of a payment. */
export interface Preliminary {
  readonly forgery?: Forgery;
  readonly odd?: OddNotification;
  /** The payment as the webhook tells of it. */
  readonly told: MockPayment;
  readonly statusWord?: string;
  /** The true payment that it would tell of if its form left out what differs: then it is not sent. */
  readonly truth?: MockPayment;
}

type Change = (request: MockPayment['request']) => object;
const withAmount = (change: (value: number) => object): Change => {
  return (request) => ({
    request: { ...request, amount: { ...request.amount, ...change(request.amount.value) } },
  });
};

/** The difference from the true payment. */
const changes: Readonly<Record<OddNotification, Change>> = {
  pending: () => ({ status: 'pending' }),
  'unknown-status': () => ({}),
  'lower-amount': withAmount((value) => ({ value: Math.ceil(value / 2) })),
  'other-currency': withAmount(() => ({ currency: 'USD' })),
  'unknown-reference': () => ({ referenceId: 'NO-SUCH-ORDER' }),
  'other-merchant': () => ({ merchantId: 'ANOTHER-MERCHANT' }),
};

/** The webhooks that a world sends before the one that tells the end of a payment. */
export function preliminaries(
  { notification, events, forged }: World,
  payment: MockPayment,
  settledAt: Date,
): Preliminary[] {
  const { first } = webhookPlans[notification];
  const strange = events === 'strange' && payment.status !== 'paid' ? strangeNotifications : [];
  const odd = [...(first ? [first] : []), ...strange].map((name) => {
    const truth: MockPayment = { ...payment, status: 'paid', ...(name !== 'pending' && { settledAt }) };
    const told = { ...truth, ...changes[name](payment.request) };
    return { odd: name, told, truth, ...(name === 'unknown-status' && { statusWord: 'AWAITING_REVIEW' }) };
  });
  const forgers = forged ? (Object.keys(forgeries) as Forgery[]) : [];
  const claimed = { ...payment, status: 'paid', settledAt, paymentTransId: 'PT-FORGED' } as const;
  const dearer = withAmount((value) => ({ value: value + 1 }))(payment.request);
  return [
    ...odd,
    // With the true amount: a shop that compares nothing but amounts must not be safe by luck.
    ...forgers.map((forgery) =>
      forgery === 'other-body'
        ? { forgery, told: { ...claimed, ...dearer }, truth: claimed }
        : { forgery, told: claimed },
    ),
  ];
}
