import * as z from 'zod';
import { identifier } from '../protocol/text.js';
import {
  checkOptions,
  commonRules,
  headers,
  requiredOr,
  withEnvironment,
  type CommonOptions,
} from './common-options.js';
import { isExactHeaderValue } from '../protocol/headers.js';
import { wireSwitchesSchema, type WireSwitches } from '../protocol/wire-switches.js';

/**
 * Options of an {@link InstallmentClient}. What the environment can hold may be left out here.
 *
 * @example
 * ```ts
 * import type { InstallmentClientOptions } from 'installment-payments';
 *
 * const options: InstallmentClientOptions = {
 *   baseUrl: 'https://sandbox.example',
 *   clientId: 'demo-client',
 *   secretKey: 'demo-secret',
 *   merchantId: 'DEMO-MERCHANT',
 *   logger: console,
 * };
 * ```
 */
export interface InstallmentClientOptions extends CommonOptions {
  /** The client ID registered for the merchant. @default the environment's `INSTALLMENT_CLIENT_ID` */
  clientId?: string | undefined;
  /** The secret key that requests are signed with. @default the environment's `INSTALLMENT_SECRET_KEY` */
  secretKey?: string | undefined;
  /** For requests that leave it out. @default the environment's `INSTALLMENT_MERCHANT_ID` */
  merchantId?: string | undefined;
  /** For requests that leave it out, uploads included. @default the environment's `INSTALLMENT_STORE_ID` */
  storeId?: string | undefined;
  /** For requests that leave it out. @default the environment's `INSTALLMENT_PLATFORM_ID` */
  platformId?: string | undefined;
  /** More headers for each request. The protocol's own are refused. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Switches for what the specification leaves open. */
  wire?: WireSwitches | undefined;
}

const secretKey = z
  .string(requiredOr('INSTALLMENT_SECRET_KEY', 'must be text'))
  .refine((value) => value !== '', 'must not be empty')
  .refine(
    (value) => value.trim() === value,
    'must not begin or end with white space; was it copied with a line break?',
  )
  .refine((value) => value.isWellFormed(), 'must be well-formed Unicode');

const clientId = z
  .string(requiredOr('INSTALLMENT_CLIENT_ID', 'must be text'))
  .refine(isExactHeaderValue, 'must be visible Latin-1 text without white space at either end');

const requestDefault = identifier.optional();

const clientRules = z.strictObject({
  ...commonRules,
  clientId,
  secretKey,
  merchantId: requestDefault,
  storeId: requestDefault,
  platformId: requestDefault,
  headers: headers.default({}),
  wire: wireSwitchesSchema,
});

/** Options that were checked, with every default in place. */
export type ResolvedClientOptions = z.output<typeof clientRules>;

const fromEnvironment = ['baseUrl', 'clientId', 'secretKey', 'merchantId', 'storeId', 'platformId'] as const;

/** The options of a merchant's client, checked and complete. */
export function resolveClientOptions(options: InstallmentClientOptions): ResolvedClientOptions {
  return checkOptions(clientRules, withEnvironment(options, fromEnvironment));
}
