import { reasonOf } from '../../values/reason-of.js';
import { paymentKeyOf, orderNamedIn, recordsFor } from '../findings/journal-queries.js';
import { refusalReason, describeResponse } from '../findings/wording.js';
import type { ShownLink } from '../findings/record.js';
import type { MockPayment, PaymentReference } from '../../mock/observation.js';
import type { MockService } from '../workbench-types.js';
import { pause } from '../../values/time-limit.js';

/** The response of the shop to a call of its checkout, after redirects. */
export interface CheckoutResponse {
  readonly httpStatus: number;
  /** The bodies and the `Location` headers of all responses, in which the payment link is searched for. */
  readonly text: string;
  /** The beginning of the last body, for messages. */
  readonly excerpt: string;
}

/** A route of the shop that starts or continues the payment of an order. */
export interface CheckoutRoute {
  /** The method and the URL, with `{order}` in it, for messages. */
  readonly shownAs: string;
  /** Calls the route for an order. */
  readonly call: (order: string, signal: AbortSignal) => Promise<CheckoutResponse>;
}

/** The checkout of the shop, which the rehearsal calls instead of a command. */
export interface Checkout extends CheckoutRoute {
  /** The number of orders in each scenario. */
  readonly orderCount: number;
  /** The checkout of an order whose basket has become more expensive: `--checkout-changed`. */
  readonly changed?: CheckoutRoute | undefined;
}

const reasonsForNoRequest =
  'its INSTALLMENT_BASE_URL might not be the address of the mock, or the route might need JSON, a cookie or a CSRF token (see --header, --checkout-body and --checkout-page)';
// The possible reasons if the shop sends no request in a later scenario, although it sent requests in the baseline.
const laterReasonsForNoRequest =
  'it might have stopped, or might pause after failures, as a circuit breaker does';
const maxCalls = 5;
const callIntervalMs = 1000;
// In every scenario except the baseline, the shopper stops after this many calls in a row that cause no request to the
// service.
const maxCallsWithoutRequest = 2;
const pollMs = 20;
// No further call is made for an order after this time, even if there were fewer than `maxCalls` calls.
const maxPlacingMs = 5000;

/** Calls the checkout of the shop in one scenario. */
export class Shopper {
  readonly shownLinks: ShownLink[] = [];
  /** The names of the orders. Each scenario has new names. */
  readonly orderNames: readonly string[];
  /**
   * An extra order of the baseline, placed only with `--checkout-changed`, to learn the amount of the changed basket.
   */
  readonly changedBasketOrder: string | undefined;
  /** An additional order, which the service refuses. Only the scenario `refusals-by-kind` has such an order. */
  readonly #refusedOrder: string | undefined;
  #areOrdersPlaced = false;
  #hasResponded = false;

  constructor(
    private readonly mock: MockService,
    readonly checkout: Checkout,
    private readonly signal: AbortSignal,
    /**
     * True in the baseline. Without a link there, nothing can be compared, so the maximum number of calls is made.
     */
    private readonly isBaseline: boolean,
  ) {
    const run = Date.now().toString(36);
    const hasChangedBasketOrder = isBaseline && checkout.changed !== undefined;
    const length = checkout.orderCount + (hasChangedBasketOrder ? 1 : 0);
    this.orderNames = Array.from({ length }, (_, index) => `${run}-${index + 1}`);
    this.#refusedOrder = !isBaseline && mock.scenario().refusals === 'by-kind' ? `${run}-refused` : undefined;
    this.changedBasketOrder = hasChangedBasketOrder ? this.orderNames.at(-1) : undefined;
  }

  /** The number of orders, including the order with the changed basket, without the order that the service refuses. */
  get orderCount(): number {
    return this.orderNames.length;
  }

  /** The amount of the changed basket, in đồng; undefined except in the baseline. */
  get changedAmount(): number | undefined {
    const link = this.shownLinks.find(({ order }) => order === this.changedBasketOrder);
    return link && recordsFor(link, this.mock.payments.all())[0]?.request.amount.value;
  }

  /** Places all orders. Rejects if an order has got no link. */
  async placeOrders(): Promise<void> {
    const isDoubleClick = this.mock.scenario().customer === 'clicks-twice';
    const placed = await Promise.allSettled(
      this.orderNames.flatMap((order) =>
        isDoubleClick ? [this.#callCheckout(order), this.#place(order)] : this.#place(order),
      ),
    );
    if (this.#refusedOrder !== undefined) await this.#placeRefused(this.#refusedOrder);
    this.#areOrdersPlaced = true;
    for (const each of placed) if (each.status === 'rejected') throw each.reason;
  }

  /** Calls the checkout twice for an order that the mock refuses. */
  async #placeRefused(order: string): Promise<void> {
    this.mock.respondWith('initiatePayment', { resultStatus: 'AMOUNT_EXCEEDED_UPPER_LIMIT' }, { times: 100 });
    await this.#callCheckout(order);
    await pause(callIntervalMs, this.signal);
    await this.#callCheckout(order);
  }

  /**
   * Resolves once the checkout has returned the link of a payment, or all orders are placed. In the second case, it is
   * assumed that the service has sent the link to the customer.
   */
  async untilLinkShown(payment: PaymentReference): Promise<void> {
    while (!this.#areOrdersPlaced && this.#orderOf(payment) === undefined && !this.signal.aborted)
      await pause(pollMs, this.signal);
  }

  /** Calls the checkout again for the order of a payment, like a customer who returns to the shop. */
  async placeAgain(payment: PaymentReference): Promise<void> {
    const order = this.#orderOf(payment);
    if (order !== undefined) await this.#place(order).catch(() => undefined);
  }

  /** Calls the changed checkout once for the order of a payment. Resolves to false if there was no response. */
  async changeBasket(payment: PaymentReference): Promise<boolean> {
    const order = this.#orderOf(payment);
    const { changed } = this.checkout;
    if (order === undefined || !changed) return false;
    return this.#callRoute(order, changed).then(
      () => true,
      () => false,
    );
  }

  /** Returns the payments whose links the checkout has returned for the order of this payment. */
  paymentsOfSameOrder(payment: PaymentReference): readonly MockPayment[] {
    const order = this.#orderOf(payment);
    const keys = new Set(this.shownLinks.filter((link) => link.order === order).map(paymentKeyOf));
    return this.mock.payments.all().filter((each) => keys.has(paymentKeyOf(each)));
  }

  #orderOf(payment: PaymentReference): string | undefined {
    return recordsFor(payment, this.shownLinks)[0]?.order;
  }

