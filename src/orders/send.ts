import type { ClientSettings } from '../client.js';
import { isInstallmentError } from '../errors/error-table.js';
import { bounded } from '../http/bounded.js';
import { systemRuntime } from '../http/runtime.js';
import type { Effect, SendResult } from './commands.js';
import type { CheckedOptions, OrdersClient } from './options.js';
import type { Order } from './order.js';
import type { Done } from './run-command.js';
import { storedIn, type StoredInvoice, type StoredPayment } from './stored-request.js';
import type { OrderView } from './types.js';

/** Without an answer of the service: it was not asked. */
function notAsked(code: string, action: string): SendResult {
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
  sendBefore: Date,
  repeatUnknown: boolean,
): Promise<SendResult> {
  const { request, additionalFields } = storedIn<StoredPayment>(payment.request);
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
  order: Order,
  view: OrderView,
  { sendBefore }: Done,
  { loadFile }: CheckedOptions,
): Promise<SendResult> {
  const { upload, file: name } = storedIn<StoredInvoice>(invoice.upload);
  const ms = sendBefore.getTime() - Date.now();
  const load = async () => (name === undefined ? undefined : await loadFile?.(name, view));
  // A stream that stalls would otherwise keep the sweep for ever.
  const loaded = await bounded(load, { ms, signal: undefined, runtime: systemRuntime });
  if (loaded.ended !== 'done' || (name !== undefined && loaded.value === undefined))
    return notAsked('FILE_NOT_LOADED', 'loadFile failed, or was too slow. Nothing was sent.');
  const merchantId = order.payments.find(({ referenceId }) => referenceId === order.paidBy)?.asked.merchantId;
  await client.uploadInvoice(
    { merchantId, ...upload, referenceId: order.paidBy ?? '', file: loaded.value },
    { sendBefore, maxRetries: 0 },
  );
  return { step: 'accepted' };
}

/** Carries out an effect, and resolves to how it ended. It never rejects. */
export async function carryOut(
  effect: Exclude<Effect, { type: 'tell' }>,
  {
    done,
    order,
    view,
    client,
    options,
  }: {
    readonly done: Done;
    readonly order: Order;
    readonly view: OrderView;
    readonly client: () => Promise<OrdersClient>;
    readonly options: CheckedOptions;
  },
): Promise<SendResult> {
  let chosen: OrdersClient;
  try {
    chosen = await client();
  } catch (error) {
    options.logger?.error('installment-payments: there is no client for an order', {
      orderId: order.orderId,
      error,
    });
    return notAsked('NO_CLIENT', 'The function client failed for the account of this order.');
  }
  try {
    if (effect.type === 'upload') return await sendInvoice(chosen, effect, order, view, done, options);
    return await sendPayment(chosen, effect, done.sendBefore, repeatUnknownOf(chosen.settings, options));
  } catch (error) {
    if (!isInstallmentError(error))
      options.logger?.error('installment-payments: the client failed', { orderId: order.orderId, error });
    return resultOf(error);
  }
}

export function repeatUnknownOf(
  settings: ClientSettings | undefined,
  { repeatUnknown }: CheckedOptions,
): boolean {
  return repeatUnknown ?? settings?.repeatUnknown ?? true;
}
