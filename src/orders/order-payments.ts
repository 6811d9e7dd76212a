import { randomUUID } from 'node:crypto';
import { checkOptions } from '../errors/check-options.js';
import { ConfigurationError } from '../errors/errors.js';
import { listed } from '../values/texts.js';
import { orUndefined } from '../values/untrusted-values.js';
import {
  conclusions,
  invoiceConclusions,
  type InvoiceConclusion,
  type PaymentConclusion,
} from './commands.js';
import { Engine } from './engine.js';
import { eventOf, nearStatus } from './events.js';
import {
  accountQueryRules,
  accountRules,
  addRules,
  cancelRules,
  concludeRules,
  listRules,
  restoreRules,
  reviewRules,
  staffRules,
  startRules,
  sweepRules,
} from './method-options.js';
import { checkOrderOptions, type CheckedOptions, type OrderPaymentsOptions } from './options.js';
import type { Order } from './order.js';
import { viewOf } from './order-view.js';
import { paymentOf } from './payment-state.js';
import { restoreKey, restoresIn } from './restores.js';
import { reviewItem, unreadableItem } from './review-item.js';
import type { ReviewLanguage } from './review-texts.js';
import { reviewsOf } from './reviews.js';
import { readOrder, type StoredDecision } from './run-command.js';
import type { OrderStorage } from './storage.js';
import { sweep, type SweepResult, type SweepSettings } from './sweep.js';
import { sweepEvery } from './sweep-every.js';
import { accountIn } from './stored-order.js';
import { invoiceText, keyInReference, type OrderInvoice } from './stored-request.js';
import type {
  ByStaff,
  Conclusion,
  EventResult,
  InAccount,
  InTransaction,
  OrderChange,
  OrderEvent,
  OrderRequest,
  OrderView,
  ReviewItem,
  StartOptions,
} from './types.js';

/** Options of {@link OrderPayments.sweep}. */
export type SweepOptions = { readonly [Name in keyof SweepSettings]?: SweepSettings[Name] | undefined };

/** The state of the queue of orders, as {@link OrderPayments.health} reports it. */
export interface OrderHealth {
  /** The time at which the oldest due order became due; absent if no order is due. */
  readonly oldestDue?: Date;
  /** The time since which the oldest order has waited for your staff; absent if no order waits. */
  readonly oldestReview?: Date;
  /** The number of orders that wait for your staff. */
  readonly inReview: number;
}

/**
 * Creates the order module of a shop, which makes sure that each order is paid once. The module stores each order in
 * one row of the shop's database. Checkouts, cron runs and queue jobs can run twice and on any machine, and a process
 * can be killed or suspended at any time: the result is the same.
 *
 * @example
 * ```ts
 * import { InstallmentClient } from 'installment-payments';
 * import { createOrderPayments } from 'installment-payments/orders';
 * import type { Pool } from 'pg';
 *
 * export function createPayments(pool: Pool, ship: (orderId: string) => Promise<void>) {
 *   return createOrderPayments({
 *     client: new InstallmentClient(),
 *     dialect: 'postgres',
 *     query: async (sql, values) => (await pool.query(sql, values)).rows,
 *     onPaid: ({ orderId }) => ship(orderId),
 *   });
 * }
 * ```
 * @param options - `client`, `onPaid`, and `dialect` with `query` (or `storage`) are required.
 * @throws ConfigurationError that names a missing or malformed option.
 */
export function createOrderPayments(options: OrderPaymentsOptions): OrderPayments {
  return new OrderPayments(checkOrderOptions(options));
}

/**
 * The order module, created by {@link createOrderPayments}. If a method rejects because the database failed, call the
 * method again.
 */
export class OrderPayments {
  /**
   * The CREATE statements of the table, for a migration; empty if `storage` is used. Running them again changes
   * nothing. If two processes run a statement at the same time, PostgreSQL can refuse the statement: run it again.
   */
  readonly schema: readonly string[];
  readonly #options: CheckedOptions;
  readonly #engine: Engine;

  /** @internal */
  constructor(options: CheckedOptions) {
    this.schema = options.schema;
    this.#options = options;
    this.#engine = new Engine(options);
  }