  /**
   * Calls the checkout for an order until a response contains a link, all payments are paid, or a limit is reached.
   * @throws Error that describes the last call, if there is no link
   */
  async #place(order: string): Promise<void> {
    const { changed } = this.checkout;
    const route = order === this.changedBasketOrder && changed ? changed : this.checkout;
    const started = performance.now();
    let problem = await this.#callCheckout(order, route);
    let calls = 1;
    let callsWithoutRequest = 0;
    while (problem !== undefined && calls < maxCalls && performance.now() - started < maxPlacingMs) {
      const requestsBefore = this.mock.journal.all().length;
      await pause(callIntervalMs, this.signal);
      if (this.signal.aborted || this.#areAllPaymentsPaid()) return;
      problem = await this.#callCheckout(order, route);
      calls += 1;
      callsWithoutRequest =
        this.#hasSentEveryOrder() && this.mock.journal.all().length === requestsBefore
          ? callsWithoutRequest + 1
          : 0;
      if (callsWithoutRequest === maxCallsWithoutRequest && !this.isBaseline) break;
    }
    if (problem === undefined) return;
    throw new Error(
      `${this.#noLinkMessage(order, route, calls)}. ${problem}. ${this.#lastResponseOfMock(order)}`,
    );
  }

  /** Says that an order has no link. In the baseline, the message shows the URL, because the URL might be wrong. */
  #noLinkMessage(order: string, { shownAs }: CheckoutRoute, calls: number): string {
    const times = calls === 1 ? 'once' : `${calls} times`;
    if (!this.isBaseline)
      return `the checkout returned no link for the order ${order}: it was called ${times}`;
    const called = `${shownAs} was called ${times} for the order ${order}`;
    return `${called}, and no response contained a paymentUrl of the mock in its body or its Location header`;
  }

  /** True once the shop has requested a payment for each order, so that no job of the shop will request another. */
  #hasSentEveryOrder(): boolean {
    const sent = this.mock.journal.filter({ operation: 'initiatePayment' }).map(paymentKeyOf);
    return new Set(sent).size >= this.orderCount;
  }

  /**
   * True if there are at least as many payments as orders, and all payments are paid: the customers have paid with
   * links that they got from the service.
   */
  #areAllPaymentsPaid(): boolean {
    const payments = this.mock.payments.all();
    return payments.length >= this.orderCount && payments.every(({ status }) => status === 'paid');
  }

  /**
   * Calls the checkout for an order. Returns undefined if the response contains a link. If not, returns a sentence
   * about the response or the failure.
   */
  async #callCheckout(order: string, route: CheckoutRoute = this.checkout): Promise<string | undefined> {
    try {
      const { hasLink, httpStatus, excerpt } = await this.#callRoute(order, route);
      return hasLink
        ? undefined
        : withoutPeriod(`The last response of the shop was HTTP ${httpStatus}: ${excerpt || 'no body'}`);
    } catch (error) {
      return withoutPeriod(`The last call failed: ${reasonOf(error)}`);
    }
  }

  /** Calls a checkout route, and keeps the links in its response. */
  async #callRoute(
    order: string,
    route: CheckoutRoute,
  ): Promise<CheckoutResponse & { readonly hasLink: boolean }> {
    const response = await route.call(order, this.signal);
    this.#hasResponded = true;
    const { text } = response;
    // JSON can escape slashes, and a URL can be a parameter of another URL.
    const isShown = (url: string) =>
      [url, url.replaceAll('/', '\\/'), encodeURIComponent(url)].some((each) => text.includes(each));
    const found = this.mock.payments.all().filter(({ paymentUrl }) => isShown(paymentUrl));
    const fromChangedCheckout = route !== this.checkout;
    for (const { referenceId, merchantId } of found)
      this.shownLinks.push({ order, referenceId, merchantId, fromChangedCheckout });
    return { ...response, hasLink: found.length > 0 };
  }

  /** Describes the last response of the mock for an order, which is often the reason why there is no link. */
  #lastResponseOfMock(order: string): string {
    const all = this.mock.journal.filter({ completed: true });
    const payments = all.filter(({ operation }) => operation === 'initiatePayment');
    const ofOrder = payments.filter((entry) => orderNamedIn(entry, this.orderNames) === order);
    const last = ofOrder.at(-1) ?? payments.at(-1) ?? all.at(-1);
    if (!last && !this.#hasResponded)
      return 'No call got a response: check that the shop is running at this address';
    const reasons = this.isBaseline ? reasonsForNoRequest : laterReasonsForNoRequest;
    if (!last) return `The shop sent no request to the mock: ${reasons}`;
    const reason = refusalReason(last);
    return `${describeResponse(last)}${reason === undefined ? '' : `: ${reason}`}`;
  }
}

function withoutPeriod(text: string): string {
  return text.replace(/\.$/, '');
}
