import { endpoints, type Operation } from '../../protocol/endpoints.js';
import { refused } from './responses.js';
import { Exchange, referencesOf, type Subject, type Verdict } from './exchange.js';
import { jsonAnswer, SenderGoneError, type Delivery, type Incoming } from './delivery.js';
import { strike } from '../controls/faults.js';
import type { Handler } from './handlers/handler.js';
import { initiatePayment } from './handlers/initiate-payment.js';
import { paymentReceipt } from './handlers/payment-receipt.js';
import { repaymentAllocation } from './handlers/repayment-allocation.js';
import { uploadInvoice } from './handlers/upload-invoice.js';
import type { OpenEntry } from '../state/journal.js';
import type { Parts } from './parts.js';
import { refusal, type Refusal } from './refusal.js';

const handlers: Readonly<Record<Operation, Handler>> = {
  initiatePayment,
  uploadInvoice,
  paymentReceipt,
  repaymentAllocation,
};

const operations = Object.keys(handlers) as Operation[];
const operationAt = new Map(operations.map((operation) => [endpoints[operation].path as string, operation]));

const wrongMethod = refusal('INVALID_HTTP_METHOD', 'The method of this operation is POST.');

/** Decides what becomes of a request. `ended` fires when the mock is reset. */
export async function serve(incoming: Incoming, parts: Parts, ended: AbortSignal): Promise<Delivery> {
  const started = performance.now();
  const operation = operationAt.get(incoming.path);
  const entry = parts.journal.arrive(incoming, operation);
  try {
    return operation === undefined
      ? serveUnknownPath(incoming, entry)
      : await serveOperation(operation, { incoming, parts, ended, entry });
  } catch (error) {
    return serveFailure(error, ended, entry);
  } finally {
    parts.journal.complete(entry, performance.now() - started);
  }
}

interface Serving {
  readonly incoming: Incoming;
  readonly parts: Parts;
  readonly ended: AbortSignal;
  readonly entry: OpenEntry;
}

async function serveOperation(operation: Operation, serving: Serving): Promise<Delivery> {
  const { incoming, parts, ended, entry } = serving;
  const handler = handlers[operation];
  const refuse = (reason: Refusal, subject: Subject = {}): Delivery => {
    const exchange = new Exchange(operation, incoming, subject, parts, ended, undefined);
    return answered(refused(exchange, reason), entry);
  };
  if (incoming.method !== endpoints[operation].method) return refuse(wrongMethod);
  const bytes = await incoming.readBody(handler.bodyLimit);
  ended.throwIfAborted();
  if (!bytes) return refuse(handler.tooLarge);
  const request = handler.read(bytes, incoming);
  const { subject } = request;
  request.note(entry);
  noteSubject(subject, entry);
  const drawn = parts.script.drawFault(operation, referencesOf(subject));
  if (drawn) Object.assign(entry, { fault: drawn.fault, faultPhase: drawn.phase });
  parts.journal.tell(entry);
  const exchange = new Exchange(operation, incoming, subject, parts, ended, drawn);
  const before = exchange.faultIn('before');
  if (before) return strike(before, ended);
  const verdict = await request.handle(exchange);
  await exchange.pauseBeforeAnswering();
  const delivery = answered(verdict, entry);
  const after = exchange.faultIn('after');
  return after ? strike(after, ended, verdict.answer) : delivery;
}

/** The words that tests look entries up by. */
const notedWords = ['referenceId', 'idempotencyKey', 'lenderTransactionCode', 'requestId'] as const;

function noteSubject(subject: Subject, entry: OpenEntry): void {
  for (const word of notedWords) {
    const value = subject[word];
    if (value !== undefined) entry[word] = value;
  }
}

/** Notes a verdict in the journal and lets its answer out. */
function answered(verdict: Verdict, entry: OpenEntry): Delivery {
  const { answer, resultStatus, resultMsg, replay, scripted, diagnosis } = verdict;
  entry.httpStatus = answer.httpStatus;
  if (resultStatus !== undefined) entry.resultStatus = resultStatus;
  if (resultMsg !== undefined) entry.resultMsg = resultMsg;
  if (diagnosis) entry.diagnosis = diagnosis;
  entry.replay = replay ?? false;
  entry.scripted = scripted ?? false;
  return { kind: 'answer', answer };
}

/** A lender reads the HTTP status, a merchant the resultStatus; each must see that nothing is there. */
function serveUnknownPath(incoming: Incoming, entry: OpenEntry): Delivery {
  const resultStatus = 'INVALID_API';
  const resultMsg =
    'There is no such API here. The mock serves at the root of its address, without a prefix.';
  const answer = jsonAnswer({ resultStatus, resultMsg }, incoming.path.startsWith('/lender/') ? 400 : 200);
  return answered({ answer, resultStatus, resultMsg }, entry);
}

function serveFailure(error: unknown, ended: AbortSignal, entry: OpenEntry): Delivery {
  if (ended.aborted) {
    entry.error = 'The mock was reset.';
    return { kind: 'reset' };
  }
  entry.error = error instanceof Error ? error.message : String(error);
  if (error instanceof SenderGoneError) return { kind: 'reset' };
  const resultStatus = 'ERROR_GENERAL';
  const resultMsg = `The mock failed: ${entry.error}`;
  return answered({ answer: jsonAnswer({ resultStatus, resultMsg }, 500), resultStatus, resultMsg }, entry);
}
