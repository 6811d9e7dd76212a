import type { Post } from '../common/exchange.js';
import type { MockDelay } from '../common/faults.js';
import { reasonOf } from '../../values/reason-of.js';
import type { Mutable } from '../state/store-types.js';
import type { WebhookDelivery, WebhookTry } from './webhook-types.js';

/**
 * The times for sending and repeating a webhook, in milliseconds. `docs/mock-reference.md` and the doc comment of the
 * option `webhook` contain the same times.
 */
export const webhookRetries = {
  /** The maximum wait for a response. */
  responseMs: 10_000,
  /** The pauses between the attempts to deliver a webhook. */
  pausesMs: [1000, 5000, 25_000],
} as const;

/** The parts of the mock that are needed for sending. */
export interface SenderSetup {
  readonly now: () => Date;
  readonly delay: MockDelay;
  readonly post: Post;
}

/** A delivery that the mock can change. */
export interface OpenDelivery extends Mutable<Omit<WebhookDelivery, 'tries'>> {
  readonly tries: WebhookTry[];
  /** Ends the attempts that are in progress. */
  sending: AbortController;
}

/** Sends webhooks, and repeats attempts that fail. `notify` is called when a webhook changes. */
export class WebhookSender {
  constructor(
    private readonly setup: SenderSetup,
    private readonly notify: (delivery: OpenDelivery) => void,
  ) {}

  /**
   * Sends a webhook until there is a 2xx response or no pause is left, and then resolves. A forgery or a decoy is sent
   * once.
   */
  async send(
    delivery: OpenDelivery,
    pausesMs: readonly number[] = delivery.forgery || delivery.decoy ? [] : webhookRetries.pausesMs,
  ): Promise<void> {
    delivery.sending.abort();
    delivery.sending = new AbortController();
    const { signal } = delivery.sending;
    this.update(delivery, 'pending');
    try {
      let isDelivered = await this.#try(delivery, signal);
      for (const pauseMs of pausesMs) {
        if (isDelivered) break;
        await this.wait(delivery, pauseMs, signal);
        delete delivery.nextTryAt;
        isDelivered = await this.#try(delivery, signal);
      }
      this.update(delivery, isDelivered ? 'delivered' : 'failed');
    } catch {
      // If the signal has not fired, the option `delay` has failed: the webhook can then never be sent.
      if (!signal.aborted) this.update(delivery, 'failed');
    }
  }

  /** Waits, and rejects if the signal fires before the end of the wait. Sets `nextTryAt` to this end. */
  async wait(delivery: OpenDelivery, waitMs: number, signal: AbortSignal): Promise<void> {
    delivery.nextTryAt = new Date(this.setup.now().getTime() + waitMs);
    this.notify(delivery);
    await this.setup.delay(waitMs, signal);
    signal.throwIfAborted();
  }

  update(delivery: OpenDelivery, status: WebhookDelivery['status']): void {
    delivery.status = status;
    delete delivery.nextTryAt;
    this.notify(delivery);
  }

  /** Sends a webhook once. Resolves to true for a 2xx response. */
  async #try({ url, headers, body, tries }: OpenDelivery, signal: AbortSignal): Promise<boolean> {
    const { post, now } = this.setup;
    const startedAt = now();
    const started = performance.now();
    const outcome: Pick<WebhookTry, 'httpStatus' | 'error'> = await post({
      url,
      headers,
      body,
      limitMs: webhookRetries.responseMs,
      signal,
    }).then(
      (httpStatus) => ({ httpStatus }),
      (error: unknown) => ({ error: reasonOf(error) }),
    );
    tries.push({ startedAt, durationMs: performance.now() - started, ...outcome });
    signal.throwIfAborted();
    const { httpStatus = 0 } = outcome;
    return httpStatus >= 200 && httpStatus < 300;
  }
}
