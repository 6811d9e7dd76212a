import * as z from 'zod/mini';
import type { ClientSettings, InstallmentApi } from '../client.js';
import { checkOptions } from '../errors/check-options.js';
import { ConfigurationError } from '../errors/errors.js';
import type { Logger } from '../http/observer.js';
import { commonRules } from '../options/common-options.js';
import { callback, positiveInteger, boolean, wholeNumber } from '../validation/rules.js';
import type { InvoiceFileInput } from '../protocol/invoice-types.js';
import { hasMethods, isRecord } from '../values/untrusted-values.js';
import type { Dialect } from './dialects.js';
import { eventStatuses, type EventStatus, type StatusAliases } from './events.js';
import { dialectRule, schemaOf, tableRule } from './order-schema.js';
import { reliable } from './reliable-storage.js';
import { sqlStorage, type Query } from './sql-storage.js';
import type { OrderStorage } from './storage.js';
import type { OrderView, PaidOrderView } from './types.js';

/** The methods of the client that orders call. A fake without `settings` needs complete requests. */
export type OrdersClient = Pick<InstallmentApi, 'initiatePayment' | 'uploadInvoice'> & {
  readonly settings?: ClientSettings;
};

/** Options of {@link createOrderPayments}. */
export interface OrderPaymentsOptions {
  /** The client or, for many merchants, a function that gets the account and returns its client. */
  readonly client: OrdersClient | ((account: string | undefined) => OrdersClient | Promise<OrdersClient>);
  /** The SQL dialect of the database behind `query`. */
  readonly dialect?: Dialect | undefined;
  /**
   * Runs one statement, and resolves to the rows of a SELECT. Values are text, integers and null; placeholders are `$1`
   * for postgres and `?` for the others. The statement is committed when it resolves. Send reads to the primary
   * database too.
   */
  readonly query?: Query | undefined;
  /** Replaces `dialect` and `query`, for another kind of database. */
  readonly storage?: OrderStorage | undefined;
  /**
   * Who ships a paid order. Use the same value in every process, or a function in some processes and `'elsewhere'` in
   * the others:
   *
   * - A function is called with the paid order until its promise resolves, so it can run more than once: make it
   *   idempotent. `handleEvent` calls it, and then resolves. After a crash, or if `handleEvent` was given a `query`, a
   *   sweep calls it.
   * - `'elsewhere'`: another process of the shop has the function. The order stays due for it.
   * - `'firstPaid'`: the shop ships by the `firstPaid` of `handleEvent` and `conclude`, in its own transaction.
   */
  readonly onPaid: ((order: PaidOrderView) => unknown) | 'elsewhere' | 'firstPaid';
  /**
   * The name of the table: letters, digits and underscores, with its schema if it needs one.
   * @default 'installment_orders'
   */
  readonly table?: string | undefined;
  /** The status values of your webhooks, if they differ: `{ paid: ['SUCCESS'], pending: ['WAITING'] }`. */
  readonly statusAliases?: Partial<Readonly<Record<EventStatus, readonly string[] | undefined>>> | undefined;
  /** Loads the file of an invoice. `name` is the `file` that was passed to `addInvoice`. */
  readonly loadFile?:
    ((name: string, order: OrderView) => InvoiceFileInput | Promise<InvoiceFileInput>) | undefined;
  /**
   * `false` if the service ignores Idempotency-Key: then your staff check a payment whose outcome is unknown.
   * @default the client's
   */
  readonly repeatUnknown?: boolean | undefined;
  /**
   * `false` if the service sends no webhook for unpaid payments: they become expired without a review.
   * @default true
   */
  readonly reviewOverdue?: boolean | undefined;
  /**
   * The days after the end of an order until `sweep` erases its stored requests. Applies to orders that are written
   * from now on.
   *
   * @default never
   */
  readonly eraseAfterDays?: number | undefined;
  /** Replaces the clock of the database, for tests. */
  readonly now?: (() => Date) | undefined;
  /** Receives warnings, and errors of a sweep. @default none */
  readonly logger?: Logger | undefined;
  /** The time for which one process can send a payment, in milliseconds. @default 60000 */
  readonly claimMs?: number | undefined;
  /** The wait before the first repeat, in milliseconds. It doubles for each further repeat. @default 60000 */
  readonly repeatAfterMs?: number | undefined;
  /** The most sends of one payment, including the first. @default 10 */
  readonly mostSends?: number | undefined;
  /** The most payments of an order, one after the other. @default 20 */
  readonly mostPayments?: number | undefined;
  /** The time for which `start` waits for a link that another process has requested, in milliseconds. @default 5000 */
  readonly waitMs?: number | undefined;
}

