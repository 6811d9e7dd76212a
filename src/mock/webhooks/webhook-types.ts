import type { SignatureEncoding } from '../../protocol/signature.js';
import type { MockPayment } from '../state/payment-record.js';
import type { Forgery, DecoyWebhook } from '../scenarios/webhook-plans.js';

/** The target of the webhooks, and their form. */
export interface MockWebhookOptions {
  /**
   * The http or https URL to which each webhook is sent with POST. The URL must not contain credentials. Redirects are
   * never followed.
   */
  readonly url: string;
  /**
   * Makes the body of a webhook. A string is sent unchanged, any other value as JSON. This function is called when a
   * payment is settled, and also for each forgery and decoy of a scenario. In a rehearsal, forgeries and decoys are
   * made before the payment is settled.
   * @default `template.body`
   */
  readonly body?: ((payment: MockPayment) => unknown) | undefined;
  /**
   * The form of the webhooks as data, so that a file can contain it. Texts can have placeholders: `{id}`, `{event}`,
   * `{merchantId}`, `{referenceId}`, `{status}`, `{amount}`, `{amount.value}`, `{amount.currency}`, `{description}`,
   * `{paymentTransId}`, `{settledAt}`, `{clientId}`, `{timestamp}` (seconds) and, if the signature is in the body and
   * not in a header, `{signature}`. The default is {@link MockWebhookEvent}.
   *
   * @example
   * ```ts
   * import { createMockService } from 'installment-payments/mock';
   *
   * createMockService({
   *   webhook: {
   *     url: 'http://127.0.0.1:3000/webhooks',
   *     template: {
   *       status: { paid: 'SUCCESS', declined: 'FAIL', expired: 'EXPIRED' },
   *       body: { orderId: '{referenceId}', amount: '{amount.value}', state: '{status}' },
   *     },
   *   },
   * });
   * ```
   */
  readonly template?:
    | {
        /** The header of the signature, which is HMAC-SHA256 over `signed`. @default 'Signature' */
        readonly header?: string | undefined;
        /** The encoding of the signature. @default 'hex' */
        readonly encoding?: SignatureEncoding | undefined;
        /** The text before the signature, such as `sha256=` or `t={timestamp},v1=`. @default '' */
        readonly prefix?: string | undefined;
        /**
         * The text that is signed, such as `{timestamp}.{body}`. It can have these additional placeholders:
         *
         * - `{body}`: the exact body. `{body.NAME}`: a text in the body.
         * - `{sorted}`: the fields of the body except the signature, sorted by name, as `name=value` joined by `&`.
         *   `{sorted.NAME}`: the fields of an object in the body, in the same form.
         * - `{concatenated}` and `{concatenated.NAME}`: the same fields, but without `=` and `&`.
         *
         * @default '{body}'
         */
        readonly signed?: string | undefined;
        /** More headers, such as `{ 'Client-Id': '{clientId}' }`. @default none */
        readonly headers?: Readonly<Record<string, string>> | undefined;
        /** The values of `{status}`. @default the status itself */
        readonly status?:
          | Readonly<Partial<Record<MockPayment['status'], string | number | undefined>>>
          | undefined;
        /**
         * A JSON object, or the exact text. In an object, a string that consists of one placeholder is replaced with
         * the value of the placeholder, which can have any type. In a text, values are escaped for JSON.
         * @default the shape of {@link MockWebhookEvent}
         */
        readonly body?: string | Readonly<Record<string, unknown>> | undefined;
      }
    | undefined;
  /** The key with which the webhooks are signed. @default the secret key of the merchant that created the payment */
  readonly secretKey?: string | undefined;
}

/** One attempt to deliver a webhook. */
export interface WebhookTry {
  /** The time of the attempt, by the mock's clock. */
  readonly startedAt: Date;
  /** The milliseconds until the response or the failure. */
  readonly durationMs: number;
  /** The HTTP status of the response; absent if there was no response. */
  readonly httpStatus?: number;
  /** The reason why there was no response, such as `ECONNREFUSED`. */
  readonly error?: string;
}

/** A webhook and the result of its delivery. */
export interface WebhookDelivery {
  /** The ID, such as `WH-00000001`. */
  readonly id: string;
  /** The URL to which the webhook is sent. */
  readonly url: string;
  /** The `referenceId` of the payment. */
  readonly referenceId: string;
  /** The merchant of the payment. */
  readonly merchantId: string;
  /**
   * The status of the payment as the webhook reports it, before `template.status` replaces this value. A forgery
   * reports a false status, and a decoy can report a false status. For a decoy with an undocumented status, this field
   * is `'paid'`: the undocumented status is only in the body.
   */
  readonly paymentStatus: MockPayment['status'];
  /** The way in which a forgery is signed; absent for other webhooks. */
  readonly forgery?: Forgery;
  /**
   * The kind of a decoy; absent for other webhooks. A decoy is a signed webhook that must not change the order.
   */
  readonly decoy?: DecoyWebhook;
  /** The time when the webhook was made, by the mock's clock. */
  readonly createdAt: Date;
  /**
   * The state of the delivery: `'pending'` while the webhook is being sent or waits for its next attempt, `'delivered'`
   * after a response with a 2xx status, `'failed'` if no further attempt follows.
   */
  readonly status: 'pending' | 'delivered' | 'failed';
  /** The body, byte for byte. */
  readonly body: string;
  /** The headers of each attempt. Their names are in lower case, except the configured name of the signature header. */
  readonly headers: Readonly<Record<string, string>>;
  /** The attempts, oldest first. */
  readonly tries: readonly WebhookTry[];
  /** The time of the next attempt, by the mock's clock; absent if no attempt is planned. */
  readonly nextTryAt?: Date;
}

/** The webhooks that the mock has sent or tries to send. */
export interface MockWebhooks {
  /** Returns all deliveries that are kept, oldest first. The option `paymentLimit` also limits their number. */
  all(): WebhookDelivery[];
  /** Returns the delivery with an ID. */
  get(id: string): WebhookDelivery | undefined;
  /**
   * Sends a webhook again at once, with the same body and signature. Without a 2xx response, the webhook is sent again
   * after the usual pauses. This method returns before the response. A webhook that is just being sent is not sent a
   * second time.
   *
   * @throws MockUsageError for an unknown ID.
   */
  resend(id: string): WebhookDelivery;
  /**
   * @internal Sends each webhook that waits for its next attempt once more, now and for the last time. Resolves once
   * each attempt has a response or has failed. With this method, a rehearsal does not have to wait for the pauses.
   */
  resendWaiting?: (() => Promise<void>) | undefined;
  /**
   * @internal Sends the preliminary webhooks of the current scenario (its forgeries and decoys) now, before the payment
   * is settled. Resolves once each of them was sent.
   */
  sendPreliminaries?: ((payment: MockPayment) => Promise<void>) | undefined;
}
