import type { StandardSchemaV1 } from '@standard-schema/spec';
import { brandClass } from '../errors/brand.js';

/** The HTTP status of each refusal. A parsed body is the receiver's own mistake: 500, so that the sender retries. */
const statuses = {
  SIGNATURE_MISSING: 401,
  SIGNATURE_MISMATCH: 401,
  BODY_NOT_RAW: 500,
  BODY_NOT_JSON: 400,
  BODY_TOO_LARGE: 413,
  SCHEMA: 400,
};

/** Around what a function of the caller threw: it is never a refusal, even where it is a WebhookError. */
export class CallerError extends Error {
  constructor(readonly thrown: unknown) {
    super('a function of the caller failed');
  }
}

/** Runs a function that the caller gave. @throws CallerError around what it threw */
export async function runCallerCode<Result>(call: () => Result): Promise<Awaited<Result>> {
  try {
    return await call();
  } catch (error) {
    throw new CallerError(error);
  }
}

/**
 * A webhook was refused. `code` says why. The message quotes neither the body nor a signature or secret. `instanceof`
 * works across ESM and CommonJS.
 */
export class WebhookError extends Error {
  /** Stable; the same in every version. */
  readonly code: keyof typeof statuses;
  /** The HTTP status that {@link createWebhookHandler} responds with: 400, 401, 413, 415 or 500. */
  readonly status: number;
  /** For `SCHEMA`: the issues, as the schema reported them. */
  declare readonly issues?: readonly StandardSchemaV1.Issue[];

  static {
    brandClass(this, 'WebhookError');
  }

  /** Errors are made by this package; a test may make one of its own. */
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
