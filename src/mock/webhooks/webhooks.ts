import type { KeyObject } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { printable } from '../../protocol/issues.js';
import type { Changes } from '../state/changes.js';
import { paymentKey, type MockPayment, type PaymentName } from '../state/payment-record.js';
import { MockUsageError } from '../common/usage-error.js';
import type { World } from '../worlds/dimensions.js';
import { settlementRules } from '../worlds/settlements.js';
import { webhookPlans } from '../worlds/webhooks.js';
import { preliminaries, writeDraft, type WebhookDraft } from './drafts.js';
import { WebhookSender, type OpenDelivery, type SenderSetup } from './webhook-sender.js';
import type { MockWebhookOptions, MockWebhooks, WebhookDelivery } from './webhook-types.js';

/** The parts of a mock that its webhooks need. */
export interface WebhookSetup extends SenderSetup {
  /** Number of deliveries that are kept. */
  readonly mostKept: number;
  readonly changes: Changes;
  readonly world: () => World;
  readonly merchantOf: (payment: PaymentName) => WebhookMerchant | undefined;
}

/** The merchant of a payment. */
export interface WebhookMerchant {
  readonly clientId: string;
  /** Signs the webhooks, unless an option names another key. */
  readonly key: KeyObject;
}

/** Sends a webhook for each payment that is settled, in the way of the world, and keeps what became of it. */
export class Webhooks implements MockWebhooks {
  readonly #deliveries = new Map<string, OpenDelivery>();
  // A private field, which no inspection shows: it has a secret.
  readonly #options: MockWebhookOptions | undefined;
  readonly #sender: WebhookSender;
  /** By payment whose webhook waits: the function that ends the wait once a later webhook is over. */
  readonly #held = new Map<string, (later: Promise<void>) => void>();
  /** The payments whose preliminary webhooks were sent before their end. */
  readonly #preceded = new Set<string>();
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
    if (!isBeingSent) void this.#sender.start(delivery);
    return viewOf(delivery);
  }

  async resendWaiting(): Promise<void> {
    const waiting = [...this.#deliveries.values()].filter(
      ({ forged, tries, nextTryAt }) => forged !== true && tries.length > 0 && nextTryAt !== undefined,
    );
    await Promise.all(waiting.map((delivery) => this.#sender.start(delivery, [])));
  }

  /** Sends the webhook of a payment that has just been settled. */
  announce(payment: MockPayment): void {
    const { notification, settlement } = this.setup.world();
    const { copies, together = false } = webhookPlans[notification];
    const [first] = copies === 0 ? [] : this.#make(payment, [{ payment }]);
    if (!first) return;
    if (first.status === 'failed') {
      this.#notify(first);
      return;
    }
    const all = copies === 2 ? [first, this.#keep(this.#copyOf(first))] : [first];
    const send = async () => {
      if (!this.#preceded.delete(paymentKey(payment))) await this.#sendPreliminaries(payment);
      await (together ? this.#sender.startTogether(all) : this.#sender.startInTurn(all));
    };
    const { heldMs } = settlementRules[settlement];
    if (heldMs !== undefined && payment.status !== 'paid') void this.#hold(first, heldMs, send);
    else this.#release(payment, send());
  }

  async precede(payment: MockPayment): Promise<void> {
    this.#preceded.add(paymentKey(payment));
    await this.#sendPreliminaries(payment);
  }

  async #sendPreliminaries(payment: MockPayment): Promise<void> {
    const all = preliminaries(this.setup.world(), payment, this.setup.now());
    const made = this.#make(payment, all);
    await this.#sender.startTogether(made.filter(({ status }) => status === 'pending'));
  }

  /**
   * Resolves once the webhooks of a payment have been tried, in a world where the answer to a merchant or customer
   * waits for them.
   */
  async whenAnnounced(payment: PaymentName): Promise<void> {
    const { answerWaitsMs } = webhookPlans[this.setup.world().notification];
    if (answerWaitsMs === undefined) return;
    // A customer may settle a payment as soon as it exists.
    await nextTurn();
    const untried = [...this.#deliveries.values()].filter(
      (delivery) => paymentKey(delivery) === paymentKey(payment) && isUntried(delivery),
    );
    if (untried.length === 0) return;
    const over = new AbortController();
    const unsubscribe = this.setup.changes.subscribe(() => {
      if (!untried.some(isUntried)) over.abort();
    });
    await this.setup.delay(answerWaitsMs, over.signal).catch(() => undefined);
    unsubscribe();
  }

  /** Writes webhooks about a payment and keeps them. */
  #make(payment: PaymentName, drafts: readonly WebhookDraft[]): OpenDelivery[] {
    const options = this.#options;
    const merchant = this.setup.merchantOf(payment);
    if (!options || !merchant) return [];
    return drafts.flatMap((draft) => this.#delivery(draft, payment, merchant, options) ?? []);
  }

  #delivery(
    draft: WebhookDraft,
    { referenceId, merchantId }: PaymentName,
    { clientId, key }: WebhookMerchant,
    options: MockWebhookOptions,
  ): OpenDelivery | undefined {
    const id = this.#nextId();
    const { writing } = this.setup.world();
    const written = writeDraft(draft, { id, clientId, writing, key: options.secretKey ?? key }, options);
    if (!written) return undefined;
    const { body, headers, problem } = written;
    const { forgery, odd } = draft;
    const createdAt = this.setup.now();
    return this.#keep({
      id,
      url: options.url,
      referenceId,
      merchantId,
      paymentStatus: draft.payment.status,
      ...(forgery && { forged: true, forgery }),
      ...(odd && { odd }),
      createdAt,
      status: problem === undefined ? 'pending' : 'failed',
      body,
      headers,
      tries: problem === undefined ? [] : [{ startedAt: createdAt, durationMs: 0, error: problem }],
      round: new AbortController(),
    });
  }

  #copyOf(delivery: OpenDelivery): OpenDelivery {
    return { ...delivery, id: this.#nextId(), tries: [], round: new AbortController() };
  }

  #keep(delivery: OpenDelivery): OpenDelivery {
    this.#deliveries.set(delivery.id, delivery);
    const [oldest] = this.#deliveries.values();
    if (oldest && this.#deliveries.size > this.setup.mostKept) {
      this.#deliveries.delete(oldest.id);
      oldest.round.abort();
    }
    return delivery;
  }

  #nextId(): string {
    return `WH-${String((this.#created += 1)).padStart(8, '0')}`;
  }

  /** Sends a webhook after a later one of the same payment, or after a while. */
  async #hold(delivery: OpenDelivery, longestMs: number, send: () => Promise<void>): Promise<void> {
    const over = new AbortController();
    const key = paymentKey(delivery);
    let later = Promise.resolve();
    this.#held.set(key, (sent) => {
      later = sent;
      over.abort();
    });
    const ended = AbortSignal.any([over.signal, delivery.round.signal]);
    await this.#sender.wait(delivery, longestMs, ended).catch(() => undefined);
    this.#held.delete(key);
    await later;
    await send();
  }

  #release(payment: PaymentName, sent: Promise<void>): void {
    this.#held.get(paymentKey(payment))?.(sent);
  }

  #notify({ id }: OpenDelivery): void {
    if (this.#deliveries.has(id)) this.setup.changes.emit({ kind: 'webhook', id });
  }

  /** Ends what is under way: what is not delivered has failed. */
  end(): void {
    for (const delivery of this.#deliveries.values()) {
      if (delivery.status !== 'pending') continue;
      delivery.round.abort(new Error('the mock was closed'));
      this.#sender.finish(delivery, 'failed');
    }
  }

  reset(): void {
    const ended = [...this.#deliveries.values()];
    this.#deliveries.clear();
    this.#preceded.clear();
    for (const { round } of ended) round.abort();
    this.#created = 0;
  }
}

function isUntried({ status, tries }: OpenDelivery): boolean {
  return status === 'pending' && tries.length === 0;
}

function viewOf({ round: _round, ...delivery }: OpenDelivery): WebhookDelivery {
  return { ...delivery, tries: [...delivery.tries] };
}
