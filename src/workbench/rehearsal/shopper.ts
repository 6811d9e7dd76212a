import { reasonOf } from '../../values/reason-of.js';
import { paymentKeyOf, orderNamedIn, recordsFor } from '../findings/journal-queries.js';
import { reasonOfRefusal, responseTo } from '../findings/wording.js';
import type { Click } from '../findings/record.js';
import type { MockPayment, PaymentReference } from '../../mock/observation.js';
import type { MockService } from '../workbench-types.js';
import { pause } from '../../values/time-limit.js';

/** The response of the shop to a click. */
export interface ClickResponse {
  readonly httpStatus: number;
  /** The bodies and the `Location` headers of all responses. They are everything that can contain a link. */
  readonly text: string;
  /** The beginning of the last body, for messages. */
  readonly excerpt: string;
}

/** A route of the shop that starts or continues the payment of an order. */
export interface CheckoutRoute {
  /** The method and the URL, with `{order}` in it, for messages. */
  readonly written: string;
  /** Calls the route for an order. */
  readonly click: (order: string, signal: AbortSignal) => Promise<ClickResponse>;
}

/** The checkout of the shop, which the rehearsal calls instead of a command. */
export interface Checkout extends CheckoutRoute {
  /** The number of orders in each scenario. */
  readonly orders: number;
  /** The checkout of the same order after its basket has grown. */
  readonly changed?: CheckoutRoute | undefined;
}

const reasonsForSilence =
  'its INSTALLMENT_BASE_URL might be different, or the route might need JSON, a cookie or a CSRF token (see --header, --checkout-body and --checkout-page)';
// These apply if the shop did send requests in the baseline.
const laterReasonsForSilence =
  'it might have stopped, or might pause after failures, as a circuit breaker does';
const mostClicks = 5;
const betweenMs = 1000;
// After the baseline, the shopper gives up after this many calls in a row that led to no request to the service.
const mostInVain = 2;
const pollMs = 20;
// The shop is not called again after this time, even if it has been called only a few times.
const mostClickMs = 5000;

/** Calls the checkout of the shop in one scenario. */
export class Shopper {
  readonly clicks: Click[] = [];
  /** The names of the orders. Each scenario has new names. */
  readonly orderNames: readonly string[];
  /** The order that only the changed checkout places, in the baseline. */
  readonly changedOrder: string | undefined;
  /** An additional order, which the service refuses. Only the scenario `refusals-by-kind` has it. */
  readonly #refusedOrder: string | undefined;
  #isOver = false;
  #hasResponded = false;

  constructor(
    private readonly mock: MockService,
    readonly checkout: Checkout,
    private readonly signal: AbortSignal,
    /** True in the baseline, in which all calls are made: without a link there is nothing to compare. */
    private readonly isBaseline: boolean,
  ) {
    const run = Date.now().toString(36);
    const isChangedToo = isBaseline && checkout.changed !== undefined;
    const length = checkout.orders + (isChangedToo ? 1 : 0);
    this.orderNames = Array.from({ length }, (_, index) => `${run}-${index + 1}`);
    this.#refusedOrder = !isBaseline && mock.scenario().refusals === 'by-kind' ? `${run}-refused` : undefined;
    this.changedOrder = isChangedToo ? this.orderNames.at(-1) : undefined;
  }

  /** The number of orders that are placed. */
  get orders(): number {
    return this.orderNames.length;
  }

  /** The amount of the order that only the changed checkout has placed, in đồng. */
  get changedAmount(): number | undefined {
    const [click] = this.clicks.filter(({ order }) => order === this.changedOrder);
    return click && recordsFor(click, this.mock.payments.all())[0]?.request.amount.value;
  }

  async placeOrders(): Promise<void> {
    const isDouble = this.mock.scenario().customer === 'clicks-twice';
    const placed = await Promise.allSettled(
      this.orderNames.flatMap((order) =>
        isDouble ? [this.#click(order), this.#place(order)] : this.#place(order),
      ),
    );
    if (this.#refusedOrder !== undefined) await this.#placeRefused(this.#refusedOrder);
    this.#isOver = true;
    for (const each of placed) if (each.status === 'rejected') throw each.reason;
  }

  /** Places the order that is refused. The customer tries twice. */
  async #placeRefused(order: string): Promise<void> {
    this.mock.respondWith('initiatePayment', { resultStatus: 'AMOUNT_EXCEEDED_UPPER_LIMIT' }, { times: 100 });
    await this.#click(order);
    await pause(betweenMs, this.signal);
    await this.#click(order);
  }

  /**
   * Resolves once the shop has shown the link of a payment, or is not called any more. Then the customer has the link
   * from the service.
   */
  async untilShown(payment: PaymentReference): Promise<void> {
    while (!this.#isOver && this.#orderOf(payment) === undefined && !this.signal.aborted)
      await pause(pollMs, this.signal);
  }

  async placeAgain(payment: PaymentReference): Promise<void> {
    const order = this.#orderOf(payment);
    if (order !== undefined) await this.#place(order).catch(() => undefined);
  }

  /** Calls the changed checkout for the order of a payment, once. Returns false if there was no response. */
  async changeBasket(payment: PaymentReference): Promise<boolean> {
    const order = this.#orderOf(payment);
    const { changed } = this.checkout;
    if (order === undefined || !changed) return false;
    return this.#send(order, changed).then(
      () => true,
      () => false,
    );
  }

  /** All payments whose links the shop has shown for the order of this payment. */
  paymentsOfSameOrder(payment: PaymentReference): readonly MockPayment[] {
    const order = this.#orderOf(payment);
    const keys = new Set(this.clicks.filter((click) => click.order === order).map(paymentKeyOf));
    return this.mock.payments.all().filter((each) => keys.has(paymentKeyOf(each)));
  }

  #orderOf(payment: PaymentReference): string | undefined {
    return recordsFor(payment, this.clicks)[0]?.order;
  }

