import type { Post } from '../common/exchange.js';
import type { MockDelay } from '../common/faults.js';
import { reasonOf } from '../../values/reason-of.js';
import type { Mutable } from '../state/store-types.js';
import type { WebhookDelivery, WebhookTry } from './webhook-types.js';

/** How a webhook is sent again, in milliseconds. `docs/mock-reference.md` and the option `webhook` have it in words. */
export const webhookRetries = {
  /** The longest wait for a response. */
  responseMs: 10_000,
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
  sending: AbortController;
}

/** Sends webhooks, each with its tries; `notify` is called whenever one changes. */
export class WebhookSender {
  constructor(
    private readonly setup: SenderSetup,
    private readonly notify: (delivery: OpenDelivery) => void,
  ) {}

  /** Tries until a 2xx response, or until the pauses are used up. Resolves then. A forgery or a decoy is tried once. */
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
      // An injected delay has failed: nothing would ever send the webhook.
      if (!signal.aborted) this.update(delivery, 'failed');
    }
  }

  /** Waits until the signal fires, or for a while; `nextTryAt` tells for how long at most. */
  async wait(delivery: OpenDelivery, longestMs: number, signal: AbortSignal): Promise<void> {
    delivery.nextTryAt = new Date(this.setup.now().getTime() + longestMs);
    this.notify(delivery);
    await this.setup.delay(longestMs, signal);
    signal.throwIfAborted();
  }

  update(delivery: OpenDelivery, status: WebhookDelivery['status']): void {
    delivery.status = status;
    delete delivery.nextTryAt;
    this.notify(delivery);
  }

  /** Sends a webhook once. True for a 2xx response. */
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
