import type { PaymentRequestWire } from '../../protocol/payment-types.js';
import type { Changes } from './changes.js';
import { MockUsageError } from '../controls/usage-error.js';

/** How a payment ended. */
export type Settlement = 'paid' | 'declined' | 'expired';

/** A payment as the mock has it. */
export interface MockPayment {
  /** The merchant's own reference. */
  readonly referenceId: string;
  /** Whose it is. */
  readonly merchantId: string;
  /** `'pending'` until it is settled, or its `transExpiredTime` is over. */
  readonly status: 'pending' | Settlement;
  /** Where its customer pays: a page of the mock, where the mock listens. */
  readonly paymentUrl: string;
  /** The service's ID of the transaction; only a paid payment has one. */
  readonly paymentTransId?: string;
  /** The key that it was created under. */
  readonly idempotencyKey?: string;
  /** When it was created, by the mock's clock. */
  readonly createdAt: Date;
  /** When the customer's time is over; absent when the request set no limit. */
  readonly expiresAt?: Date;
  /** When it was paid or declined, or expired; absent while it pends. */
  readonly settledAt?: Date;
  /** The request as it was received. */
  readonly request: PaymentRequestWire;
}

/** What a payment is created from. */
export interface NewPayment {
  readonly clientId: string;
  readonly idempotencyKey: string | undefined;
  readonly request: PaymentRequestWire;
  /** The bytes of the request. */
  readonly body: Buffer;
  readonly origin: string;
}

/**
 * A payment as it is kept. Most of its memory is the request, which is kept as bytes and parsed when somebody asks:
 * bytes are a fifth of the objects, and they are what a repeated key is compared with.
 */
export interface PaymentRecord {
  readonly number: number;
  readonly referenceId: string;
  readonly merchantId: string;
  readonly storeId: string;
  readonly inStore: boolean;
  readonly paymentUrl: string;
  readonly token: string;
  readonly body: Buffer;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly idempotencyKey: string | undefined;
  readonly clientKey: string | undefined;
  settlement: { readonly status: Settlement; readonly at: number } | undefined;
  /** The answer that a repeated key gets again, byte for byte. */
  answer: string;
}

/** What is known of an earlier request under the same key: its bytes, and its answer once it has one. */
export interface RepeatedRequest {
  readonly body: Buffer;
  readonly answer?: string;
}

/** Everything that a key stands for; a client's keys are its own. */
function clientKeyOf(clientId: string, idempotencyKey: string | undefined): string | undefined {
  return idempotencyKey === undefined ? undefined : `${clientId}\n${idempotencyKey}`;
}

// A referenceId holds no space, so the two never run into each other.
function keyOf(referenceId: string, merchantId: string): string {
  return `${referenceId} ${merchantId}`;
}

// The last moment that a Date can hold, in Vietnam too, where the pages show it.
const latestMs = 8.64e15 - 7 * 60 * 60 * 1000;

/** The payments of one mock, the oldest forgotten first once there are more than the limit. */
export class PaymentStore {
  readonly #records = new Map<string, PaymentRecord>();
  readonly #byToken = new Map<string, PaymentRecord>();
  readonly #byClientKey = new Map<string, PaymentRecord>();
  readonly #inFlight = new Map<string, Buffer>();
  #created = 0;

  constructor(
    private readonly merchantIds: readonly string[],
    private readonly limit: number,
    private readonly now: () => Date,
    private readonly changes: Changes,
    private readonly forget: (record: PaymentRecord) => void,
  ) {}

