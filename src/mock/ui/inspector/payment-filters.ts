import { settlements, type MockPayment } from '../../state/payments.js';
import { customerName } from './payment-detail.js';

/** Which payments a list shows. */
export interface PaymentFilters {
  /** Part of a reference, a customer's name, a transaction or a merchant. */
  readonly search?: string;
  readonly status?: MockPayment['status'];
}

/** The filters of a query; empty and unknown ones are ignored. */
export function paymentFiltersOf(query: Readonly<Record<string, string>>): PaymentFilters {
  const search = query['search']?.trim() ?? '';
  const status = (['pending', ...settlements] as const).find((word) => word === query['status']);
  return { ...(search !== '' && { search }), ...(status && { status }) };
}

export function isPaymentShown(payment: MockPayment, { search, status }: PaymentFilters): boolean {
  if (status !== undefined && payment.status !== status) return false;
  if (search === undefined) return true;
  const { referenceId, paymentTransId = '', merchantId } = payment;
  const wanted = search.toLowerCase();
  return [referenceId, customerName(payment), paymentTransId, merchantId].some((text) =>
    text.toLowerCase().includes(wanted),
  );
}
