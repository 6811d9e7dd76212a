import { InstallmentClient, type InstallmentClientOptions } from '../../src/index.js';
import {
  createOrderPayments,
  type OrderPayments,
  type OrderPaymentsOptions,
} from '../../src/orders/index.js';
import type { OrderRequest } from '../../src/orders/types.js';
import { demo, paymentRequest } from '../helpers/samples.js';
import type { Connected } from './connect.js';

/** A request of an order, with a time in which it can be paid. */
export function orderRequest(changes: Partial<OrderRequest> = {}): OrderRequest {
  const { referenceId: _referenceId, ...request } = paymentRequest({ transExpiredTime: 86_400_000 });
  return { ...request, ...changes };
}

/** The notification of a sample request's payment. */
export function eventOf(referenceId: string, status = 'paid', value = orderRequest().amount.value) {
  return { referenceId, status, amount: { value, currency: 'VND' } };
}

export function clientOf(url: string, options: Partial<InstallmentClientOptions> = {}): InstallmentClient {
  return new InstallmentClient({ ...demo, baseUrl: url, maxRetries: 0, ...options });
}

/** Payments over a database whose table is made. */
export async function paymentsOver(
  { dialect, query }: Connected,
  options: Pick<OrderPaymentsOptions, 'client'> & Partial<OrderPaymentsOptions>,
): Promise<OrderPayments> {
  const payments = createOrderPayments({ dialect, query, ...options });
  for (const statement of payments.schema) await query(statement, []);
  return payments;
}