  /**
   * Starts the payment of an order, at a checkout or in a job. Stores a new payment if the order can have one, sends
   * the stored payment, and resolves to the order, with the link of its open payment. A second call resolves to the
   * same link. If another process is requesting the link, the call waits for up to `waitMs`.
   *
   * The amount of this request becomes the amount due of the order, so build the request from your stored order. If a
   * payment of a different amount is open, `state` is `'changed'`, without a link.
   *
   * @param orderId - The ID of the order in your shop: 1 to 180 characters, unique over all accounts.
   * @param request - The request as for `initiatePayment`, without `referenceId`. Without a request, as in a job of a
   *   queue, the call only continues a stored payment.
   * @throws ValidationError before anything is stored; OrderError if the order is unknown and no request was passed.
   */
  async start(orderId: string, request?: OrderRequest, options: StartOptions = {}): Promise<OrderView> {
    const engine = this.#engine;
    const location = engine.locationOf(orderId);
    const checked = checkOptions(startRules, options);
    const { decision, candidate, client } = await engine.begin('start', location, request, checked);
    const order = decision.effect
      ? await engine.carryOutAndStore(location, decision, client)
      : await engine.awaitCall(location, decision.order);
    return viewOf(orderId, order, candidate);
  }

  /**
   * Stores a payment without sending it, for example in the transaction that stores the order. After the commit,
   * `start` sends the payment at once. If `start` is not called, `sweep` sends the payment after a minute.
   *
   * @param options - The options of `start`, and the `query` of your transaction.
   * @throws ValidationError before anything is stored; OrderError for an order of another account.
   */
  async add(
    orderId: string,
    request: OrderRequest,
    options: StartOptions & InTransaction = {},
  ): Promise<OrderView> {
    const { query, ...checked } = checkOptions(addRules, options);
    const location = this.#engine.locationOf(orderId, query);
    const { decision, candidate } = await this.#engine.begin('add', location, request, checked);
    return viewOf(orderId, decision.order, candidate);
  }

