import type { ResultStatus } from '../../protocol/result-statuses.js';

/** A response that replaces the service's response. */
export interface ScriptedResponse {
  /**
   * A documented status of a merchant or lender operation. Put any other status into `body`: `{ body: { resultStatus:
   * 'NEW' } }`.
   */
  readonly resultStatus?: ResultStatus | undefined;
  /** The message. @default a text of the mock */
  readonly resultMsg?: string | undefined;
  /** The HTTP status. @default 200; 400 for a lender operation unless `resultStatus` is `APPROVED` */
  readonly httpStatus?: number | undefined;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * The whole body. A string is sent unchanged, any other value as JSON. @default the response body of the operation
   */
  readonly body?: unknown;
}
