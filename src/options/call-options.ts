import { isDate } from 'node:util/types';
import * as z from 'zod/mini';
import { additionalPaymentFields, additionalUploadFields } from '../protocol/additional-fields.js';
import type { RetryPolicy } from '../protocol/endpoints.js';
import { limitRules, type CommonOptions } from './common-options.js';
import { headers } from './extra-headers.js';
import { hasMethods, readProperty } from '../values/untrusted-values.js';
import { isExactHeaderValue } from '../protocol/headers.js';
import { callback, boolean, oneOf } from '../validation/rules.js';
import { referenceId } from '../protocol/field-rules.js';

/** Options of every call, a merchant's or a lender's. */
export interface CallOptions extends Pick<
  CommonOptions,
  'attemptTimeoutMs' | 'totalTimeoutMs' | 'maxRetries' | 'repeatUnknown'
> {
  /** Ends the call at once, also during a wait between attempts. */
  signal?: AbortSignal | undefined;
  /**
   * Whether the same request may have been sent before this call. Pass `true` with every repeat in your own code. The
   * earlier send then counts as an attempt with an unknown outcome, so the outcome of a failed call is `'unknown'`.
   * There is one exception: if the input breaks a rule, or if one of your functions fails before the first attempt, the
   * outcome is `'not_sent'`. The outcome then describes this call alone, but `nextStep` also covers the earlier send.
   * `false` is the same as leaving the option out.
   * @default false
   */
  mayHaveBeenSent?: boolean | undefined;
  /**
   * A deadline: no attempt of this call begins after this time. If you lock the order for a limited time, compute the
   * deadline before you lock the order, on the machine that makes the call: `new Date(Date.now() + 60_000)`. No attempt
   * then begins after the lock has expired. The clock of the machine and a monotonic clock are checked right before the
   * first write, so the deadline also works if the process was suspended. After the deadline, the call ends with a
   * `TimeoutError` whose `outcome` covers the earlier attempts; a later call can send the request. The deadline cannot
   * stop data that is already in the buffers of the kernel or a proxy.
   * @default none
   */
  sendBefore?: Date | undefined;
}

/** Options of every call of a merchant's client. */
export interface MerchantCallOptions extends CallOptions {
  /**
   * Extra headers for this call, in addition to the `headers` of the client. A header of the call replaces the header
   * of the client with the same name. Headers that the client sets itself, such as `Signature` or `Content-Type`, are
   * refused. `post` of a `LenderClient` refuses only `Content-Type` and the headers of the transport.
   * @default none
   */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of `initiatePayment`. */
export interface InitiatePaymentOptions extends MerchantCallOptions {
  /**
   * The key by which the service can recognise a repeated request: printable Latin-1 text. How the service handles a
   * repeated key is not documented.
   * @default a SHA-256 of the client ID and the exact body: the same request has the same key in any process
   */
  idempotencyKey?: string | undefined;
  /**
   * Fields from your provider's documentation that the specification does not show: plain JSON data, added after the
   * known fields. Objects are merged, as in `{ voucher: 'A', customer: { idNumber: '1' } }`; nothing can be added to
   * `items`. The values are not checked. The fields are part of the body, the signature and the default key, so a
   * repeat in your own code needs the same fields.
   * @default none
   */
  additionalFields?: Readonly<Record<string, unknown>> | undefined;
}

/** The progress of an upload. Each attempt starts at 0. */
export interface UploadProgress {
  /** The bytes that have been sent. */
  readonly transferredBytes: number;
  /** The size of the whole multipart body in bytes, which is slightly more than the size of the file. */
  readonly totalBytes: number;
  /** The progress from 0 to 100. */
  readonly percent: number;
}

/** Options of `uploadInvoice`. */
export interface UploadInvoiceOptions extends MerchantCallOptions {
  /** A function that is called as bytes are sent. Errors that it throws are ignored. */
  onUploadProgress?: ((progress: UploadProgress) => void | Promise<void>) | undefined;
  /**
   * Text fields from your provider's documentation that the specification does not show. They are sent between the
   * signed fields and `fileUrl`, and are not part of the signature. The values are not checked. @default none
   */
  additionalFields?: Readonly<Record<string, string>> | undefined;
}

/** Options of `post`. */
export interface PostOptions extends MerchantCallOptions {
  /**
   * When the request is retried. Use `'idempotent'` for a query, or for an operation whose repeats the service
   * recognises: the request is retried after every temporary failure. Use `'once'` for cancel and refund: the request
   * is retried only if it certainly was not processed. If the client has `repeatUnknown: false`, every call counts as
   * `'once'`. To retry a query with such a client, pass `repeatUnknown: true` to the call.
   * @default 'once'
   */
  policy?: RetryPolicy | undefined;
  /** The value of the header `Idempotency-Key`. @default the header is not sent */
  idempotencyKey?: string | undefined;
  /** The `referenceId` that errors, log records and `$metadata` of the call contain. This option is not sent. */
  referenceId?: string | undefined;
}

const isValidDate = (value: unknown) => isDate(value) && !Number.isNaN(value.getTime());

export const callOptionRules = z.partial(
  z.strictObject(
    {
      signal: z.custom<AbortSignal>(
        // A signal is recognised by its methods, because runtimes and polyfills have their own classes.
        (value) =>
          hasMethods(value, ['addEventListener', 'removeEventListener']) &&
          typeof readProperty(value, 'aborted') === 'boolean',
        'must be an AbortSignal, such as AbortSignal.timeout(5000)',
      ),
      ...limitRules,
      mayHaveBeenSent: boolean,
      // The Date is copied, because the caller can change it later.
      sendBefore: z.pipe(
        z.custom<Date>(isValidDate, 'must be a valid Date, such as new Date(Date.now() + 60_000)'),
        z.transform((date) => new Date(date)),
      ),
    },
    'must be an object of options, such as { maxRetries: 1 }',
  ),
);
const merchantCallRules = z.extend(callOptionRules, { headers: z.optional(headers) });

const idempotencyKey = z.optional(
  z
    .string('must be a string')
    .check(
      z.refine(
        isExactHeaderValue,
        'must be a string of printable Latin-1 characters that is not empty and has no white space at either end',
      ),
    ),
);

export const initiatePaymentOptionRules: z.ZodMiniType<InitiatePaymentOptions> = z.extend(merchantCallRules, {
  idempotencyKey,
  additionalFields: z.optional(additionalPaymentFields),
});

export const uploadInvoiceOptionRules: z.ZodMiniType<UploadInvoiceOptions> = z.extend(merchantCallRules, {
  onUploadProgress: z.optional(callback<NonNullable<UploadInvoiceOptions['onUploadProgress']>>()),
  additionalFields: z.optional(additionalUploadFields),
});

/**
 * The rules for the options of `post`. A lender passes different `headerRules`, because a lender can set headers that a
 * merchant cannot set.
 */
export function postOptionRulesWith(
  headerRules: z.ZodMiniType<Record<string, string>>,
): z.ZodMiniType<PostOptions> {
  return z.extend(callOptionRules, {
    headers: z.optional(headerRules),
    policy: z.optional(oneOf(['once', 'idempotent'])),
    idempotencyKey,
    referenceId: z.optional(referenceId),
  });
}

export const postOptionRules = postOptionRulesWith(headers);
