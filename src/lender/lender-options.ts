import * as z from 'zod/mini';
import { additionalJsonFields } from '../protocol/additional-fields.js';
import { baseUrlFrom } from '../options/base-url.js';
import { callback, identifier } from '../validation/rules.js';
import type { CallName } from '../errors/call-metadata.js';
import { isTransportHeader } from '../protocol/headers.js';
import { namesAt } from '../validation/schema-names.js';
import { paymentReceiptWireSchema, repaymentAllocationWireSchema } from '../protocol/lender-schemas.js';
import type { Acknowledged } from './acknowledgement.js';
import { commonRules, transportRules, type CommonOptions } from '../options/common-options.js';
import { callOptionRules, postOptionRulesWith, type CallOptions } from '../options/call-options.js';
import { headersProblem, headersRule } from '../options/extra-headers.js';
import { checkWithEnvironment } from '../options/environment.js';
import { loggingWith } from '../options/environment-logger.js';

/** The argument of a `headers` function: everything that an agreed signature may cover. */
export interface NotificationContext {
  /** The notification that is sent, or `post`. */
  readonly operation: Extract<CallName, 'paymentReceipt' | 'repaymentAllocation' | 'post'>;
  /** ID of the notification; absent for `post`. */
  readonly requestId?: string;
  /** The exact bytes that are sent. A copy: changing it changes nothing. */
  readonly body: Uint8Array;
}

/** Extra headers of notifications: the same for all, or made for each one. */
export type NotificationHeaders =
  | Readonly<Record<string, string>>
  | ((
      context: NotificationContext,
    ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** Options of a notification. */
export interface NotificationOptions extends CallOptions {
  /**
   * Fields that your provider's documentation has and the specification does not show: plain JSON data, put behind the
   * known fields. Nothing can be added to `repaymentTransactions`. They are not checked. @default none
   */
  additionalFields?: Readonly<Record<string, unknown>> | undefined;
}

/** Options of a {@link LenderClient}. */
export interface LenderClientOptions extends CommonOptions {
  /**
   * Where notifications are sent: https, or http to a loopback host. The specification gives no address, so the
   * merchant's is not taken. @default the environment's `INSTALLMENT_LENDER_BASE_URL`
   */
  baseUrl?: string | URL | undefined;
  /** For notifications that leave it out. */
  lenderCode?: string | undefined;
  /** For notifications that leave it out. */
  serviceApplicationId?: string | undefined;
  /**
   * The real name of `serviceApplicationId` on the wire: the specification masks it. @default 'serviceApplicationId'
   */
  applicationIdField?: string | undefined;
  /**
   * The headers of the authentication that was agreed: the specification shows none. A function is called once for each
   * call. Any name is permitted except Content-Type and the headers that say how the bytes travel, such as Content-Length.
   */
  headers?: NotificationHeaders | undefined;
  /**
   * Returns whether a 2xx response acknowledges the notification, for a lender that knows the common response. `true`
   * accepts, `false` gives a `NotificationRejectedError`. If it throws or returns anything else, such as a promise, and
   * for a response that may have been cut, the outcome is `'unknown'`. @default any 2xx acknowledges
   */
  acknowledged?: Acknowledged | undefined;
}

/** A lender may set the merchant's header names, because its signature was agreed. */
export function lenderHeadersProblem(headers: unknown): string | undefined {
  return headersProblem(headers, isTransportHeader);
}

const headers = headersRule<NotificationHeaders>((value) =>
  typeof value === 'function' ? undefined : lenderHeadersProblem(value),
);

/** The rules of a notification's options. The real name of the masked field is not in the schema, and belongs to the client. */
function notificationOptionRules(
  schema: z.ZodMiniType,
  applicationIdField: string,
): z.ZodMiniType<NotificationOptions> {
  const isFree = z.refine<object>((fields) => !Object.hasOwn(fields, applicationIdField), {
    path: [applicationIdField],
    message: 'belongs in the request itself, as serviceApplicationId',
  });
  const additionalFields = z.optional(additionalJsonFields(schema).check(isFree));
  return z.extend(callOptionRules, { additionalFields });
}

/** The rules of a lender's `post`: its headers may have any name that the client's may have. */
export const lenderPostOptionRules = postOptionRulesWith(
  headersRule<Record<string, string>>(lenderHeadersProblem),
);

const notificationDefault = z.optional(identifier);

/** The fields of both notifications; the real name of `serviceApplicationId` may be none of them. */
const otherFields = [paymentReceiptWireSchema, repaymentAllocationWireSchema]
  .flatMap((schema) => namesAt(schema, []) ?? [])
  .filter((name) => name !== 'serviceApplicationId');

const baseUrlVariable = 'INSTALLMENT_LENDER_BASE_URL';

const lenderRules = z
  .strictObject({
    ...commonRules,
    baseUrl: baseUrlFrom(baseUrlVariable, 'lender'),
    lenderCode: notificationDefault,
    serviceApplicationId: notificationDefault,
    applicationIdField: z._default(
      z.string('must be a string').check(
        z.minLength(1, 'must not be empty'),
        z.refine((name) => !otherFields.includes(name), 'is the name of another field of the notifications'),
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
