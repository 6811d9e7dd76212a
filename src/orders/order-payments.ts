import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { checkOptions } from '../errors/check-options.js';
import { ConfigurationError } from '../errors/errors.js';
import type { AdditionalFields } from '../protocol/additional-fields.js';
import { aFunction, identifier, positiveInteger, text } from '../protocol/field-rules.js';
import { parseLink } from '../protocol/urls.js';
import { tryTo } from '../values/untrusted-values.js';
import { Engine, eventOf, restoreKey } from './engine.js';
import { checkOrderOptions, type CheckedOptions, type OrderPaymentsOptions } from './options.js';
import { readOrder, type StoredDecision } from './run-command.js';
import { sweep, type SweepResult, type SweepSettings } from './sweep.js';
import { sweepEvery } from './sweep-every.js';
import { unreadableReview } from './unreadable.js';
import { invoiceText, type OrderInvoice } from './stored-request.js';
import type {
  Conclusion,
  EventResult,
  InTransaction,
  OrderEvent,
  OrderRequest,
  OrderView,
  ReviewItem,
  StartOptions,
} from './types.js';
import { reviewsOf, viewOf } from './views.js';

const transactionFields = { query: z.optional(aFunction<NonNullable<InTransaction['query']>>()) };
const startFields = {
  account: z.optional(identifier),
  additionalFields: z.optional(z.custom<AdditionalFields>()),
};
const transactionRules = z.strictObject(transactionFields, 'must be an object');
const startRules = z.strictObject(startFields, 'must be an object');
const addRules = z.strictObject({ ...startFields, ...transactionFields }, 'must be an object');
const link = text.check(
  z.refine(
    (url) => parseLink(url) !== undefined,
    'must be a URL that can be opened, such as https://pay.example/1',
  ),
);
const concludeRules = z.strictObject(
  { paymentUrl: z.optional(link), ...transactionFields },
  'must be an object',
);
const sweepRules = z.strictObject(
  {
    limit: z._default(positiveInteger, 100),
    concurrency: z._default(positiveInteger, 10),
    budgetMs: z._default(positiveInteger, 50_000),
  },
  'must be an object',
);
const validTime = z.date('must be a valid Date');
const listRules = z.strictObject({ changedSince: validTime }, 'must be { changedSince: a Date }');
const restoreRules = z.strictObject({ since: validTime });

/** Options of {@link OrderPayments.sweep}. */
export type SweepOptions = { readonly [Name in keyof SweepSettings]?: SweepSettings[Name] | undefined };

/** The state of the queue of orders, as {@link OrderPayments.health} reports it. */
export interface OrderHealth {
  /** When the oldest order that is due became due; absent if none is due. */
  readonly oldestDue?: Date;
  /** Since when the oldest order waits for your staff; absent if none does. */
  readonly oldestReview?: Date;
  /** The number of orders that wait for your staff. */
  readonly inReview: number;
}

/**
 * The payments of a shop's orders, over its own database: one order, paid once. The truth is a row; a click, a cron job or a
 * queue only wakes it up, and may come twice, on any machine. Processes may be killed and suspended at any time.
 *
 * @example
 * ```ts
 * import { InstallmentClient } from 'installment-payments';
 * import { createOrderPayments } from 'installment-payments/orders';
 * import type { Pool } from 'pg';
 *
 * export function paymentsOver(pool: Pool) {
 *   return createOrderPayments({
 *     client: new InstallmentClient(),
 *     dialect: 'postgres',
 *     query: async (sql, values) => (await pool.query(sql, values)).rows,
 *   });
 * }
 * ```
 * @param options - The client, and how a statement is run.
 * @throws ConfigurationError that names the option which is missing or malformed.
 */
export function createOrderPayments(options: OrderPaymentsOptions): OrderPayments {
  return new OrderPayments(checkOrderOptions(options));
}

/** Made by {@link createOrderPayments}. Errors of the database reach the caller; a command that failed may be given again. */
export class OrderPayments {
  /**
   * The CREATE statements of the table, for a migration; none over a `storage`. Running them again changes nothing. PostgreSQL
   * may refuse one while another process runs it: run it once more.
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
   * The customer's click, and a job's wake-up: begins a payment where one may begin, sends what is stored, and resolves to the
   * order with its link. Called again, it gives the link that exists, or waits for it.
   *
   * @param orderId - The shop's own: 1 to 180 characters, unique over all accounts.
   * @param request - As for `initiatePayment`, without `referenceId`. Without one the call only continues.
   * @throws ValidationError before anything is stored; OrderError for an order that is not there, or of another account.
   */
  async start(orderId: string, request?: OrderRequest, options: StartOptions = {}): Promise<OrderView> {
    const engine = this.#engine;
    const place = engine.placeOf(orderId);
    const checked = checkOptions(startRules, options);
    const { decision, candidate, client } = await engine.begin('start', place, request, checked);
    const order = decision.effect
      ? await engine.carryOutAndStore(place, decision, client)
      : await engine.awaitCall(place, decision.order);
    return viewOf(orderId, order, candidate);
  }