  /**
   * Applies a verified webhook. Webhooks can arrive twice, late and in any order. The amount, the currency and the
   * merchant are compared with the payment. To ship in the same transaction when `firstPaid` is true, pass the `query`
   * of that transaction.
   *
   * @throws OrderError for an unknown `referenceId` or an event that cannot be read: respond with 500.
   */
  async handleEvent(event: OrderEvent, options: InAccount & InTransaction = {}): Promise<EventResult> {
    const { query, account } = checkOptions(accountQueryRules, options);
    this.#engine.clients.checkAccount(account);
    const paymentEvent = eventOf(event, this.#options.statusAliases);
    const location = this.#engine.locationOfPayment(paymentEvent.referenceId, query);
    const decision = await this.#engine.run(location, {
      type: 'event',
      commandId: randomUUID(),
      event: paymentEvent,
      canCallOnPaid: query === undefined,
      account,
    });
    const { unknownStatus } = paymentEvent;
    if (unknownStatus !== undefined) this.#warnOfStatus(unknownStatus);
    const { changed = false, firstPaid = false, mismatch, otherAmount } = decision;
    const order = await this.#engine.carryOutAndStore(location, decision);
    return {
      ...viewOf(order?.orderId ?? '', order),
      changed,
      firstPaid,
      ...(mismatch && { mismatch }),
      ...(unknownStatus !== undefined && { unknownStatus }),
      ...(otherAmount && { otherAmount }),
    };
  }

  #warnOfStatus(status: string): void {
    const near = nearStatus(status, this.#options.statusAliases);
    const shown = JSON.stringify(status.slice(0, 100));
    const known =
      near === undefined
        ? ''
        : ` (it differs only in case or spaces from the known value ${JSON.stringify(near)})`;
    this.#engine.warnOnce(
      `a webhook changed nothing: add its status ${shown} to statusAliases${known}`,
      near === undefined ? 'warn' : 'error',
    );
  }

  /**
   * Processes every order that is due: sends and repeats payments, uploads invoices, calls `onPaid`, and finds overdue
   * payments. Run the sweep every minute, on any number of machines. An order that fails is logged and does not stop
   * the other orders.
   *
   * @param options - `limit` is the number of orders that are taken at a time (default 100). `concurrency` is the
   *   number of orders that are processed at the same time (default 10). After `budgetMs` milliseconds (default
   *   50,000), the sweep begins no further order.
   */
  async sweep(options: SweepOptions = {}): Promise<SweepResult> {
    const settings = checkOptions(sweepRules, options);
    const engine = this.#engine;
    const storage = this.#options.storageFor();
    const now = await timeOf(storage);
    const processDue = (key: string, onSlow: () => void) => engine.processDue(key, onSlow);
    return sweep({ storage, now, processDue, report: engine.report }, settings);
  }

  /**
   * Runs {@link sweep} every `ms` milliseconds. The timer does not keep the process alive. A sweep that fails is
   * logged. A second call for the same `table` in the same process, such as after a hot reload, replaces the first
   * timer.
   *
   * @returns a function that stops the timer.
   */
  sweepEvery(ms: number): () => void {
    return sweepEvery(ms, this.#options.table, () => this.sweep(), this.#engine.report);
  }

  /**
   * Lists everything that waits for your staff, the oldest item first. Each item says why it waits, what to do, and
   * which calls are possible now.
   *
   * @param options - `account` limits the list to the orders of one account. The list then contains an order with a
   *   damaged row only if the account in the row can still be read. `lang` is the language of `action`: `'en'` or
   *   `'vi'`.
   */
  async forReview(
    options: InAccount & { readonly lang?: ReviewLanguage | undefined } = {},
  ): Promise<ReviewItem[]> {
    const { account, lang } = checkOptions(reviewRules, options);
    const engine = this.#engine;
    const { now, restores } = await this.#options.storageFor().read(restoreKey);
    const settings = { ...engine.settingsWith(engine.clients.single), restores: restoresIn(restores) };
    const items: ReviewItem[] = [];
    for await (const row of engine.rows('inReview', 0)) {
      const order = engine.tryParse(row);
      if (account !== undefined && (order ? order.account : accountIn(row.data)) !== account) continue;
      const found = orUndefined(
        () => order && reviewsOf(order).map((review) => reviewItem(order, review, now, settings, lang)),
      );
      // No review is found if the order cannot be read, or if this version does not know why the order waits.
      items.push(...(found?.length ? found : [unreadableItem(row, lang)]));
    }
    return items.toSorted((a, b) => a.since.getTime() - b.since.getTime());
  }

  /**
   * Reports the state of the queue of orders, for monitoring. If `oldestDue` is more than a few minutes ago, no sweep
   * is running, or the sweeps cannot keep up.
   */
  async health(): Promise<OrderHealth> {
    const storage = this.#options.storageFor();
    const [now, { oldestDue, oldestReview, inReview }] = await Promise.all([
      timeOf(storage),
      storage.health(),
    ]);
    return {
      ...(oldestDue !== null && oldestDue <= now && { oldestDue: new Date(oldestDue) }),
      ...(oldestReview !== null && { oldestReview: new Date(oldestReview) }),
      inReview,
    };
  }

  /**
   * Stops the repeats of a payment, so that your staff can look the payment up at the provider. After `safeFrom`, no
   * request for this payment can arrive any more: if the service does not have the payment by then, the payment will
   * never exist.
   *
   * @throws OrderError for an unknown `referenceId`.
   */
  async lookUp(
    referenceId: string,
    options: ByStaff & InTransaction = {},
  ): Promise<{ orderId: string; safeFrom: Date }> {
    const { query, ...by } = checkOptions(staffRules, options);
    const location = this.#engine.locationOfPayment(referenceId, query);
    const { safeAt = 0, order } = await this.#engine.run(location, {
      type: 'lookUp',
      referenceId,
      ...by,
    });
    return { orderId: order?.orderId ?? '', safeFrom: new Date(safeAt) };
  }

  /**
   * Stores the conclusion of your staff about a payment, after they have checked the payment at the provider. Every
   * conclusion that is stored also removes a `mismatch` of the payment from `forReview()`.
   *
   * - `'absent'`: the service does not have the payment, so the next payment can begin. Call {@link lookUp} first.
   *   Before `safeFrom`, this conclusion changes nothing and resolves to `done: false` with `safeFrom`.
   * - `'exists'`: the service has the payment. Pass its `paymentUrl`, if you know it. An overdue payment stays in
   *   `forReview()`.
   * - `'over'`: the payment cannot be paid any more. For a payment that might have been sent and is not known to exist,
   *   the rules of `'absent'` apply.
   * - `'paid'`: the payment is paid. This conclusion does the same as a webhook that says `paid`. The result contains
   *   `firstPaid`.
   * - `'accept'`: the shop accepts a paid payment for the order, although its amount differs from the amount due. The
   *   result contains `firstPaid`.
   *
   * @throws OrderError for an unknown `referenceId`.
   */
  async conclude(
    referenceId: string,
    conclusion: PaymentConclusion,
    options: { readonly paymentUrl?: string | undefined } & ByStaff & InTransaction = {},
  ): Promise<Conclusion> {
    const { query, ...about } = checkOptions(concludeRules, options);
    checkConclusion(conclusion, conclusions);
    const location = this.#engine.locationOfPayment(referenceId, query);
    const decision = await this.#engine.run(location, {
      type: 'conclude',
      commandId: randomUUID(),
      referenceId,
      conclusion,
      canCallOnPaid: query === undefined,
      ...about,
    });
    await this.#engine.carryOutAndStore(location, decision);
    const { firstPaid = false, otherAmount } = decision;
    return {
      ...conclusionOf(decision),
      ...((conclusion === 'paid' || conclusion === 'accept') && { firstPaid }),
      ...(otherAmount && { otherAmount }),
    };
  }

  /**
   * Stores that your staff have refunded a payment. A payment can be marked as refunded if it is in `forReview()` as
   * `refund` or `other_amount`. If not, nothing is stored, and `done` is false. If the payment is already marked,
   * `done` is true again.
   *
   * @throws OrderError for an unknown `referenceId`.
   */
  async markRefunded(referenceId: string, options: ByStaff & InTransaction = {}): Promise<Conclusion> {
    const { query, ...by } = checkOptions(staffRules, options);
    const location = this.#engine.locationOfPayment(referenceId, query);
    return conclusionOf(await this.#engine.run(location, { type: 'refunded', referenceId, ...by }));
  }

  /**
   * Cancels an order, so that nothing more is sent for it. An unknown order is stored as cancelled, so that a later
   * `start` begins no payment. Resolves to false if the order is paid: refund the payment instead.
   */
  async cancel(orderId: string, options: InAccount & ByStaff & InTransaction = {}): Promise<boolean> {
    const { query, ...about } = checkOptions(cancelRules, options);
    this.#engine.clients.checkAccount(about.account);
    const location = this.#engine.locationOf(orderId, query);
    const { concluded = false } = await this.#engine.run(location, { type: 'cancel', ...about });
    return concluded;
  }

  /**
   * Stores an invoice, which `sweep` uploads once the order is paid. Each invoice is stored once at the service, and an
   * order can have three invoices. Two invoices are the same if they have the same `invoiceNumber`, or, without a
   * number, the same fields. Adding the same invoice again changes nothing, unless the first invoice was refused, could
   * not be loaded, was dropped ({@link concludeInvoice} with `'absent'`), or was erased before its upload.
   *
   * @param invoice - The request as for `uploadInvoice`, without `referenceId`; `file` is a name for `loadFile`.
   * @throws ValidationError before anything is stored; OrderError for an unknown order.
   */
  async addInvoice(
    orderId: string,
    invoice: OrderInvoice,
    options: InAccount & InTransaction = {},
  ): Promise<void> {
    const { query, account } = checkOptions(accountQueryRules, options);
    this.#engine.clients.checkAccount(account);
    const location = this.#engine.locationOf(orderId, query);
    const written = invoiceText(location.key, invoice, this.#options.loadFile !== undefined);
    await this.#engine.run(location, { type: 'addInvoice', ...written, account });
  }

  /**
   * Stores the conclusion of your staff about an invoice in `forReview()`:
   *
   * - `'stored'`: the service has the invoice.
   * - `'absent'`: the service does not have the invoice. Before `safeFrom`, this conclusion changes nothing and
   *   resolves to `done: false`. After `safeFrom`, an invoice in review as `invoice_look_up` is uploaded again. An
   *   invoice that was refused or not loaded is dropped: it is not uploaded, and another invoice can take its place.
   *
   * @throws OrderError for an unknown order or number.
   */
  async concludeInvoice(
    orderId: string,
    number: number,
    conclusion: InvoiceConclusion,
    options: ByStaff & InTransaction = {},
  ): Promise<Conclusion> {
    const { query, ...by } = checkOptions(staffRules, options);
    checkConclusion(conclusion, invoiceConclusions);
    const command = { type: 'concludeInvoice', number, conclusion, ...by } as const;
    return conclusionOf(await this.#engine.run(this.#engine.locationOf(orderId, query), command));
  }

  /** Resolves to the order, for its page. `state` is `'none'` for an unknown order. */
  async get(orderId: string, options: InAccount = {}): Promise<OrderView> {
    const { account } = checkOptions(accountRules, options);
    this.#engine.clients.checkAccount(account);
    return viewOf(orderId, inAccountOf(await readOrder(this.#engine.locationOf(orderId)), account));
  }

  /**
   * Resolves to the order of a payment, found by the payment's `referenceId`; undefined if there is no such payment.
   */
  async find(referenceId: string, options: InAccount = {}): Promise<OrderView | undefined> {
    const { account } = checkOptions(accountRules, options);
    this.#engine.clients.checkAccount(account);
    const key = keyInReference(referenceId);
    if (key === undefined) return undefined;
    const found = await readOrder({ storage: this.#options.storageFor(), key });
    const order = inAccountOf(found, account);
    return order && paymentOf(order, referenceId) ? viewOf(order.orderId, order) : undefined;
  }

  /**
   * Lists the last fifty changes of an order, its payments and its invoices, the oldest change first. The list is empty
   * for an unknown order.
   */
  async history(orderId: string): Promise<OrderChange[]> {
    const order = await readOrder(this.#engine.locationOf(orderId));
    return (order?.history ?? []).map(({ at, ...change }) => ({ at: new Date(at), ...change }));
  }

  /**
   * Lists all orders that were written since `changedSince`, for a daily reconciliation. Pass a time a few minutes
   * before your previous call: an order that was written in your own transaction is listed only after the commit, but
   * with the time of the write.
   */
  async list(options: { readonly changedSince: Date }): Promise<OrderView[]> {
    const { changedSince } = checkOptions(listRules, options);
    // An order that is written while the pages are read can be on two pages.
    const views = new Map<string, OrderView>();
    for await (const row of this.#engine.rows('changed', changedSince.getTime())) {
      const order = this.#engine.tryParse(row);
      if (order) views.set(order.orderId, viewOf(order.orderId, order));
    }
    return [...views.values()];
  }

  /**
   * Stores that the database was restored. Call this method once, with the current time, before the shop starts again.
   * For two days, new payments are sent with `mayHaveBeenSent: true`, because the service can have payments that are
   * missing from the restored database.
   *
   * @param since - The time of the restore, not of the backup. The restored database can show a payment or an invoice
   *   as unsent although it was sent after the backup. So two kinds of entries are treated as possibly sent: unfinished
   *   payments that were added at `since` or earlier, and unfinished invoices whose state began at `since` or earlier.
   */
  async restored(since: Date): Promise<void> {
    await this.#engine.storeRestore(checkOptions(restoreRules, { since }).since.getTime());
  }
}

/** Resolves to the time of the clock that all processes share. Every read of a storage returns this time. */
async function timeOf(storage: OrderStorage): Promise<number> {
  const { now } = await storage.read(restoreKey);
  return now;
}

function conclusionOf({ concluded: done = false, safeAt, order }: StoredDecision): Conclusion {
  const orderId = order?.orderId ?? '';
  return { orderId, done, ...(!done && safeAt !== undefined && { safeFrom: new Date(safeAt) }) };
}

/** Returns the order; undefined if it belongs to another account. */
function inAccountOf(order: Order | undefined, account: string | undefined): Order | undefined {
  return account === undefined || order?.account === account ? order : undefined;
}

/** Checks the conclusion that was passed, because a caller in JavaScript can pass any value. */
function checkConclusion(conclusion: string, allowed: readonly string[]): void {
  if (!allowed.includes(conclusion)) throw new ConfigurationError('conclusion', `must be ${listed(allowed)}`);
}
