import * as z from 'zod/mini';
import { additionalJsonFields } from '../protocol/additional-fields.js';
import { baseUrlFrom } from '../options/base-url.js';
import { callback, identifier } from '../validation/rules.js';
import type { CallName } from '../errors/call-metadata.js';
import { isReservedForAll } from '../protocol/headers.js';
import { namesAt } from '../validation/schema-names.js';
import { paymentReceiptWireSchema, repaymentAllocationWireSchema } from '../protocol/lender-schemas.js';
import type { Acknowledged } from './acknowledgement.js';
import { commonRules, transportRules, type CommonOptions } from '../options/common-options.js';
import { callOptionRules, postOptionRulesWith, type CallOptions } from '../options/call-options.js';
import { headersProblem, headersRule } from '../options/extra-headers.js';
import { checkWithEnvironment } from '../options/environment.js';
import { loggingWith } from '../options/environment-logger.js';

/** The argument of a `headers` function: everything that a signature in the headers can cover. */
export interface NotificationContext {
  /** The operation of the notification, or `post`. */
  readonly operation: Extract<CallName, 'paymentReceipt' | 'repaymentAllocation' | 'post'>;
  /** The ID of the notification; absent for `post`. */
  readonly requestId?: string;
  /** A copy of the exact bytes that are sent. Changes of the copy have no effect. */
  readonly body: Uint8Array;
}

/** Extra headers of notifications: an object, or a function that makes the headers of each notification. */
export type NotificationHeaders =
  | Readonly<Record<string, string>>
  | ((
      context: NotificationContext,
    ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** Options of a notification. */
export interface NotificationOptions extends CallOptions {
  /**
   * Fields from your provider's documentation that the specification does not show: plain JSON data, added after the
   * known fields. Nothing can be added to `repaymentTransactions`. The values are not checked. @default none
   */
  additionalFields?: Readonly<Record<string, unknown>> | undefined;
}

/** Options of a {@link LenderClient}. */
export interface LenderClientOptions extends CommonOptions {
  /**
   * The address of the service for notifications: https, or http to a loopback host. The specification gives no
   * address, so the merchant's base URL is not used. @default the environment variable `INSTALLMENT_LENDER_BASE_URL`
   */
  baseUrl?: string | URL | undefined;
  /** The lender code for notifications without a `lenderCode`. @default none */
  lenderCode?: string | undefined;
  /** The application ID for notifications without a `serviceApplicationId`. @default none */
  serviceApplicationId?: string | undefined;
  /**
   * The real name of `serviceApplicationId` in the JSON. The specification masks this name.
   * @default 'serviceApplicationId'
   */
  applicationIdField?: string | undefined;
  /**
   * The headers of the authentication that you agreed on: the specification shows none. A function is called once per
   * call. Every name is permitted except Content-Type and the headers of the transport, such as Content-Length.
   */
  headers?: NotificationHeaders | undefined;
  /**
   * Returns whether a 2xx response acknowledges the notification, if you know the common response. After `false`, the
   * call rejects with a `NotificationRejectedError`. The outcome is `'unknown'` if the function throws, if it returns
   * anything else (such as a promise), or if the response may be incomplete. @default any 2xx acknowledges
   */
  acknowledged?: Acknowledged | undefined;
}

/**
 * The problem of a lender's headers. Headers that the merchant's client sets are permitted, because lender and service
 * agree on the authentication.
 */
export function lenderHeadersProblem(headers: unknown): string | undefined {
  return headersProblem(headers, isReservedForAll);
}

const headers = headersRule<NotificationHeaders>((value) =>
  typeof value === 'function' ? undefined : lenderHeadersProblem(value),
);

/**
 * The rules for the options of a notification. The schema does not contain the real name of the masked field
 * `serviceApplicationId`, because this name is an option of the client.
 */
function notificationOptionRules(
  schema: z.ZodMiniType,
  applicationIdField: string,
): z.ZodMiniType<NotificationOptions> {
  const isNotMaskedField = z.refine<object>((fields) => !Object.hasOwn(fields, applicationIdField), {
    path: [applicationIdField],
    message: 'belongs in the request itself, as serviceApplicationId',
  });
  const additionalFields = z.optional(additionalJsonFields(schema).check(isNotMaskedField));
  return z.extend(callOptionRules, { additionalFields });
}

/** The rules for the options of a lender's `post`. They permit headers that the merchant's client sets itself. */
export const lenderPostOptionRules = postOptionRulesWith(
  headersRule<Record<string, string>>(lenderHeadersProblem),
);

const optionalIdentifier = z.optional(identifier);

/** The names of all other fields of the notifications: the real name of `serviceApplicationId` must not equal them. */
const otherFieldNames = [paymentReceiptWireSchema, repaymentAllocationWireSchema]
  .flatMap((schema) => namesAt(schema, []) ?? [])
  .filter((name) => name !== 'serviceApplicationId');

const baseUrlVariable = 'INSTALLMENT_LENDER_BASE_URL';

const lenderRules = z
  .strictObject({
    ...commonRules,
    baseUrl: baseUrlFrom(baseUrlVariable, 'lender'),
    lenderCode: optionalIdentifier,
    serviceApplicationId: optionalIdentifier,
    applicationIdField: z._default(
      z.string('must be a string').check(
        z.minLength(1, 'must not be empty'),
        z.refine(
          (name) => !otherFieldNames.includes(name),
          'is the name of another field of the notifications',
        ),
      ),
      'serviceApplicationId',
    ),
    headers: z._default(headers, {}),
    acknowledged: z.optional(callback<Acknowledged>('must be a function that returns true or false')),
  })
  .check(...transportRules);

export function resolveLenderOptions(options: LenderClientOptions) {
  const resolved = loggingWith(checkWithEnvironment(lenderRules, options, { baseUrl: baseUrlVariable }));
  const rulesWith = (schema: z.ZodMiniType) => notificationOptionRules(schema, resolved.applicationIdField);
  return {
    ...resolved,
    notificationOptions: {
      paymentReceipt: rulesWith(paymentReceiptWireSchema),
      repaymentAllocation: rulesWith(repaymentAllocationWireSchema),
    },
  };
}

export type ResolvedLenderOptions = ReturnType<typeof resolveLenderOptions>;
