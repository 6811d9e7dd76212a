import * as z from 'zod/mini';
import { ConfigurationError } from '../errors/errors.js';
import { baseUrlFrom } from './base-url.js';
import { clientIdRule } from '../protocol/credentials.js';
import { callback, ruleError } from '../validation/rules.js';
import { issuedId } from '../protocol/field-rules.js';
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

/** Options of an {@link InstallmentClient}. An option whose default is an environment variable can be left out. */
export interface InstallmentClientOptions extends CommonOptions {
  /**
   * The address of the service: https, or http to a loopback host. A path prefix is kept. Credentials, a query, a
   * fragment, and a path that ends with `/v2` or with the path of an operation are refused.
   * @default the environment variable `INSTALLMENT_BASE_URL`
   */
  baseUrl?: string | URL | undefined;
  /** The client ID registered for the merchant. @default the environment variable `INSTALLMENT_CLIENT_ID` */
  clientId?: string | undefined;
  /**
   * The secret key that signs requests, or a function that returns the key. The function is called before each attempt,
   * so a rotated key needs no restart. If getting the key takes long, cache the key in the function.
   * @default the environment variable `INSTALLMENT_SECRET_KEY`
   */
  secretKey?: string | SecretKeyFunction | undefined;
  /**
   * The merchant ID for requests without a `merchantId`. @default the environment variable `INSTALLMENT_MERCHANT_ID`
   */
  merchantId?: string | undefined;
  /**
   * The store ID for requests without a `storeId`, including uploads.
   * @default the environment variable `INSTALLMENT_STORE_ID`
   */
  storeId?: string | undefined;
  /**
   * The platform ID for requests without a `platformId`. @default the environment variable `INSTALLMENT_PLATFORM_ID`
   */
  platformId?: string | undefined;
  /**
   * Extra headers for every request. Headers that the client sets itself, such as `Signature` or `Content-Type`, are
   * refused.
   */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Switches for the questions that the specification leaves open. */
  wire?: WireSwitches | undefined;
}

// The options that identify the service and define the connections. A client and all clients that its `withOptions`
// creates share them.
const fixedOptions = ['baseUrl', 'allowInsecureHttp', 'agent', 'fetch', 'wire'] as const;

/** The options that `withOptions` of a client can change: all except the options of the service and its connections. */
export type ChangeableOptions = Omit<InstallmentClientOptions, (typeof fixedOptions)[number]>;

const variables = {
  baseUrl: 'INSTALLMENT_BASE_URL',
  clientId: 'INSTALLMENT_CLIENT_ID',
  secretKey: 'INSTALLMENT_SECRET_KEY',
  merchantId: 'INSTALLMENT_MERCHANT_ID',
  storeId: 'INSTALLMENT_STORE_ID',
  platformId: 'INSTALLMENT_PLATFORM_ID',
} as const;

function stringRule(variable: string, rule: string) {
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
      .string(stringRule(variables.clientId, 'must be a string'))
      .check(z.refine(isExactHeaderValue, clientIdRule)),
    secretKey: z.union(
      [z.string(), callback<SecretKeyFunction>()],
      stringRule(variables.secretKey, 'must be a string, or a function that returns a string'),
    ),
    merchantId: z.optional(issuedId),
    storeId: z.optional(issuedId),
    platformId: z.optional(issuedId),
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

/** Applies changes to the checked options of a client. Checked options, except `wire`, are valid input again. */
export function changedClientOptions(
  { wire, ...options }: ResolvedClientOptions,
  changes: ChangeableOptions,
): ResolvedClientOptions {
  const replaced = omitUndefined(givenOptions(changes));
  const fixed = fixedOptions.find((name) => name in replaced);
  if (fixed) {
    throw new ConfigurationError(fixed, 'cannot be changed by withOptions: create another InstallmentClient');
  }
  // `wire` is kept as it is. The rules would refuse it, because its checked offset is a number. To check a new secret
  // key, the rules need only the encoding.
  const { secretKeyEncoding } = wire;
  return { ...checkOptions(clientRules, { ...options, ...replaced, wire: { secretKeyEncoding } }), wire };
}
