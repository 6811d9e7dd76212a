import { bytesOf } from '../../values/encodings.js';
import {
  documentedStatuses,
  errorStatusInfo,
  isErrorStatus,
  isResultStatus,
  type ResultStatus,
} from '../../protocol/result-statuses.js';
import { requestTime, utcTimestamp } from '../../protocol/timestamps.js';
import type { ScriptedAnswer, ScriptTarget } from '../state/script.js';
import { answerFields, httpStatusOf } from '../worlds/answers.js';
import { jsonHeaders, jsonResponse, type ResponseData } from '../common/delivery.js';
import { shortTextAt } from './messages.js';
import { refusal } from './refusals.js';
import type { HandlerResult, MockContext, RequestContext } from './request-context.js';

/** A result as the JSON response of its operation. */
export function resultResponse(
  { operation, identifiers, mock }: Omit<RequestContext, 'beforeActing'>,
  { resultStatus, resultMsg, fields = {} }: HandlerResult,
) {
  const { merchantId, referenceId, requestId } = identifiers;
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

/** An answer to a merchant, with the fields and the HTTP status that it has in the world of the mock. */
export function merchantResponse(
  answer: object,
  { resultStatus }: HandlerResult,
  { world }: Pick<MockContext, 'world'>,
) {
  const { answers, refusals } = world();
  return jsonResponse(answerFields[answers](answer), httpStatusOf(refusals, resultStatus));
}

/** The result that a test scripted for this request, or that its referenceId asks for. */
export function scriptedResult(context: RequestContext): HandlerResult | undefined {
  const { operation, identifiers, mock } = context;
  const scripted = mock.script.answers.take(operation, identifiers);
  if (!scripted) return triggeredResult(operation, identifiers.referenceId);
  const { resultStatus, body } = scripted;
  if (resultStatus === undefined) {
    const resultMsg = scripted.resultMsg ?? shortTextAt(body, 'resultMsg');
    const journalled = { resultStatus: shortTextAt(body, 'resultStatus'), resultMsg };
    return { ...journalled, response: scriptedResponse(scripted), scripted: true };
  }
  const resultMsg = scripted.resultMsg ?? scriptedMessage(operation, resultStatus);
  const result = { resultStatus, resultMsg, fields: scriptedFields(context, resultStatus) };
  return { ...result, response: scriptedResponse(scripted, resultResponse(context, result)), scripted: true };
}

/** `trigger:<RESULT_STATUS>:` forces a status from another process; APPROVED takes the usual course. */
function triggeredResult(
  operation: ScriptTarget,
  referenceId: string | undefined,
): HandlerResult | undefined {
  if (!referenceId?.startsWith('trigger:')) return undefined;
  const [, word = '', rest] = referenceId.split(':', 3);
  if (rest === undefined || !isResultStatus(word)) {
    const message = `The referenceId must have the form trigger:<RESULT_STATUS>:<anything>, with one of ${documentedStatuses.join(', ')}.`;
    return refusal('INVALID_REQUEST', message);
  }
  return isErrorStatus(word)
    ? { ...refusal(word, scriptedMessage(operation, word)), scripted: true }
    : undefined;
}

/** The meaning of a status in the table of its operation. */
function scriptedMessage(operation: ScriptTarget, resultStatus: ResultStatus): string {
  const table = operation === 'uploadInvoice' ? operation : 'initiatePayment';
  return isErrorStatus(resultStatus) ? errorStatusInfo(table, resultStatus).meaning : 'As scripted.';
}

function scriptedResponse(
  { httpStatus, headers = {}, body }: ScriptedAnswer,
  usual: ResponseData = { httpStatus: 200, headers: {}, body: '' },
): ResponseData {
  const raw = rawBody(body);
  const isJson = body !== undefined && raw === undefined;
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    httpStatus: httpStatus ?? usual.httpStatus,
    headers: { ...usual.headers, ...(isJson && jsonHeaders), ...Object.fromEntries(named) },
    body: raw ?? (body === undefined ? usual.body : JSON.stringify(body)),
  };
}

/** A body that is sent as it is: text, or bytes, which in Jest may come from another realm. */
function rawBody(body: unknown): string | Uint8Array<ArrayBuffer> | undefined {
  if (typeof body === 'string') return body;
  const bytes = bytesOf(body);
  return bytes && Uint8Array.from(bytes);
}

/** The fields of a real approval, for a scripted one. No payment or invoice exists in the mock. */
function scriptedFields({ operation, request, mock }: RequestContext, resultStatus?: string): object {
  if (resultStatus !== 'APPROVED') return {};
  if (operation === 'uploadInvoice') {
    return { invoiceId: 'INV-SCRIPTED', uploadedAt: utcTimestamp(mock.now()) };
  }
  if (operation !== 'initiatePayment') return {};
  const paymentUrl = `${request.baseUrl}/pay/scripted`;
  return { paymentUrl, qrData: paymentUrl };
}
