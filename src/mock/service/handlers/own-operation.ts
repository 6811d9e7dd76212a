import { jsonHeaders } from '../../common/delivery.js';
import { shortTextAt } from '../messages.js';
import { refusal } from '../refusals.js';
import type { Handler } from '../request-context.js';
import { checkActive, signedJson } from '../verify-merchant.js';

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

/** The handler of an operation that is not one of the service's four. Its requests are signed as initiate requests are. */
export function ownOperation(answer: OwnHandler): Handler {
  return signedJson(async ({ value: body, problem, bytes }, registered, { request, ended, beforeActing }) => {
    await beforeActing();
    const refused = problem === undefined ? checkActive(registered) : refusal('INVALID_REQUEST', problem);
    if (refused) return refused;
    const { clientId, merchantId, storeIds } = registered;
    const headers = Object.fromEntries(request.toRequest(Uint8Array.from(bytes)).headers);
    const answered = await answer({ body, merchant: { clientId, merchantId, storeIds }, headers });
    ended.throwIfAborted();
    const json: unknown = JSON.stringify(answered);
    if (typeof json !== 'string') {
      throw new Error(`The handler of ${request.path} returned a value that JSON does not have.`);
    }
    return {
      response: { httpStatus: 200, headers: jsonHeaders, body: json },
      resultStatus: shortTextAt(answered, 'resultStatus'),
      resultMsg: shortTextAt(answered, 'resultMsg'),
    };
  });
}
