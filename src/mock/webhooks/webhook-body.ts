import type { SettledPayment } from '../state/payment-record.js';
import { reasonOf } from '../common/reason-of.js';
import type { MockWebhookEvent } from './webhook-event.js';
import type { MockWebhookOptions } from './webhook-types.js';

/** The text to sign and send, or what is wrong with a function of the test. */
export function bodyOf(
  payment: SettledPayment,
  id: string,
  { body }: MockWebhookOptions,
): { readonly body: string; readonly problem?: string } {
  try {
    const made = body ? body(payment) : defaultBody(payment, id);
    const text: unknown = typeof made === 'string' ? made : JSON.stringify(made);
    if (typeof text === 'string') return { body: text };
    return { body: '', problem: 'webhook.body returned a value that JSON does not have' };
  } catch (error) {
    return { body: '', problem: `webhook.body failed: ${reasonOf(error)}` };
  }
}

/** The specification shows no shape for a payment notification: this one is ours. */
function defaultBody(payment: SettledPayment, id: string): MockWebhookEvent {
  const { merchantId, referenceId, status, request, paymentTransId, settledAt } = payment;
  return {
    id,
    event: 'payment.settled',
    merchantId,
    referenceId,
    status,
    amount: request.amount,
    ...(paymentTransId !== undefined && { paymentTransId }),
    settledAt: settledAt.toISOString(),
  };
}

/** The payment as a forger would have it: paid, for another amount. */
export function forgedPayment(payment: SettledPayment): SettledPayment {
  const { amount } = payment.request;
  const request = { ...payment.request, amount: { ...amount, value: amount.value + 1 } };
  return { ...payment, request, status: 'paid', paymentTransId: 'PT-FORGED' };
}
