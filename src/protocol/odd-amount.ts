import type { CheckedPaymentRequest } from './payment-types.js';

/** An amount in another unit than the prices differs by a power of ten; shipping or a discount hardly does. */
export function oddAmount({
  amount,
  items,
}: Pick<CheckedPaymentRequest, 'amount' | 'items'>): string | undefined {
  const sum = items.reduce((total, item) => total + item.totalAmount, 0);
  const isOdd = sum >= 10 * amount.value || amount.value >= 10 * sum;
  if (!isOdd) return undefined;
  const size = sum > amount.value ? 'ten times amount.value or more' : 'a tenth of amount.value or less';
  return `The items add up to ${size}: all of them are in VND.`;
}
