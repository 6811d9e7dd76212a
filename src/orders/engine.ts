import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { invalidInput } from '../errors/error-of.js';
import { maxInvoices } from '../protocol/limits.js';
import { carryOut } from './carry-out.js';
import type { Command, Decision, PaymentEvent, RuleSettings } from './commands.js';
import { checkedClient, type CheckedOptions, type OrdersClient } from './options.js';
import type { NewPayment, Order } from './order.js';
import { OrderError } from './order-error.js';
import { reportTo } from './report.js';
import { readOrder, runCommand, type Place, type StoredDecision } from './run-command.js';
import type { Query } from './sql-storage.js';
import type { ListedOrder, Position } from './storage.js';
import { parseOrder } from './stored-order.js';
import { keyInReference, keyOf, newPayment } from './stored-request.js';
import type { OrderRequest, StartOptions } from './types.js';
import type { Moved } from './sweep.js';
import { isEnded } from './views.js';

const dayMs = 24 * 60 * 60_000;
const restoreMs = 30 * dayMs;
const pageSize = 500;

/** The key of a row that is nobody's order: it holds when the database was restored. */
export const restoreKey = '*';

const eventShape = z.object({
  referenceId: z.string(),
  status: z.string(),
  amount: z.object({ value: z.number(), currency: z.string() }),
  // Many write null for what they leave out.
  merchantId: z.nullish(z.string()),
});

/** An event in the words of this package. */
export function eventOf(given: unknown, words: CheckedOptions['words']): PaymentEvent {
  const { data, error } = eventShape.safeParse(given);
  if (error) {
    const [wrong] = error.issues;
    throw new OrderError(
      'EVENT_UNREADABLE',
      `the event must be { referenceId, status, amount: { value, currency } }, with a number as value: see ${['the event', ...(wrong?.path ?? [])].join('.')}`,
    );
  }
  const { referenceId, status, amount, merchantId } = data;
  const means = (own: 'paid' | 'declined' | 'expired') => (words[own] ?? [own]).includes(status);
  const known = (['paid', 'declined', 'expired'] as const).find(means) ?? 'other';
  return { referenceId, status: known, ...amount, merchantId: merchantId ?? undefined };
}

function unknownReference(): OrderError {
  return new OrderError('UNKNOWN_REFERENCE', 'no payment has this referenceId');
}

function errorOf(problem: NonNullable<Decision['problem']>, { orderId }: Place): Error {
  switch (problem) {
    case 'no_order':
      if (orderId === undefined) return unknownReference();
      return new OrderError('UNKNOWN_ORDER', 'there is no such order: pass a request to start to begin one');
    case 'no_reference':
      return unknownReference();
    case 'no_invoice':
      return new OrderError('UNKNOWN_ORDER', 'the order has no invoice with this number');
    case 'other_account':
      return new OrderError('UNKNOWN_ORDER', 'the order belongs to another account');
    case 'too_many_invoices': {
      const message = `an order takes ${maxInvoices} invoices, and has as many that are stored or waiting`;
      const issue = { path: [], message, resultStatus: 'LIMIT_EXCEEDED' } as const;
      return invalidInput([issue], { operation: 'uploadInvoice' });
    }
  }
}

/** What all methods of {@link OrderPayments} share: they make a command, run it on an order, and carry out its effect. */
export class Engine {
  readonly #options: CheckedOptions;
  readonly report: ReturnType<typeof reportTo>;
  #hasWarned = false;

  constructor(options: CheckedOptions) {
    this.#options = options;
    this.report = reportTo(options.logger);
  }

  /** @throws ValidationError for an orderId that breaks a rule */
  placeOf(orderId: string, transaction?: Query): Place {
    return { storage: this.#options.storageOver(transaction), key: keyOf(orderId), orderId, transaction };
  }

  /** @throws OrderError for a reference that no order can have */
  placeOfPayment(referenceId: string, transaction?: Query): Place {
    const key = keyInReference(referenceId);
    if (key === undefined) throw unknownReference();
    return { storage: this.#options.storageOver(transaction), key, transaction };
  }

  async #clientOf(account: string | undefined): Promise<OrdersClient> {
    const { client } = this.#options;
    return typeof client === 'function' ? checkedClient(await client(account)) : client;
  }

  #settingsWith(client: OrdersClient | undefined): RuleSettings {
    const { totalTimeoutMs = 45_000, repeatUnknown = true } = client?.settings ?? {};
    const { claimMs, repeatAfterMs, mostSends, reviewOverdue, eraseAfterDays, onPaid } = this.#options;
    return {
      claimMs,
      // The claim, then what a proxy holds, or a longer call.
      safeAfterMs: claimMs + Math.max(120_000, totalTimeoutMs + 60_000),
      repeatAfterMs,
      mostSends,
      repeatUnknown: this.#options.repeatUnknown ?? repeatUnknown,
      reviewOverdue,
      hasOnPaid: onPaid !== undefined,
      ...(eraseAfterDays !== undefined && { eraseAfterMs: eraseAfterDays * dayMs }),
    };
  }

  /** Runs a command that sends nothing, so that it needs no client. */
  async run(place: Place, command: Command): Promise<StoredDecision> {
    const { client } = this.#options;
    const settings = this.#settingsWith(typeof client === 'function' ? undefined : client);
    const decision = await runCommand(place, () => Promise.resolve({ command, settings }));
    if (decision.problem) throw errorOf(decision.problem, place);
    return decision;
  }