  /**
   * Stores a payment without sending it, such as in the transaction of the order. `start` sends it at once, `sweep` after a
   * minute.
   *
   * @param options - As for `start`, and `query` of the transaction.
   * @throws ValidationError before anything is stored; OrderError, as `start`.
   */
  async add(
    orderId: string,
    request: OrderRequest,
    options: StartOptions & InTransaction = {},
  ): Promise<OrderView> {
    const { query, ...checked } = checkOptions(addRules, options);
    const place = this.#engine.placeOf(orderId, query);
    const { decision, candidate } = await this.#engine.begin('add', place, request, checked);
    return viewOf(orderId, decision.order, candidate);
  }

  /**
   * A verified notification. It may come twice, late and in any order. Its amount, currency and merchant are compared with what
   * was asked. Where `firstPaid` is true, ship: in the same transaction, whose `query` is passed.
   *
   * @throws OrderError for an unknown reference or an event that cannot be read: respond with 500.
   */
  async handleEvent(event: OrderEvent, options: InTransaction = {}): Promise<EventResult> {
    const { query } = checkOptions(transactionRules, options);
    const paymentEvent = eventOf(event, this.#options.words);
    const place = this.#engine.placeOfPayment(paymentEvent.referenceId, query);
    const decision = await this.#engine.run(place, {
      type: 'event',
      commandId: randomUUID(),
      event: paymentEvent,
      mayCallOnPaid: query === undefined,
    });
    const { changed = false, firstPaid = false, mismatch } = decision;
    const order = await this.#engine.carryOutAndStore(place, decision);
    return { ...viewOf(order?.orderId ?? '', order), changed, firstPaid, ...(mismatch && { mismatch }) };
  }

  /**
   * Moves every order that is due: sends, repeats, uploads, calls `onPaid`, notices what is overdue. Run it every minute, on as
   * many machines as there are. An order that fails stops no other: it is logged.
   *
   * @param options - Portions of `limit` orders (100) are taken until nothing is due or `budgetMs` (50,000) are over;
   *   `concurrency` of them are moved at a time (10).
   */
  async sweep(options: SweepOptions = {}): Promise<SweepResult> {
    const settings = checkOptions(sweepRules, options);
    const engine = this.#engine;
    const storage = this.#options.storageOver();
    const { now } = await storage.read(restoreKey);
    const doNextDue = (key: string) => engine.doNextDue(key);
    return sweep({ storage, now, doNextDue, report: engine.report }, settings);
  }

  /**
   * Runs {@link sweep} every `ms` milliseconds, by a timer that keeps no process alive. It never rejects: a sweep that fails is
   * logged. A second one for the same `table` in the same process replaces the first, as after a hot reload.
   *
   * @returns the function that stops it.
   */
  sweepEvery(ms: number): () => void {
    return sweepEvery(ms, this.#options.table, () => this.sweep(), this.#engine.report);
  }

  /**
   * Everything that waits for your staff, the oldest first, with the reason and what to do. An order whose row cannot be read is
   * `'unreadable'`: `logger` gets an error with its key.
   */
  async forReview(): Promise<ReviewItem[]> {
    const items: ReviewItem[] = [];
    for await (const row of this.#engine.rows('inReview', 0)) {
      const order = this.#engine.readable(row);
      const reviews = tryTo(() => order && reviewsOf(order)) ?? [];
      // What this version does not find in the row is there all the same: the row says that the order waits.
      if (reviews.length === 0) items.push(unreadableReview(row.orderId, row.at));
      for (const { sinceAt, ...review } of reviews)
        items.push({ orderId: row.orderId, ...review, since: new Date(sinceAt) });
    }
    return items.toSorted((a, b) => a.since.getTime() - b.since.getTime());
  }

  /**
   * How the queue of orders is: since when the oldest order has been due (absent if none is; more than some minutes mean that no
   * sweep runs), since when the oldest one waits for your staff, and how many orders wait for them.
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
   * Stops repeats of a payment, so that a person can look it up at the service. From `safeFrom` on nothing of it is under way
   * any more, and what the service has not, it will not have.
   *
   * @throws OrderError for an unknown reference
   */
  async lookUp(referenceId: string): Promise<{ safeFrom: Date }> {
    const place = this.#engine.placeOfPayment(referenceId);
    const { safeAt = 0 } = await this.#engine.run(place, { type: 'lookUp', referenceId });
    return { safeFrom: new Date(safeAt) };
  }

  /**
   * What a person has seen at the service after {@link lookUp}: `'absent'` (the next payment may begin), `'exists'` (with its
   * link, where it is known), `'paid'`, or `'over'` for one that cannot be paid any more. Before it is safe, `'absent'` resolves
   * to `done: false` and changes nothing. Any of them says that a mismatch was looked at. Of an overdue payment, `'exists'` is
   * the same as `'over'`.
   *
   * @throws OrderError for an unknown reference
   */
  async conclude(
    referenceId: string,
    conclusion: 'absent' | 'exists' | 'paid' | 'over',
    options: { readonly paymentUrl?: string | undefined } & InTransaction = {},
  ): Promise<Conclusion> {
    const { paymentUrl, query } = checkOptions(concludeRules, options);
    checkConclusion(conclusion, ['absent', 'exists', 'paid', 'over']);
    const place = this.#engine.placeOfPayment(referenceId, query);
    const decision = await this.#engine.run(place, {
      type: 'conclude',
      commandId: randomUUID(),
      referenceId,
      conclusion,
      mayCallOnPaid: query === undefined,
      ...(paymentUrl !== undefined && { paymentUrl }),
    });
    await this.#engine.carryOutAndStore(place, decision);
    const { firstPaid = false } = decision;
    return { ...conclusionOf(decision), ...(conclusion === 'paid' && { firstPaid }) };
  }

  /** A payment in `forReview()` for `refund` was refunded. @throws OrderError for an unknown reference */
  async markRefunded(referenceId: string): Promise<void> {
    await this.#engine.run(this.#engine.placeOfPayment(referenceId), { type: 'refunded', referenceId });
  }

  /** The shop cancels an order: nothing is sent for it any more. Resolves to false where it is paid: refund it instead. */
  async cancel(orderId: string): Promise<boolean> {
    const { concluded = false } = await this.#engine.run(this.#engine.placeOf(orderId), { type: 'cancel' });
    return concluded;
  }

  /**
   * Stores an invoice, which `sweep` uploads once the order is paid: one at a time, never a second time, three at most. One with
   * the same `invoiceNumber`, or without one the same fields, changes nothing, unless the first was refused.
   *
   * @param invoice - As for `uploadInvoice`, without `referenceId`; `file` is a name for `loadFile`.
   * @throws ValidationError before anything is stored; OrderError for an order that is not there
   */
  async addInvoice(orderId: string, invoice: OrderInvoice, options: InTransaction = {}): Promise<void> {
    const { query } = checkOptions(transactionRules, options);
    const place = this.#engine.placeOf(orderId, query);
    const written = invoiceText(place.key, invoice, this.#options.loadFile !== undefined);
    await this.#engine.run(place, { type: 'addInvoice', ...written });
  }

  /**
   * What a person has seen of an invoice in `forReview()`: `'stored'`, or `'absent'`. One that may have been stored is then
   * uploaded again, one that was refused is given up.
   *
   * @throws OrderError for an order or number that is not there
   */
  async concludeInvoice(
    orderId: string,
    number: number,
    conclusion: 'stored' | 'absent',
  ): Promise<Conclusion> {
    checkConclusion(conclusion, ['stored', 'absent']);
    const command = { type: 'concludeInvoice', number, conclusion } as const;
    return conclusionOf(await this.#engine.run(this.#engine.placeOf(orderId), command));
  }

  /** The order as its page shows it; `state` is `'none'` for one that is not there. */
  async get(orderId: string): Promise<OrderView> {
    return viewOf(orderId, await readOrder(this.#engine.placeOf(orderId)));
  }

  /**
   * All orders that were written since a time, for the daily reconciliation. Let it begin some minutes before the last one: a
   * write in a transaction of yours counts from when the order was read.
   */
  async list(options: { readonly changedSince: Date }): Promise<OrderView[]> {
    const { changedSince } = checkOptions(listRules, options);
    // One that is written while the pages are read comes twice.
    const views = new Map<string, OrderView>();
    for await (const order of this.#engine.all('changed', changedSince.getTime()))
      views.set(order.orderId, viewOf(order.orderId, order));
    return [...views.values()];
  }

  /**
   * After a restore of the database. Payments that were added up to `since`, the time of the restore, and not sent count as
   * perhaps sent; for thirty days each payment that begins is sent with `mayHaveBeenSent: true`, because the service may know
   * an order that the database has forgotten.
   */
  async restored(since: Date): Promise<void> {
    const sinceAt = checkOptions(restoreRules, { since }).since.getTime();
    const storedAt = await this.#engine.storeRestore();
    // What is written here goes to the end of the list.
    for await (const { orderId } of this.#engine.all('changed', 0, storedAt))
      await this.#engine.run(this.#engine.placeOf(orderId), { type: 'restored', sinceAt });
  }
}

function conclusionOf({ concluded: done = false, safeAt }: StoredDecision): Conclusion {
  return { done, ...(!done && safeAt !== undefined && { safeFrom: new Date(safeAt) }) };
}

// Wrong arguments of a JavaScript caller

function checkConclusion(conclusion: string, allowed: readonly string[]): void {
  if (!allowed.includes(conclusion))
    throw new ConfigurationError('conclusion', `must be one of ${allowed.join(', ')}`);
}
