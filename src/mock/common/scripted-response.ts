import type { ResultStatus } from '../../protocol/result-statuses.js';

/** A response that replaces the service's own. */
export interface ScriptedResponse {
  /** A documented status, of either table. Any other goes into `body`: `{ body: { resultStatus: 'NEW' } }`. */
  readonly resultStatus?: ResultStatus | undefined;
  /** @default a text of the mock */
  readonly resultMsg?: string | undefined;
  /** @default 200; 400 for a lender operation unless `resultStatus` is `APPROVED` */
  readonly httpStatus?: number | undefined;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The whole body: a string is sent as it is, anything else as JSON. @default the operation's shape */
  readonly body?: unknown;
}