  /**
   * Calls the checkout until the shop returns a link, needs no link any more, or sends nothing more to the service.
   */
  async #place(order: string): Promise<void> {
    const { changed } = this.checkout;
    const route = order === this.changedOrder && changed ? changed : this.checkout;
    const started = performance.now();
    let last = await this.#click(order, route);
    let clicks = 1;
    let inVain = 0;
    while (last !== undefined && clicks < mostClicks && performance.now() - started < mostClickMs) {
      const before = this.mock.journal.all().length;
      await pause(betweenMs, this.signal);
      if (this.signal.aborted || this.#isAllPaid()) return;
      last = await this.#click(order, route);
      clicks += 1;
      inVain = this.#isAllSent() && this.mock.journal.all().length === before ? inVain + 1 : 0;
      if (inVain === mostInVain && !this.isBaseline) break;
    }
    if (last === undefined) return;
    throw new Error(`${this.#noLink(order, route, clicks)}. ${last}. ${this.#lastFromMock(order)}`);
  }

  /** Says that there is no link. After the baseline, the URL of the checkout is known to be right: it is not shown. */
  #noLink(order: string, { written }: CheckoutRoute, clicks: number): string {
    if (!this.isBaseline) return `no link for the order ${order} after ${clicks} clicks`;
    const asked = `${written} was called ${clicks} times for the order ${order}`;
    return `${asked}, and no response had a paymentUrl of the mock in its body or its Location header`;
  }

  /** True once the shop has sent a payment for each order, so that no job has to start one. */
  #isAllSent(): boolean {
    const sent = this.mock.journal.filter({ operation: 'initiatePayment' }).map(paymentKeyOf);
    return new Set(sent).size >= this.orders;
  }

  /** True once a payment for each order is paid: the customers had their links from the service. */
  #isAllPaid(): boolean {
    const payments = this.mock.payments.all();
    return payments.length >= this.orders && payments.every(({ status }) => status === 'paid');
  }

  /**
   * Calls the checkout. Returns undefined if there is a link. Otherwise returns a sentence about the response of the
   * shop.
   */
  async #click(order: string, route: CheckoutRoute = this.checkout): Promise<string | undefined> {
    try {
      const { hasLink, httpStatus, excerpt } = await this.#send(order, route);
      return hasLink
        ? undefined
        : withoutPeriod(
            `The last response of the shop was HTTP ${httpStatus}: ${excerpt || 'without a body'}`,
          );
    } catch (error) {
      return withoutPeriod(`The last click failed: ${reasonOf(error)}`);
    }
  }

  /** Keeps the links in the response of the shop. */
  async #send(order: string, route: CheckoutRoute): Promise<ClickResponse & { readonly hasLink: boolean }> {
    const response = await route.click(order, this.signal);
    this.#hasResponded = true;
    const { text } = response;
    // JSON can escape slashes, and a URL can be a parameter of another URL.
    const isShown = (url: string) =>
      [url, url.replaceAll('/', '\\/'), encodeURIComponent(url)].some((each) => text.includes(each));
    const found = this.mock.payments.all().filter(({ paymentUrl }) => isShown(paymentUrl));
    const isChanged = route !== this.checkout;
    for (const { referenceId, merchantId } of found)
      this.clicks.push({ order, referenceId, merchantId, isChanged });
    return { ...response, hasLink: found.length > 0 };
  }

  /** The last response of the service to the shop for an order. It is often the reason why there is no link. */
  #lastFromMock(order: string): string {
    const all = this.mock.journal.filter({ completed: true });
    const payments = all.filter(({ operation }) => operation === 'initiatePayment');
    const own = payments.filter((entry) => orderNamedIn(entry, this.orderNames) === order);
    const last = own.at(-1) ?? payments.at(-1) ?? all.at(-1);
    if (!last && !this.#hasResponded)
      return 'No click got a response: check that the shop is running at this address';
    const reasons = this.isBaseline ? reasonsForSilence : laterReasonsForSilence;
    if (!last) return `The shop sent no request to the mock: ${reasons}`;
    const reason = reasonOfRefusal(last);
    return `${responseTo(last)}${reason === undefined ? '' : `: ${reason}`}`;
  }
}

function withoutPeriod(text: string): string {
  return text.replace(/\.$/, '');
}