function isClient(value: unknown): boolean {
  return hasMethods(value, ['initiatePayment', 'uploadInvoice']);
}

/** Checks the client that the function `client` returned: JavaScript can return anything. */
export function checkedClient(client: OrdersClient): OrdersClient {
  if (!isClient(client)) throw new ConfigurationError('client', 'must return an InstallmentClient');
  return client;
}

const statusValues = z.optional(
  z
    .array(z.string('must be a string'), 'must be an array of strings')
    .check(z.minLength(1, 'must not be empty: leave it out if your provider uses this name itself')),
);
function isUnambiguous(aliases: StatusAliases): boolean {
  const all = eventStatuses.flatMap((status) => aliases[status] ?? [status]);
  return new Set(all).size === all.length;
}

const storageMethods = ['read', 'insert', 'replace', 'postpone', 'due', 'inReview', 'changed', 'health'];

const rules = z
  .strictObject(
    {
      client: z.custom<OrderPaymentsOptions['client']>(
        (value) => typeof value === 'function' || isClient(value),
        'must be an InstallmentClient, or a function that gets the account and returns one',
      ),
      dialect: z.optional(dialectRule),
      query: z.optional(callback<Query>('must be a function that gets a statement and its values')),
      storage: z.optional(
        z.custom<OrderStorage>(
          (value) => hasMethods(value, storageMethods),
          `must be an object with the functions ${storageMethods.join(', ')}`,
        ),
      ),
      onPaid: z.custom<OrderPaymentsOptions['onPaid']>(
        (value) => typeof value === 'function' || ['elsewhere', 'firstPaid'].includes(value as string),
        "is required: a function that ships the order, 'elsewhere' if another process has this function, or " +
          "'firstPaid' if the shop ships by firstPaid in its own transaction",
      ),
      table: tableRule,
      statusAliases: z._default(
        z
          .strictObject(
            { paid: statusValues, declined: statusValues, expired: statusValues, pending: statusValues },
            'must be an object such as { paid: ["SUCCESS"] }',
          )
          .check(z.refine(isUnambiguous, 'must have each value once: a value can have only one meaning')),
        {},
      ),
      loadFile: z.optional(callback<NonNullable<OrderPaymentsOptions['loadFile']>>()),
      repeatUnknown: z.optional(boolean),
      reviewOverdue: z._default(boolean, true),
      eraseAfterDays: z.optional(wholeNumber),
      now: z.optional(callback<() => Date>()),
      logger: commonRules.logger,
      claimMs: z._default(positiveInteger, 60_000),
      repeatAfterMs: z._default(positiveInteger, 60_000),
      mostSends: z._default(positiveInteger, 10),
      mostPayments: z._default(positiveInteger, 20),
      waitMs: z._default(wholeNumber, 5_000),
    },
    'must be an object',
  )
  .check(
    z.refine(({ dialect, query, storage }) => (storage ? !dialect && !query : dialect && query), {
      path: ['query'],
      message: 'and dialect are required, or storage instead of both',
      // Also if another option is wrong, so that the error names every problem.
      when: ({ value }) => isRecord(value),
    }),
  );

export type CheckedOptions = z.output<typeof rules> & {
  /** The storage over the `query` of the options, or of the caller's transaction, in which a read locks its row. */
  readonly storageOver: (transaction?: Query) => OrderStorage;
  readonly schema: readonly string[];
};

export function checkOrderOptions(options: OrderPaymentsOptions): CheckedOptions {
  const checked = checkOptions(rules, options);
  const { dialect, query, storage, table, now } = checked;
  const chosen = (transaction: Query | undefined): OrderStorage => {
    if (dialect && query) return sqlStorage(dialect, table, transaction ?? query, transaction !== undefined);
    if (transaction || !storage)
      throw new ConfigurationError('query', 'must be left out: a custom storage has no transactions');
    return storage;
  };
  return {
    ...checked,
    schema: dialect ? schemaOf(dialect, table) : [],
    storageOver: (transaction) => reliable(chosen(transaction), transaction !== undefined, now),
  };
}
