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
  /** The time at which the oldest due order became due; absent if none is due. */
  readonly oldestDue?: Date;
  /** The time since which the oldest order has waited for your staff; absent if none waits. */
  readonly oldestReview?: Date;
  /** The number of orders that wait for your staff. */
  readonly inReview: number;
}

/**
 * The payments of a shop's orders, over its own database: one order, paid once. Each order is one row, and that row is
 * the only source of truth. Clicks, cron runs and queue jobs can run twice and on any machine, and a process can be
 * killed or suspended at any time: the result is the same.
 *
 * @example
 * ```ts
 * import { InstallmentClient } from 'installment-payments';
 * import { createOrderPayments } from 'installment-payments/orders';
 * import type { Pool } from 'pg';
 *
 * export function paymentsOver(pool: Pool, ship: (orderId: string) => Promise<void>) {
 *   return createOrderPayments({
 *     client: new InstallmentClient(),
 *     dialect: 'postgres',
 *     query: async (sql, values) => (await pool.query(sql, values)).rows,
 *     onPaid: ({ orderId }) => ship(orderId),
 *   });
 * }
 * ```
 * @param options - The client, how a statement is run, and who ships a paid order.
 * @throws ConfigurationError that names a missing or malformed option.
 */
export function createOrderPayments(options: OrderPaymentsOptions): OrderPayments {
  return new OrderPayments(checkOrderOptions(options));
}

/** Created by {@link createOrderPayments}. A method rejects if the database fails; it can then be called again. */
export class OrderPayments {
  /**
   * The CREATE statements of the table, for a migration; empty if `storage` is used. Running them again changes
   * nothing. PostgreSQL can refuse a statement while another process runs it: run it again.
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
   * Starts the payment of an order, for a click of the customer or a job: begins a payment if the order can have one,
   * sends what is stored, and resolves to the order with its link. A second call resolves to the existing link, or
   * waits for it.
   *
   * The request defines what the order asks for now. Build it from the stored order: if its amount differs from that of
   * the open payment, the order is `'changed'`, without a link.
   *
   * @param orderId - The shop's own ID: 1 to 180 characters, unique over all accounts.
   * @param request - The same as for `initiatePayment`, without `referenceId`. Leave it out to continue a stored
   * payment.
   * @throws ValidationError before anything is stored; OrderError for an unknown order.
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
   * Stores a payment without sending it, for example in the transaction that stores the order. `start` sends it at
   * once, `sweep` after a minute.
   *
   * @param options - The same as for `start`, and `query` of the transaction.
   * @throws ValidationError before anything is stored; OrderError, the same as `start`.
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
   * Applies a verified webhook. Webhooks can arrive twice, late and in any order. Amount, currency and merchant are
   * compared with the payment. To ship in the same transaction when `firstPaid` is true, pass the `query` of that
   * transaction.
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
      mayCallOnPaid: query === undefined,
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
    this.#engine.warnOnce(
      near === undefined
        ? `a webhook has the status ${shown}, which is not in statusAliases. It changed nothing: add it there`
        : `a webhook has the status ${shown}, not ${JSON.stringify(near)}. It changed nothing: add it to statusAliases`,
      near === undefined ? 'warn' : 'error',
    );
  }

  /**
   * Moves every order that is due: sends and repeats payments, uploads invoices, calls `onPaid`, and finds overdue
   * payments. Run it every minute, on any number of machines. An order that fails is logged and does not stop the
   * others.
   *
   * @param options - `limit` orders (default 100) are taken at a time, until nothing is due or `budgetMs` milliseconds
   *   (default 50,000) have passed. `concurrency` orders (default 10) are moved at the same time.
   */
  async sweep(options: SweepOptions = {}): Promise<SweepResult> {
    const settings = checkOptions(sweepRules, options);
    const engine = this.#engine;
    const storage = this.#options.storageOver();
    const { now } = await storage.read(restoreKey);
    const doNextDue = (key: string, onSlow: () => void) => engine.doNextDue(key, onSlow);
    return sweep({ storage, now, doNextDue, report: engine.report }, settings);
  }

