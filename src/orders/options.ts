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

/**
 * The part of a client that the order module uses. `settings` contains the defaults of the client, such as its
 * `merchantId`. If a fake client has no `settings`, each request must contain these fields.
 */
export type OrdersClient = Pick<InstallmentApi, 'initiatePayment' | 'uploadInvoice'> & {
  readonly settings?: ClientSettings;
};

/** Options of {@link createOrderPayments}. */
export interface OrderPaymentsOptions {
  /** The client, or, for many merchants, a function that returns the client of an account. */
  readonly client: OrdersClient | ((account: string | undefined) => OrdersClient | Promise<OrdersClient>);
  /** The SQL dialect of the database behind `query`. */
  readonly dialect?: Dialect | undefined;
  /**
   * Runs one statement, and resolves to the rows of a SELECT. Values are text, integers and null. Placeholders are
   * `$1`, `$2` and so on for postgres, and `?` for mysql and sqlite. The statement must be committed when the promise
   * resolves. Send reads to the primary database too.
   */
  readonly query?: Query | undefined;
  /** A custom storage in place of `dialect` and `query`, for a different kind of database. */
  readonly storage?: OrderStorage | undefined;
  /**
   * Defines how a paid order is shipped. Use the same value in every process, or a function in some processes and
   * `'elsewhere'` in all the other processes:
   *
   * - A function: it is called with the paid order, and called again after a failure or a crash of the process. So it
   *   can run more than once: make it idempotent. `handleEvent` and `conclude` call the function before they resolve,
   *   unless you pass them a `query`. In all other cases, a sweep calls the function.
   * - `'elsewhere'`: another process of the shop has the function. The order stays due until that process calls it.
   * - `'firstPaid'`: the shop ships in its own transaction when `handleEvent` or `conclude` returns `firstPaid: true`.
   */
  readonly onPaid: ((order: PaidOrderView) => unknown) | 'elsewhere' | 'firstPaid';
  /**
   * The name of the table: letters, digits and underscores, with its schema if it needs one.
   * @default 'installment_orders'
   */
  readonly table?: string | undefined;
  /**
   * The status values of your provider's webhooks, such as `{ paid: ['SUCCESS'], pending: ['WAITING'] }`. With this
   * example, only `SUCCESS` means paid, and the value `paid` is unknown. A status that you leave out keeps its own name
   * as its only value: with this example, `declined` still means declined.
   */
  readonly statusAliases?: Partial<Readonly<Record<EventStatus, readonly string[] | undefined>>> | undefined;
  /** Loads the file of an invoice before its upload. `name` is the `file` that was passed to `addInvoice`. */
  readonly loadFile?:
    | ((name: string, order: OrderView) => InvoiceFileInput | Promise<InvoiceFileInput>)
    | undefined;
  /**
   * `false` if the service ignores the Idempotency-Key. A payment whose outcome is unknown is then not sent again:
   * `forReview()` lists this payment as `look_up`.
   * @default the setting of the client
   */
  readonly repeatUnknown?: boolean | undefined;
  /**
   * `false` if the service sends no webhook for unpaid payments. A payment whose time to pay has passed then becomes
   * `expired`, without a review. Exception: a payment with a mismatch becomes `overdue`.
   * @default true
   */
  readonly reviewOverdue?: boolean | undefined;
  /**
   * The number of days after which `sweep` erases the stored requests and uploads of an order that was paid or
   * cancelled, or whose last payment has ended. The value is stored with each order that is written from now on.
   *
   * @default never
   */
  readonly eraseAfterDays?: number | undefined;
  /** Replaces the clock of the database, for tests. */
  readonly now?: (() => Date) | undefined;
  /** Receives warnings and errors. @default none */
  readonly logger?: Logger | undefined;
  /**
   * The time that one process has to send a payment, upload an invoice or call `onPaid`, in milliseconds.
   * @default 60000
   */
  readonly claimMs?: number | undefined;
  /** The wait before the first repeat, in milliseconds. The wait doubles with each repeat. @default 60000 */
  readonly repeatAfterMs?: number | undefined;
  /**
   * The maximum number of times that one payment is sent, including the first time. After that, `forReview()` lists the
   * payment as `look_up`, or as `not_sent` if the payment was not created. The same maximum applies to the uploads of
   * an invoice.
   * @default 10
   */
  readonly mostSends?: number | undefined;
  /**
   * The maximum number of payments of an order, one after the other. After that, no payment begins, and the order is in
   * `forReview()` as `too_many`.
   * @default 20
   */
  readonly mostPayments?: number | undefined;
  /** The time that `start` waits for a link that another process is requesting, in milliseconds. @default 5000 */
  readonly waitMs?: number | undefined;
}

