import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { invalidInput } from '../errors/make-error.js';
import { expiryWarning } from '../protocol/payment-warnings.js';
import { maxInvoices } from '../protocol/limits.js';
import { carryOut } from './carry-out.js';
import type { Command, Decision, Restore, RuleSettings } from './commands.js';
import { needsClient } from './due.js';
import { MerchantClients } from './merchant-clients.js';
import type { CheckedOptions, OrdersClient } from './options.js';
import type { NewPayment, Order } from './order.js';
import { dayMs } from './order-parts.js';
import { OrderError } from './order-error.js';
import { reportTo } from './report.js';
import { restoreKey, restoresIn, withRestore } from './restores.js';
import { readOrder, runCommand, type OrderLocation, type StoredDecision } from './run-command.js';
import type { Query } from './sql-storage.js';
import type { ListedOrder, Position } from './storage.js';
import { parseOrder } from './stored-order.js';
import type { ProcessResult } from './sweep.js';
import { afterRestores } from './time-rules.js';
import { keyInReference, keyOf, newPayment } from './stored-request.js';
import type { OrderRequest, StartOptions } from './types.js';
import { isEnded } from './payment-state.js';

const pageSize = 500;
/** The maximum number of tasks of one order in one call of `processDue`. */
const mostTasks = 20;
const mostRestoreTries = 5;
/** The maximum number of different messages of `warnOnce`, which keeps its messages in memory. */
const mostWarnings = 100;

function unknownReference(): OrderError {
  return new OrderError('UNKNOWN_REFERENCE', 'no payment has this referenceId');
}

/** The error for a problem. If the order was found by a `referenceId` (no `orderId`), the error is about this ID. */
function errorOf(problem: NonNullable<Decision['problem']>, { orderId }: OrderLocation): Error {
  switch (problem) {
    case 'no_order':
      if (orderId === undefined) return unknownReference();
      return new OrderError(
        'UNKNOWN_ORDER',
        'the order does not exist: call start with a request to create it',
      );
    case 'no_reference':
      return unknownReference();
    case 'no_invoice':
      return new OrderError(
        'UNKNOWN_ORDER',
        'the order has no invoice with this number: pass the `number` of the item in forReview(), such as 1',
      );
    case 'other_account':
      return orderId === undefined
        ? unknownReference()
        : new OrderError('UNKNOWN_ORDER', 'the order does not exist in this account');
    case 'too_many_invoices': {
      const message =
        `the order already has ${maxInvoices} invoices, which is the maximum: invoices that wait to be sent or ` +
        'to be looked up count too';
      const issue = { path: [], message, resultStatus: 'LIMIT_EXCEEDED' } as const;
      return invalidInput([issue], { operation: 'uploadInvoice' });
    }
  }
}

/** True if the next command will change the order because of a restore of the database. */
function hasPendingRestore(order: Order, restores: readonly Restore[]): boolean {
  return afterRestores(order, 0, { restores, safeAfterMs: 0 }) !== order;
}

/** The steps that the methods of {@link OrderPayments} share: running a command, and carrying out its effect. */
export class Engine {
  readonly #options: CheckedOptions;
  readonly clients: MerchantClients;
  readonly report: ReturnType<typeof reportTo>;
  readonly #warned = new Set<string>();

  constructor(options: CheckedOptions) {
    this.#options = options;
    this.clients = new MerchantClients(options);
    this.report = reportTo(options.logger);
  }

