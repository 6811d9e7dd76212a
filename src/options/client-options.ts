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

/** Returns the current secret key, or a promise of it, such as one from a vault. */
export type SecretKeyFunction = () => string | Promise<string>;

/** Options of an {@link InstallmentClient}. Those with an environment variable may be set there instead. */
export interface InstallmentClientOptions extends CommonOptions {
  /**
   * Where the service is: https, or http to a loopback host. A path prefix is kept. Credentials, a query, a fragment, and a
   * path that ends in `/v2` or in the path of an operation are refused. @default the environment's `INSTALLMENT_BASE_URL`
   */
  baseUrl?: string | URL | undefined;
  /** The client ID registered for the merchant. @default the environment's `INSTALLMENT_CLIENT_ID` */
  clientId?: string | undefined;
  /**
   * The secret key that requests are signed with, or a function that returns it. The function is asked before each
   * attempt, so that a rotated key needs no restart; it should cache a key that takes long to get.
   * @default the environment's `INSTALLMENT_SECRET_KEY`
   */
  secretKey?: string | SecretKeyFunction | undefined;
  /** For requests that leave it out. @default the environment's `INSTALLMENT_MERCHANT_ID` */
  merchantId?: string | undefined;
  /** For requests that leave it out, uploads included. @default the environment's `INSTALLMENT_STORE_ID` */
  storeId?: string | undefined;
  /** For requests that leave it out. @default the environment's `INSTALLMENT_PLATFORM_ID` */
  platformId?: string | undefined;
  /** More headers for each request. The protocol's own are refused. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Switches for questions that the specification leaves open. */
  wire?: WireSwitches | undefined;
}

// Options of the service and its connections, which both clients share.
const fixedOptions = ['baseUrl', 'allowInsecureHttp', 'agent', 'fetch', 'wire'] as const;

/** Options that `withOptions` of a client can change: all except the options of the service and its connections. */
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

/** The options of a client with some of them replaced. The checked options of the client are valid input once more. */
export function changedClientOptions(
  { wire, ...options }: ResolvedClientOptions,
  changes: ChangeableOptions,
): ResolvedClientOptions {
  const replaced = omitUndefined(givenOptions(changes));
  const fixed = fixedOptions.find((name) => name in replaced);
  if (fixed) {
    throw new ConfigurationError(fixed, 'cannot be changed by withOptions: make another InstallmentClient');
  }
  const { secretKeyEncoding } = wire;
  return { ...checkOptions(clientRules, { ...options, ...replaced, wire: { secretKeyEncoding } }), wire };
}
