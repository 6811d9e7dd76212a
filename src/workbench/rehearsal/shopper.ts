import { reasonOf } from '../../values/reason-of.js';
import { orderKey, recordsFor, responseTo } from '../findings/evidence.js';
import type { Click } from '../findings/record.js';
import type { MockPayment, PaymentName } from '../../mock/state/payment-record.js';
import type { MockService } from '../types.js';
import { wait } from './watch.js';

/** The response of the shop to a click. */
export interface ClickResponse {
  readonly httpStatus: number;
  /** Everything that may hold a link: the bodies and the `Location` of all responses. */
  readonly text: string;
  /** The beginning of the last body, for people. */
  readonly excerpt: string;
}

/** The shop's own checkout, which the rehearsal calls in place of a command. */
export interface Checkout {
  /** Number of orders in each world. */
  readonly orders: number;
  /** The method and the address, with `{order}` in it, for people. */
  readonly written: string;
  /** Clicks for an order. */
  readonly click: (order: string, signal: AbortSignal) => Promise<ClickResponse>;
}

const wantedByRoutes =
  'a route that wants JSON, a cookie or a CSRF token gets them by --header and --checkout-body';
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
    const order = this.#orderOf(payment);
    if (order !== undefined) await this.#place(order).catch(() => undefined);
  }

  /** All payments whose links the shop has shown for the order of this one. */
  paymentsOfSameOrder(payment: PaymentName): readonly MockPayment[] {
    const order = this.#orderOf(payment);
    const keys = new Set(this.clicks.filter((click) => click.order === order).map(orderKey));
    return this.mock.payments.all().filter((each) => keys.has(orderKey(each)));
  }

  #orderOf(payment: PaymentName): string | undefined {
    return recordsFor(payment, this.clicks)[0]?.order;
  }

  /** Clicks until the shop gives a link, or needs none any more. */
  async #place(order: string): Promise<void> {
    const started = performance.now();
    let last = await this.#click(order);
    let clicks = 1;
    while (last !== undefined && clicks < mostClicks && performance.now() - started < mostClickMs) {
      await wait(betweenMs, this.signal);
      if (this.signal.aborted || this.#isAllPaid()) return;
      last = await this.#click(order);
      clicks += 1;
    }
    if (last === undefined) return;
    const asked = `${this.checkout.written} was called ${clicks} times for the order ${order}`;
    const missed = 'no response had a paymentUrl of the mock in its body or its Location header';
    throw new Error(`${asked}, and ${missed}. ${last}. ${this.#lastFromMock()}`);
  }

  /** True once a payment for each order is paid: the customers had their links from elsewhere. */
  #isAllPaid(): boolean {
    const payments = this.mock.payments.all();
    return payments.length >= this.checkout.orders && payments.every(({ status }) => status === 'paid');
  }

  /** Returns undefined once there is a link, else what the shop responded. */
  async #click(order: string): Promise<string | undefined> {
    try {
      const { httpStatus, text, excerpt } = await this.checkout.click(order, this.signal);
      // JSON may escape slashes, and an address may be within another.
      const isShown = (url: string) =>
        [url, url.replaceAll('/', '\\/'), encodeURIComponent(url)].some((each) => text.includes(each));
      const found = this.mock.payments.all().filter(({ paymentUrl }) => isShown(paymentUrl));
      for (const { referenceId, merchantId } of found) this.clicks.push({ order, referenceId, merchantId });
      return found.length > 0 ? undefined : `The last was HTTP ${httpStatus}: ${excerpt || 'without a body'}`;
    } catch (error) {
      return `The last failed: ${reasonOf(error)}`;
    }
  }

  /** What the shop had got from the service: often the reason why it has no link. */
  #lastFromMock(): string {
    const last = this.mock.journal.filter({ completed: true }).at(-1);
    if (!last) return `The shop sent no request to the mock: ${wantedByRoutes}`;
    return `${responseTo(last)}${last.resultMsg === undefined ? '' : `: ${last.resultMsg}`}`.replace(
      /\.$/,
      '',
    );
  }
}
