import type { StandardSchemaV1 } from '@standard-schema/spec';

/** Why a webhook was refused. */
export type WebhookErrorCode =
  'SIGNATURE_MISSING' | 'SIGNATURE_MISMATCH' | 'BODY_NOT_RAW' | 'BODY_NOT_JSON' | 'BODY_TOO_LARGE' | 'SCHEMA';

/** The HTTP status of each refusal. A parsed body is the receiver's own mistake: 500, so that the sender repeats the call. */
const statusOf: Readonly<Record<WebhookErrorCode, number>> = {
  SIGNATURE_MISSING: 401,
  SIGNATURE_MISMATCH: 401,
  BODY_NOT_RAW: 500,
  BODY_NOT_JSON: 400,
  BODY_TOO_LARGE: 413,
  SCHEMA: 400,
};

const brand: unique symbol = Symbol.for('installment-payments.webhook-error') as never;

/**
 * A webhook was refused. `code` says why. The message quotes neither the body nor a signature or secret.
 *
 * `instanceof` works across ESM and CommonJS.
 *
 * @example
 * ```ts
 * import { verifyWebhook, WebhookError } from 'installment-payments/webhooks';
 *
 * export function statusFor(body: Uint8Array, signature: string | undefined): number {
 *   try {
 *     verifyWebhook({ body, signature }, { secretKey: 'demo-secret' });
 *     return 204;
 *   } catch (error) {
 *     if (error instanceof WebhookError) return error.status;
 *     throw error;
 *   }
 * }
 * ```
 */
export class WebhookError extends Error {
  /** Stable; the same in every version. */
  readonly code: WebhookErrorCode;
  /** The HTTP status that {@link createWebhookHandler} answers with: 400, 401, 413, 415 or 500. */
  readonly status: number;
  /** For `SCHEMA`: the issues, as the schema reported them. */
  declare readonly issues?: readonly StandardSchemaV1.Issue[];

  /** Errors are made by this package; a test may make one of its own. */
  constructor(
    code: WebhookErrorCode,
    message: string,
    details: { readonly status?: number; readonly issues?: readonly StandardSchemaV1.Issue[] } = {},
  ) {
    super(message);
    this.code = code;
    this.status = details.status ?? statusOf[code];
    if (details.issues) this.issues = details.issues;
  }

  static {
    // A minifier renames the class, and Node prints the name of an error's class.
    Object.defineProperty(this, 'name', { value: 'WebhookError' });
    Object.defineProperties(this.prototype, {
      name: { value: 'WebhookError', configurable: true, writable: true },
      // It counts by being there.
      [brand]: {},
    });
  }

  /** True for an error of this class, whichever copy of the package made it. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== WebhookError) return super[Symbol.hasInstance](value);
    return typeof value === 'object' && value !== null && brand in value;
  }
}
