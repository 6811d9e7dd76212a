import { isInstallmentError } from '../errors/error-codes.js';
import { withTimeLimit, type TimedResult } from '../values/time-limit.js';
import { tryParseJson } from '../values/untrusted-values.js';
import type { CallResult, Command, Effect, RuleSettings } from './commands.js';
import type { CheckedOptions, OrdersClient } from './options.js';
import type { Invoice, Order, Payment } from './order.js';
import type { Report } from './report.js';
import type { StoredInvoice, StoredPayment } from './stored-request.js';
import { fileNotLoaded } from './invoice-rules.js';
import { viewOf } from './order-view.js';
import { paymentOf } from './payment-state.js';

/** The order, the client, the options and the settings for carrying out an effect. */
export interface EffectContext {
  readonly order: Order;
  /** The client of the order's account; undefined if the account has no client now. */
  readonly client: OrdersClient | undefined;
  readonly sendBefore: Date;
  readonly settings: Pick<RuleSettings, 'claimMs' | 'safeAfterMs' | 'repeatUnknown'>;
  readonly options: Pick<CheckedOptions, 'loadFile' | 'onPaid'>;
  readonly report: Report;
}

/** Runs work, and stops waiting for its result after `ms` milliseconds. */
function within<T>(ms: number, work: () => Promise<T>): Promise<TimedResult<T>> {
  return withTimeLimit(ms, undefined, work);
}

/** Converts the error of a call into a result for the rules. */
function failedResult(error: unknown): CallResult {
  if (!isInstallmentError(error)) {
    const action = 'The client failed without an InstallmentError, or did not finish in time: see the log.';
    return { step: 'repeat', error: { code: 'UNKNOWN', action } };
  }
  const { code, action, nextStep: step, retryAfterMs, $metadata } = error;
  // A TIMEOUT without an attempt: `sendBefore` or the client's total time limit passed first, so nothing was sent.
  if (code === 'TIMEOUT' && $metadata?.attempts.length === 0) return { step: 'not_made' };
  return { step, error: { code, action }, retryAfterMs };
}

async function send(
  client: OrdersClient,
  { request: stored, idempotencyKey, mayExist }: Payment,
  { sendBefore, settings }: EffectContext,
): Promise<CallResult> {
  const { request, additionalFields } = tryParseJson(stored ?? '') as StoredPayment;
  const { paymentUrl, qrData } = await client.initiatePayment(request, {
    additionalFields,
    idempotencyKey,
    sendBefore,
    ...(mayExist && { mayHaveBeenSent: true, maxRetries: 0 }),
    ...(!settings.repeatUnknown && { repeatUnknown: false }),
  });
  return { step: 'accepted', paymentUrl, qrData };
}

async function upload(
  client: OrdersClient,
  invoice: Invoice,
  { order, sendBefore, options, report }: EffectContext,
): Promise<CallResult> {
  const { upload: fields, file: name } = tryParseJson(invoice.upload ?? '') as StoredInvoice;
  const loaded = await within(sendBefore.getTime() - Date.now(), async () =>
    name === undefined ? undefined : await options.loadFile?.(name, viewOf(order.orderId, order)),
  );
  if (loaded.ended === 'failed') report('error', 'loadFile failed', { orderId: order.orderId }, loaded.error);
  if (loaded.ended !== 'done' || (name !== undefined && loaded.value === undefined)) {
    const action = 'loadFile failed or was too slow, so nothing was sent. Check loadFile and the file.';
    return { step: 'call_again', error: { code: fileNotLoaded, action } };
  }
  const { merchantId, storeId } = paymentOf(order, order.paidBy)?.expected ?? {};
  const { invoiceId } = await client.uploadInvoice(
    {
      merchantId,
      storeId,
      ...fields,
      referenceId: order.paidBy ?? '',
      file: loaded.value,
    },
    { sendBefore, maxRetries: 0 },
  );
  return { step: 'accepted', invoiceId };
}

/** Makes a call and resolves to its result. The promise never rejects, and resolves even if the client hangs. */
async function makeCall(
  call: (client: OrdersClient) => Promise<CallResult>,
  { client, order, settings, report }: EffectContext,
): Promise<CallResult> {
  if (!client) return { step: 'not_made' };
  const made = await within(settings.safeAfterMs, () => call(client));
  if (made.ended === 'done') return made.value;
  const error =
    made.ended === 'failed' ? made.error : new Error('the client did not finish the call in time');
  if (!isInstallmentError(error)) report('error', 'the client failed', { orderId: order.orderId }, error);
  return failedResult(error);
}

/** Calls `onPaid`, and resolves to true if `onPaid` succeeded in time. */
async function callOnPaid({ order, settings, options: { onPaid }, report }: EffectContext): Promise<boolean> {
  const view = viewOf(order.orderId, order);
  if (typeof onPaid !== 'function' || view.state !== 'paid') return false;
  const called = await within(settings.claimMs, async () => {
    await onPaid(view);
  });
  if (called.ended === 'done') return true;
  const error = called.ended === 'failed' ? called.error : undefined;
  report(
    'error',
    'onPaid failed or did not finish in time, and will be called again',
    { orderId: order.orderId },
    error,
  );
  return false;
}

/** Sends a payment, uploads an invoice or calls `onPaid`, and resolves to the command that reports the result. */
export async function carryOut(effect: Effect, context: EffectContext): Promise<Command> {
  const { token: commandId } = effect.claim;
  switch (effect.type) {
    case 'send': {
      const { payment } = effect;
      const result = await makeCall((client) => send(client, payment, context), context);
      return { type: 'callEnded', commandId, referenceId: payment.referenceId, result };
    }
    case 'upload': {
      const { invoice } = effect;
      const result = await makeCall((client) => upload(client, invoice, context), context);
      return { type: 'uploadEnded', commandId, number: invoice.number, result };
    }
    case 'callOnPaid':
      return { type: 'onPaidCalled', commandId, isDone: await callOnPaid(context) };
  }
}
