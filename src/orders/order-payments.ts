import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { checkOptions } from '../errors/check-options.js';
import { ConfigurationError } from '../errors/errors.js';
import type { AdditionalFields } from '../protocol/additional-fields.js';
import { aFunction, identifier, positiveInteger, text } from '../protocol/field-rules.js';
import { parseLink } from '../protocol/urls.js';
import { Engine, eventOf, restoreKey } from './engine.js';
import { checkOrderOptions, type CheckedOptions, type OrderPaymentsOptions } from './options.js';
import { readOrder, UnreadableOrder, type StoredDecision } from './run-command.js';
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
  { limit: z._default(positiveInteger, 100), concurrency: z._default(positiveInteger, 10) },
  'must be an object',
);
const validTime = z.date('must be a valid Date');
const listRules = z.strictObject({ changedSince: validTime }, 'must be { changedSince: a Date }');
const restoreRules = z.strictObject({ since: validTime });

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
   * many machines as there are. An order that fails stops no other; it is logged.
   *
   * @param options - `limit` orders at most (100), `concurrency` of them at a time (10).
   */
  async sweep(
    options: { readonly limit?: number; readonly concurrency?: number } = {},
  ): Promise<{ moved: number; failed: number }> {
    const { limit, concurrency } = checkOptions(sweepRules, options);
    const storage = this.#options.storageOver();
    const { now } = await storage.read(restoreKey);
    const result = { moved: 0, failed: 0 };
    const tried = new Set<string>();
    // These stay due for ever, and count beside the limit: however many there are, the others have their turn.
    const unreadable = new Set<string>();
    const moveAll = async (keys: string[]) => {
      for (let key = keys.pop(); key !== undefined; key = keys.pop()) {
        tried.add(key);
        try {
          await this.#engine.doNextDue(key);
          result.moved += 1;
        } catch (error) {
          result.failed += 1;
          if (error instanceof UnreadableOrder) unreadable.add(key);
          this.#engine.report('error', 'an order could not be moved', { key }, error);
        }
      }
    };
    for (;;) {
      const before = unreadable.size;
      const due = await storage.due(now, limit + before);
      const keys = due.filter((key) => !tried.has(key)).slice(0, limit + before - tried.size);
      // Machines that sweep at the same time begin at different orders.
      const shift = Math.floor(Math.random() * keys.length);
      const waiting = [...keys.slice(shift), ...keys.slice(0, shift)];
      await Promise.all(Array.from({ length: concurrency }, () => moveAll(waiting)));
      if (unreadable.size === before) return result;
    }
  }

  /**
   * Everything that waits for a person, the oldest first, with the reason and what to do. An order whose row cannot be read is not
   * in it: `logger` gets an error with its key.
   */
  async forReview(): Promise<ReviewItem[]> {
    const items: ReviewItem[] = [];
    for await (const order of this.#engine.all('inReview', 0)) {
      for (const { sinceAt, ...review } of reviewsOf(order))
        items.push({ orderId: order.orderId, ...review, since: new Date(sinceAt) });
    }
    return items.toSorted((a, b) => a.since.getTime() - b.since.getTime());
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
  async addInvoice(orderId: string, invoice: OrderInvoice): Promise<void> {
    const place = this.#engine.placeOf(orderId);
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
    for await (const order of this.#engine.all('changed', changedSince.getTime() - 1))
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