  /** @throws ValidationError for an orderId that breaks a rule */
  locationOf(orderId: string, transaction?: Query): OrderLocation {
    return { storage: this.#options.storageFor(transaction), key: keyOf(orderId), orderId, transaction };
  }

  /** @throws OrderError for a `referenceId` that no payment can have */
  locationOfPayment(referenceId: string, transaction?: Query): OrderLocation {
    const key = keyInReference(referenceId);
    if (key === undefined) throw unknownReference();
    return { storage: this.#options.storageFor(transaction), key, transaction };
  }

  /** The settings of the rules. Some settings depend on the client. */
  settingsWith(client: OrdersClient | undefined): Omit<RuleSettings, 'restores'> {
    const { totalTimeoutMs = 45_000, repeatUnknown = true } = client?.settings ?? {};
    const { claimMs, repeatAfterMs, mostSends, mostPayments, reviewOverdue, eraseAfterDays, onPaid } =
      this.#options;
    return {
      claimMs,
      // After the end of the claim, a request can still arrive for one of two reasons. A proxy can delay a request, for
      // two minutes at most (assumed). Or the call is still running, which takes `totalTimeoutMs` at most, and a minute
      // is added as a margin. The longer of these two times counts.
      safeAfterMs: claimMs + Math.max(120_000, totalTimeoutMs + 60_000),
      repeatAfterMs,
      mostSends,
      mostPayments,
      repeatUnknown: this.#options.repeatUnknown ?? repeatUnknown,
      reviewOverdue,
      onPaid: typeof onPaid === 'function' ? 'here' : onPaid,
      ...(eraseAfterDays !== undefined && { eraseAfterMs: eraseAfterDays * dayMs }),
    };
  }

  warnOnce(message: string, level: 'warn' | 'error' = 'warn'): void {
    if (this.#warned.has(message) || this.#warned.size >= mostWarnings) return;
    this.#warned.add(message);
    this.report(level, message, {});
  }

  /** Runs a command that makes no call to the service. */
  async run(location: OrderLocation, command: Command): Promise<StoredDecision> {
    const decision = await runCommand(location, async (order, restores) => {
      // If the command changes the order because of a restore, it also sets `safeAt`, which depends on the
      // `totalTimeoutMs` of the account's client. The client is looked up only in that case.
      const mustLookUp = order !== undefined && hasPendingRestore(order, restores);
      const client = mustLookUp ? await this.#tryClientOf(order) : this.clients.single;
      return { command, settings: this.settingsWith(client === 'lookup-is-slow' ? undefined : client) };
    });
    if (decision.problem) throw errorOf(decision.problem, location);
    return decision;
  }

  /**
   * Resolves to the client of an order. If the lookup fails, logs the error and resolves to undefined. Resolves to
   * `'lookup-is-slow'` if an earlier call began the lookup for the same account, and the lookup is slow.
   */
  async #tryClientOf(
    order: Order,
    onSlow?: () => void,
  ): Promise<OrdersClient | 'lookup-is-slow' | undefined> {
    return this.clients.fromSharedLookup(order.account, onSlow).catch((error: unknown) => {
      this.report('error', 'the client of an account is not available', { orderId: order.orderId }, error);
      return undefined;
    });
  }

  /** Carries out the effect of a decision, and stores the result. */
  async carryOutAndStore(
    location: OrderLocation,
    { effect, order, sendBefore }: StoredDecision,
    client?: OrdersClient,
  ): Promise<Order | undefined> {
    if (!effect || !order) return order;
    const settings = this.settingsWith(client);
    const context = { order, client, sendBefore, settings, options: this.#options, report: this.report };
    const command = await carryOut(effect, context);
    const stored = await runCommand(location, () => Promise.resolve({ command, settings }));
    return stored.order ?? order;
  }

  /**
   * Runs the command `start` or `add`. If the order can have a new payment, the command adds the payment. The
   * `candidate` of the result is the payment that the request describes, even if the command did not add it; undefined
   * without a request.
   */
  async begin(
    type: 'start' | 'add',
    location: OrderLocation,
    request: OrderRequest | undefined,
    { account, additionalFields }: StartOptions,
  ): Promise<{
    decision: StoredDecision;
    candidate: NewPayment | undefined;
    client: OrdersClient | undefined;
  }> {
    this.clients.checkAccount(account);
    const commandId = randomUUID();
    let candidate: NewPayment | undefined;
    let client: OrdersClient | undefined;
    const decision = await runCommand(location, async (order) => {
      const isContinuation = type === 'start' && request === undefined;
      // For an order that is unknown or has ended, nothing is sent. So no client is looked up.
      if (isContinuation && (!order || isEnded(order)))
        return { command: { type: 'start', commandId, account }, settings: this.settingsWith(undefined) };
      client = await this.#clientFor(account ?? order?.account, isContinuation);
      const settings = this.settingsWith(client);
      if (isContinuation)
        return { command: { type: 'start', commandId, hasClient: client !== undefined, account }, settings };
      const number = (order?.payments.length ?? 0) + 1;
      const next = newPayment(location.key, number, request, additionalFields, client?.settings);
      candidate = next;
      const command: Command =
        type === 'add' ? { type, next, account } : { type: 'start', commandId, next, account };
      return { command, settings };
    });
    if (decision.problem) throw errorOf(decision.problem, location);
    if (candidate) this.#warnOfLifetime(candidate);
    return { decision, candidate, client };
  }

  /**
   * Resolves to the client of an account. If the option `client` is a function that fails, a call with a request
   * rejects with the same error. A call without a request (`isContinuation`) logs the error, and continues without a
   * client.
   */
  async #clientFor(account: string | undefined, isContinuation: boolean): Promise<OrdersClient | undefined> {
    try {
      return await this.clients.of(account);
    } catch (error) {
      if (!isContinuation) throw error;
      this.report('error', 'the client of an account is not available', {}, error);
      return undefined;
    }
  }

  #warnOfLifetime({ lifetimeMs }: NewPayment): void {
    const warning =
      lifetimeMs === undefined
        ? 'a request has no transExpiredTime, so its payment never becomes overdue: set transExpiredTime, in milliseconds'
        : expiryWarning({ transExpiredTime: lifetimeMs });
    if (warning !== undefined) this.warnOnce(warning);
  }

  /** Waits, for `waitMs` at most, until no process is sending the last payment. Resolves to the order. */
  async awaitCall(location: OrderLocation, order: Order | undefined): Promise<Order | undefined> {
    const until = Date.now() + this.#options.waitMs;
    let found = order;
    let pauseMs = 50;
    while (found?.payments.at(-1)?.state === 'sending' && Date.now() < until) {
      await pause(Math.min(pauseMs, until - Date.now()));
      pauseMs = Math.min(400, pauseMs * 1.5);
      found = await readOrder(location);
    }
    return found;
  }

  /**
   * Carries out the due tasks of an order, one after the other. Orders of the same account share the lookup of their
   * client. If the lookup is slow, the order that began the lookup keeps waiting, and `onSlow` is called, so that a
   * sweep can begin another order. For the other orders of the account, this method then resolves to `'deferred'`, and
   * the sweep tries these orders again later.
   */
  async processDue(key: string, onSlow: () => void): Promise<ProcessResult> {
    const location = { storage: this.#options.storageFor(), key };
    let isProcessed = false;
    for (let tasks = 0; tasks < mostTasks; tasks += 1) {
      const commandId = randomUUID();
      let client: OrdersClient | 'lookup-is-slow' | undefined;
      let lacksClient = false;
      const decision = await runCommand(location, async (order) => {
        client = order && needsClient(order) ? await this.#tryClientOf(order, onSlow) : this.clients.single;
        if (client === 'lookup-is-slow') return undefined;
        lacksClient = order !== undefined && needsClient(order) && client === undefined;
        const command = { type: 'claimDue', commandId, hasClient: client !== undefined } as const;
        return { command, settings: this.settingsWith(client) };
      });
      if (!decision || client === 'lookup-is-slow') return 'deferred';
      // An order without a client counts as not processed. The same sweep then does not take the order again.
      isProcessed ||= decision.isWritten && !lacksClient;
      await this.carryOutAndStore(location, decision, client);
      if (!decision.effect) break;
    }
    return isProcessed ? 'processed' : 'nothing';
  }

  /** Reads all rows of a list, page by page, without the row of the restores. */
  async *rows(list: 'inReview' | 'changed', from: number): AsyncGenerator<ListedOrder> {
    const storage = this.#options.storageFor();
    let after: Position = { at: from, key: '' };
    for (;;) {
      const rows = await storage[list](after, pageSize);
      yield* rows.filter(({ key }) => key !== restoreKey);
      const last = rows.at(-1);
      if (!last || rows.length < pageSize) return;
      after = { at: last.at, key: last.key };
    }
  }

  /** Parses the order in a row. If the order cannot be read, logs this and returns undefined. */
  tryParse({ key, data }: ListedOrder): Order | undefined {
    try {
      return parseOrder(key, data);
    } catch (error) {
      this.report('error', 'an order cannot be read', { key }, error);
      return undefined;
    }
  }

  /** Stores that the database was restored at `sinceAt`. The next command of each order applies this to the order. */
  async storeRestore(sinceAt: number): Promise<void> {
    const storage = this.#options.storageFor();
    for (let tries = 0; tries < mostRestoreTries; tries += 1) {
      const { now, row } = await storage.read(restoreKey);
      if (restoresIn(row?.data).some((restore) => restore.sinceAt === sinceAt)) return;
      const restore = {
        key: restoreKey,
        // No order has an empty ID.
        orderId: '',
        token: randomUUID(),
        dueAt: null,
        reviewAt: null,
        changedAt: now,
        data: withRestore(row?.data, { at: now, sinceAt }),
      };
      await (row ? storage.replace(restore, row.version) : storage.insert(restore));
    }
    throw new OrderError(
      'CONFLICT',
      'restored() could not record that the database was restored, because other processes wrote at the same time: call it again',
    );
  }
}
