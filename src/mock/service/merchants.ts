import type { KeyObject } from 'node:crypto';
import { ConfigurationError } from '../../errors/errors.js';
import { secretKeyObject, type SecretKeyEncoding } from '../../validation/secret-key.js';
import type { Credentials } from '../state/diagnosis.js';

/** A merchant that is registered with the mock. */
export interface MockMerchant {
  /** The `Client-Id` header of its requests. */
  readonly clientId: string;
  /**
   * The key of its signatures. During a rotation there are several keys: each is accepted, and the mock signs its
   * webhooks with the first.
   */
  readonly secretKey: string | readonly string[];
  /** The `merchantId` of its requests. */
  readonly merchantId: string;
  /** Its stores. @default ['STORE-01'] */
  readonly storeIds?: readonly string[] | undefined;
  /** The minimum amount in VND. A smaller amount yields AMOUNT_BELOW_MINIMUM_LIMIT. @default no minimum */
  readonly minAmount?: number | undefined;
  /** The maximum amount in VND. A larger amount yields AMOUNT_EXCEEDED_UPPER_LIMIT. @default no limit */
  readonly maxAmount?: number | undefined;
  /** `false` refuses every request with ACCESS_DENIED. @default true */
  readonly active?: boolean | undefined;
}

/**
 * The merchant of a mock that is created without merchants.
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

/** The demo merchant, with its key in the encoding that the switches of a mock select. */
export function demoMerchant(encoding: SecretKeyEncoding = 'utf8'): MockMerchant {
  return { ...DEMO_MERCHANT, secretKey: Buffer.from(DEMO_MERCHANT.secretKey).toString(encoding) };
}

/** A merchant inside the mock. The secret key is in a private field, which inspection and JSON do not show. */
export class RegisteredMerchant {
  readonly clientId: string;
  readonly merchantId: string;
  readonly minAmount: number;
  readonly maxAmount: number;
  readonly active: boolean;
  readonly storeIds: readonly string[];
  /** The keys of valid signatures. The first key signs webhooks. */
  readonly keys: readonly KeyObject[];
  readonly #secretKeys: readonly [string, ...string[]];

  constructor(merchant: MockMerchant, keyEncoding: SecretKeyEncoding = 'utf8') {
    this.clientId = merchant.clientId;
    this.merchantId = merchant.merchantId;
    this.minAmount = merchant.minAmount ?? 0;
    this.maxAmount = merchant.maxAmount ?? Infinity;
    this.active = merchant.active ?? true;
    this.storeIds = [...(merchant.storeIds ?? DEMO_MERCHANT.storeIds)];
    const [first = '', ...others] = [merchant.secretKey].flat();
    this.#secretKeys = [first, ...others];
    this.keys = this.#secretKeys.map((key) => secretKeyObject(key, keyEncoding));
  }

  get secretKey(): string {
    return this.#secretKeys[0];
  }

  credentials(): Credentials {
    return { clientId: this.clientId, merchantId: this.merchantId, secretKeys: this.#secretKeys };
  }
}

/** Registers merchants by client ID. @throws ConfigurationError */
export function registerMerchants(
  merchants: readonly MockMerchant[],
  keyEncoding?: SecretKeyEncoding,
): ReadonlyMap<string, RegisteredMerchant> {
  const known = new Map<string, RegisteredMerchant>();
  for (const merchant of merchants) {
    const { clientId } = merchant;
    if (known.has(clientId)) throw new ConfigurationError('merchants', 'must each have a different clientId');
    known.set(clientId, new RegisteredMerchant(merchant, keyEncoding));
  }
  return known;
}
