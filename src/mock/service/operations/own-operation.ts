import { endpoints } from '../../../protocol/endpoints.js';
import { jsonHeaders } from '../../common/exchange.js';
import { authenticateJson } from '../authenticate-merchant.js';
import type { RegisteredMerchant } from '../merchants.js';
import { readJsonMessage, shortTextAt, type JsonMessage } from '../messages.js';
import type { OperationRow } from '../mock-context.js';
import { checkActive, refuseUnread } from '../refusals.js';
import { waitForNetwork } from '../request-faults.js';
import { authenticateLender } from './lender-notifications.js';

/** A request of a lender to a custom operation. Its body is JSON. */
export interface OwnNotification {
  /** The parsed body. */
  readonly body: unknown;
  /** All headers, with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A request of a merchant to a custom operation. Its signature is valid. */
export interface OwnRequest extends OwnNotification {
  /** The merchant that signed the request. */
  readonly merchant: {
    readonly clientId: string;
    readonly merchantId: string;
    readonly storeIds: readonly string[];
  };
}

/**
 * Responds to the requests to a path. Its result, or the value to which its promise resolves, is sent as JSON with
 * status 200.
 */
export type OwnHandler<Request = OwnRequest> = (request: Request) => unknown;

/**
 * Creates the custom operation of a path that `handle` registers. A merchant signs its requests like initiate requests.
 * A lender does not sign.
 */
export function ownOperation(
  path: `/${string}`,
  handler: OwnHandler | OwnHandler<OwnNotification>,
  sender: 'merchant' | 'lender',
): OperationRow<JsonMessage, RegisteredMerchant | undefined> {
  const isOfMerchant = sender === 'merchant';
  return {
    ...endpoints[isOfMerchant ? 'initiatePayment' : 'paymentReceipt'],
    recorded: { own: true },
    path,
    read: readJsonMessage,
    async authenticate(message, context) {
      if (isOfMerchant) return authenticateJson(message, context);
      await authenticateLender(message, context);
      return undefined;
    },
    async act({ value: body, problem, bytes }, merchant, context) {
      const { request, resetSignal } = context;
      await waitForNetwork(context, 'before');
      refuseUnread(problem);
      if (merchant) checkActive(merchant);
      const { clientId, merchantId, storeIds } = merchant ?? {};
      const returned = await (handler as OwnHandler<object>)({
        body,
        headers: Object.fromEntries(request.toRequest(Uint8Array.from(bytes)).headers),
        ...(merchant && { merchant: { clientId, merchantId, storeIds } }),
      });
      resetSignal.throwIfAborted();
      // JSON.stringify would write a Response as an empty object.
      const json: unknown = returned instanceof Response ? undefined : JSON.stringify(returned);
      if (typeof json !== 'string') {
        throw new Error(`The handler of ${path} must return a body that JSON can represent.`);
      }
      return {
        response: { httpStatus: 200, headers: jsonHeaders, body: json },
        resultStatus: shortTextAt(returned, 'resultStatus'),
        resultMsg: shortTextAt(returned, 'resultMsg'),
      };
    },
  };
}
