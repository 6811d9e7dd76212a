import * as z from 'zod';
import { identifier } from '../protocol/text.js';
import type { Operation } from '../protocol/endpoints.js';
import { lenderFieldNames } from '../protocol/lender-notification.js';
import {
  checkOptions,
  commonRules,
  headersProblem,
  withEnvironment,
  type CommonOptions,
} from '../options/common-options.js';

/** What a `headers` function is given: all that an agreed signature could be over. */
export interface NotificationContext {
  /** Which notification is sent. */
  readonly operation: Extract<Operation, 'paymentReceipt' | 'repaymentAllocation'>;
  /** ID of the notification. */
  readonly requestId: string;
  /** The exact bytes that are sent. A copy: changing it changes nothing. */
  readonly body: Uint8Array;
}

/** More headers for a notification: the same for all, or made for each one. */
export type NotificationHeaders =
  | Readonly<Record<string, string>>
  | ((
      context: NotificationContext,
    ) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/**
 * Options of a {@link LenderClient}.
 *
 * @example
 * ```ts
 * import type { LenderClientOptions } from 'installment-payments/lender';
 *
 * const options: LenderClientOptions = {
 *   baseUrl: 'https://service.example',
 *   lenderCode: 'LENDER-01',
 *   serviceApplicationId: 'APP-01',
 *   headers: () => ({ Authorization: 'Bearer of-this-hour' }),
 * };
 * ```
 */
export interface LenderClientOptions extends CommonOptions {
  /** For notifications that leave it out. */
  lenderCode?: string | undefined;
  /** For notifications that leave it out. */
  serviceApplicationId?: string | undefined;
  /**
   * The real name of `serviceApplicationId` on the wire: the specification masks it. @default 'serviceApplicationId'
   */
  applicationIdField?: string | undefined;
  /** Whatever authentication was agreed: the specification shows none. A function is asked once for each call. */
  headers?: NotificationHeaders | undefined;
}

const headers = z.custom<NotificationHeaders>().superRefine((value, context) => {
  const problem = typeof value === 'function' ? undefined : headersProblem(value);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

const notificationDefault = identifier.optional();

const lenderRules = z.strictObject({
  ...commonRules,
  lenderCode: notificationDefault,
  serviceApplicationId: notificationDefault,
  applicationIdField: z
    .string('must be text')
    .min(1, 'must not be empty')
    .refine((name) => !lenderFieldNames.has(name), 'is the name of another field of the notifications')
    .default('serviceApplicationId'),
  headers: headers.default({}),
});

/** Options that were checked, with every default in place. */
export type ResolvedLenderOptions = z.output<typeof lenderRules>;

/** The options of a lender's client, checked and complete. */
export function resolveLenderOptions(options: LenderClientOptions): ResolvedLenderOptions {
  return checkOptions(lenderRules, withEnvironment(options, ['baseUrl']));
}
