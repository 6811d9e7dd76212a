import type { KeyObject } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { reasonOf } from '../../values/reason-of.js';
import { printable } from '../../values/texts.js';
import type { Changes } from '../state/changes.js';
import { bytesOf, type KeptBytes } from '../state/kept-bytes.js';
import { paymentKey, type MockPayment, type PaymentReference } from '../state/payment-record.js';
import { MockUsageError } from '../../errors/usage-error.js';
import type { Scenario } from '../scenarios/scenario.js';
import { settlementRules } from '../scenarios/settlements.js';
import { webhookPlans } from '../scenarios/webhook-plans.js';
import { WebhookSender, type OpenDelivery, type SenderSetup } from './webhook-sender.js';
import type { MockWebhookOptions, MockWebhooks, WebhookDelivery } from './webhook-types.js';
import { preliminaryVariants, type WebhookVariant } from './webhook-variants.js';
import { writeWebhook } from './write-webhook.js';

/** The parts of a mock that its webhooks need. */
export interface WebhookSetup extends SenderSetup {
  /** The number of deliveries that are kept. */
  readonly mostKept: number;
  readonly kept: KeptBytes;
  readonly changes: Changes;
  readonly scenario: () => Scenario;
  /** The merchants by client ID. The merchant's first key signs, unless the option `secretKey` is set. */
  readonly merchants: ReadonlyMap<string, { readonly keys: readonly KeyObject[] }>;
  /** The key from the option `secretKey`, which replaces the merchant's key. */
  readonly secretKey?: KeyObject | undefined;
}

/** Sends a webhook for each payment that is settled, as the scenario defines, and keeps the results. */
export class Webhooks implements MockWebhooks {
  readonly #deliveries = new Map<string, OpenDelivery>();
  // This field is private, so that inspection does not show the secret in it.
  readonly #options: MockWebhookOptions | undefined;
  readonly #sender: WebhookSender;
  /**
   * The webhooks that are held back, each with the function that sends the webhook. A later webhook of the same payment
   * ends the wait.
   */
  readonly #held = new Map<OpenDelivery, () => Promise<void>>();
  /** The payments whose preliminary webhooks were already sent. These webhooks are sent only once. */
  readonly #withPreliminaries = new Set<string>();
  #created = 0;

  constructor(
    options: MockWebhookOptions | undefined,
    private readonly setup: WebhookSetup,
  ) {
    this.#options = options;
    this.#sender = new WebhookSender(setup, this.#notify.bind(this));
  }

