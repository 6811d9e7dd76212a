import { endpoints } from '../../../protocol/endpoints.js';
import { jsonHeaders } from '../../common/exchange.js';
import { authenticateJson } from '../authenticate-merchant.js';
import type { RegisteredMerchant } from '../merchants.js';
import { readJsonMessage, shortTextAt, type JsonMessage } from '../messages.js';
import type { OperationRow } from '../mock-context.js';
import { checkActive, refuseUnread } from '../refusals.js';
import { waitForNetwork } from '../request-faults.js';

/** A request to an operation of your own: its signature is right, and its body is JSON. */
export interface OwnRequest {
  /** The parsed body. */
  readonly body: unknown;
  /** The merchant that signed the request. */
  readonly merchant: {
    readonly clientId: string;
    readonly merchantId: string;
    readonly storeIds: readonly string[];
  };
  /** All headers, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers the requests to a path. What it returns, or resolves to, is sent as JSON with status 200. */
export type OwnHandler = (request: OwnRequest) => unknown;

/** The operation of a path that `handle` registers. Its requests are signed and sent as initiate requests are. */
export function ownOperation(
  path: `/${string}`,
  handler: OwnHandler,
): OperationRow<JsonMessage, RegisteredMerchant> {
  return {
    ...endpoints.initiatePayment,
    recorded: { own: true },
    path,
    read: readJsonMessage,
    authenticate: authenticateJson,
    async act({ value: body, problem, bytes }, sender, context) {
      const { request, ended } = context;
      await waitForNetwork(context, 'before');
      refuseUnread(problem);
      checkActive(sender);
      const { clientId, merchantId, storeIds } = sender;
      const headers = Object.fromEntries(request.toRequest(Uint8Array.from(bytes)).headers);
      const answered = await handler({ body, merchant: { clientId, merchantId, storeIds }, headers });
      ended.throwIfAborted();
      const json: unknown = JSON.stringify(answered);
      if (typeof json !== 'string') {
        throw new Error(`The handler of ${path} returned a value that JSON does not have.`);
      }
      return {
        response: { httpStatus: 200, headers: jsonHeaders, body: json },
        resultStatus: shortTextAt(answered, 'resultStatus'),
        resultMsg: shortTextAt(answered, 'resultMsg'),
      };
    },
  };
}
