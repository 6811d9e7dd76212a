import * as z from 'zod/mini';
import { ConfigurationError } from '../errors/errors.js';
import { baseUrlFrom } from './base-url.js';
import { clientIdRule } from '../protocol/credentials.js';
import { callback, ruleError } from '../validation/rules.js';
import { givenId } from '../protocol/field-rules.js';
import { checkOptions } from '../errors/check-options.js';
import { commonRules, transportRules, type CommonOptions } from './common-options.js';
import { headers } from './extra-headers.js';
import { loggingWith } from './environment-logger.js';
import { checkWithEnvironment, givenOptions, missingFor } from './environment.js';
import { isExactHeaderValue } from '../protocol/headers.js';
import { usableKeys } from '../validation/secret-key.js';
import { omitUndefined, readProperty } from '../values/untrusted-values.js';
import { wireSwitchesSchema, type WireSwitches } from '../protocol/wire-switches.js';

/** Returns the current secret key, or a promise of it, for example from a vault. */
export type SecretKeyFunction = () => string | Promise<string>;

/** Options of an {@link InstallmentClient}. An option with an environment variable can be set there instead. */
export interface InstallmentClientOptions extends CommonOptions {
  /**
   * The address of the service: https, or http to a loopback host. A path prefix is kept. Credentials, a query, a
   * fragment, and a path that ends with `/v2` or with the path of an operation are refused.
   * @default the environment's `INSTALLMENT_BASE_URL`
   */
  baseUrl?: string | URL | undefined;
  /** The client ID registered for the merchant. @default the environment's `INSTALLMENT_CLIENT_ID` */
  clientId?: string | undefined;
  /**
   * The secret key that signs requests, or a function that returns it. The function is called before each attempt, so a
   * rotated key needs no restart. It should cache a key that takes long to get.
   * @default the environment's `INSTALLMENT_SECRET_KEY`
   */
  secretKey?: string | SecretKeyFunction | undefined;
  /** The merchant ID of requests that leave it out. @default the environment's `INSTALLMENT_MERCHANT_ID` */
  merchantId?: string | undefined;
  /**
   * The store ID of requests that leave it out, including uploads. @default the environment's `INSTALLMENT_STORE_ID`
   */
  storeId?: string | undefined;
  /** The platform ID of requests that leave it out. @default the environment's `INSTALLMENT_PLATFORM_ID` */
  platformId?: string | undefined;
  /** More headers for every request. The headers of the protocol are refused. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Switches for the questions that the specification leaves open. */
  wire?: WireSwitches | undefined;
}

// The options of the service and its connections, which all clients made by `withOptions` share.
const fixedOptions = ['baseUrl', 'allowInsecureHttp', 'agent', 'fetch', 'wire'] as const;

/** The options that `withOptions` of a client can change: all except those of the service and its connections. */
export type ChangeableOptions = Omit<InstallmentClientOptions, (typeof fixedOptions)[number]>;

const variables = {
  baseUrl: 'INSTALLMENT_BASE_URL',
  clientId: 'INSTALLMENT_CLIENT_ID',
  secretKey: 'INSTALLMENT_SECRET_KEY',
  merchantId: 'INSTALLMENT_MERCHANT_ID',
  storeId: 'INSTALLMENT_STORE_ID',
  platformId: 'INSTALLMENT_PLATFORM_ID',
} as const;

function requiredOr(variable: string, rule: string) {
  const { error } = ruleError(rule);
  return {
    error: (issue: Parameters<typeof error>[0]) =>
      issue.input === undefined ? missingFor(variable) : error(issue),
  };
}

const clientRules = z
  .strictObject({
    ...commonRules,
    baseUrl: baseUrlFrom(variables.baseUrl, 'merchant'),
    clientId: z
      .string(requiredOr(variables.clientId, 'must be a string'))
      .check(z.refine(isExactHeaderValue, clientIdRule)),
    secretKey: z.union(
      [z.string(), callback<SecretKeyFunction>()],
      requiredOr(variables.secretKey, 'must be a string, or a function that returns one'),
    ),
    merchantId: z.optional(givenId),
    storeId: z.optional(givenId),
    platformId: z.optional(givenId),
    headers: z._default(headers, {}),
    wire: wireSwitchesSchema,
  })
  .check(
    ...transportRules,
    usableKeys(({ secretKey, wire }) => ({
      secretKey: typeof secretKey === 'string' ? secretKey : undefined,
      secretKeyEncoding: readProperty(wire, 'secretKeyEncoding'),
    })),
  );

export type ResolvedClientOptions = z.output<typeof clientRules>;

export function resolveClientOptions(options: InstallmentClientOptions): ResolvedClientOptions {
  return loggingWith(checkWithEnvironment(clientRules, options, variables));
}

/** The options of a client with some of them replaced. The checked options of the client are valid input again. */
export function changedClientOptions(
  { wire, ...options }: ResolvedClientOptions,
  changes: ChangeableOptions,
): ResolvedClientOptions {
  const replaced = omitUndefined(givenOptions(changes));
  const fixed = fixedOptions.find((name) => name in replaced);
  if (fixed) {
    throw new ConfigurationError(fixed, 'cannot be changed by withOptions: create another InstallmentClient');
  }
  const { secretKeyEncoding } = wire;
  return { ...checkOptions(clientRules, { ...options, ...replaced, wire: { secretKeyEncoding } }), wire };
}
