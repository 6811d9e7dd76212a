import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { invalidInput } from '../errors/error-of.js';
import type { Command, PaymentEvent, Policy } from './commands.js';
import type { CheckedOptions, OrdersClient } from './options.js';
import type { Order } from './order.js';
import { OrderError } from './order-error.js';
import { mostInvoices } from './rules.js';
import { markKey, readOrder, runCommand, type Done, type Place } from './run-command.js';
import { carryOut, repeatUnknownOf } from './send.js';
import type { Query } from './sql-storage.js';
import type { Position } from './storage.js';
import { draftOf, keyInReference, type Draft } from './stored-request.js';
import type { OrderRequest, OrderView, StartOptions } from './types.js';
import { isEnded, isLive, viewStateOf } from './views.js';

const restoreMs = 30 * 24 * 60 * 60_000;
const pageSize = 500;
const dayMs = 24 * 60 * 60_000;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const eventShape = z.object({
  referenceId: z.string(),
  status: z.string(),
  amount: z.object({ value: z.number(), currency: z.string() }),
  merchantId: z.optional(z.string()),
});

type Words = CheckedOptions['words'];

/** An event in the words of this package; without `paymentEvent` where its word says nothing. */
export function eventOf(given: unknown, words: Words): { referenceId: string; paymentEvent?: PaymentEvent } {
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

/** What all methods of {@link OrderPayments} share: they make a command, run it at a place, and settle its effect. */
export function createEngine(checked: CheckedOptions) {
  const { client, onPaid, logger } = checked;
  let hasWarned = false;

  const place = (key: string, orderId?: string, transaction?: Query): Place => ({
    storage: checked.storageOver(transaction),
    key,
    orderId,
    isTransaction: transaction !== undefined,
  });

  const clientFor = async (account: string | undefined): Promise<OrdersClient> =>
    typeof client === 'function' ? client(account) : client;

  const policyWith = (settings: OrdersClient['settings']): Policy => {
    const { claimMs, repeatAfterMs, mostSends, reviewOverdue, eraseAfterDays } = checked;
    const callMs = settings?.totalTimeoutMs ?? 45_000;
    return {
      claimMs,
      // The claim, a call that began at its end, and what a proxy holds.
      safeAfterMs: Math.max(180_000, claimMs + callMs + 60_000),
      repeatAfterMs,
      mostSends,
      repeatUnknown: repeatUnknownOf(settings, checked),
      reviewOverdue,
      tells: onPaid !== undefined,
      ...(eraseAfterDays !== undefined && { eraseAfterMs: eraseAfterDays * dayMs }),
    };
  };
  // For what sends nothing.
  const quietPolicy = policyWith(typeof client === 'function' ? undefined : client.settings);

  const mayExist = async ({ storage }: Place): Promise<boolean> => {
    const { now, row } = await storage.read(markKey);
    const { restoredAt } = row ? (JSON.parse(row.data) as { restoredAt: number }) : { restoredAt: -Infinity };
    return now < restoredAt + restoreMs;
  };

  const run = async (at: Place, command: Command) => {
    const done = await runCommand(at, () => Promise.resolve({ command, policy: quietPolicy }));
    if (done.problem === 'no_reference') throw unknownReference();
    if (done.problem === 'no_order') throw new OrderError('UNKNOWN_ORDER', 'there is no such order');
    if (done.problem === 'no_invoice')
      throw new OrderError('UNKNOWN_ORDER', 'the order has no invoice with this number');
    if (done.problem === 'too_many_invoices') {
      const message = `an order takes ${mostInvoices} invoices: those that are stored or waiting are as many`;
      throw invalidInput([{ path: [], message, resultStatus: 'LIMIT_EXCEEDED' }], {
        operation: 'uploadInvoice',
      });
    }
    return done;
  };

  const unknownReference = () => new OrderError('UNKNOWN_REFERENCE', 'no payment has this referenceId');

  const atReference = (referenceId: string, transaction?: Query): Place => {
    const key = keyInReference(referenceId);
    if (key === undefined) throw unknownReference();
    return place(key, undefined, transaction);
  };

  /** Carries out the effect of a decision, and stores how it ended. */
  const settle = async (at: Place, done: Done): Promise<Order | undefined> => {
    const { effect, order } = done;
    if (!effect || !order) return order;
    const { token } = effect.claim;
    const view = viewOf(order.orderId, order);
    if (effect.type === 'tell') {
      const isTold = await tell(view);
      return (await run(at, { type: 'told', token, isTold })).order ?? order;
    }
    const chosen = () => clientFor(order.account);
    const result = await carryOut(effect, { done, order, view, client: chosen, options: checked });
    const settings = await chosen().then(
      (known) => known.settings,
      () => undefined,
    );
    const command: Command =
      effect.type === 'send'
        ? { type: 'sent', token, referenceId: effect.payment.referenceId, result }
        : { type: 'uploaded', token, number: effect.invoice.number, result };
    const stored = await runCommand(at, () => Promise.resolve({ command, policy: policyWith(settings) }));
    return stored.order ?? order;
  };

  const tell = async (view: OrderView): Promise<boolean> => {
    try {
      await onPaid?.(view);
      return true;
    } catch (error) {
      logger?.error('installment-payments: onPaid failed, and is called again', {
        orderId: view.orderId,
        error,
      });
      return false;
    }
  };

  /** The command that begins a payment, and what it was made of. */
  const begin = async (
    at: Place,
    order: Order | undefined,
    request: OrderRequest | undefined,
    { account, additionalFields }: StartOptions,
    type: 'start' | 'add',
    token: string,
  ) => {
    const { settings } = await clientFor(account ?? order?.account);
    const draft = request && draftOf(at.key, request, additionalFields, settings ?? {});
    const mayBegin = !order || !(isEnded(order) || order.payments.some(isLive));
    const next = draft && draft.payment((order?.payments.length ?? 0) + 1, mayBegin && (await mayExist(at)));
    const command: Command =
      type === 'add' && next
        ? { type: 'add', next, ...(account !== undefined && { account }) }
        : { type: 'start', token, ...(next && { next }), ...(account !== undefined && { account }) };
    return { command, policy: policyWith(settings), draft };
  };

  const beginAt = async (
    at: Place,
    request: OrderRequest | undefined,
    given: StartOptions,
    type: 'start' | 'add',
  ) => {
    const token = randomUUID();
    let draft: Draft | undefined;
    const done = await runCommand(at, async (order) => {
      const begun = await begin(at, order, request, given, type, token);
      ({ draft } = begun);
      return begun;
    });
    if (done.problem === 'no_order')
      throw new OrderError('UNKNOWN_ORDER', 'there is no such order: pass a request to begin one');
    if (done.problem === 'other_account')
      throw new OrderError('UNKNOWN_ORDER', 'the order belongs to another account');
    if (draft && draft.lifetimeMs === undefined && !hasWarned) {
      hasWarned = true;
      logger?.warn(
        'installment-payments: a request has no transExpiredTime, so its payment never becomes overdue by itself',
        {},
      );
    }
    return { done, draft };
  };

  const withDifference = (view: OrderView, order: Order | undefined, draft: Draft | undefined): OrderView => {
    const last = order?.payments.at(-1);
    return last && draft && isLive(last) && last.content !== draft.content
      ? { ...view, differs: true }
      : view;
  };

  /** The order, once nobody sends for it any more, or when the wait is over. */
  const awaited = async (at: Place, order: Order | undefined): Promise<Order | undefined> => {
    const until = Date.now() + checked.waitMs;
    let [found, pauseMs] = [order, 50];
    while (found?.payments.at(-1)?.state === 'sending' && Date.now() < until) {
      await sleep(Math.min(pauseMs, Math.max(1, until - Date.now())));
      pauseMs = Math.min(400, pauseMs * 1.5);
      found = await readOrder(at);
    }
    return found;
  };

  const sweepOne = async (key: string): Promise<void> => {
    const at = place(key);
    const token = randomUUID();
    const done = await runCommand(at, async (order) => {
      const settings = await clientFor(order?.account).then(
        (known) => known.settings,
        // It is told, and counted, where the order is sent.
        () => undefined,
      );
      return { command: { type: 'move', token }, policy: policyWith(settings) };
    });
    await settle(at, done);
  };

  /** All rows of a list, page after page. */
  const all = async function* (list: 'inReview' | 'changed', from: number) {
    const storage = checked.storageOver();
    let after: Position = { at: from, key: markKey };
    for (;;) {
      const rows = await storage[list](after, pageSize);
      for (const { key, data } of rows) if (key !== markKey) yield JSON.parse(data) as Order;
      const last = rows.at(-1);
      if (!last || rows.length < pageSize) return;
      after = last;
    }
  };

  /** Stores when the database was restored, in a row that is nobody's. */
  const markRestore = async (): Promise<void> => {
    const storage = checked.storageOver();
    for (;;) {
      const { now, row } = await storage.read(markKey);
      const token = randomUUID();
      const data = JSON.stringify({ restoredAt: now });
      const mark = {
        key: markKey,
        orderId: markKey,
        token,
        dueAt: null,
        reviewAt: null,
        changedAt: now,
        data,
      };
      await (row ? storage.replace(mark, row.version) : storage.insert(mark));
      if ((await storage.read(markKey)).row?.token === token) return;
    }
  };

  return {
    place,
    atReference,
    unknownReference,
    markRestore,
    run,
    settle,
    tell,
    beginAt,
    withDifference,
    awaited,
    sweepOne,
    all,
  };
}
