import { printable } from '../../values/texts.js';
import type { PaymentRequestWire } from '../../protocol/payment-types.js';
import { vietnamOffsetMinutes } from '../../protocol/timestamps.js';
import { checked, MockUsageError } from '../../errors/usage-error.js';
import type { Scenario } from '../scenarios/scenario.js';
import { settlementRules } from '../scenarios/settlements.js';
import type { Changes } from './changes.js';
import { bytesOf, type KeptBytes } from './kept-bytes.js';
import type { MockInvoice, NewInvoice } from './invoices.js';
import {
  paymentKey,
  settleSchema,
  type MockPayment,
  type PaymentReference,
  type Settlement,
} from './payment-record.js';
import type { MockInvoices, MockPayments } from './store-types.js';

// The latest time that a Date can represent at Vietnam's offset, which the pages show.
const latestMs = 8.64e15 - vietnamOffsetMinutes * 60_000;

/** The time to pay if an order has no `transExpiredTime`. */
export const defaultPaymentMinutes = 15;

/** An initiate request with its Idempotency-Key. The request is in flight until it has a `responseBody`. */
export interface KeyedRequest {
  readonly clientId: string;
  readonly idempotencyKey: string | undefined;
  /** The bytes of the body. A repeat has the same bytes. */
  readonly body: Buffer;
  readonly arrivedAt: Date;
  /** The body of the response. A repeat gets the same body, byte for byte. */
  responseBody?: string;
}

/** The Idempotency-Key with its client, because two clients can use the same key. Undefined without such a key. */
function clientKeyOf({ clientId, idempotencyKey }: Pick<KeyedRequest, 'clientId' | 'idempotencyKey'>) {
  return idempotencyKey === undefined ? undefined : `${clientId}\n${idempotencyKey}`;
}

/** The last part of a paymentUrl. */
type UrlToken = string;

/** A payment as it is stored. Its request is kept as bytes, which need a fifth of the memory of the parsed object. */
interface StoredPayment {
  readonly facts: Omit<MockPayment, 'status' | 'paymentTransId' | 'settledAt' | 'request'>;
  readonly urlToken: UrlToken;
  /** The request that created the payment. */
  readonly keyed: KeyedRequest;
  readonly invoices: MockInvoice[];
  settlement?: { readonly status: Settlement; readonly at: Date };
}

/** The parts of a mock that its payments need. */
export interface PaymentSetup {
  readonly merchantIds: readonly string[];
  /** The number of payments that are kept. */
  readonly mostKept: number;
  readonly kept: KeptBytes;
  readonly now: () => Date;
  readonly changes: Changes;
  readonly scenario: () => Scenario;
  readonly onSettled: (payment: MockPayment) => void;
}

/**
 * The payments of one mock, with their invoices. If there are more than the limit, the oldest payments are dropped.
 */
export class PaymentStore implements MockPayments {
  readonly #payments = new Map<UrlToken, StoredPayment>();
  /**
   * The payment for each `referenceId` of a merchant. Only `repeat: 'another'` creates several payments with one
   * `referenceId`. The entry is then the paid payment, or, if no payment is paid, the newest payment.
   */
  readonly #byReference = new Map<string, StoredPayment>();
  readonly #byClientKey = new Map<string | undefined, KeyedRequest>();
  #created = 0;
  #createdInvoices = 0;

