import type { Operation } from '../../protocol/endpoints.js';
import {
  maxBodyBytes,
  jsonResponse,
  SenderGoneError,
  type Reply,
  type IncomingRequest,
  type ResponseData,
} from '../common/exchange.js';
import type { OpenEntry } from '../state/journal.js';
import { recordResponse } from './messages.js';
import type {
  MockContext,
  OperationResult,
  OperationRow,
  ReadMessage,
  RequestContext,
} from './mock-context.js';
import { initiatePayment } from './operations/initiate-payment.js';
import { paymentReceipt, repaymentAllocation } from './operations/lender-notifications.js';
import { uploadInvoice } from './operations/upload-invoice.js';
import { Refusal, refuseUnless } from './refusals.js';
import {
  faultAfterService,
  faultBeforeService,
  holdResponse,
  responseBeforeService,
  takeFault,
  waitForNetwork,
} from './request-faults.js';
import { resultResponse, scriptedResult } from './responses.js';
import { operationPath } from '../scenarios/network.js';

const operationRows: Readonly<Record<Operation, OperationRow>> = {
  initiatePayment,
  uploadInvoice,
  paymentReceipt,
  repaymentAllocation,
};

/** The operations of a mock by their paths; `handle` adds one. */
export type Operations = Map<string, OperationRow>;

/** The four operations of the service. */
export function serviceOperations(): Operations {
  return new Map(Object.values(operationRows).map((row) => [row.path, row]));
}

/** Serves a request to the service, and records it in the journal. `resetSignal` fires when the mock is reset. */
export async function dispatch(
  request: IncomingRequest,
  mock: MockContext & { readonly operations: Operations },
  resetSignal: AbortSignal,
): Promise<Reply> {
  const started = performance.now();
  const row = mock.operations.get(operationPath(request.path, mock.scenario()));
  const entry = mock.journal.arrive(request, row?.recorded);
  const context: RequestContext = { row, request, mock, entry, resetSignal };
  let reply: Reply;
  try {
    const paths = [...mock.operations.keys()].join(', ');
    refuseUnless(
      row,
      'INVALID_API',
      `Unknown path. The mock serves only these paths, with no prefix such as /api: ${paths}.`,
    );
    reply = await serve(row, context);
  } catch (error) {
    reply = replyToError(error, context);
  } finally {
    mock.journal.complete(entry, performance.now() - started);
  }
  const abandoned = () => {
    mock.journal.abandon(entry);
  };
  return reply.kind === 'response' ? { ...reply, abandoned } : reply;
}

/**
 * Runs the operation of a request. The checks come in this order: path (in `dispatch`), method, size, client,
 * signature, and then, in the operation's `act`, shape, merchant, store, reference, amount, phone, limits, duplicates.
 * The first check that fails decides.
 */
async function serve(row: OperationRow, context: RequestContext): Promise<Reply> {
  const { request, mock, entry } = context;
  refuseUnless(request.method === row.method, 'INVALID_HTTP_METHOD', `The method must be ${row.method}.`);
  const message = row.read(await bodyOf(row, context), request);
  Object.assign(entry, message.recorded);

  takeFault(context);
  mock.journal.changed(entry);
  const gatewayResponse = responseBeforeService(context);
  if (gatewayResponse) return recordReply(entry, {}, gatewayResponse);
  const notServed = faultBeforeService(context);
  if (notServed) return notServed;

  const result = await decide(row, message, context);
  entry.acted = result.act !== undefined;

  await waitForWebhook(result, context);
  await waitForNetwork(context, 'after');
  await holdResponse(context, result.act);
  const response = result.response ?? resultResponse(context, result);
  // The order matters: `recordReply` records the response as sent, and `faultAfterService` corrects this if a fault
  // loses the response.
  const reply = recordReply(entry, result, response);
  return faultAfterService(context, result.act, response) ?? reply;
}

async function bodyOf(
  { contentType }: OperationRow,
  { request, resetSignal }: RequestContext,
): Promise<Buffer> {
  if (!contentType) return Buffer.alloc(0);
  const limit = maxBodyBytes[contentType];
  const bytes = await request.readBody(limit);
  resetSignal.throwIfAborted();
  const resultStatus = contentType === 'application/json' ? 'INVALID_REQUEST' : 'FILE_TOO_LARGE';
  refuseUnless(bytes, resultStatus, `The body is larger than ${limit / 2 ** 20} MiB.`);
  return bytes;
}

/** Runs `authenticate` and `act` of an operation. A scripted result replaces `act`. */
async function decide(
  row: OperationRow,
  message: ReadMessage,
  context: RequestContext,
): Promise<OperationResult> {
  try {
    const sender = await row.authenticate(message, context);
    return scriptedResult(context) ?? (await row.act(message, sender, context));
  } catch (error) {
    // The refusal is returned as a result, and not passed on to `replyToError`, because a scenario can also delay or
    // lose the response to a refused request.
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Makes the response to a new payment wait for the webhook, if the scenario sends webhooks early. */
async function waitForWebhook(
  { act }: OperationResult,
  { entry: { merchantId, referenceId }, mock, resetSignal }: RequestContext,
): Promise<void> {
  const isCreated = act === 'payment' || act === 'payment-again';
  if (!isCreated || merchantId === undefined || referenceId === undefined) return;
  await mock.webhooks.whenTried({ merchantId, referenceId });
  resetSignal.throwIfAborted();
}

/** Records a result in the journal. @returns the reply with its response */
function recordReply(entry: OpenEntry, result: OperationResult, response: ResponseData): Reply {
  const { resultStatus, resultMsg, replay = false, scripted = false, explain } = result;
  entry.httpStatus = response.httpStatus;
  entry.response = recordResponse(response);
  entry.answer = 'sent';
  if (resultStatus !== undefined) entry.resultStatus = resultStatus;
  if (resultMsg !== undefined) entry.resultMsg = resultMsg;
  if (explain) {
    entry.hasDiagnosis = true;
    // The property is not enumerable, so that copying, comparing or serializing an entry does not compute the
    // diagnosis.
    Object.defineProperty(entry, 'diagnosis', { get: explain });
  }
  Object.assign(entry, { replay, scripted });
  return { kind: 'response', response };
}

/** The reply to a request that was refused before its operation, or that failed inside the mock. */
function replyToError(error: unknown, context: RequestContext): Reply {
  const { entry, resetSignal } = context;
  if (error instanceof Refusal) return recordReply(entry, error, resultResponse(context, error));
  if (resetSignal.aborted) {
    entry.error = 'The mock was reset.';
    return { kind: 'connection-reset' };
  }
  entry.error = error instanceof Error ? error.message : String(error);
  if (error instanceof SenderGoneError) return { kind: 'connection-reset' };
  const result = { resultStatus: 'ERROR_GENERAL', resultMsg: `The mock failed: ${entry.error}` };
  return recordReply(entry, result, jsonResponse(result, 500));
}
