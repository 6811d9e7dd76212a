import { bytesOf } from '../../values/encodings.js';
import {
  documentedStatuses,
  errorStatusInfo,
  isErrorStatus,
  isResultStatus,
  type ResultStatus,
} from '../../protocol/result-statuses.js';
import { utcTimestamp } from '../../protocol/timestamps.js';
import type { ScriptedAnswer, ScriptTarget } from '../state/script.js';
import { jsonHeaders, type ResponseData } from '../common/exchange.js';
import { shortTextAt } from './messages.js';
import type { ArrivedRequest } from './mock-context.js';
import type { OperationResult } from './operation-row.js';
import { refusal } from './refusals.js';
import { resultResponse } from './responses.js';

/** The result that a test scripted for this request, or that its referenceId asks for. */
export function scriptedResult(arrived: ArrivedRequest): OperationResult | undefined {
  const { operation, entry, mock } = arrived;
  const scripted = mock.script.answers.take(operation, entry);
  if (!scripted) return triggeredResult(operation, entry.referenceId);
  const { resultStatus, body } = scripted;
  if (resultStatus === undefined) {
    const resultMsg = scripted.resultMsg ?? shortTextAt(body, 'resultMsg');
    const journalled = { resultStatus: shortTextAt(body, 'resultStatus'), resultMsg };
    return { ...journalled, response: scriptedResponse(scripted), scripted: true };
  }
  const resultMsg = scripted.resultMsg ?? scriptedMessage(operation, resultStatus);
  const result = { resultStatus, resultMsg, fields: approvalFields(arrived, resultStatus) };
  return { ...result, response: scriptedResponse(scripted, resultResponse(arrived, result)), scripted: true };
}

/** `trigger:<RESULT_STATUS>:` forces a status from another process; APPROVED takes the usual course. */
function triggeredResult(
  operation: ScriptTarget,
  referenceId: string | undefined,
): OperationResult | undefined {
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
  const lowerCased = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    httpStatus: httpStatus ?? usual.httpStatus,
    headers: { ...usual.headers, ...(isJson && jsonHeaders), ...Object.fromEntries(lowerCased) },
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
function approvalFields({ operation, request, mock }: ArrivedRequest, resultStatus: ResultStatus): object {
  if (resultStatus !== 'APPROVED') return {};
  if (operation === 'uploadInvoice') {
    return { invoiceId: 'INV-SCRIPTED', uploadedAt: utcTimestamp(mock.now()) };
  }
  if (operation !== 'initiatePayment') return {};
  const paymentUrl = `${request.baseUrl}/pay/scripted`;
  return { paymentUrl, qrData: paymentUrl };
}