  /**
   * Runs {@link sweep} every `ms` milliseconds, with a timer that does not keep the process alive. A sweep that fails
   * is logged. A second timer for the same `table` in the same process replaces the first, as after a hot reload.
   *
   * @returns a function that stops the timer.
   */
  sweepEvery(ms: number): () => void {
    return sweepEvery(ms, this.#options.table, () => this.sweep(), this.#engine.report);
  }

  /**
   * Lists everything that waits for your staff, the oldest first: the reason, what to do, and the calls that are
   * possible now.
   *
   * @param options - `account` limits the list to the orders of one account. An order whose row cannot be read is then
   *   not listed, unless the row shows that account. `lang` is the language of `action`, `'en'` or `'vi'`.
   */
  async forReview(
    options: InAccount & { readonly lang?: ReviewLanguage | undefined } = {},
  ): Promise<ReviewItem[]> {
    const { account, lang } = checkOptions(reviewRules, options);
    const engine = this.#engine;
    const { now, restores } = await this.#options.storageOver().read(restoreKey);
    const settings = { ...engine.settingsWith(engine.clients.only), restores: restoresIn(restores) };
    const items: ReviewItem[] = [];
    for await (const row of engine.rows('inReview', 0)) {
      const order = engine.readable(row);
      if (account !== undefined && accountIn(row.data) !== account) continue;
      const found = orUndefined(
        () => order && reviewsOf(order).map((review) => reviewItem(order, review, now, settings, lang)),
      );
      // The row says that the order waits, although this version does not find the reason in it.
      items.push(...(found?.length ? found : [unreadableItem(row, lang)]));
    }
    return items.toSorted((a, b) => a.since.getTime() - b.since.getTime());
  }

  /**
   * Reports the state of the queue of orders. If `oldestDue` is more than a few minutes ago, no sweep is running, or
   * the sweeps cannot keep up.
   */
  async health(): Promise<OrderHealth> {
    const storage = this.#options.storageOver();
    const [{ now }, { oldestDue, oldestReview, inReview }] = await Promise.all([
      storage.read(restoreKey),
      storage.health(),
    ]);
    return {
      ...(oldestDue !== null && oldestDue <= now && { oldestDue: new Date(oldestDue) }),
      ...(oldestReview !== null && { oldestReview: new Date(oldestReview) }),
      inReview,
    };
  }

  /**
   * Stops the repeats of a payment, so that your staff can look it up at the provider. After `safeFrom`, no request for
   * this payment can still arrive: if the service does not have the payment by then, it never will.
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
   * Stores what your staff found at the provider after {@link lookUp}. Every conclusion that is stored closes an open
   * `mismatch`.
   *
   * - `'absent'`: the service does not have the payment, and the next payment can begin. Before it is safe, this
   *   changes nothing and resolves to `done: false` with `safeFrom`.
   * - `'exists'`: the service has the payment. Pass its `paymentUrl`, if you know it. An overdue payment stays in
   *   `forReview()`.
   * - `'over'`: the payment cannot be paid any more. If it might have been sent and is not known to exist, this is
   *   stored only once it is safe, the same as `'absent'`.
   * - `'paid'`: the payment is paid. This does the same as a webhook, and resolves with `firstPaid`.
   * - `'accept'`: the shop accepts a paid payment of another amount for the order. This resolves with `firstPaid`.
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
      mayCallOnPaid: query === undefined,
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
   * Stores that a payment was refunded. It must be in `forReview()` as `refund` or `other_amount`; if not, this
   * resolves to `done: false`.
   *
   * @throws OrderError for an unknown `referenceId`.
   */
  async markRefunded(referenceId: string, options: ByStaff & InTransaction = {}): Promise<Conclusion> {
    const { query, ...by } = checkOptions(staffRules, options);
    const location = this.#engine.locationOfPayment(referenceId, query);
    return conclusionOf(await this.#engine.run(location, { type: 'refunded', referenceId, ...by }));
  }

  /** Cancels an order: nothing more is sent for it. Resolves to false if the order is paid: refund it instead. */
  async cancel(orderId: string, options: InAccount & ByStaff & InTransaction = {}): Promise<boolean> {
    const { query, ...about } = checkOptions(cancelRules, options);
    this.#engine.clients.checkAccount(about.account);
    const location = this.#engine.locationOf(orderId, query);
    const { concluded = false } = await this.#engine.run(location, { type: 'cancel', ...about });
    return concluded;
  }

  /**
   * Stores an invoice, which `sweep` uploads once the order is paid. Each invoice is uploaded once, and an order can
   * have three. Adding the same `invoiceNumber` again (or, without a number, the same fields) changes nothing, unless
   * the first was refused, not loaded, dropped or erased.
   *
   * @param invoice - The same as for `uploadInvoice`, without `referenceId`; `file` is a name for `loadFile`.
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
   * Stores what your staff found about an invoice in `forReview()`. `'stored'`: the service has it. `'absent'`: the
   * service does not have it. An `invoice_look_up` is then uploaded again; an invoice that was refused or not loaded is
   * dropped.
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

  /** Resolves to the order as its page shows it. `state` is `'none'` for an unknown order. */
  async get(orderId: string, options: InAccount = {}): Promise<OrderView> {
    const { account } = checkOptions(accountRules, options);
    this.#engine.clients.checkAccount(account);
    return viewOf(orderId, inAccountOf(await readOrder(this.#engine.locationOf(orderId)), account));
  }

  /** Finds the order of a payment by the payment's `referenceId`. Resolves to undefined if there is none. */
  async find(referenceId: string, options: InAccount = {}): Promise<OrderView | undefined> {
    const { account } = checkOptions(accountRules, options);
    this.#engine.clients.checkAccount(account);
    const key = keyInReference(referenceId);
    if (key === undefined) return undefined;
    const found = await readOrder({ storage: this.#options.storageOver(), key });
    const order = inAccountOf(found, account);
    return order && paymentOf(order, referenceId) ? viewOf(order.orderId, order) : undefined;
  }

  /**
   * Lists the last fifty changes of an order and its payments, the oldest first. The list is empty for an unknown
   * order.
   */
  async history(orderId: string): Promise<OrderChange[]> {
    const order = await readOrder(this.#engine.locationOf(orderId));
    return (order?.history ?? []).map(({ at, ...change }) => ({ at: new Date(at), ...change }));
  }

  /**
   * Lists all orders that were written since a time, for a daily reconciliation. Begin a few minutes before the time of
   * the previous list: a write in your transaction gets the time when the order was read, and is listed only after the
   * commit.
   */
  async list(options: { readonly changedSince: Date }): Promise<OrderView[]> {
    const { changedSince } = checkOptions(listRules, options);
    // An order that is written while the pages are read is in two of them.
    const views = new Map<string, OrderView>();
    for await (const row of this.#engine.rows('changed', changedSince.getTime())) {
      const order = this.#engine.readable(row);
      if (order) views.set(order.orderId, viewOf(order.orderId, order));
    }
    return [...views.values()];
  }

  /**
   * Call this once after a restore of the database, with the current time, before the shop starts again. Payments that
   * were added before `since`, and that the restored database shows as unsent, then count as possibly sent. For two
   * days, new payments are sent with `mayHaveBeenSent: true`, because the service can have payments that are missing
   * from the restored database.
   */
  async restored(since: Date): Promise<void> {
    await this.#engine.storeRestore(checkOptions(restoreRules, { since }).since.getTime());
  }
}

function conclusionOf({ concluded: done = false, safeAt, order }: StoredDecision): Conclusion {
  const orderId = order?.orderId ?? '';
  return { orderId, done, ...(!done && safeAt !== undefined && { safeFrom: new Date(safeAt) }) };
}

/** Treats an order of another account as unknown. */
function inAccountOf(order: Order | undefined, account: string | undefined): Order | undefined {
  return account === undefined || order?.account === account ? order : undefined;
}

/** Checks an argument that TypeScript checks only for TypeScript callers. */
function checkConclusion(conclusion: string, allowed: readonly string[]): void {
  if (!allowed.includes(conclusion)) throw new ConfigurationError('conclusion', `must be ${listed(allowed)}`);
}
