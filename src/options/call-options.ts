import * as z from 'zod';
import { limitRules } from './limits.js';
import { isExactHeaderValue } from '../protocol/headers.js';
import { unknownField } from '../protocol/text.js';
import { issuesOf, type Parsed } from '../protocol/validation.js';

/** Options that every call has. */
export interface CallOptions {
  /** Ends the call at once, in a wait between attempts too. */
  signal?: AbortSignal | undefined;
  /** Milliseconds that one attempt may take. @default the client's */
  attemptTimeoutMs?: number | undefined;
  /** Milliseconds that the whole call may take. @default the client's */
  totalTimeoutMs?: number | undefined;
  /** The most repeats of the request. @default the client's */
  maxRetries?: number | undefined;
}

/** Options of a merchant's call. */
export interface MerchantCallOptions extends CallOptions {
  /**
   * An earlier process may have sent the same request, so that DUPLICATE_REFERENCE_ID is no clean refusal: its outcome
   * is then `'unknown'`, with `probablyAccepted`. @default false
   */
  mayHaveBeenSent?: boolean | undefined;
}

/** Options of `initiatePayment`. */
export interface InitiatePaymentOptions extends MerchantCallOptions {
  /**
   * By which the service can recognise a repeated request: printable Latin-1 text.
   * @default a SHA-256 of the client ID and the exact body, so that the same request from another process has the same
   */
  idempotencyKey?: string | undefined;
}

/** How much of an upload has been sent. A repeated attempt starts again. */
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
  /**
   * Called as bytes leave. What it throws is ignored.
   */
  onUploadProgress?: ((progress: UploadProgress) => void | Promise<void>) | undefined;
}

function isAbortSignal(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'aborted') === 'boolean' &&
    typeof Reflect.get(value, 'addEventListener') === 'function' &&
    typeof Reflect.get(value, 'removeEventListener') === 'function'
  );
}

const callRules = {
  signal: z
    .custom<AbortSignal>(isAbortSignal, 'must be an AbortSignal, such as AbortSignal.timeout(5000)')
    .optional(),
  attemptTimeoutMs: limitRules.attemptTimeoutMs.optional(),
  totalTimeoutMs: limitRules.totalTimeoutMs.optional(),
  maxRetries: limitRules.maxRetries.optional(),
};

const merchantRules = { ...callRules, mayHaveBeenSent: z.boolean('must be true or false').optional() };
const notAnObject = 'must be an object of options, such as { maxRetries: 1 }';

export const callOptionRules: z.ZodType<CallOptions> = z.strictObject(callRules, notAnObject);

export const initiatePaymentOptionRules: z.ZodType<InitiatePaymentOptions> = z.strictObject(
  {
    ...merchantRules,
    idempotencyKey: z
      .string('must be a string')
      .refine(
        isExactHeaderValue,
        'must be a string of printable Latin-1 characters that is not empty and has no white space at either end',
      )
      .optional(),
  },
  notAnObject,
);

export const uploadInvoiceOptionRules: z.ZodType<UploadInvoiceOptions> = z.strictObject(
  {
    ...merchantRules,
    onUploadProgress: z
      .custom<(progress: UploadProgress) => void | Promise<void>>(
        (value) => typeof value === 'function',
        'must be a function',
      )
      .optional(),
  },
  notAnObject,
);

/** Checks the options of a call; the paths of its issues begin with `options`. */
export function parseOptions<T>(rules: z.ZodType<T>, options: unknown): Parsed<T> {
  const result = rules.safeParse(options);
  if (result.success) return { value: result.data };
  const issues = issuesOf(result.error, options).map((issue) => ({
    ...issue,
    message: issue.message === unknownField ? 'unknown option' : issue.message,
    path: ['options', ...issue.path],
  }));
  return { issues };
}
