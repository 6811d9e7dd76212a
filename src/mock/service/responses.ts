import { requestTime } from '../../protocol/timestamps.js';
import { answerFields, httpStatusOf } from '../worlds/answers.js';
import { jsonResponse } from '../common/exchange.js';
import type { ArrivedRequest, MockContext } from './mock-context.js';
import type { OperationResult } from './operation-row.js';

/** A result as the JSON response of its operation. */
export function resultResponse(
  { operation, entry, mock }: ArrivedRequest,
  { resultStatus, resultMsg, fields = {} }: OperationResult,
) {
  const { merchantId, referenceId, requestId } = entry;
  const result = { resultStatus, resultMsg };
  switch (operation) {
    case 'uploadInvoice':
      return merchantResponse({ referenceId, ...fields, ...result }, result, mock);
    case 'paymentReceipt':
    case 'repaymentAllocation':
      // The common response is not documented; these fields and the HTTP status are a decision of the mock.
      return jsonResponse({ requestId, ...result, ...fields }, resultStatus === 'APPROVED' ? 200 : 400);
    default: {
      // Of an initiate request; an operation of the test's own is refused in the same way.
      const responseTime = requestTime(mock.now(), mock.wire.requestTimeOffset);
      return merchantResponse({ merchantId, referenceId, responseTime, ...result, ...fields }, result, mock);
    }
  }
}

/** A merchant reads the resultStatus and a lender the HTTP status; both must tell that nothing was done. */
export function unknownPathResponse(path: string, result: OperationResult, mock: MockContext) {
  return path.startsWith('/lender/') ? jsonResponse(result, 400) : merchantResponse(result, result, mock);
}

/** A response to a merchant, with the fields and the HTTP status that it has in the world of the mock. */
function merchantResponse(
  body: object,
  { resultStatus }: OperationResult,
  { world }: Pick<MockContext, 'world'>,
) {
  const { answers, refusals } = world();
  return jsonResponse(answerFields[answers](body), httpStatusOf(refusals, resultStatus));
}