  /** All payments that are kept, oldest first. */
  all(): MockPayment[] {
    return [...this.#records.values()].map((record) => this.#view(record));
  }

  /**
   * The payment with a reference.
   *
   * @param merchantId - Whose; needed only where merchants share a reference. Left out, whichever merchant's it is.
   */
  get(referenceId: string, merchantId?: string): MockPayment | undefined {
    const record = this.record(referenceId, merchantId);
    return record && this.#view(record);
  }

  /** The payment behind the last part of a `paymentUrl`. */
  byToken(token: string): MockPayment | undefined {
    const record = this.#byToken.get(token);
    return record && this.#view(record);
  }

  record(referenceId: string, merchantId?: string): PaymentRecord | undefined {
    if (merchantId !== undefined) return this.#records.get(keyOf(referenceId, merchantId));
    for (const candidate of this.merchantIds) {
      const record = this.#records.get(keyOf(referenceId, candidate));
      if (record) return record;
    }
    return undefined;
  }

  underKey(clientId: string, idempotencyKey: string | undefined): RepeatedRequest | undefined {
    const clientKey = clientKeyOf(clientId, idempotencyKey);
    if (clientKey === undefined) return undefined;
    const body = this.#inFlight.get(clientKey);
    return body ? { body } : this.#byClientKey.get(clientKey);
  }

  /** Holds a key while its request is being worked on. */
  async whileInFlight<Result>(
    clientId: string,
    idempotencyKey: string | undefined,
    body: Buffer,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const clientKey = clientKeyOf(clientId, idempotencyKey);
    if (clientKey === undefined) return work();
    this.#inFlight.set(clientKey, body);
    try {
      return await work();
    } finally {
      // After a reset the key may be held by a request of the time since.
      if (this.#inFlight.get(clientKey) === body) this.#inFlight.delete(clientKey);
    }
  }

  create({ clientId, idempotencyKey, request, body, origin }: NewPayment): PaymentRecord {
    const createdAt = this.now().getTime();
    const number = (this.#created += 1);
    const token = String(number).padStart(8, '0');
    const record: PaymentRecord = {
      number,
      referenceId: request.referenceId,
      merchantId: request.merchantId,
      storeId: request.storeId,
      inStore: request.paymentMethod === 'POS',
      paymentUrl: `${origin}/pay/${token}`,
      token,
      // A copy: the buffer may be a small part of a large one.
      body: Buffer.from(body),
      createdAt,
      expiresAt:
        request.transExpiredTime === undefined
          ? undefined
          : Math.min(createdAt + request.transExpiredTime, latestMs),
      idempotencyKey,
      clientKey: clientKeyOf(clientId, idempotencyKey),
      settlement: undefined,
      answer: '',
    };
    this.#records.set(keyOf(record.referenceId, record.merchantId), record);
    this.#byToken.set(token, record);
    if (record.clientKey !== undefined) this.#byClientKey.set(record.clientKey, record);
    this.#forgetOldest();
    this.changes.emit({ kind: 'payment', referenceId: record.referenceId });
    return record;
  }

  #forgetOldest(): void {
    if (this.#records.size <= this.limit) return;
    for (const [key, record] of this.#records) {
      this.#records.delete(key);
      this.#byToken.delete(record.token);
      if (record.clientKey !== undefined) this.#byClientKey.delete(record.clientKey);
      this.forget(record);
      return;
    }
  }

  /**
   * Ends a payment as its customer would.
   *
   * @throws MockUsageError when there is no such payment, or it has ended otherwise.
   */
  settle(referenceId: string, status: Settlement, merchantId?: string): MockPayment {
    const record = this.record(referenceId, merchantId);
    if (!record) throw new MockUsageError('There is no payment with this referenceId to settle.');
    const current = this.statusOf(record);
    if (current !== 'pending' && current !== status) {
      throw new MockUsageError(`The payment is ${current} already and cannot become ${status}.`);
    }
    record.settlement ??= { status, at: this.now().getTime() };
    this.changes.emit({ kind: 'payment', referenceId });
    return this.#view(record);
  }

  statusOf({ settlement, expiresAt }: PaymentRecord): MockPayment['status'] {
    if (settlement) return settlement.status;
    return expiresAt !== undefined && this.now().getTime() >= expiresAt ? 'expired' : 'pending';
  }

  /** The transaction's ID, once the payment is paid. */
  transIdOf(record: PaymentRecord): string | undefined {
    return record.settlement?.status === 'paid' ? `PT-${record.token}` : undefined;
  }

  #view(record: PaymentRecord): MockPayment {
    const { referenceId, merchantId, paymentUrl, idempotencyKey, expiresAt, settlement } = record;
    const paymentTransId = this.transIdOf(record);
    return {
      referenceId,
      merchantId,
      status: this.statusOf(record),
      paymentUrl,
      ...(paymentTransId !== undefined && { paymentTransId }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      createdAt: new Date(record.createdAt),
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
      ...(settlement && { settledAt: new Date(settlement.at) }),
      request: JSON.parse(record.body.toString()) as PaymentRequestWire,
    };
  }

  reset(): void {
    this.#records.clear();
    this.#byToken.clear();
    this.#byClientKey.clear();
    this.#inFlight.clear();
    this.#created = 0;
  }
}
