import type { KeyObject } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { headerNames } from '../../protocol/headers.js';
import { printable } from '../../protocol/issues.js';
import { hmacSha256 } from '../../protocol/signature.js';
import { version } from '../../version.js';
import type { Changes } from '../state/changes.js';
import { paymentKey, type PaymentName, type SettledPayment } from '../state/payments.js';
import { MockUsageError } from '../wire/usage-error.js';
import type { World } from '../worlds/dimensions.js';
import { forgeries, notificationPlans, settlementRules, type Forgery } from '../worlds/notifications.js';
import { bodyOf, forgedPayment } from './webhook-body.js';
import { WebhookSender, type OpenDelivery, type SenderSetup } from './webhook-sender.js';
import type { MockWebhookOptions, MockWebhooks, WebhookDelivery } from './webhook-types.js';

/** The parts of a mock that its webhooks need. */
export interface WebhookSetup extends SenderSetup {
  /** Number of deliveries that are kept. */
  readonly limit: number;
  readonly changes: Changes;
  readonly world: () => World;
}

/** The longest time that a notification waits for the forged ones, whose effect is seen best before it. */
const forgedAheadMs = 1000;

/** Sends a webhook for each payment that is settled, in the way of the world, and keeps what became of it. */
export class Webhooks implements MockWebhooks {
  readonly #deliveries = new Map<string, OpenDelivery>();
  // A private field, which no inspection shows: it has a secret.
  readonly #options: MockWebhookOptions | undefined;
  readonly #sender: WebhookSender;
  /** Of the payments whose webhook waits: ends the wait once a later webhook is over. */
  readonly #held = new Map<string, (later: Promise<void>) => void>();
  #created = 0;

  constructor(
    options: MockWebhookOptions | undefined,
    private readonly setup: WebhookSetup,
  ) {
    this.#options = options;
    this.#sender = new WebhookSender(setup, this.#tell.bind(this));
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

  /** Sends the webhook of a payment that has just been settled. */
  announce(payment: SettledPayment, merchantKey: KeyObject): void {
    const { notification, settlement, forged } = this.setup.world();
    const { copies, together = false } = notificationPlans[notification];
    if (!this.#options || copies === 0) return;
    const { secretKey = merchantKey } = this.#options;
    const first = this.#make(payment, this.#options, secretKey);
    this.#keep(first);
    if (first.status === 'failed') {
      this.#tell(first);
      return;
    }
    const all = copies === 2 ? [first, this.#keep(this.#copyOf(first))] : [first];
    const byForgers = forged ? this.#forge(payment, this.#options, first) : [];
    const send = async () => {
      if (byForgers.length > 0) await this.#sender.startAhead(byForgers, forgedAheadMs);
      if (together) await Promise.all(all.map((delivery) => this.#sender.startInTurn([delivery])));
      else await this.#sender.startInTurn(all);
    };
    const { heldMs } = settlementRules[settlement];
    if (heldMs !== undefined && payment.status !== 'paid') void this.#hold(first, heldMs, send);
    else this.#release(payment, send());
  }

  /**
   * Resolves once the webhooks of a payment have been tried, in a world where the answer to a merchant or customer
   * waits for them.
   */
  async announced(payment: PaymentName): Promise<void> {
    const { answerWaitsMs } = notificationPlans[this.setup.world().notification];
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

  #make(
    payment: SettledPayment,
    options: MockWebhookOptions,
    secretKey: KeyObject | string,
    forgery?: { readonly name: Forgery; readonly signature: string },
  ): OpenDelivery {
    const { url, header = headerNames.signature } = options;
    const id = this.#nextId();
    const { body, problem } = bodyOf(forgery ? forgedPayment(payment) : payment, id, options);
    const signature = forgery ? forgeries[forgery.name](body, forgery) : hmacSha256(body, secretKey);
    const { referenceId, merchantId, status: settlement } = payment;
    const createdAt = this.setup.now();
    return {
      id,
      url,
      referenceId,
      merchantId,
      settlement,
      ...(forgery && { forged: true, forgery: forgery.name }),
      createdAt,
      status: problem === undefined ? 'pending' : 'failed',
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': `installment-payments-mock/${version}`,
        ...(signature !== undefined && { [header]: signature }),
      },
      tries: problem === undefined ? [] : [{ startedAt: createdAt, durationMs: 0, error: problem }],
      round: new AbortController(),
    };
  }

  #copyOf(delivery: OpenDelivery): OpenDelivery {
    return { ...delivery, id: this.#nextId(), tries: [], round: new AbortController() };
  }

  /** The forged notifications beside a webhook. Without a status or amount, a forged body may equal the real one. */
  #forge(payment: SettledPayment, options: MockWebhookOptions, real: OpenDelivery): OpenDelivery[] {
    const { header = headerNames.signature } = options;
    const signature = real.headers[header] ?? '';
    return (Object.keys(forgeries) as Forgery[])
      .map((name) => this.#make(payment, options, '', { name, signature }))
      .filter(({ forgery, body }) => forgery !== 'other-body' || body !== real.body)
      .map((delivery) => this.#keep(delivery));
  }

  #keep(delivery: OpenDelivery): OpenDelivery {
    this.#deliveries.set(delivery.id, delivery);
    const [oldest] = this.#deliveries.values();
    if (oldest && this.#deliveries.size > this.setup.limit) {
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
    const release = (sent: Promise<void>) => {
      later = sent;
      over.abort();
    };
    this.#held.set(key, release);
    const { signal } = delivery.round;
    const ended = AbortSignal.any([over.signal, signal]);
    await this.#sender.wait(delivery, longestMs, ended).catch(() => undefined);
    if (this.#held.get(key) === release) this.#held.delete(key);
    await later;
    if (!signal.aborted) await send();
  }

  #release(payment: PaymentName, sent: Promise<void>): void {
    const key = paymentKey(payment);
    this.#held.get(key)?.(sent);
    this.#held.delete(key);
  }

  #tell({ id }: OpenDelivery): void {
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
    this.#held.clear();
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
