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

/** Options that every call has, a merchant's and a lender's. */
export interface CallOptions extends Pick<
  CommonOptions,
  'attemptTimeoutMs' | 'totalTimeoutMs' | 'maxRetries' | 'repeatUnknown'
> {
  /** Ends the call at once, also during a wait between attempts. */
  signal?: AbortSignal | undefined;
  /**
   * Whether the same request may have been sent before this call: pass `true` with every retry of your own. It counts as an
   * earlier attempt with an unknown outcome: the call ends `'unknown'` unless it is accepted. Input that breaks a rule and
   * hooks that reject keep `'not_sent'`, which is about this call alone; `nextStep` is about the order. `false` claims nothing.
   * @default false
   */
  mayHaveBeenSent?: boolean | undefined;
  /**
   * No attempt of this call begins after it. Whoever claims an order or responds to a customer takes the time before that, on
   * the same machine: `new Date(Date.now() + 60_000)`. It holds for a process that was suspended and woke late: the clock of
   * the machine and a monotonic one are compared with it in the turn of the first write. The call then ends with a
   * `TimeoutError` whose `outcome` covers the attempts before; a later call may send the request. It cannot hold what the kernel or a proxy still has to send.
   * @default none
   */
  sendBefore?: Date | undefined;
}

/** Options that each call of a merchant's client has. */
export interface MerchantCallOptions extends CallOptions {
  /**
   * More headers for this call, besides the client's; one of the same name replaces the client's. The protocol's
   * own are refused. @default none
   */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of `initiatePayment`. */
export interface InitiatePaymentOptions extends MerchantCallOptions {
  /**
   * The key by which the service may recognise a repeated request: printable Latin-1 text. What it does with a repeated
   * key is not documented.
   * @default a SHA-256 of the client ID and the exact body, so that the same request from another process has the same
   */
  idempotencyKey?: string | undefined;
  /**
   * Fields that your provider's documentation has and the specification does not show: plain JSON data, put behind the
   * known fields. Objects are merged, as in `{ voucher: 'A', customer: { idNumber: '1' } }`; nothing can be added to
   * `items`. They are not checked. They are part of the bytes, of the signature and of the derived key: a retry of your own
   * needs the same fields.
   * @default none
   */
  additionalFields?: Readonly<Record<string, unknown>> | undefined;
}

/** How much of an upload has been sent. Each attempt starts at 0. */
export interface UploadProgress {
  /** Bytes sent so far. */
  readonly transferredBytes: number;
  /** Bytes of the whole multipart body, a little more than the file. */
  readonly totalBytes: number;
  /** From 0 to 100. */
  readonly percent: number;
}

/** Options of `uploadInvoice`. */
export interface UploadInvoiceOptions extends MerchantCallOptions {
  /** Called as bytes are sent. Its errors are ignored. */
  onUploadProgress?: ((progress: UploadProgress) => void | Promise<void>) | undefined;
  /**
   * Text fields that your provider's documentation has and the specification does not show. They are sent between the
   * signed fields and `fileUrl`, and are not part of the signature. They are not checked. @default none
   */
  additionalFields?: Readonly<Record<string, string>> | undefined;
}

/** Options of `post`. */
export interface PostOptions extends MerchantCallOptions {
  /**
   * Whether a repeated request can do harm. `'once'` repeats it only if it certainly had no effect; `'idempotent'` repeats
   * it after every transient failure, for a query or an operation that the service recognises. `repeatUnknown: false`
   * makes every call `'once'`; a query on such a client passes `repeatUnknown: true`. @default 'once'
   */
  policy?: RetryPolicy | undefined;
  /** Sent as `Idempotency-Key`. @default none is sent */
  idempotencyKey?: string | undefined;
  /** The order that the call is about, for errors, records and `$metadata`. It is not sent. */
  referenceId?: string | undefined;
}

const isValidDate = (value: unknown) => isDate(value) && !Number.isNaN(value.getTime());

export const callOptionRules = z.partial(
  z.strictObject(
    {
      signal: z.custom<AbortSignal>(
        // By its methods: runtimes and polyfills have classes of their own.
        (value) =>
          hasMethods(value, ['addEventListener', 'removeEventListener']) &&
          typeof readProperty(value, 'aborted') === 'boolean',
        'must be an AbortSignal, such as AbortSignal.timeout(5000)',
      ),
      ...limitRules,
      mayHaveBeenSent: boolean,
      // A copy: the caller may move its own on, as for the next call.
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

/** The rules of `post`; a merchant and a lender may set other headers. */
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
