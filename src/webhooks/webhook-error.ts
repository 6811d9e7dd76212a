import type { StandardSchemaV1 } from '@standard-schema/spec';
import { brandClass } from '../errors/brand.js';

/**
 * The HTTP status of each refusal. BODY_NOT_RAW is usually a mistake in the shop, so the status is 500: the service can
 * then send the webhook again. If the body is compressed, BODY_NOT_RAW has the status 415, because the service has to
 * send the body uncompressed.
 */
const statuses = {
  SIGNATURE_MISSING: 401,
  SIGNATURE_MISMATCH: 401,
  BODY_NOT_RAW: 500,
  BODY_NOT_JSON: 400,
  BODY_TOO_LARGE: 413,
  SCHEMA: 400,
};

/**
 * Wraps the error of a function that was passed to createWebhookHandler. Such an error never counts as a refusal, even
 * if the function threw a WebhookError.
 */
export class HandlerFunctionError extends Error {
  constructor(readonly thrown: unknown) {
    super('a function that was passed to createWebhookHandler failed');
  }
}

/** Calls a function that was passed to createWebhookHandler. @throws HandlerFunctionError with the error */
export async function callHandlerFunction<Result>(call: () => Result): Promise<Awaited<Result>> {
  try {
    return await call();
  } catch (error) {
    throw new HandlerFunctionError(error);
  }
}

/**
 * A webhook was refused. `code` is the reason. The message contains neither the body nor a signature or secret.
 * `instanceof` works across ESM and CommonJS.
 */
export class WebhookError extends Error {
  /** The reason. A code stays the same in every version. */
  readonly code: keyof typeof statuses;
  /** The HTTP status of the response of {@link createWebhookHandler}: 400, 401, 413, 415 or 500. */
  readonly status: number;
  /** The issues that the schema reported, for `SCHEMA`. */
  declare readonly issues?: readonly StandardSchemaV1.Issue[];

  static {
    brandClass(this, 'WebhookError');
  }

  /** Creates an error, for this package and for tests. */
  constructor(
    code: WebhookError['code'],
    message: string,
    { status = statuses[code], issues }: Partial<Pick<WebhookError, 'status' | 'issues'>> = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    if (issues) this.issues = issues;
  }
}
