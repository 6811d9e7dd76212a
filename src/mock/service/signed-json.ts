import type { RegisteredMerchant } from './merchants.js';
import { keyHeader, readJson, recordJson, shortTextAt, type JsonMessage } from './messages.js';
import type { Handler, HandlerResult, RequestContext } from './request-context.js';
import { asMerchant, signedBody } from './verify-merchant.js';

/** A handler of a merchant's JSON request, which is signed over its exact body. `handle` gets it once that is verified. */
export function signedJson(
  handle: (
    message: JsonMessage,
    merchant: RegisteredMerchant,
    context: RequestContext,
  ) => Promise<HandlerResult>,
): Handler {
  return (bytes, request) => {
    const message = readJson(bytes, request.header('content-type'));
    return {
      identifiers: {
        merchantId: shortTextAt(message.value, 'merchantId'),
        referenceId: shortTextAt(message.value, 'referenceId'),
        idempotencyKey: keyHeader(request),
      },
      recorded: recordJson(message),
      handle: (context) =>
        asMerchant(context, signedBody(message, context), (merchant) => handle(message, merchant, context)),
    };
  };
}
