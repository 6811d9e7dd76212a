import { reasonOf } from '../../values/reason-of.js';
import { orderKey } from '../findings/evidence.js';
import type { Click } from '../findings/record.js';
import type { PaymentName } from '../../mock/state/payment-record.js';
import type { MockService } from '../types.js';
import { wait } from './watch.js';

/** The shop's own checkout, which the rehearsal calls in place of a command. */
export interface Checkout {
  /** Number of orders in each world. */
  readonly orders: number;
  /** Clicks for an order: what the shop answers, its `Location` included. */
  readonly click: (order: string, signal: AbortSignal) => Promise<{ httpStatus: number; text: string }>;
}

const mostClicks = 5;
const betweenMs = 1000;
// A shop that is slow to say no is not asked for longer.
const mostClickMs = 5000;

export class Shopper {
  readonly clicks: Click[] = [];

  constructor(
    private readonly mock: MockService,
    readonly checkout: Checkout,
    private readonly signal: AbortSignal,
  ) {}

  /** Places all orders, under names that no earlier world had. */
  async placeOrders(): Promise<void> {
    const run = Date.now().toString(36);
    const isDouble = this.mock.world().customer === 'clicks-twice';
    const names = Array.from({ length: this.checkout.orders }, (_, index) => `${run}-${index + 1}`);
    await Promise.all(
      names.flatMap((order) => (isDouble ? [this.#click(order), this.#place(order)] : this.#place(order))),
    );
  }

  async placeAgain(payment: PaymentName): Promise<void> {
    const click = this.clicks.find((each) => orderKey(each) === orderKey(payment));
    if (click) await this.#place(click.order).catch(() => undefined);
  }

  /** Clicks until the shop gives a link. */
  async #place(order: string): Promise<void> {
    const started = performance.now();
    let last = await this.#click(order);
    let clicks = 1;
    while (last !== undefined && clicks < mostClicks && performance.now() - started < mostClickMs) {
      await wait(betweenMs, this.signal);
      if (this.signal.aborted) return;
      last = await this.#click(order);
      clicks += 1;
    }
    if (last === undefined) return;
    throw new Error(
      `--checkout was called ${clicks} times for the order ${order}, and no response had a paymentUrl of the mock (the last: ${last})`,
    );
  }

  /** Returns undefined once there is a link, else what the shop answered. */
  async #click(order: string): Promise<string | undefined> {
    try {
      const { httpStatus, text } = await this.checkout.click(order, this.signal);
      // JSON may escape slashes, and an address may be within another.
      const isShown = (url: string) =>
        [url, url.replaceAll('/', '\\/'), encodeURIComponent(url)].some((each) => text.includes(each));
      const found = this.mock.payments.all().filter(({ paymentUrl }) => isShown(paymentUrl));
      for (const { referenceId, merchantId } of found) this.clicks.push({ order, referenceId, merchantId });
      return found.length > 0 ? undefined : `HTTP ${httpStatus}`;
    } catch (error) {
      return reasonOf(error);
    }
  }
}
