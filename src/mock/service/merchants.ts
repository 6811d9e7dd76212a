import type { KeyObject } from 'node:crypto';
import { ConfigurationError } from '../../errors/errors.js';
import { secretKeyObject } from '../../protocol/signature.js';

/** A merchant that the mock knows. */
export interface MockMerchant {
  /** The `Client-Id` header of its requests. */
  readonly clientId: string;
  /** What its signatures are made with. */
  readonly secretKey: string;
  /** The `merchantId` of its requests. */
  readonly merchantId: string;
  /** The stores it may name. @default ['STORE-01'] */
  readonly storeIds?: readonly string[] | undefined;
  /** In VND; less is answered with AMOUNT_BELOW_MINIMUM_LIMIT. @default no minimum */
  readonly minAmount?: number | undefined;
  /** In VND; more is answered with AMOUNT_EXCEEDED_UPPER_LIMIT. @default no limit */
  readonly maxAmount?: number | undefined;
  /** With `false` every request is answered with ACCESS_DENIED. @default true */
  readonly active?: boolean | undefined;
}

/**
 * The merchant that a mock knows unless it is given others.
 *
 * @example
 * ```ts
 * import { createMockService, DEMO_MERCHANT } from 'installment-payments/mock';
 *
 * const mock = createMockService({ merchants: [{ ...DEMO_MERCHANT, maxAmount: 50_000_000 }] });
 * ```
 */
export const DEMO_MERCHANT = {
  clientId: 'demo-client',
  secretKey: 'demo-secret',
  merchantId: 'DEMO-MERCHANT',
  storeIds: ['STORE-01'],
} as const satisfies MockMerchant;

/** A merchant as the mock works with it. Its secret is in private fields: no inspection or JSON shows it. */
export class Merchant {
  readonly clientId: string;
  readonly merchantId: string;
  readonly minAmount: number;
  readonly maxAmount: number;
  readonly active: boolean;
  readonly #storeIds: ReadonlySet<string>;
  readonly #secretKey: string;
  readonly #key: KeyObject;

  constructor(merchant: MockMerchant) {
    this.clientId = merchant.clientId;
    this.merchantId = merchant.merchantId;
    this.minAmount = merchant.minAmount ?? 0;
    this.maxAmount = merchant.maxAmount ?? Infinity;
    this.active = merchant.active ?? true;
    this.#storeIds = new Set(merchant.storeIds ?? DEMO_MERCHANT.storeIds);
    this.#secretKey = merchant.secretKey;
    this.#key = secretKeyObject(merchant.secretKey);
  }

  get key(): KeyObject {
    return this.#key;
  }

  get secretKey(): string {
    return this.#secretKey;
  }

  hasStore(storeId: string): boolean {
    return this.#storeIds.has(storeId);
  }
}

/** The merchants of one mock, by client ID. */
export function merchantsByClient(merchants: readonly MockMerchant[]): ReadonlyMap<string, Merchant> {
  const known = new Map<string, Merchant>();
  for (const merchant of merchants) {
    const { clientId, secretKey, merchantId } = merchant;
    if (![clientId, secretKey, merchantId].every((value) => typeof value === 'string' && value !== '')) {
      throw new ConfigurationError('merchants', 'must each have a clientId, a secretKey and a merchantId');
    }
    if (known.has(clientId)) throw new ConfigurationError('merchants', 'must not share a clientId');
    known.set(clientId, new Merchant(merchant));
  }
  return known;
}
