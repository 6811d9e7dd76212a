import { setTimeout as pause } from 'node:timers/promises';
import { reasonOf } from '../../values/reason-of.js';
import type { Click } from '../findings/record.js';
import type { PaymentName } from '../state/payment-record.js';
import type { MockService } from '../types.js';

/** The shop's own checkout, which the rehearsal calls in place of a command. */
export interface Checkout {
  /** Number of orders in each world. */
  readonly orders: number;
  /** Clicks for an order: what the shop answers, its `Location` included. */
  readonly click: (
    order: string,
    signal: AbortSignal,
  ) => Promise<{ readonly httpStatus: number; readonly text: string }>;
}

const mostClicks = 5;
const betweenMs = 1000;
// A shop that is slow to say no is not asked for longer.
const mostClickMs = 10_000;

/** The customers at the checkout of one run. */
export class Shopper {
  readonly clicks: Click[] = [];

  constructor(
    private readonly mock: MockService,
    readonly checkout: Checkout,
    private readonly clicksTwice: boolean,
  ) {}

  /** Places all orders, under names that no earlier world had. */
  async placeOrders(signal: AbortSignal): Promise<void> {
    const run = Date.now().toString(36);
    const names = Array.from({ length: this.checkout.orders }, (_, index) => `${run}-${index + 1}`);
    const problems = await Promise.all(
      names.map(async (order) => {
        const twin = this.clicksTwice ? this.#click(order, signal) : undefined;
        const problem = await this.place(order, signal);
        await twin;
        return problem ?? [];
      }),
    );
    const [problem] = problems.flat();
    if (problem !== undefined) throw new Error(problem);
  }

  /** Clicks until the shop gives a link. Returns what was wrong if it never does. */
  async place(order: string, signal: AbortSignal): Promise<string | undefined> {
    let last = '';
    let count = 0;
    const started = performance.now();
    while (count < mostClicks && performance.now() - started < mostClickMs) {
      if (count > 0) await pause(betweenMs);
      if (signal.aborted) return undefined;
      count += 1;
      const answer = await this.#click(order, signal);
      if (answer === undefined) return undefined;
      last = answer;
    }
    return `called --checkout ${count} times for the order ${order} and got no link: no response had a paymentUrl of the mock (the last: ${last})`;
  }

  /** Clicks again for the order of a payment. */
  async placeAgain({ referenceId, merchantId }: PaymentName, signal: AbortSignal): Promise<void> {
    const click = this.clicks.find(
      (each) => each.referenceId === referenceId && each.merchantId === merchantId,
    );
    if (click) await this.place(click.order, signal);
  }

  /** Returns undefined once there is a link, else what the shop answered. */
  async #click(order: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      const { httpStatus, text } = await this.checkout.click(order, signal);
      // JSON may escape slashes, and an address may be within another.
      const texts = [text, text.replaceAll('\\/', '/'), text.replaceAll('&amp;', '&')];
      const isIn = (url: string) =>
        texts.some((each) => each.includes(url)) || text.includes(encodeURIComponent(url));
      const found = this.mock.payments.all().filter(({ paymentUrl }) => isIn(paymentUrl));
      for (const { referenceId, merchantId } of found) this.clicks.push({ order, referenceId, merchantId });
      return found.length > 0 ? undefined : `HTTP ${httpStatus}`;
    } catch (error) {
      return reasonOf(error);
    }
  }
}
