import { endpoints, operations, type Endpoint, type Operation } from '../../protocol/endpoints.js';
import {
  maxBodyBytes,
  jsonResponse,
  SenderGoneError,
  type Reply,
  type IncomingRequest,
  type ResponseData,
} from '../common/exchange.js';
import { recordResponse } from './messages.js';
import type { MockContext } from './mock-context.js';
import type {
  OperationResult,
  OperationRow,
  ReadMessage,
  RequestContext,
  ServedOperation,
} from './operation-row.js';
import { initiatePayment } from './operations/initiate-payment.js';
import { paymentReceipt, repaymentAllocation } from './operations/lender-notifications.js';
import { uploadInvoice } from './operations/upload-invoice.js';
import { Refusal } from './refusals.js';
import {
  faultAfterService,
  faultBeforeService,
  gatewayRefusal,
  takeFault,
  waitForNetwork,
} from './request-faults.js';
import { resultResponse, scriptedResult, unknownPathResponse } from './responses.js';

const rows: Readonly<Record<Operation, OperationRow>> = {
  initiatePayment,
  uploadInvoice,
  paymentReceipt,
  repaymentAllocation,
};

/** The operations of a mock by their paths; `handle` adds one. */
export type Operations = Map<string, ServedOperation>;

/** The four operations of the service. */
export function serviceOperations(): Operations {
  return new Map(
    operations.map((name) => {
      const endpoint: Endpoint = endpoints[name];
      return [endpoint.path, { ...endpoint, name, row: rows[name] }];
    }),
  );
}

/** Serves one request to the service, and journals it. `ended` fires when the mock is reset. */
export async function dispatch(
  request: IncomingRequest,
  served: Operations,
  mock: MockContext,
  ended: AbortSignal,
): Promise<Reply> {
  const started = performance.now();
  const operation = served.get(request.path);
  const entry = mock.journal.arrive(request, operation?.name);
  const abandoned = () => {
    mock.journal.abandon(entry);
  };
  try {
    const reply = operation
      ? await runOperation(operation, { operation: operation.name, request, mock, entry, ended })
      : refuseUnknownPath(request, served, mock, entry);
    return reply.kind === 'response' ? { ...reply, abandoned } : reply;
  } catch (error) {
    return failure(error, ended, entry);
  } finally {
    mock.journal.complete(entry, performance.now() - started);
  }
}

/**
 * Takes a request through its operation. The checks come in this order: path (above), method, size, client, signature, then
 * in the `act` of the operation shape, merchant, store, reference, amount, phone, limits, duplicates. The first that
 * fails answers.
 */
async function runOperation(
  { method, contentType, row }: ServedOperation,
  context: RequestContext,
): Promise<Reply> {
  const { request, mock, entry, ended } = context;
  const refuse = (result: Refusal) => recordedReply(result, resultResponse(context, result), entry);

  if (request.method !== method) {
    return refuse(new Refusal('INVALID_HTTP_METHOD', `The method must be ${method}.`));
  }
  const bytes = contentType ? await request.readBody(maxBodyBytes[contentType]) : Buffer.alloc(0);
  ended.throwIfAborted();
  if (!bytes) return refuse(tooLarge(contentType));
  const message = row.read(bytes, request);
  Object.assign(entry, message.recorded);

  takeFault(context);
  mock.journal.notify(entry);
  const byGateway = gatewayRefusal(context);
  if (byGateway) return recordedReply({}, byGateway, entry);
  const notServed = faultBeforeService(context);
  if (notServed) return notServed;

  const result = await decide(row, message, context);
  entry.acted = result.acted !== undefined;

  await notificationBeforeResponse(result, context);
  await waitForNetwork(context, 'after');
  const response = result.response ?? resultResponse(context, result);
  const reply = recordedReply(result, response, entry);
  return faultAfterService(context, result.acted, response) ?? reply;
}

/** The last two steps of an operation; a scripted result takes the place of the second. */
async function decide(
  row: OperationRow,
  message: ReadMessage,
  context: RequestContext,
): Promise<OperationResult> {
  try {
    const sender = await row.authenticate(message, context);
    return scriptedResult(context) ?? (await row.act(message, sender, context));
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function tooLarge(contentType: Endpoint['contentType'] = 'application/json'): Refusal {
  const text = `The body is larger than ${maxBodyBytes[contentType] / 2 ** 20} MiB.`;
  return new Refusal(contentType === 'application/json' ? 'INVALID_REQUEST' : 'FILE_TOO_LARGE', text);
}

/** In a world that notifies a merchant early, the response to a payment that was created waits for the webhook. */
async function notificationBeforeResponse(
  { acted }: OperationResult,
  { entry: { merchantId, referenceId }, mock, ended }: RequestContext,
): Promise<void> {
  if (acted !== 'payment' || merchantId === undefined || referenceId === undefined) return;
  await mock.whenAnnounced({ merchantId, referenceId });
  ended.throwIfAborted();
}

/** Records a result in the journal. @returns the reply with its response */
function recordedReply(
  result: OperationResult,
  response: ResponseData,
  entry: RequestContext['entry'],
): Reply {
  const { resultStatus, resultMsg, replay = false, scripted = false, explain } = result;
  entry.httpStatus = response.httpStatus;
  entry.response = recordResponse(response);
  entry.answer = 'sent';
  if (resultStatus !== undefined) entry.resultStatus = resultStatus;
  if (resultMsg !== undefined) entry.resultMsg = resultMsg;
  if (explain) {
    entry.hasDiagnosis = true;
    // Not enumerable, so that a copy, a comparison or JSON of an entry does not make the explanation.
    Object.defineProperty(entry, 'diagnosis', { get: explain });
  }
  Object.assign(entry, { replay, scripted });
  return { kind: 'response', response };
}

function refuseUnknownPath(
  { path }: IncomingRequest,
  served: Operations,
  mock: MockContext,
  entry: RequestContext['entry'],
): Reply {
  const paths = [...served.keys()].join(', ');
  const result = new Refusal('INVALID_API', `Unknown path. The mock serves ${paths}, without a prefix.`);
  return recordedReply(result, unknownPathResponse(path, result, mock), entry);
}

function failure(error: unknown, ended: AbortSignal, entry: RequestContext['entry']): Reply {
  if (ended.aborted) {
    entry.error = 'The mock was reset.';
    return { kind: 'connection-reset' };
  }
  entry.error = error instanceof Error ? error.message : String(error);
  if (error instanceof SenderGoneError) return { kind: 'connection-reset' };
  const result = { resultStatus: 'ERROR_GENERAL', resultMsg: `The mock failed: ${entry.error}` };
  return recordedReply(result, jsonResponse(result, 500), entry);
}
