import { printable } from '../../protocol/issues.js';
import type { PaymentRequestWire } from '../../protocol/payment-types.js';
import { vietnamOffsetMinutes } from '../../protocol/timestamps.js';
import { defaultPaymentMinutes } from '../common/open-questions.js';
import { checked, MockUsageError } from '../common/usage-error.js';
import type { SettlementRule } from '../worlds/settlements.js';
import type { Changes } from './changes.js';
import {
  clientKeyOf,
  paymentKey,
  settleSchema,
  type EarlierRequest,
  type MockPayment,
  type NewPayment,
  type PaymentRecord,
  type Settlement,
} from './payment-record.js';

// The last moment that a Date can represent at the offset of Vietnam, which the pages show.
const latestMs = 8.64e15 - vietnamOffsetMinutes * 60_000;

const defaultMs = defaultPaymentMinutes * 60_000;

/** The payments of one mock. Once there are more than are kept, the oldest is forgotten. */
export class PaymentStore {
  readonly #records = new Map<string, PaymentRecord>();
  readonly #byClientKey = new Map<string, EarlierRequest>();
  #created = 0;

  constructor(
    private readonly merchantIds: readonly string[],
    private readonly mostKept: number,
    private readonly now: () => Date,
    private readonly changes: Changes,
    private readonly settled: (payment: MockPayment) => void,
    private readonly rule: () => SettlementRule,
  ) {}

  all(): MockPayment[] {
    return [...this.#records.values()].map((record) => this.#view(record));
  }

  get(referenceId: string, merchantId?: string): MockPayment | undefined {
    const record = this.record(referenceId, merchantId);
    return record && this.#view(record);
  }

  byToken(token: string): MockPayment | undefined {
    const record = [...this.#records.values()].find((candidate) => candidate.token === token);
    return record && this.#view(record);
  }

  records(): Iterable<PaymentRecord> {
    return this.#records.values();
  }

  record(referenceId: string, merchantId?: string): PaymentRecord | undefined {
    const candidates = merchantId === undefined ? this.merchantIds : [merchantId];
    for (const each of candidates) {
      const record = this.#records.get(paymentKey({ referenceId, merchantId: each }));
      if (record) return record;
    }
    return undefined;
  }

  underKey(clientId: string, idempotencyKey: string | undefined): EarlierRequest | undefined {
    const clientKey = clientKeyOf(clientId, idempotencyKey);
    return clientKey === undefined ? undefined : this.#byClientKey.get(clientKey);
  }

  /** Marks a key as in flight. @returns a function that ends it, for when the request was processed */
  holdKey(clientId: string, idempotencyKey: string | undefined, body: Buffer): () => void {
    const clientKey = clientKeyOf(clientId, idempotencyKey);
    if (clientKey === undefined) return () => undefined;
    const inFlight: EarlierRequest = { body };
    this.#byClientKey.set(clientKey, inFlight);
    return () => {
      // A created payment has taken the key over; so may have another request after a reset.
      if (this.#byClientKey.get(clientKey) === inFlight) this.#byClientKey.delete(clientKey);
    };
  }

  create({ clientId, idempotencyKey, request, body, baseUrl }: NewPayment): PaymentRecord {
    const createdAt = this.now().getTime();
    const token = String((this.#created += 1)).padStart(8, '0');
    const record: PaymentRecord = {
      referenceId: request.referenceId,
      merchantId: request.merchantId,
      clientId,
      storeId: request.storeId,
      inStore: request.paymentMethod === 'POS',
      paymentUrl: `${baseUrl}/pay/${token}`,
      token,
      // Copied: the buffer may be a small part of a large one.
      body: Buffer.from(body),
      createdAt,
      expiresAt: Math.min(createdAt + (request.transExpiredTime ?? defaultMs), latestMs),
      idempotencyKey,
      clientKey: clientKeyOf(clientId, idempotencyKey),
      invoices: [],
      settlement: undefined,
      responseBody: '',
    };
    this.#records.set(paymentKey(record), record);
    if (record.clientKey !== undefined) this.#byClientKey.set(record.clientKey, record);
    this.#forgetOldest();
    this.changes.emit({ kind: 'payment', referenceId: record.referenceId });
    return record;
  }

  #forgetOldest(): void {
    const [oldest] = this.#records.values();
    if (!oldest || this.#records.size <= this.mostKept) return;
    this.#records.delete(paymentKey(oldest));
    if (oldest.clientKey !== undefined) this.#byClientKey.delete(oldest.clientKey);
  }

  settle(referenceId: string, status: Settlement, merchantId?: string): MockPayment {
    checked(settleSchema, 'settle', { referenceId, status, merchantId });
    const record = this.record(referenceId, merchantId);
    if (!record) {
      const wanted = printable(merchantId === undefined ? referenceId : `${referenceId} of ${merchantId}`);
      throw new MockUsageError(
        `There is no payment with the referenceId ${wanted} among the ${this.#records.size} of the mock. ` +
          'Initiate it first; the inspector (/_mock) lists all payments.',
      );
    }
    const current = this.statusOf(record);
    const isLate = status === 'paid' && this.rule().mayStillBePaid;
    if (current !== 'pending' && current !== status && !isLate) {
      throw new MockUsageError(`The payment is ${current} already and cannot become ${status}.`);
    }
    if (current === status) this.changes.emit({ kind: 'payment', referenceId });
    else this.#end(record, status, this.now().getTime());
    return this.#view(record);
  }

  /** The status of a payment now. One whose time is over ends when somebody looks at it. */
  statusOf(record: PaymentRecord): MockPayment['status'] {
    const { settlement, expiresAt } = record;
    if (settlement) return settlement.status;
    if (this.now().getTime() < expiresAt) return 'pending';
    this.#end(record, 'expired', expiresAt);
    return 'expired';
  }

  #end(record: PaymentRecord, status: Settlement, at: number): void {
    record.settlement = { status, at };
    this.changes.emit({ kind: 'payment', referenceId: record.referenceId });
    this.settled(this.#view(record));
  }

  /** The ID of the transaction, once the payment is paid. */
  transIdOf(record: PaymentRecord): string | undefined {
    return record.settlement?.status === 'paid' ? `PT-${record.token}` : undefined;
  }

  #view(record: PaymentRecord): MockPayment {
    const { referenceId, merchantId, clientId, paymentUrl, idempotencyKey, expiresAt } = record;
    const status = this.statusOf(record);
    const settledAt = record.settlement?.at;
    const paymentTransId = this.transIdOf(record);
    return {
      referenceId,
      merchantId,
      clientId,
      status,
      paymentUrl,
      ...(paymentTransId !== undefined && { paymentTransId }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      createdAt: new Date(record.createdAt),
      expiresAt: new Date(expiresAt),
      ...(settledAt !== undefined && { settledAt: new Date(settledAt) }),
      request: JSON.parse(record.body.toString()) as PaymentRequestWire,
    };
  }

  reset(): void {
    this.#records.clear();
    this.#byClientKey.clear();
    this.#created = 0;
  }
}
