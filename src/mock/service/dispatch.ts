import { endpoints, operations, type Operation } from '../../protocol/endpoints.js';
import { faultsOf } from './request-faults.js';
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
import { initiatePayment } from './handlers/initiate-payment.js';
import { paymentReceipt, repaymentAllocation } from './handlers/lender-notifications.js';
import { uploadInvoice } from './handlers/upload-invoice.js';
import { refusal } from './refusals.js';
import type {
  Handler,
  HandlerResult,
  MockContext,
  RequestContext,
  ServedOperation,
} from './request-context.js';
import { merchantResponse, resultResponse } from './responses.js';

const handlers: Readonly<Record<Operation, Handler>> = {
  initiatePayment,
  uploadInvoice,
  paymentReceipt,
  repaymentAllocation,
};

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

/** Serves one request to the service. `ended` fires when the mock is reset. */
export async function serve(
  request: IncomingRequest,
  mock: MockContext,
  ended: AbortSignal,
): Promise<Delivery> {
  const started = performance.now();
  const operation = operations.find((name) => endpoints[name].path === request.path);
  const served = operation
    ? { ...endpoints[operation], operation, handler: handlers[operation] }
    : mock.ownOperations.get(request.path);
  const entry = mock.journal.arrive(request, operation);
  if (served && !operation) entry.own = true;
  const abandoned = () => {
    mock.journal.abandon(entry);
  };
  try {
    const delivery = served
      ? await serveOperation(served, { request, mock, ended }, entry)
      : unknownPath(request, mock, entry);
    return delivery.kind === 'response' ? { ...delivery, abandoned } : delivery;
  } catch (error) {
    return failure(error, ended, entry);
  } finally {
    mock.journal.complete(entry, performance.now() - started);
  }
}

async function serveOperation(
  { operation, method, contentType, handler }: ServedOperation,
  arrived: Pick<RequestContext, 'request' | 'mock' | 'ended'>,
  entry: OpenEntry,
): Promise<Delivery> {
  const { request, mock, ended } = arrived;
  const unread = { ...arrived, operation, identifiers: {} };
  const refuse = (result: HandlerResult) => respond(result, resultResponse(unread, result), entry);
  if (request.method !== method) {
    return refuse(refusal('INVALID_HTTP_METHOD', `The method must be ${method}.`));
  }
  const bytes = await request.readBody(maxBodyBytes[contentType]);
  ended.throwIfAborted();
  if (!bytes) return refuse(tooLarge[contentType]);

  const read = handler(bytes, request);
  const { identifiers } = read;
  for (const [name, value] of Object.entries({ ...identifiers, ...read.recorded })) {
    if (value !== undefined) Object.assign(entry, { [name]: value });
  }
  const faults = faultsOf(entry, operation, identifiers, arrived);
  mock.journal.tell(entry);
  if (faults.refusal) return respond({}, faults.refusal, entry);
  const struck = faults.strikeBefore();
  if (struck) return struck;

  const context = { ...arrived, operation, identifiers, beforeActing: faults.beforeActing };
  const result = await read.handle(context);
  entry.acted = result.acted !== undefined;
  const { merchantId, referenceId } = identifiers;
  if (result.acted === 'payment' && merchantId !== undefined && referenceId !== undefined) {
    await mock.announced({ merchantId, referenceId });
    ended.throwIfAborted();
  }
  await faults.beforeAnswer();
  const response = result.response ?? resultResponse(context, result);
  const delivery = respond(result, response, entry);
  return faults.strikeAfter(result, response) ?? delivery;
}

/** Records a result in the journal and delivers its response. */
function respond(result: HandlerResult, response: ResponseData, entry: OpenEntry): Delivery {
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

/** A merchant reads the resultStatus and a lender the HTTP status; both must tell that nothing was done. */
function unknownPath({ path }: IncomingRequest, mock: MockContext, entry: OpenEntry): Delivery {
  const own = mock.ownOperations.keys();
  const paths = [...operations.map((operation) => endpoints[operation].path), ...own].join(', ');
  const result = refusal('INVALID_API', `Unknown path. The mock serves ${paths}, without a prefix.`);
  const response = path.startsWith('/lender/')
    ? jsonResponse(result, 400)
    : merchantResponse(result, result, mock);
  return respond(result, response, entry);
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
