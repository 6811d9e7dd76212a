import {
  documentedStatuses,
  errorStatusInfo,
  isErrorStatus,
  isResultStatus,
  type ResultStatus,
} from '../../protocol/result-statuses.js';
import { requestTime, utcForm } from '../../protocol/timestamps.js';
import { jsonHeaders, jsonResponse } from '../common/exchange.js';
import type { JournalEntry } from '../state/journal-types.js';
import type { ScriptedResponse } from '../common/scripted-response.js';
import { responseFields, httpStatusOf } from '../scenarios/scenario-responses.js';
import { shortTextAt } from './messages.js';
import type { MockContext, OperationResult, RequestContext } from './mock-context.js';
import { refuseUnless } from './refusals.js';

/** Writes a result as the JSON response of its operation. */
export function resultResponse(
  { row, entry, mock }: RequestContext,
  { resultStatus, resultMsg, fields = {} }: OperationResult,
) {
  const { operation, path, merchantId, referenceId, requestId } = entry;
  const result = { resultStatus, resultMsg };
  // A merchant reads the resultStatus, and a lender reads the HTTP status. The path says who sent a request to an
  // unknown path.
  const { sender = path.startsWith('/lender/') ? 'lender' : 'merchant' } = row ?? {};
  if (sender === 'lender') {
    // The response to a lender is not documented: these fields and the HTTP status are assumptions.
    return jsonResponse({ requestId, ...result, ...fields }, resultStatus === 'APPROVED' ? 200 : 400);
  }
  if (!row) return merchantResponse(result, result, mock);
  if (operation === 'uploadInvoice')
    return merchantResponse({ referenceId, ...fields, ...result }, result, mock);
  // This is the response to an initiate request, and to a request of a custom operation that was refused or scripted.
  const responseTime = requestTime(mock.now(), mock.wire.requestTimeOffset);
  return merchantResponse({ merchantId, referenceId, responseTime, ...result, ...fields }, result, mock);
}

/** Writes a response to a merchant, with the fields and the HTTP status of the mock's scenario. */
function merchantResponse(body: object, { resultStatus }: OperationResult, { scenario }: MockContext) {
  const { responses, refusals } = scenario();
  return jsonResponse(responseFields[responses](body), httpStatusOf(refusals, resultStatus));
}

/** Returns the result that a test has scripted for this request, or that its `referenceId` triggers. */
export function scriptedResult(context: RequestContext): OperationResult | undefined {
  const { entry, mock } = context;
  const scripted = mock.script.takeResponse(entry);
  return scripted ? { ...resultOf(scripted, context), scripted: true } : triggeredResult(entry);
}

/** Converts a response that a test or a scenario defines to a result. The response replaces the service's response. */
export function resultOf(
  { resultStatus, resultMsg, httpStatus, headers = {}, body }: ScriptedResponse,
  context: RequestContext,
): OperationResult {
  const { entry } = context;
  const result = resultStatus
    ? {
        resultStatus,
        resultMsg: resultMsg ?? scriptedMessage(entry, resultStatus),
        fields: approvalFields(context, resultStatus),
      }
    : {
        resultStatus: shortTextAt(body, 'resultStatus'),
        resultMsg: resultMsg ?? shortTextAt(body, 'resultMsg'),
      };
  const usual = resultStatus ? resultResponse(context, result) : { httpStatus: 200, headers: {}, body: '' };
  const isJson = body !== undefined && typeof body !== 'string';
  const lowerCased = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const response = {
    httpStatus: httpStatus ?? usual.httpStatus,
    headers: { ...usual.headers, ...(isJson && jsonHeaders), ...Object.fromEntries(lowerCased) },
    body: isJson ? JSON.stringify(body) : (body ?? usual.body),
  };
  return { ...result, response };
}

/**
 * The result of a `referenceId` such as `trigger:<RESULT_STATUS>:1`, with which a test in another process selects the
 * result. APPROVED creates a payment as usual.
 */
function triggeredResult(entry: JournalEntry): OperationResult | undefined {
  const { referenceId = '' } = entry;
  if (!referenceId.startsWith('trigger:')) return undefined;
  const [, resultStatus = '', rest] = referenceId.split(':', 3);
  refuseUnless(
    rest !== undefined && isResultStatus(resultStatus),
    'INVALID_REQUEST',
    `The referenceId must have the form trigger:<RESULT_STATUS>:<anything>. The result status must be one of ${documentedStatuses.join(', ')}.`,
  );
  if (!isErrorStatus(resultStatus)) return undefined;
  return { resultStatus, resultMsg: scriptedMessage(entry, resultStatus), scripted: true };
}

/** The meaning of a status in the specification. */
function scriptedMessage({ operation }: JournalEntry, resultStatus: ResultStatus): string {
  const table = operation === 'uploadInvoice' ? operation : 'initiatePayment';
  return isErrorStatus(resultStatus) ? errorStatusInfo(table, resultStatus).meaning : 'As scripted.';
}

/** The fields that a scripted approval has in common with a real approval. No payment or invoice is created. */
function approvalFields(
  { entry: { operation }, request, mock }: RequestContext,
  resultStatus: ResultStatus,
): object {
  if (resultStatus !== 'APPROVED') return {};
  if (operation === 'uploadInvoice') {
    return { invoiceId: 'INV-SCRIPTED', uploadedAt: utcForm.write(mock.now()) };
  }
  if (operation !== 'initiatePayment') return {};
  const paymentUrl = `${request.baseUrl}/pay/scripted`;
  return { paymentUrl, qrData: paymentUrl };
}
