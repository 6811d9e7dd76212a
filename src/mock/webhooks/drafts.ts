import type { KeyObject } from 'node:crypto';
import { hmacSha256 } from '../../protocol/signature.js';
import type { MockPayment } from '../state/payment-record.js';
import type { World } from '../worlds/dimensions.js';
import {
  forgeries,
  strangeNotifications,
  webhookPlans,
  type Forgery,
  type OddNotification,
} from '../worlds/webhooks.js';
import type { MockWebhookOptions } from './webhook-types.js';
import { writeWebhook, type WebhookContent, type WrittenWebhook } from './write-webhook.js';

/** A webhook before it is written. */
export interface WebhookDraft {
  /** The payment as the webhook tells of it. */
  readonly payment: MockPayment;
  readonly forgery?: Forgery;
  readonly odd?: OddNotification;
  /** Replaces the word for the status. */
  readonly statusWord?: string;
  /**
   * The webhook that this one must differ from; if both bodies are equal it is not sent. `other-body` carries its
   * signature.
   */
  readonly genuine?: MockPayment;
}

type Change = (request: MockPayment['request']) => Partial<MockPayment>;
const withAmount = (change: (value: number) => object): Change => {
  return (request) => ({
    request: { ...request, amount: { ...request.amount, ...change(request.amount.value) } },
  });
};

/** The difference from the genuine webhook. */
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
): WebhookDraft[] {
  const { first } = webhookPlans[notification];
  const strange = events === 'strange' && payment.status !== 'paid' ? strangeNotifications : [];
  const odd = [...(first ? [first] : []), ...strange].map((name) => {
    const genuine: MockPayment = { ...payment, status: 'paid', ...(name !== 'pending' && { settledAt }) };
    return {
      odd: name,
      payment: { ...genuine, ...changes[name](payment.request) },
      genuine,
      ...(name === 'unknown-status' && { statusWord: 'AWAITING_REVIEW' }),
    };
  });
  const forgers = forged ? (Object.keys(forgeries) as Forgery[]) : [];
  const claimed = { ...payment, status: 'paid', settledAt, paymentTransId: 'PT-FORGED' } as const;
  const dearer = withAmount((value) => ({ value: value + 1 }))(payment.request);
  return [
    ...odd,
    // With the right amount: a shop that compares nothing but amounts must not be safe by luck.
    ...forgers.map((forgery) =>
      forgery === 'other-body'
        ? { forgery, payment: { ...claimed, ...dearer }, genuine: claimed }
        : { forgery, payment: claimed },
    ),
  ];
}

/** Writes a draft. Undefined for one that must not be sent: it equals the genuine one, or is odd and has no body. */
export function writeDraft(
  { payment, genuine, statusWord, forgery, odd }: WebhookDraft,
  {
    key,
    ...content
  }: Pick<WebhookContent, 'id' | 'clientId' | 'writing'> & { readonly key: string | KeyObject },
  options: MockWebhookOptions,
): WrittenWebhook | undefined {
  const sign = (body: string) => hmacSha256(body, key);
  const genuineBody = genuine && writeWebhook({ ...content, payment: genuine, sign }, options).body;
  const forge = (body: string) =>
    forgery ? forgeries[forgery](body, sign(genuineBody ?? body)) : sign(body);
  const written = writeWebhook({ ...content, payment, statusWord, sign: forge }, options);
  const isUnwritten = odd !== undefined && written.problem !== undefined;
  return isUnwritten || written.body === genuineBody ? undefined : written;
}