  all(): WebhookDelivery[] {
    return Array.from(this.#deliveries.values(), viewOf);
  }

  get(id: string): WebhookDelivery | undefined {
    const delivery = this.#deliveries.get(id);
    return delivery && viewOf(delivery);
  }

  resend(id: string): WebhookDelivery {
    const delivery = this.#deliveries.get(id);
    if (!delivery) throw new MockUsageError(`There is no webhook with the ID ${printable(id)}.`);
    const isBeingSent = delivery.status === 'pending' && delivery.nextTryAt === undefined;
    const sendHeld = this.#takeHeld(delivery);
    if (sendHeld) void sendHeld();
    else if (!isBeingSent) void this.#sender.send(delivery);
    return viewOf(delivery);
  }

  async resendWaiting(): Promise<void> {
    const waiting = [...this.#deliveries.values()].filter(
      ({ tries, nextTryAt }) => tries.length > 0 && nextTryAt !== undefined,
    );
    await Promise.all(waiting.map((delivery) => this.#sender.send(delivery, [])));
  }

  /** Sends the webhook of a payment that has just been settled. */
  announce(payment: MockPayment): void {
    const { notification, settlement } = this.setup.scenario();
    const { copies, together = false, once = false } = webhookPlans[notification];
    const first = copies > 0 ? this.#make(payment) : undefined;
    if (!first || isAborted(first)) return;
    const deliveries = copies > 1 ? [first, this.#copyOf(first)] : [first];
    const key = paymentKey(payment);
    const send = async () => {
      if (deliveries.every(isAborted)) return;
      const werePreliminariesSent = this.#withPreliminaries.delete(key);
      if (!werePreliminariesSent) await this.#sendAll(this.#makePreliminaries(payment), true);
      await this.#sendAll(deliveries, together, once ? [] : undefined);
    };
    const { heldMs } = settlementRules[settlement];
    if (heldMs !== undefined && payment.status !== 'paid') void this.#hold(first, send, heldMs);
    else {
      // The earlier webhooks of the payment that were held back are sent after this webhook.
      const held = [...this.#held.keys()].filter((delivery) => paymentKey(delivery) === key);
      const sendHeld = held.map((delivery) => this.#takeHeld(delivery));
      void send().then(() => Promise.all(sendHeld.map(async (sendOne) => sendOne?.())));
    }
  }

  /** Holds a webhook back for `waitMs`, and then sends the webhook, unless `#takeHeld` has removed it meanwhile. */
  async #hold(delivery: OpenDelivery, send: () => Promise<void>, waitMs: number): Promise<void> {
    this.#held.set(delivery, send);
    await this.#sender.wait(delivery, waitMs, delivery.sending.signal).catch(() => undefined);
    await this.#takeHeld(delivery)?.();
  }

  #takeHeld(delivery: OpenDelivery): (() => Promise<void>) | undefined {
    const send = this.#held.get(delivery);
    this.#held.delete(delivery);
    return send;
  }

  async sendPreliminaries(payment: MockPayment): Promise<void> {
    this.#withPreliminaries.add(paymentKey(payment));
    await this.#sendAll(this.#makePreliminaries(payment), true);
  }

  #makePreliminaries(payment: MockPayment): OpenDelivery[] {
    const variants = preliminaryVariants(this.setup.scenario(), payment);
    return variants.flatMap((variant) => this.#make(payment, variant) ?? []);
  }

  /** Sends webhooks at the same moment, or one after another. Resolves when all of them are done. */
  async #sendAll(
    deliveries: readonly OpenDelivery[],
    together: boolean,
    pausesMs?: readonly number[],
  ): Promise<void> {
    const sendOne = async (delivery: OpenDelivery) => {
      if (!isAborted(delivery)) await this.#sender.send(delivery, pausesMs);
    };
    if (together) await Promise.all(deliveries.map(sendOne));
    else for (const delivery of deliveries) await sendOne(delivery);
  }

  /**
   * Resolves once each webhook of a payment has been sent for the first time, or after `responseWaitsMs` of the
   * scenario. If the scenario has no `responseWaitsMs`, this method resolves at once. The response to a merchant or a
   * customer waits for this method.
   */
  async whenTried(payment: PaymentReference): Promise<void> {
    const { responseWaitsMs } = webhookPlans[this.setup.scenario().notification];
    if (responseWaitsMs === undefined) return;
    // In a rehearsal, a customer can pay as soon as the payment exists. This pause lets the customer pay, because there
    // is no webhook to wait for before the payment.
    await nextTurn();
    const untried = [...this.#deliveries.values()].filter(
      (delivery) => paymentKey(delivery) === paymentKey(payment) && isUntried(delivery),
    );
    if (untried.length === 0) return;
    const allTried = new AbortController();
    const unsubscribe = this.setup.changes.subscribe(() => {
      if (!untried.some(isUntried)) allTried.abort();
    });
    await this.setup.delay(responseWaitsMs, allTried.signal).catch(() => undefined);
    unsubscribe();
  }

  /**
   * Writes a webhook about a payment, and keeps the webhook. If the webhook cannot be written, a decoy is left out, and
   * any other webhook is kept as failed. Returns undefined if there is no webhook to keep.
   */
  #make(payment: MockPayment, variant: WebhookVariant = {}): OpenDelivery | undefined {
    const options = this.#options;
    const [ownKey] = this.setup.merchants.get(payment.clientId)?.keys ?? [];
    const key = this.setup.secretKey ?? ownKey;
    if (!options || key === undefined) return undefined;
    const { referenceId, merchantId, status: paymentStatus } = payment;
    const createdAt = this.setup.now();
    const named = { id: this.#nextId(), url: options.url, referenceId, merchantId, ...variant, createdAt };
    const sending = new AbortController();
    try {
      const content = { ...named, key, serialization: this.setup.scenario().serialization };
      const written = writeWebhook(payment, content, options);
      return written && this.#keep({ ...named, ...written, status: 'pending', tries: [], sending });
    } catch (error) {
      if (variant.decoy) return undefined;
      const tries = [{ startedAt: createdAt, durationMs: 0, error: reasonOf(error) }];
      const content = { paymentStatus, body: '', headers: {}, status: 'failed', tries } as const;
      const delivery = this.#keep({ ...named, ...content, sending });
      this.#notify(delivery);
      return delivery;
    }
  }

  #copyOf(delivery: OpenDelivery): OpenDelivery {
    return this.#keep({ ...delivery, id: this.#nextId(), tries: [], sending: new AbortController() });
  }

  #keep(delivery: OpenDelivery): OpenDelivery {
    this.#deliveries.set(delivery.id, delivery);
    this.setup.kept.keep(delivery, bytesOf([delivery.body, delivery.headers]), () => {
      this.#drop(delivery);
    });
    const [oldest] = this.#deliveries.values();
    if (oldest && this.#deliveries.size > this.setup.mostKept) this.#drop(oldest);
    return delivery;
  }

  #drop(delivery: OpenDelivery): void {
    this.#deliveries.delete(delivery.id);
    this.setup.kept.release(delivery);
    delivery.sending.abort();
  }

  #nextId(): string {
    return `WH-${String((this.#created += 1)).padStart(8, '0')}`;
  }

  #notify({ id }: OpenDelivery): void {
    if (this.#deliveries.has(id)) this.setup.changes.emit({ kind: 'webhook', id });
  }

  /** Ends all deliveries. The status of each webhook that is not delivered becomes `'failed'`. */
  end(): void {
    for (const delivery of this.#deliveries.values()) {
      if (delivery.status !== 'pending') continue;
      delivery.sending.abort(new Error('the mock was closed'));
      this.#sender.update(delivery, 'failed');
    }
  }

  reset(): void {
    const dropped = [...this.#deliveries.values()];
    this.#deliveries.clear();
    this.#withPreliminaries.clear();
    for (const { sending } of dropped) sending.abort();
    this.#created = 0;
  }
}

/** True for a webhook that must not be sent any more, because it has failed or was dropped. */
function isAborted({ status, sending }: OpenDelivery): boolean {
  return status === 'failed' || sending.signal.aborted;
}

function isUntried({ status, tries }: OpenDelivery): boolean {
  return status === 'pending' && tries.length === 0;
}

function viewOf({ sending: _sending, ...delivery }: OpenDelivery): WebhookDelivery {
  return { ...delivery, tries: [...delivery.tries] };
}
