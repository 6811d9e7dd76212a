import { isAnyArrayBuffer } from 'node:util/types';
import { errorStatusInfo, isErrorStatus } from '../../protocol/result-status.js';
import { requestTime, utcTimestamp } from '../../protocol/timestamps.js';
import { jsonAnswer, jsonHeaders, type Answer, type JsonAnswer } from './delivery.js';
import type { Exchange, Verdict } from './exchange.js';
import type { Refusal } from './refusal.js';
import type { ScriptedAnswer } from '../controls/script.js';

const vietnamMinutes = 7 * 60;

/** A result in the shape that an operation's answers have, with whatever `more` fields it brings. */
export function resultAnswer(
  { operation, subject, parts }: Exchange,
  result: { resultStatus: string; resultMsg: string },
  more: object = {},
): JsonAnswer {
  const { merchantId, referenceId, requestId } = subject;
  switch (operation) {
    case 'initiatePayment': {
      const responseTime = requestTime(parts.now(), vietnamMinutes);
      return jsonAnswer({ merchantId, referenceId, responseTime, ...result, ...more });
    }
    case 'uploadInvoice':
      return jsonAnswer({ referenceId, ...more, ...result });
    case 'paymentReceipt':
    case 'repaymentAllocation':
      return jsonAnswer({ requestId, ...result, ...more }, result.resultStatus === 'APPROVED' ? 200 : 400);
  }
}

/** A refusal as the operation's answer. */
export function refused(exchange: Exchange, { diagnosis, ...result }: Refusal): Verdict {
  return { answer: resultAnswer(exchange, result), ...result, diagnosis };
}

/** The answer that a test lined up for this request, or that its reference asks for. */
export function scriptedVerdict(exchange: Exchange): Verdict | undefined {
  const { operation, references, parts, subject } = exchange;
  const scripted = parts.script.drawAnswer(operation, references) ?? triggeredBy(subject.referenceId);
  if (!scripted) return undefined;
  const { resultStatus } = scripted;
  const resultMsg = scripted.resultMsg ?? (resultStatus === undefined ? undefined : messageOf(resultStatus));
  return { answer: scriptedAnswer(exchange, scripted, resultMsg), resultStatus, resultMsg, scripted: true };
}

const triggerShape = /^trigger:([A-Z_]+):/;

/** `trigger:<RESULT_STATUS>:…` forces a status from another process; an approval takes its usual course. */
function triggeredBy(referenceId: string | undefined): ScriptedAnswer | undefined {
  const resultStatus = triggerShape.exec(referenceId ?? '')?.[1];
  return resultStatus !== undefined && isErrorStatus(resultStatus) ? { resultStatus } : undefined;
}

function messageOf(resultStatus: string): string {
  return isErrorStatus(resultStatus)
    ? errorStatusInfo('initiatePayment', resultStatus).meaning
    : 'As scripted.';
}

function scriptedAnswer(
  exchange: Exchange,
  { resultStatus, httpStatus, headers, body }: ScriptedAnswer,
  resultMsg = '',
): Answer {
  const usual =
    resultStatus === undefined
      ? { httpStatus: 200, headers: {}, body: '' }
      : resultAnswer(exchange, { resultStatus, resultMsg }, inventedFields(exchange, resultStatus));
  const raw = rawBody(body);
  const isJson = body !== undefined && raw === undefined;
  return {
    httpStatus: httpStatus ?? usual.httpStatus,
    headers: { ...usual.headers, ...(isJson && jsonHeaders), ...lowerCased(headers) },
    body: raw ?? (body === undefined ? usual.body : JSON.stringify(body)),
  };
}

/** A body that goes out as it is: text, or bytes, which may come from another realm as in Jest. */
function rawBody(body: unknown): string | Uint8Array<ArrayBuffer> | undefined {
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body))
    return Uint8Array.from(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  return isAnyArrayBuffer(body) ? Uint8Array.from(Buffer.from(body)) : undefined;
}

/** Headers that take the place of others, whatever their case. */
function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** What an approval that stands for nothing in the mock needs in order to look like one. */
function inventedFields({ operation, incoming, parts }: Exchange, resultStatus: string): object {
  if (resultStatus !== 'APPROVED') return {};
  const paymentUrl = `${incoming.origin}/pay/scripted`;
  if (operation === 'initiatePayment') return { paymentUrl, qrData: paymentUrl };
  return operation === 'uploadInvoice'
    ? { invoiceId: 'INV-SCRIPTED', uploadedAt: utcTimestamp(parts.now()) }
    : {};
}
