import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { invalidInput } from '../errors/error-of.js';
import { bounded } from '../http/bounded.js';
import { systemRuntime } from '../http/runtime.js';
import type { Command, PaymentEvent, Policy } from './commands.js';
import { checkedClient, type CheckedOptions, type OrdersClient } from './options.js';
import type { Order } from './order.js';
import { OrderError } from './order-error.js';
import { reportTo } from './report.js';
import { mostInvoices } from './rules.js';
import { orderIn, readOrder, runCommand, type Done, type Place } from './run-command.js';
import { carryOut, notAsked } from './send.js';
import type { Query } from './sql-storage.js';
import type { Position } from './storage.js';
import { draftOf, keyInReference, type Draft } from './stored-request.js';
import type { OrderRequest, OrderView, StartOptions } from './types.js';
import { isEnded, isLive, viewStateOf } from './views.js';

const restoreMs = 30 * 24 * 60 * 60_000;
const pageSize = 500;
const dayMs = 24 * 60 * 60_000;

/** The key of a row that is nobody's order: it holds the mark of a restore. */
export const markKey = '*';

const eventShape = z.object({
  referenceId: z.string(),
  status: z.string(),
  amount: z.object({ value: z.number(), currency: z.string() }),
  merchantId: z.optional(z.string()),
});

/** An event in the words of this package; without `paymentEvent` where its word says nothing. */
export function eventOf(
  given: unknown,
  words: CheckedOptions['words'],
): { referenceId: string; paymentEvent?: PaymentEvent } {
  const { success, data } = eventShape.safeParse(given);
  if (!success)
    throw new OrderError(
      'EVENT_UNREADABLE',
      'the event must be { referenceId, status, amount: { value, currency } }, with a number as value',
    );
  const { referenceId, status, amount, merchantId } = data;
  const word = (['paid', 'declined', 'expired'] as const).find((each) =>
    (words[each] ?? [each]).includes(status),
  );
  if (!word) return { referenceId };
  return {
    referenceId,
    paymentEvent: { referenceId, word, ...amount, ...(merchantId !== undefined && { merchantId }) },
  };
}

export function viewOf(orderId: string, order: Order | undefined): OrderView {
  const state = viewStateOf(order);
  const payment =
    order?.payments.find(({ referenceId }) => referenceId === order.paidBy) ?? order?.payments.at(-1);
  const { referenceId, paymentUrl, qrData, error } = payment ?? {};
  const isStarted = state === 'started';
  return {
    orderId,
    state,
    ...(referenceId !== undefined && { referenceId }),
    ...(isStarted && paymentUrl !== undefined && { paymentUrl }),
    ...(isStarted && qrData !== undefined && { qrData }),
    ...(error && (state === 'refused' || state === 'new' || state === 'checking') && { error }),
  };
}

/** The view of an order after a call with a request. */
export function viewFor(orderId: string, order: Order | undefined, draft: Draft | undefined): OrderView {
  const last = order?.payments.at(-1);
  const differs = last && draft && isLive(last) && last.content !== draft.content;
  return { ...viewOf(orderId, order), ...(differs && { differs }) };
}

export function unknownReference(): OrderError {
  return new OrderError('UNKNOWN_REFERENCE', 'no payment has this referenceId');
}

/** What all methods of {@link OrderPayments} share: they make a command, run it at a place, and settle its effect. */
export class Engine {
  readonly #options: CheckedOptions;
  readonly report: ReturnType<typeof reportTo>;
  #hasWarned = false;

  constructor(options: CheckedOptions) {
    this.#options = options;
    this.report = reportTo(options.logger);
  }

  place(key: string, orderId?: string, transaction?: Query): Place {
    return { storage: this.#options.storageOver(transaction), key, orderId, transaction };
  }

  placeOf(referenceId: string, transaction?: Query): Place {
    const key = keyInReference(referenceId);
    if (key === undefined) throw unknownReference();
    return this.place(key, undefined, transaction);
  }

  async #clientFor(account: string | undefined): Promise<OrdersClient> {
    const { client } = this.#options;
    return typeof client === 'function' ? checkedClient(await client(account)) : client;
  }