  /** Carries out the effect of a decision and stores how it ended. */
  async carryOutAndStore(
    place: Place,
    decision: StoredDecision,
    client?: OrdersClient,
  ): Promise<Order | undefined> {
    return (await this.#carryOut(place, decision, client)).order;
  }

  async #carryOut(
    place: Place,
    { effect, order, sendBefore }: StoredDecision,
    client: OrdersClient | undefined,
  ): Promise<{ order: Order | undefined; isMade: boolean }> {
    if (!effect || !order) return { order, isMade: true };
    const settings = this.#settingsWith(client);
    const [options, report] = [this.#options, this.report];
    const command = await carryOut(effect, { order, client, sendBefore, settings, options, report });
    const stored = await runCommand(place, () => Promise.resolve({ command, settings }));
    const isMade = !('result' in command && command.result.step === 'not_made');
    return { order: stored.order ?? order, isMade };
  }

  /** True for thirty days after a restore: the service may know an order that the database has forgotten. */
  async #wasRestoredRecently({ transaction }: Place): Promise<boolean> {
    // Without a lock, which all checkouts would wait for.
    const { now, row } = await this.#options.storageOver(transaction, false).read(restoreKey);
    const { restoredAt = -Infinity } = JSON.parse(row?.data ?? '{}') as { restoredAt?: number };
    return now < restoredAt + restoreMs;
  }

  /** Begins a payment, where one may begin. `candidate` is the one that this request would make. */
  async begin(
    type: 'start' | 'add',
    place: Place,
    request: OrderRequest | undefined,
    { account, additionalFields }: StartOptions,
  ): Promise<{
    decision: StoredDecision;
    candidate: NewPayment | undefined;
    client: OrdersClient | undefined;
  }> {
    const commandId = randomUUID();
    let candidate: NewPayment | undefined;
    let client: OrdersClient | undefined;
    const decision = await runCommand(place, async (order) => {
      client = await this.#clientOf(account ?? order?.account);
      const number = (order?.payments.length ?? 0) + 1;
      // What `add` stores is checked also where it is nothing: a `start` would send what is there.
      candidate =
        type === 'start' && request === undefined
          ? undefined
          : newPayment(place.key, number, request, additionalFields, client.settings);
      const isOver = order !== undefined && isEnded(order);
      const next = candidate && {
        ...candidate,
        mayExist: !isOver && (await this.#wasRestoredRecently(place)),
      };
      const given = { ...(next && { next }), ...(account !== undefined && { account }) };
      const command: Command =
        type === 'add' && next ? { type, ...given, next } : { type: 'start', commandId, ...given };
      return { command, settings: this.#settingsWith(client) };
    });
    if (decision.problem) throw errorOf(decision.problem, place);
    if (candidate && candidate.lifetimeMs === undefined && !this.#hasWarned) {
      this.#hasWarned = true;
      this.report('warn', 'a request has no transExpiredTime, so its payment is never overdue by itself', {});
    }
    return { decision, candidate, client };
  }

  /** The order, once nobody sends for it any more, or when the wait is over. */
  async awaitCall(place: Place, order: Order | undefined): Promise<Order | undefined> {
    const until = Date.now() + this.#options.waitMs;
    let [found, pauseMs] = [order, 50];
    while (found?.payments.at(-1)?.state === 'sending' && Date.now() < until) {
      await pause(Math.min(pauseMs, until - Date.now()));
      pauseMs = Math.min(400, pauseMs * 1.5);
      found = await readOrder(place);
    }
    return found;
  }

  /** Does the first thing that is due for an order, if any. */
  async doNextDue(key: string): Promise<Moved> {
    const place = { storage: this.#options.storageOver(), key };
    const commandId = randomUUID();
    let client: OrdersClient | undefined;
    let found: Order | undefined;
    const decision = await runCommand(place, async (order) => {
      found = order;
      client = await this.#clientOf(order?.account).catch((error: unknown) => {
        this.report('error', 'there is no client for an order', { orderId: order?.orderId }, error);
        return undefined;
      });
      return { command: { type: 'doNextDue', commandId }, settings: this.#settingsWith(client) };
    });
    const { order, isMade } = await this.#carryOut(place, decision, client);
    return order === found || !isMade ? 'nothing' : 'moved';
  }

  /** All rows of a list, page after page, up to a time, without the mark of a restore. */
  async *rows(list: 'inReview' | 'changed', from: number, until = Infinity): AsyncGenerator<ListedOrder> {
    const storage = this.#options.storageOver();
    let after: Position = { at: from, key: '' };
    for (;;) {
      const rows = await storage[list](after, pageSize);
      yield* rows.filter(({ key }) => key !== restoreKey);
      const last = rows.at(-1);
      if (!last || rows.length < pageSize || last.at > until) return;
      after = { at: last.at, key: last.key };
    }
  }

  /** All orders of a list. One that cannot be read hides no other: it is logged. */
  async *all(list: 'inReview' | 'changed', from: number, until = Infinity): AsyncGenerator<Order> {
    for await (const row of this.rows(list, from, until)) {
      const order = this.readable(row);
      if (order) yield order;
    }
  }

  readable({ key, data }: ListedOrder): Order | undefined {
    try {
      return parseOrder(key, data);
    } catch (error) {
      this.report('error', 'an order cannot be read', { key }, error);
      return undefined;
    }
  }

  /** Stores when the database was restored, and resolves to that time. */
  async storeRestore(): Promise<number> {
    const storage = this.#options.storageOver();
    const { now, row } = await storage.read(restoreKey);
    const restore = {
      key: restoreKey,
      // No order has an empty ID.
      orderId: '',
      token: randomUUID(),
      dueAt: null,
      reviewAt: null,
      changedAt: now,
      data: JSON.stringify({ restoredAt: now }),
    };
    // Where another process writes one at this moment, that one is as good.
    await (row ? storage.replace(restore, row.version) : storage.insert(restore));
    return now;
  }
}
