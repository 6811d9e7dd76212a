import type { CheckedPaymentRequest } from './payment-types.js';

/** An amount in another unit than the prices differs by a power of ten; shipping or a discount hardly does. */
export function amountUnitWarning({
  amount,
  items,
}: Pick<CheckedPaymentRequest, 'amount' | 'items'>): string | undefined {
  const sum = items.reduce((total, item) => total + item.totalAmount, 0);
  const isOdd = sum >= 10 * amount.value || amount.value >= 10 * sum;
  if (!isOdd) return undefined;
  const size = sum > amount.value ? 'ten times amount.value or more' : 'a tenth of amount.value or less';
  return `The items add up to ${size}: all of them are in VND.`;
}

const shortestMs = 60_000;
const longestDays = 90;

/** The warning about a `transExpiredTime` that is probably in another unit. The specification gives it no bounds. */
export function expiryWarning({
  transExpiredTime: ms,
}: {
  readonly transExpiredTime?: number | undefined;
}): string | undefined {
  if (ms === undefined) return undefined;
  const unit = 'It is a duration in milliseconds: 15 minutes are 900000.';
  if (ms < shortestMs) return `transExpiredTime is less than a minute. ${unit}`;
  return ms > longestDays * 86_400_000
    ? `transExpiredTime is more than ${longestDays} days. ${unit}`
    : undefined;
}