  #policy(client: OrdersClient | undefined): Policy {
    const { settings } = client ?? {};
    const { claimMs, repeatAfterMs, mostSends, reviewOverdue, eraseAfterDays, onPaid } = this.#options;
    const callMs = settings?.totalTimeoutMs ?? 45_000;
    return {
      claimMs,
      // The claim, then what a proxy holds, or a longer call.
      safeAfterMs: claimMs + Math.max(120_000, callMs + 60_000),
      repeatAfterMs,
      mostSends,
      repeatUnknown: this.#options.repeatUnknown ?? settings?.repeatUnknown ?? true,
      reviewOverdue,
      tells: onPaid !== undefined,
      hasNoClient: client === undefined,
      ...(eraseAfterDays !== undefined && { eraseAfterMs: eraseAfterDays * dayMs }),
    };
  }

  /** Runs a command that needs no client. */
  async run(at: Place, command: Command): Promise<Done> {
    const { client } = this.#options;
    const policy = this.#policy(typeof client === 'function' ? undefined : client);
    const done = await runCommand(at, () => Promise.resolve({ command, policy }));
    switch (done.problem) {
      case 'no_reference':
        throw unknownReference();
      case 'no_order':
        if (at.orderId === undefined) throw unknownReference();
        throw new OrderError('UNKNOWN_ORDER', 'there is no such order');
      case 'no_invoice':
        throw new OrderError('UNKNOWN_ORDER', 'the order has no invoice with this number');
      case 'too_many_invoices': {
        const message = `an order takes ${mostInvoices} invoices, and has as many that are stored or waiting`;
        const issue = { path: [], message, resultStatus: 'LIMIT_EXCEEDED' } as const;
        throw invalidInput([issue], { operation: 'uploadInvoice' });
      }
      default:
        return done;
    }
  }

  /** Carries out the effect of a decision, and stores how it ended. */
  async settle(at: Place, { effect, order, sendBefore }: Done): Promise<Order | undefined> {
    if (!effect || !order) return order;
    const { token } = effect.claim;
    const view = viewOf(order.orderId, order);
    if (effect.type === 'tell') {
      const isTold = await this.#tell(view);
      return (await this.run(at, { type: 'told', token, isTold })).order ?? order;
    }
    const client = await this.#clientFor(order.account).catch((error: unknown) => {
      this.report('error', 'there is no client for an order', { orderId: order.orderId }, error);
      return undefined;
    });
    const policy = this.#policy(client);
    const { repeatUnknown } = policy;
    const { loadFile } = this.#options;
    const result = client
      ? await carryOut(effect, client, {
          order,
          view,
          sendBefore,
          longestMs: policy.safeAfterMs,
          repeatUnknown,
          loadFile,
          report: this.report,
        })
      : notAsked('NO_CLIENT', 'The function client failed for the account of this order.');
    const command: Command =
      effect.type === 'send'
        ? { type: 'sent', token, referenceId: effect.payment.referenceId, result }
        : { type: 'uploaded', token, number: effect.invoice.number, result };
    return (await runCommand(at, () => Promise.resolve({ command, policy }))).order ?? order;
  }

  async #tell(view: OrderView): Promise<boolean> {
    const { onPaid, claimMs } = this.#options;
    const ids = { orderId: view.orderId };
    if (!onPaid) {
      this.report('error', 'a process without onPaid has met an order that another one is to tell', ids);
      return false;
    }
    // Async, so that a synchronous throw is a rejection.
    const call = async () => {
      await onPaid(view);
    };
    const told = await bounded(call, { ms: claimMs, signal: undefined, runtime: systemRuntime });
    if (told.ended === 'done') return true;
    const error = told.ended === 'failed' ? told.error : undefined;
    this.report('error', 'onPaid failed or did not end, and is called again', ids, error);
    return false;
  }

  /** True for thirty days after a restore: the service may know an order that the database has forgotten. */
  async #mayExist({ transaction }: Place): Promise<boolean> {
    // Without a lock, which all checkouts would wait for.
    const { now, row } = await this.#options.storageOver(transaction, false).read(markKey);
    return row !== undefined && now < storedAt(row.data) + restoreMs;
  }

  /** Begins a payment, where one may begin. */
  async begin(
    type: 'start' | 'add',
    at: Place,
    request: OrderRequest | undefined,
    { account, additionalFields }: StartOptions,
  ): Promise<{ done: Done; draft: Draft | undefined }> {
    const token = randomUUID();
    let draft: Draft | undefined;
    const done = await runCommand(at, async (order) => {
      const client = await this.#clientFor(account ?? order?.account);
      draft = request && draftOf(at.key, request, additionalFields, client.settings ?? {});
      const mayExist = draft && !(order && isEnded(order)) && (await this.#mayExist(at));
      const next = draft?.payment((order?.payments.length ?? 0) + 1, mayExist === true);
      const given = { ...(next && { next }), ...(account !== undefined && { account }) };
      const command: Command =
        type === 'add' && next ? { type, ...given, next } : { type: 'start', token, ...given };
      return { command, policy: this.#policy(client) };
    });
    if (done.problem === 'no_order')
      throw new OrderError('UNKNOWN_ORDER', 'there is no such order: pass a request to begin one');
    if (done.problem === 'other_account')
      throw new OrderError('UNKNOWN_ORDER', 'the order belongs to another account');
    if (draft && draft.lifetimeMs === undefined && !this.#hasWarned) {
      this.#hasWarned = true;
      this.report('warn', 'a request has no transExpiredTime, so its payment is never overdue by itself', {});
    }
    return { done, draft };
  }

  /** The order, once nobody sends for it any more, or when the wait is over. */
  async awaited(at: Place, order: Order | undefined): Promise<Order | undefined> {
    const until = Date.now() + this.#options.waitMs;
    let [found, pauseMs] = [order, 50];
    while (found?.payments.at(-1)?.state === 'sending' && Date.now() < until) {
      await pause(Math.min(pauseMs, until - Date.now()));
      pauseMs = Math.min(400, pauseMs * 1.5);
      found = await readOrder(at);
    }
    return found;
  }

  /** Moves an order, where something of it is due. */
  async sweep(key: string): Promise<void> {
    const at = this.place(key);
    const token = randomUUID();
    const done = await runCommand(at, async (order) => {
      const client = await this.#clientFor(order?.account).catch((error: unknown) => {
        this.report('error', 'there is no client for an order', { orderId: order?.orderId }, error);
        return undefined;
      });
      return { command: { type: 'move', token }, policy: this.#policy(client) };
    });
    await this.settle(at, done);
  }

  /** All orders of a list, page after page, up to a time. */
  async *all(list: 'inReview' | 'changed', from: number, until = Infinity): AsyncGenerator<Order> {
    const storage = this.#options.storageOver();
    let after: Position = { at: from, key: markKey };
    for (;;) {
      const rows = await storage[list](after, pageSize);
      for (const { key, data } of rows) if (key !== markKey) yield orderIn(key, data);
      const last = rows.at(-1);
      if (!last || rows.length < pageSize || last.at > until) return;
      after = last;
    }
  }

  /** Stores when the database was restored, and resolves to that time. */
  async markRestore(): Promise<number> {
    const storage = this.#options.storageOver();
    const { now, row } = await storage.read(markKey);
    const mark = {
      key: markKey,
      orderId: markKey,
      token: randomUUID(),
      dueAt: null,
      reviewAt: null,
      changedAt: now,
      data: JSON.stringify({ restoredAt: now }),
    };
    // Where another process writes one at this moment, that one is as good.
    await (row ? storage.replace(mark, row.version) : storage.insert(mark));
    return now;
  }
}

function storedAt(data: string): number {
  return (JSON.parse(data) as { restoredAt: number }).restoredAt;
}
