import type { SignatureEncoding } from '../../protocol/signature.js';
import type { MockPayment } from '../state/payment-record.js';
import type { Forgery, DecoyWebhook } from '../scenarios/webhook-plans.js';

/** Where the mock sends its webhooks, and their form. */
export interface MockWebhookOptions {
  /** Where each webhook is POSTed: an http or https URL without credentials. Redirects are never followed. */
  readonly url: string;
  /**
   * Makes the body of a webhook: a string is sent as it is, anything else as JSON. It is called when the payment is
   * settled.
   * @default `template.body`
   */
  readonly body?: ((payment: MockPayment) => unknown) | undefined;
  /**
   * The form of the webhooks as data, so that a file can have it. Texts may have placeholders: `{id}`, `{event}`, `{merchantId}`,
   * `{referenceId}`, `{status}`, `{amount}`, `{amount.value}`, `{amount.currency}`, `{description}`, `{paymentTransId}`,
   * `{settledAt}`, `{clientId}`, `{timestamp}` (seconds) and, in the body in place of a header, `{signature}`. The default is {@link MockWebhookEvent}.
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
        /** How the signature is written. @default 'hex' */
        readonly encoding?: SignatureEncoding | undefined;
        /** The text before the signature, such as `sha256=` or `t={timestamp},v1=`. @default '' */
        readonly prefix?: string | undefined;
        /**
         * The text that is signed, such as `{timestamp}.{body}`. Placeholders besides: `{body}`, the exact body; `{body.NAME}`, a
         * text in it; `{sorted}` and `{sorted.NAME}`, the fields of the body or of an object in it without the signature, sorted by
         * name, as name=value joined by `&`; `{concatenated}` and `{concatenated.NAME}`, their names and values joined by
         * nothing. @default '{body}'
         */
        readonly signed?: string | undefined;
        /** More headers, such as `{ 'Client-Id': '{clientId}' }`. @default none */
        readonly headers?: Readonly<Record<string, string>> | undefined;
        /** The words for `{status}`. @default the status itself */
        readonly status?:
          Readonly<Partial<Record<MockPayment['status'], string | number | undefined>>> | undefined;
        /**
         * A JSON object, in which a string that is one placeholder becomes its value, of any type; or the exact text, in
         * which values are escaped for JSON. @default the shape of {@link MockWebhookEvent}
         */
        readonly body?: string | Readonly<Record<string, unknown>> | undefined;
      }
    | undefined;
  /** Signs the webhooks. @default the secret key of the merchant that created the payment */
  readonly secretKey?: string | undefined;
}

/** One attempt to deliver a webhook. */
export interface WebhookTry {
  /** By the mock's clock. */
  readonly startedAt: Date;
  /** Milliseconds until the response or the failure. */
  readonly durationMs: number;
  /** HTTP status of the response; absent without one. */
  readonly httpStatus?: number;
  /** Why there was no response, such as `ECONNREFUSED`. */
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
  /** The status that it reports; that of a forgery is false, and that of a decoy may be. */
  readonly paymentStatus: MockPayment['status'];
  /** Set for a forgery, in a scenario that sends them: how it is signed. */
  readonly forgery?: Forgery;
  /**
   * Set for a decoy, in a scenario that sends them: it is signed, and yet must not change the order. Says what is wrong
   * with it.
   */
  readonly decoy?: DecoyWebhook;
  /** When it was made, by the mock's clock. */
  readonly createdAt: Date;
  /** `'pending'` while it is sent or waits for its next try, `'delivered'` after a response with a 2xx status. */
  readonly status: 'pending' | 'delivered' | 'failed';
  /** The body, byte for byte. */
  readonly body: string;
  /** The headers of each try, with lower-case names; that of the signature as it is configured. */
  readonly headers: Readonly<Record<string, string>>;
  /** Oldest first. */
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
   * response. A webhook that is being sent right now is not sent twice.
   *
   * @throws MockUsageError for an unknown ID.
   */
  resend(id: string): WebhookDelivery;
  /**
   * @internal Sends each genuine webhook that waits for its next try once more, now and for the last time. Resolves once each has
   * a response or has failed: a rehearsal does not wait for the pauses.
   */
  resendWaiting?: (() => Promise<void>) | undefined;
  /** @internal Sends the preliminary webhooks of this scenario now, before the payment ends. Resolves once each was tried. */
  sendPreliminaries?: ((payment: MockPayment) => Promise<void>) | undefined;
}
