import type { Post } from '../common/exchange.js';
import type { MockDelay } from '../common/delay.js';
import { reasonOf } from '../../values/reason-of.js';
import type { Mutable } from '../state/store-types.js';
import type { WebhookDelivery, WebhookTry } from './webhook-types.js';

/** How a webhook is sent again, in milliseconds. `docs/mock.md` and the option `webhook` have it in words. */
export const webhookRetries = {
  /** The longest wait for an answer. */
  answerMs: 10_000,
  /** Between the tries of one that fails. */
  pausesMs: [1000, 5000, 25_000],
} as const;

/** The parts of the mock that sending needs. */
export interface SenderSetup {
  readonly now: () => Date;
  readonly delay: MockDelay;
  readonly post: Post;
}

/** A delivery that can still change. */
export interface OpenDelivery extends Mutable<Omit<WebhookDelivery, 'tries'>> {
  readonly tries: WebhookTry[];
  /** Ends the tries that are under way. */
  round: AbortController;
}

/** Sends webhooks, each with its tries; `notify` is called whenever one changes. */
export class WebhookSender {
  constructor(
    private readonly setup: SenderSetup,
    private readonly notify: (delivery: OpenDelivery) => void,
  ) {}

  /** Sends a webhook until it is delivered, or has failed. Resolves then. A forged or odd one is tried once. */
  async start(
    delivery: OpenDelivery,
    pausesMs: readonly number[] = delivery.forged || delivery.odd ? [] : webhookRetries.pausesMs,
  ): Promise<void> {
    delivery.round.abort();
    delivery.round = new AbortController();
    delivery.status = 'pending';
    delete delivery.nextTryAt;
    this.notify(delivery);
    const { signal } = delivery.round;
    try {
      await this.#send(delivery, pausesMs, signal);
    } catch {
      // An injected delay has failed: nothing would ever send the webhook.
      if (!signal.aborted) this.finish(delivery, 'failed');
    }
  }

  /** Sends webhooks one after the other. */
  async startInTurn(deliveries: readonly OpenDelivery[]): Promise<void> {
    for (const delivery of deliveries) {
      // Else the mock was closed or reset in the meantime, or keeps newer ones only.
      if (!delivery.round.signal.aborted) await this.start(delivery);
    }
  }

  /** Sends webhooks at the same moment. Resolves when all of them are over. */
  async startTogether(deliveries: readonly OpenDelivery[]): Promise<void> {
    await Promise.all(deliveries.map((delivery) => this.startInTurn([delivery])));
  }

  /** Waits until the signal fires, or for a while; `nextTryAt` tells for how long at most. */
  async wait(delivery: OpenDelivery, longestMs: number, signal: AbortSignal): Promise<void> {
    delivery.nextTryAt = new Date(this.setup.now().getTime() + longestMs);
    this.notify(delivery);
    await this.setup.delay(longestMs, signal);
  }

  finish(delivery: OpenDelivery, status: 'delivered' | 'failed'): void {
    delivery.status = status;
    delete delivery.nextTryAt;
    this.notify(delivery);
  }

  /** One round: tries until a 2xx answer, or until the pauses are used up. */
  async #send(delivery: OpenDelivery, pausesMs: readonly number[], signal: AbortSignal): Promise<void> {
    for (const pauseMs of [...pausesMs, undefined]) {
      const { httpStatus = 0 } = await this.#try(delivery, signal);
      signal.throwIfAborted();
      if (httpStatus >= 200 && httpStatus < 300) {
        this.finish(delivery, 'delivered');
        return;
      }
      if (pauseMs === undefined) break;
      await this.wait(delivery, pauseMs, signal);
      signal.throwIfAborted();
      delete delivery.nextTryAt;
    }
    this.finish(delivery, 'failed');
  }

  async #try({ url, headers, body, tries }: OpenDelivery, signal: AbortSignal): Promise<WebhookTry> {
    signal.throwIfAborted();
    const { post, now } = this.setup;
    const startedAt = now();
    const started = performance.now();
    const outcome = await post({ url, headers, body, limitMs: webhookRetries.answerMs, signal }).then(
      (httpStatus) => ({ httpStatus }),
      (error: unknown) => ({ error: reasonOf(error) }),
    );
    const made: WebhookTry = { startedAt, durationMs: performance.now() - started, ...outcome };
    tries.push(made);
    return made;
  }
}
