import { isInstallmentError } from '../errors/error-table.js';
import { bounded } from '../http/bounded.js';
import { systemRuntime } from '../http/runtime.js';
import { jsonIn } from '../values/untrusted-values.js';
import type { Effect, SendResult } from './commands.js';
import type { CheckedOptions, OrdersClient } from './options.js';
import type { Order } from './order.js';
import type { Report } from './report.js';
import type { StoredInvoice, StoredPayment } from './stored-request.js';
import type { OrderView } from './types.js';

/** All that is known where an effect is carried out. */
export interface Sending {
  readonly order: Order;
  readonly view: OrderView;
  readonly sendBefore: Date;
  /** A call that is not over by then has no end. */
  readonly longestMs: number;
  readonly repeatUnknown: boolean;
  readonly loadFile: CheckedOptions['loadFile'];
  readonly report: Report;
}

/** The service was not asked. */
export function notAsked(code: string, action: string): SendResult {
  return { step: 'call_again', error: { code, action } };
}

/** The end of a call as the rules know it. */
function resultOf(error: unknown): SendResult {
  if (!isInstallmentError(error)) {
    const action = 'The client threw something that is not an InstallmentError: see the log.';
    return { step: 'repeat', error: { code: 'UNKNOWN', action } };
  }
  const { code, action, nextStep: step, retryAfterMs, $metadata } = error;
  if (code === 'TIMEOUT' && $metadata?.attempts.length === 0) return { step: 'too_late' };
  return { step, error: { code, action }, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

async function sendPayment(
  client: OrdersClient,
  { payment }: Extract<Effect, { type: 'send' }>,
  { sendBefore, repeatUnknown }: Sending,
): Promise<SendResult> {
  const { request, additionalFields } = jsonIn(payment.request ?? '') as StoredPayment;
  const { paymentUrl, qrData } = await client.initiatePayment(request, {
    additionalFields,
    idempotencyKey: payment.idempotencyKey,
    sendBefore,
    ...(payment.mayExist && { mayHaveBeenSent: true, maxRetries: 0 }),
    ...(!repeatUnknown && { repeatUnknown }),
  });
  return { step: 'accepted', paymentUrl, ...(qrData !== undefined && { qrData }) };
}

async function sendInvoice(
  client: OrdersClient,
  { invoice }: Extract<Effect, { type: 'upload' }>,
  { order, view, sendBefore, loadFile, report }: Sending,
): Promise<SendResult> {
  const { upload, file: name } = jsonIn(invoice.upload ?? '') as StoredInvoice;
  const ms = sendBefore.getTime() - Date.now();
  const load = async () => (name === undefined ? undefined : await loadFile?.(name, view));
  // A file that never comes would otherwise keep the sweep for ever.
  const loaded = await bounded(load, { ms, signal: undefined, runtime: systemRuntime });
  if (loaded.ended === 'failed') report('error', 'loadFile failed', { orderId: order.orderId }, loaded.error);
  if (loaded.ended !== 'done' || (name !== undefined && loaded.value === undefined))
    return notAsked('FILE_NOT_LOADED', 'loadFile failed, or was too slow. Nothing was sent.');
  const merchantId = order.payments.find(({ referenceId }) => referenceId === order.paidBy)?.asked.merchantId;
  await client.uploadInvoice(
    { merchantId, ...upload, referenceId: order.paidBy ?? '', file: loaded.value },
    { sendBefore, maxRetries: 0 },
  );
  return { step: 'accepted' };
}

/** Sends a payment or an invoice, and resolves to how it ended. It never rejects, and it ends, whatever the client does. */
export async function carryOut(
  effect: Exclude<Effect, { type: 'tell' }>,
  client: OrdersClient,
  sending: Sending,
): Promise<SendResult> {
  const send = () =>
    effect.type === 'upload' ? sendInvoice(client, effect, sending) : sendPayment(client, effect, sending);
  const call = await bounded(send, { ms: sending.longestMs, signal: undefined, runtime: systemRuntime });
  if (call.ended === 'done') return call.value;
  const error = call.ended === 'failed' ? call.error : new Error('the client did not end the call');
  if (!isInstallmentError(error))
    sending.report('error', 'the client failed', { orderId: sending.order.orderId }, error);
  return resultOf(error);
}
