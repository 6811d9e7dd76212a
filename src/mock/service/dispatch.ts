import { endpoints } from '../../protocol/endpoints.js';
import type { OpenEntry } from '../state/journal.js';
import {
  maxBodyBytes,
  jsonResponse,
  SenderGoneError,
  type Delivery,
  type IncomingRequest,
  type ResponseData,
} from '../common/delivery.js';
import { recordResponse } from './messages.js';
import type { ArrivedRequest, MockContext } from './mock-context.js';
import type { OperationResult, OperationRow } from './operation-row.js';
import { initiatePayment } from './operations/initiate-payment.js';
import { paymentReceipt, repaymentAllocation } from './operations/lender-notifications.js';
import { uploadInvoice } from './operations/upload-invoice.js';
import { refusal } from './refusals.js';
import { RequestFaults } from './request-faults.js';
import { resultResponse, unknownPathResponse } from './responses.js';
import { scriptedResult } from './scripted-results.js';

/** The operations of a mock by their paths; `handle` adds a row. */
export type Operations = Map<string, OperationRow>;

/** The four operations of the service. */
export function serviceOperations(): Operations {
  return new Map<string, OperationRow>([
    [endpoints.initiatePayment.path, initiatePayment],
    [endpoints.uploadInvoice.path, uploadInvoice],
    [endpoints.paymentReceipt.path, paymentReceipt],
    [endpoints.repaymentAllocation.path, repaymentAllocation],
  ]);
}

/** Serves one request to the service, and journals it. `ended` fires when the mock is reset. */
export async function dispatch(
  request: IncomingRequest,
  operations: Operations,
  mock: MockContext,
  ended: AbortSignal,
): Promise<Delivery> {
  const started = performance.now();
  const row = operations.get(request.path);
  const entry = mock.journal.arrive(request, row?.operation);
  const abandoned = () => {
    mock.journal.abandon(entry);
  };
  try {
    const delivery = row
      ? await serve(row, { operation: row.operation, request, mock, entry, ended })
      : refuseUnknownPath(request, operations, mock, entry);
    return delivery.kind === 'response' ? { ...delivery, abandoned } : delivery;
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
async function serve(row: OperationRow, arrived: ArrivedRequest): Promise<Delivery> {
  const { request, mock, entry, ended } = arrived;
  const refuse = (result: OperationResult) => respond(result, resultResponse(arrived, result), entry);

  if (request.method !== row.method) {
    return refuse(refusal('INVALID_HTTP_METHOD', `The method must be ${row.method}.`));
  }
  const bytes = await request.readBody(maxBodyBytes[row.contentType]);
  ended.throwIfAborted();
  if (!bytes) return refuse(tooLarge[row.contentType]);
  const message = row.read(bytes, request);
  Object.assign(entry, message.recorded);

  const faults = new RequestFaults(arrived);
  mock.journal.tell(entry);
  const gatewayRefusal = faults.refusal();
  if (gatewayRefusal) return respond({}, gatewayRefusal, entry);
  const notServed = faults.beforeService();
  if (notServed) return notServed;

  const context = { ...arrived, faults };
  const { refused, sender } = await row.authenticate(message, context);
  const result = refused ?? scriptedResult(context) ?? (await row.act(message, sender, context));
  entry.acted = result.acted !== undefined;

  await notificationBeforeResponse(result, arrived);
  await faults.delayBeforeResponse();
  const response = result.response ?? resultResponse(arrived, result);
  const delivery = respond(result, response, entry);
  return faults.afterService(result.acted, response) ?? delivery;
}

const tooLarge = {
  'application/json': refusal(
    'INVALID_REQUEST',
    `The body is larger than ${maxBodyBytes['application/json'] / 2 ** 20} MiB.`,
  ),
  'multipart/form-data': refusal(
    'FILE_TOO_LARGE',
    `The body is larger than ${maxBodyBytes['multipart/form-data'] / 2 ** 20} MiB.`,
  ),
} as const;

/** In a world that notifies a merchant early, the response to a payment that was created waits for the webhook. */
async function notificationBeforeResponse(
  { acted }: OperationResult,
  { entry: { merchantId, referenceId }, mock, ended }: ArrivedRequest,
): Promise<void> {
  if (acted !== 'payment' || merchantId === undefined || referenceId === undefined) return;
  await mock.announced({ merchantId, referenceId });
  ended.throwIfAborted();
}

/** Records a result in the journal and delivers its response. */
function respond(result: OperationResult, response: ResponseData, entry: OpenEntry): Delivery {
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
  operations: Operations,
  mock: MockContext,
  entry: OpenEntry,
): Delivery {
  const paths = [...operations.keys()].join(', ');
  const result = refusal('INVALID_API', `Unknown path. The mock serves ${paths}, without a prefix.`);
  return respond(result, unknownPathResponse(path, result, mock), entry);
}

function failure(error: unknown, ended: AbortSignal, entry: OpenEntry): Delivery {
  if (ended.aborted) {
    entry.error = 'The mock was reset.';
    return { kind: 'reset' };
  }
  entry.error = error instanceof Error ? error.message : String(error);
  if (error instanceof SenderGoneError) return { kind: 'reset' };
  const result = refusal('ERROR_GENERAL', `The mock failed: ${entry.error}`);
  return respond(result, jsonResponse(result, 500), entry);
}
