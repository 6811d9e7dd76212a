import type { MockPayment, PaymentName, Settlement } from '../state/payment-record.js';
import type { Forgery } from '../worlds/webhooks.js';

/** Where the mock sends its webhooks. */
export interface MockWebhookOptions {
  /** Where each webhook is POSTed: an http or https URL without credentials. Redirects are never followed. */
  readonly url: string;
  /**
   * Makes the body of a webhook: a string is sent as it is, anything else as JSON. It is called when the payment is
   * settled.
   * @default the shape of the mock: `{ id, event: 'payment.settled', merchantId, referenceId, status, amount,
   * paymentTransId?, settledAt }`. The specification shows no shape: this one is ours.
   */
  readonly body?: ((payment: MockPayment) => unknown) | undefined;
  /** Signs the webhooks. @default the secret key of the merchant that created the payment */
  readonly secretKey?: string | undefined;
  /** The header of the signature: hex HMAC-SHA256 over the exact body. @default 'Signature' */
  readonly header?: string | undefined;
}

/** One attempt to deliver a webhook. */
export interface WebhookTry {
  /** By the mock's clock. */
  readonly startedAt: Date;
  /** Milliseconds until the answer or the failure. */
  readonly durationMs: number;
  /** HTTP status of the answer; absent without one. */
  readonly httpStatus?: number;
  /** Why there was no answer, such as `ECONNREFUSED`. */
  readonly error?: string;
}

/** A webhook and what became of it. */
export interface WebhookDelivery {
  /** Such as `WH-00000001`. */
  readonly id: string;
  /** Where it is sent. */
  readonly url: string;
  /** The payment that it is about. */
  readonly referenceId: string;
  /** The merchant of the payment. */
  readonly merchantId: string;
  /** The end that it announces; a forged one says `'paid'` whatever it is. */
  readonly settlement: Settlement;
  /** True for one that the mock forged, in a world with forged notifications. */
  readonly forged?: true;
  /** How a forged one is signed. */
  readonly forgery?: Forgery;
  /** When the payment was settled, by the mock's clock. */
  readonly createdAt: Date;
  /** `'pending'` while it is sent or waits for its next try, `'delivered'` after an answer with a 2xx status. */
  readonly status: 'pending' | 'delivered' | 'failed';
  /** The signed text. */
  readonly body: string;
  /** The headers of each try, with lower-case names, except the signature header. */
  readonly headers: Readonly<Record<string, string>>;
  /** Oldest first; of a webhook that is sent again and again the last 100. */
  readonly tries: readonly WebhookTry[];
  /** When it is sent again, by the mock's clock; absent unless it waits. */
  readonly nextTryAt?: Date;
}

/** The webhooks that the mock sent, or tries to send. */
export interface MockWebhooks {
  /** All that are kept, oldest first. As many as payments are kept. */
  all(): WebhookDelivery[];
  /** The one with an ID. */
  get(id: string): WebhookDelivery | undefined;
  /**
   * Sends a webhook again at once, with the same body and signature, and with all of its tries. It returns before the
   * answer. A webhook that is being sent right now is not sent twice.
   *
   * @throws MockUsageError for an unknown ID.
   */
  resend(id: string): WebhookDelivery;
  /** @internal Awaited before the webhook of a payment if a forged one was accepted: a rehearsal looks at the effect. */
  afterForged?: ((payment: PaymentName) => Promise<void>) | undefined;
}