function isClient(value: unknown): boolean {
  return hasMethods(value, ['initiatePayment', 'uploadInvoice']);
}

/** Checks the client that the option `client` returned, because a JavaScript function can return any value. */
export function checkedClient(client: OrdersClient): OrdersClient {
  if (!isClient(client)) throw new ConfigurationError('client', 'must return an InstallmentClient');
  return client;
}

function aliasesRule(status: EventStatus) {
  const rule = `must not be an empty list: if your provider already sends the value '${status}', do not set statusAliases.${status}`;
  const values = z.array(z.string('must be a string'), 'must be an array of strings');
  return z.optional(values.check(z.minLength(1, rule)));
}

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
        'must be an InstallmentClient, or a function that returns the client of an account',
      ),
      dialect: z.optional(dialectRule),
      query: z.optional(callback<Query>('must be a function that runs a statement with its values')),
      storage: z.optional(
        z.custom<OrderStorage>(
          (value) => hasMethods(value, storageMethods),
          `must be an object with the functions ${storageMethods.join(', ')}`,
        ),
      ),
      onPaid: z.custom<OrderPaymentsOptions['onPaid']>(
        (value) => typeof value === 'function' || ['elsewhere', 'firstPaid'].includes(value as string),
        "is required: a function that ships the order, 'elsewhere' if another process has this function, or " +
          "'firstPaid' if your code ships the order itself when handleEvent() or conclude() returns firstPaid: true",
      ),
      table: tableRule,
      statusAliases: z._default(
        z
          .strictObject(
            {
              paid: aliasesRule('paid'),
              declined: aliasesRule('declined'),
              expired: aliasesRule('expired'),
              pending: aliasesRule('pending'),
            },
            'must be an object, such as { paid: ["SUCCESS"] }',
          )
          .check(
            z.refine(isUnambiguous, 'must contain each value only once: a value can have only one meaning'),
          ),
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
      message: 'and dialect must both be passed, or storage alone',
      // This rule runs even if another option is wrong, so that the error names every problem.
      when: ({ value }) => isRecord(value),
    }),
  );

export type CheckedOptions = z.output<typeof rules> & {
  /**
   * Returns the storage. `transaction` is the `query` of the caller's transaction: each read then locks its row, except
   * on SQLite.
   */
  readonly storageFor: (transaction?: Query) => OrderStorage;
  readonly schema: readonly string[];
};

export function checkOrderOptions(options: OrderPaymentsOptions): CheckedOptions {
  const checked = checkOptions(rules, options);
  const { dialect, query, storage, table, now } = checked;
  const plainStorageFor = (transaction: Query | undefined): OrderStorage => {
    if (dialect && query) return sqlStorage(dialect, table, transaction ?? query, transaction !== undefined);
    if (transaction || !storage)
      throw new ConfigurationError(
        'query',
        'must be left out: a custom storage does not support transactions of the caller',
      );
    return storage;
  };
  return {
    ...checked,
    schema: dialect ? schemaOf(dialect, table) : [],
    storageFor: (transaction) => reliable(plainStorageFor(transaction), transaction !== undefined, now),
  };
}
