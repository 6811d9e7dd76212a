import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { invalidInput } from '../errors/make-error.js';
import { expiryWarning } from '../protocol/payment-warnings.js';
import { maxInvoices } from '../protocol/limits.js';
import { carryOut } from './carry-out.js';
import type { Command, Decision, RuleSettings } from './commands.js';
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
import type { Moved } from './sweep.js';
import { afterRestores } from './time-rules.js';
import { keyInReference, keyOf, newPayment } from './stored-request.js';
import type { OrderRequest, StartOptions } from './types.js';
import { isEnded } from './payment-state.js';

const pageSize = 500;
/** The most moves of one order in one call of `doNextDue`. */
const mostMoves = 20;
const mostRestoreTries = 5;
/** The most warnings of a process: so a flood of unknown status values does not fill the memory. */
const mostWarnings = 100;

function unknownReference(): OrderError {
  return new OrderError('UNKNOWN_REFERENCE', 'no payment has this referenceId');
}

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
        'the order has no invoice with this number: pass the number of its item in forReview(), such as 1',
      );
    case 'other_account':
      return orderId === undefined
        ? unknownReference()
        : new OrderError('UNKNOWN_ORDER', 'the order does not exist in this account');
    case 'too_many_invoices': {
      const message = `the order already has ${maxInvoices} invoices (stored or waiting), and can have no more`;
      const issue = { path: [], message, resultStatus: 'LIMIT_EXCEEDED' } as const;
      return invalidInput([issue], { operation: 'uploadInvoice' });
    }
  }
}