  /** The invoices, by `invoiceId`. */
  readonly invoices: MockInvoices = {
    all: () =>
      [...this.#payments.values()]
        .flatMap(({ invoices }) => invoices)
        .sort((a, b) => a.invoiceId.localeCompare(b.invoiceId)),
    get: (invoiceId) => this.invoices.all().find((invoice) => invoice.invoiceId === invoiceId),
    remove: (invoiceId) => {
      const invoice = this.invoices.get(invoiceId);
      if (!invoice) throw new MockUsageError(`There is no invoice with the ID ${printable(invoiceId)}.`);
      const payment = [...this.#payments.values()].find(({ invoices }) => invoices.includes(invoice));
      if (payment) {
        payment.invoices.splice(payment.invoices.indexOf(invoice), 1);
        this.setup.kept.grow(payment, -bytesOf(invoice));
      }
      this.setup.changes.emit({ kind: 'invoice' });
      return invoice;
    },
  };

  constructor(private readonly setup: PaymentSetup) {}

  all(): MockPayment[] {
    return [...this.#payments.values()].map((payment) => this.#view(payment));
  }

  get(referenceId: string, merchantId?: string): MockPayment | undefined {
    const payment = this.#find(referenceId, merchantId);
    return payment && this.#view(payment);
  }

  byUrlToken(urlToken: UrlToken): MockPayment | undefined {
    const payment = this.#payments.get(urlToken);
    return payment && this.#view(payment);
  }

  #find(referenceId: string, merchantId?: string): StoredPayment | undefined {
    const merchantIds = merchantId === undefined ? this.setup.merchantIds : [merchantId];
    for (const each of merchantIds) {
      const payment = this.#byReference.get(paymentKey({ referenceId, merchantId: each }));
      if (payment) return payment;
    }
    return undefined;
  }

  /** True if the payment exists. Unlike `get`, it does not change the status of a payment whose time has passed. */
  has({ referenceId, merchantId }: PaymentReference): boolean {
    return this.#find(referenceId, merchantId) !== undefined;
  }

  /** The earlier request with the same key. */
  earlier(keyed: KeyedRequest): KeyedRequest | undefined {
    return this.#byClientKey.get(clientKeyOf(keyed));
  }

  /**
   * Marks a request as being processed, so that `earlier` finds it.
   *
   * @returns a function to call when the request was processed. If the request has no `responseBody` by then, this
   * function removes the mark.
   */
  hold(keyed: KeyedRequest): () => void {
    const key = clientKeyOf(keyed);
    if (key !== undefined) this.#byClientKey.set(key, keyed);
    return () => {
      // After a reset, the mark can be that of another request with the same key.
      const isMarked = this.#byClientKey.get(key) === keyed;
      if (isMarked && keyed.responseBody === undefined) this.#byClientKey.delete(key);
    };
  }

  /** @returns the URL at which the customer pays */
  create(keyed: KeyedRequest, request: PaymentRequestWire, baseUrl: string): string {
    const { referenceId, merchantId, transExpiredTime = defaultPaymentMinutes * 60_000 } = request;
    const { clientId, idempotencyKey } = keyed;
    const createdAt = this.setup.now();
    const urlToken = String((this.#created += 1)).padStart(8, '0');
    const paymentUrl = `${baseUrl}/pay/${urlToken}`;
    const facts = {
      referenceId,
      merchantId,
      clientId,
      paymentUrl,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      createdAt,
      expiresAt: new Date(Math.min(createdAt.getTime() + transExpiredTime, latestMs)),
    };
    const payment: StoredPayment = { facts, urlToken, keyed, invoices: [] };
    this.#payments.set(urlToken, payment);
    this.#takeReference(payment);
    const bytes = bytesOf([keyed.body, facts]);
    this.setup.kept.keep(payment, bytes, () => {
      this.#forget(payment);
    });
    const [oldest] = this.#payments.values();
    if (oldest && this.#payments.size > this.setup.mostKept) this.#forget(oldest);
    this.setup.changes.emit({ kind: 'payment', referenceId });
    return paymentUrl;
  }

  /** Makes the payment the entry for its `referenceId`, unless the present entry is a paid payment. */
  #takeReference(payment: StoredPayment): void {
    const key = paymentKey(payment.facts);
    if (this.#byReference.get(key)?.settlement?.status !== 'paid') this.#byReference.set(key, payment);
  }

  #forget(payment: StoredPayment): void {
    this.#payments.delete(payment.urlToken);
    this.setup.kept.release(payment);
    const { facts, keyed } = payment;
    if (this.#byReference.get(paymentKey(facts)) === payment) this.#byReference.delete(paymentKey(facts));
    if (this.earlier(keyed) === keyed) this.#byClientKey.delete(clientKeyOf(keyed));
  }

  /** The invoices of a payment, oldest first. */
  invoicesOf({ referenceId, merchantId }: PaymentReference): readonly MockInvoice[] {
    return this.#find(referenceId, merchantId)?.invoices ?? [];
  }

  addInvoice({ referenceId, merchantId }: PaymentReference, invoice: NewInvoice): MockInvoice {
    const invoiceId = `INV-${String((this.#createdInvoices += 1)).padStart(8, '0')}`;
    const stored = Object.freeze({
      invoiceId,
      referenceId,
      merchantId,
      uploadedAt: this.setup.now(),
      ...invoice,
    });
    const payment = this.#find(referenceId, merchantId);
    if (payment) {
      payment.invoices.push(stored);
      this.setup.kept.grow(payment, bytesOf(stored));
    }
    this.setup.changes.emit({ kind: 'invoice' });
    return stored;
  }

  settle(referenceId: string, status: Settlement, merchantId?: string): MockPayment {
    checked(settleSchema, 'settle', { referenceId, status, merchantId });
    const payment = this.#find(referenceId, merchantId);
    if (!payment) {
      const merchant = merchantId === undefined ? '' : ` of the merchant '${printable(merchantId)}'`;
      throw new MockUsageError(
        `There is no payment with the referenceId '${printable(referenceId)}'${merchant} (payments in the mock: ${this.#payments.size}). ` +
          'Initiate the payment first; the inspector (/_mock) lists all payments.',
      );
    }
    return this.#settle(payment, status);
  }

  /** Settles the payment behind a paymentUrl. */
  settleByUrlToken(urlToken: UrlToken, status: Settlement): MockPayment | undefined {
    const payment = this.#payments.get(urlToken);
    return payment && this.#settle(payment, status);
  }

  #settle(payment: StoredPayment, status: Settlement): MockPayment {
    const current = this.#statusOf(payment);
    const { canBePaidLater } = settlementRules[this.setup.scenario().settlement];
    const isAllowed = current === 'pending' || current === status || (status === 'paid' && canBePaidLater);
    if (!isAllowed) {
      throw new MockUsageError(`The payment is already ${current} and cannot become ${status}.`);
    }
    if (current !== status) this.#recordSettlement(payment, status, this.setup.now());
    return this.#view(payment);
  }

  /** The current status of a payment. A payment whose time has passed expires when its status is read. */
  #statusOf(payment: StoredPayment): MockPayment['status'] {
    const { settlement, facts } = payment;
    if (settlement) return settlement.status;
    if (this.setup.now() < facts.expiresAt) return 'pending';
    this.#recordSettlement(payment, 'expired', facts.expiresAt);
    return 'expired';
  }

  #recordSettlement(payment: StoredPayment, status: Settlement, at: Date): void {
    payment.settlement = { status, at };
    if (status === 'paid') this.#takeReference(payment);
    this.setup.changes.emit({ kind: 'payment', referenceId: payment.facts.referenceId });
    this.setup.onSettled(this.#view(payment));
  }

  #view(payment: StoredPayment): MockPayment {
    const status = this.#statusOf(payment);
    const { facts, urlToken, keyed, settlement } = payment;
    return {
      ...facts,
      createdAt: new Date(facts.createdAt),
      expiresAt: new Date(facts.expiresAt),
      status,
      ...(status === 'paid' && { paymentTransId: `PT-${urlToken}` }),
      ...(settlement && { settledAt: new Date(settlement.at) }),
      request: JSON.parse(keyed.body.toString()) as PaymentRequestWire,
    };
  }

  reset(): void {
    this.#payments.clear();
    this.#byReference.clear();
    this.#byClientKey.clear();
    this.#created = 0;
    this.#createdInvoices = 0;
  }
}