/** The steps that the methods of {@link OrderPayments} share: run a command on an order, and carry out its effect. */
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
    return { storage: this.#options.storageOver(transaction), key: keyOf(orderId), orderId, transaction };
  }

  /** @throws OrderError for a reference that no order can have */
  locationOfPayment(referenceId: string, transaction?: Query): OrderLocation {
    const key = keyInReference(referenceId);
    if (key === undefined) throw unknownReference();
    return { storage: this.#options.storageOver(transaction), key, transaction };
  }

  settingsWith(client: OrdersClient | undefined): Omit<RuleSettings, 'restores'> {
    const { totalTimeoutMs = 45_000, repeatUnknown = true } = client?.settings ?? {};
    const { claimMs, repeatAfterMs, mostSends, mostPayments, reviewOverdue, eraseAfterDays, onPaid } =
      this.#options;
    return {
      claimMs,
      // The claim, then two minutes for a request that a proxy holds, or more for a longer call.
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

  /** Logs a message once for each process. */
  warnOnce(message: string, level: 'warn' | 'error' = 'warn'): void {
    if (this.#warned.has(message) || this.#warned.size >= mostWarnings) return;
    this.#warned.add(message);
    this.report(level, message, {});
  }

  /** Runs a command that makes no call to the service. */
  async run(location: OrderLocation, command: Command): Promise<StoredDecision> {
    const decision = await runCommand(location, async (order, restores) => {
      // After a restore, a call from before it can still be running, for as long as its client allows. So the limit
      // of that client is needed.
      const settings = { ...this.settingsWith(undefined), restores };
      const isMarked = order !== undefined && afterRestores(order, 0, settings) !== order;
      const client = isMarked ? await this.#clientInSweep(order) : this.clients.only;
      return { command, settings: this.settingsWith(client === 'busy' ? undefined : client) };
    });
    if (decision.problem) throw errorOf(decision.problem, location);
    return decision;
  }

  async #clientInSweep(order: Order, onSlow?: () => void): Promise<OrdersClient | 'busy' | undefined> {
    return this.clients.inSweep(order.account, onSlow).catch((error: unknown) => {
      this.report('error', 'an account has no client for now', { orderId: order.orderId }, error);
      return undefined;
    });
  }

  /** Carries out the effect of a decision and stores its result. */
  async carryOutAndStore(
    location: OrderLocation,
    { effect, order, sendBefore }: StoredDecision,
    client?: OrdersClient,
  ): Promise<Order | undefined> {
    if (!effect || !order) return order;
    const settings = this.settingsWith(client);
    const [options, report] = [this.#options, this.report];
    const command = await carryOut(effect, { order, client, sendBefore, settings, options, report });
    const stored = await runCommand(location, () => Promise.resolve({ command, settings }));
    return stored.order ?? order;
  }

  /** Begins a payment, if the order can have another one. `candidate` is the payment that this request would make. */
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
      const isJob = type === 'start' && request === undefined;
      // There is no order, or it has ended: nothing is sent, and no client is needed.
      if (isJob && (!order || isEnded(order)))
        return { command: { type: 'start', commandId, account }, settings: this.settingsWith(undefined) };
      client = await this.#clientFor(account ?? order?.account, isJob);
      const settings = this.settingsWith(client);
      if (isJob)
        return { command: { type: 'start', commandId, hasClient: client !== undefined, account }, settings };
      const number = (order?.payments.length ?? 0) + 1;
      const next = newPayment(location.key, number, request, additionalFields, client?.settings);
      candidate = next;
      const command: Command =
        type === 'add' ? { type, next, account } : { type: 'start', commandId, next, account };
      return { command, settings };
    });
    if (decision.problem) throw errorOf(decision.problem, location);
    if (candidate) this.#adviseOn(candidate);
    return { decision, candidate, client };
  }

  /**
   * Returns the client of an account. A job continues without a client; a click rejects with the error of the shop's
   * function.
   */
  async #clientFor(account: string | undefined, isJob: boolean): Promise<OrdersClient | undefined> {
    try {
      return await this.clients.of(account);
    } catch (error) {
      if (!isJob) throw error;
      this.report('error', 'an account has no client for now', {}, error);
      return undefined;
    }
  }

  #adviseOn({ lifetimeMs }: NewPayment): void {
    const warning =
      lifetimeMs === undefined
        ? 'a request has no transExpiredTime, so its payment never becomes overdue'
        : expiryWarning({ transExpiredTime: lifetimeMs });
    if (warning !== undefined) this.warnOnce(warning);
  }

  /** Resolves to the order once no process is sending for it, or when the wait is over. */
  async awaitCall(location: OrderLocation, order: Order | undefined): Promise<Order | undefined> {
    const until = Date.now() + this.#options.waitMs;
    let [found, pauseMs] = [order, 50];
    while (found?.payments.at(-1)?.state === 'sending' && Date.now() < until) {
      await pause(Math.min(pauseMs, until - Date.now()));
      pauseMs = Math.min(400, pauseMs * 1.5);
      found = await readOrder(location);
    }
    return found;
  }

  /**
   * Does what is due for an order, one task after the other. `'deferred'` means that the client of its account is still
   * being looked up for another order. `onSlow` is called if this order itself began the lookup, and it is slow.
   */
  async doNextDue(key: string, onSlow: () => void): Promise<Moved> {
    const location = { storage: this.#options.storageOver(), key };
    let isMoved = false;
    for (let moves = 0; moves < mostMoves; moves += 1) {
      const commandId = randomUUID();
      let client: OrdersClient | 'busy' | undefined;
      let isWaiting = false;
      const decision = await runCommand(location, async (order) => {
        client = order && needsClient(order) ? await this.#clientInSweep(order, onSlow) : this.clients.only;
        if (client === 'busy') return undefined;
        isWaiting = order !== undefined && needsClient(order) && client === undefined;
        const command = { type: 'doNextDue', commandId, hasClient: client !== undefined } as const;
        return { command, settings: this.settingsWith(client) };
      });
      if (!decision || client === 'busy') return 'deferred';
      isMoved ||= decision.isWritten && !isWaiting;
      await this.carryOutAndStore(location, decision, client);
      if (!decision.effect) break;
    }
    return isMoved ? 'moved' : 'nothing';
  }

  /** Reads all rows of a list, page after page, except for the row of the restores. */
  async *rows(list: 'inReview' | 'changed', from: number): AsyncGenerator<ListedOrder> {
    const storage = this.#options.storageOver();
    let after: Position = { at: from, key: '' };
    for (;;) {
      const rows = await storage[list](after, pageSize);
      yield* rows.filter(({ key }) => key !== restoreKey);
      const last = rows.at(-1);
      if (!last || rows.length < pageSize) return;
      after = { at: last.at, key: last.key };
    }
  }

  /** Reads the order of a row. An order that cannot be read is logged, so that the others are still listed. */
  readable({ key, data }: ListedOrder): Order | undefined {
    try {
      return parseOrder(key, data);
    } catch (error) {
      this.report('error', 'an order cannot be read', { key }, error);
      return undefined;
    }
  }

  /** Stores that the database was restored. Each order is changed by its next command. */
  async storeRestore(sinceAt: number): Promise<void> {
    const storage = this.#options.storageOver();
    for (let tries = 0; tries < mostRestoreTries; tries += 1) {
      const { now, row } = await storage.read(restoreKey);
      if (restoresIn(row?.data).some((restore) => restore.sinceAt === sinceAt)) return;
      const restore = {
        key: restoreKey,
        // The ID of an order is never empty.
        orderId: '',
        token: randomUUID(),
        dueAt: null,
        reviewAt: null,
        changedAt: now,
        data: withRestore(row?.data, { at: now, sinceAt }),
      };
      await (row ? storage.replace(restore, row.version) : storage.insert(restore));
    }
    throw new OrderError('CONFLICT', 'the restore could not be stored: call restored again');
  }
}
