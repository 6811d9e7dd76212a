import type { CheckedPaymentRequest } from './payment-types.js';

/**
 * Warns if the amount is probably in a different unit from the prices: the sum of the items is ten times the amount or
 * more, or a tenth of the amount or less. Shipping or a discount makes such a difference only in rare cases.
 */
export function amountUnitWarning({
  amount,
  items,
}: Pick<CheckedPaymentRequest, 'amount' | 'items'>): string | undefined {
  const sum = items.reduce((total, item) => total + item.totalAmount, 0);
  const isSuspicious = sum >= 10 * amount.value || amount.value >= 10 * sum;
  if (!isSuspicious) return undefined;
  const size = sum > amount.value ? 'ten times amount.value or more' : 'a tenth of amount.value or less';
  return `The sum of the items is ${size}: check that all amounts are in VND.`;
}

const minuteMs = 60_000;
const longestDays = 90;
const hourInSeconds = 3600;
/** Unix times in seconds of the years 2020 to 2040. Read as milliseconds, these numbers are about three weeks. */
const unixSeconds = { from: 1_577_836_800, to: 2_208_988_800 };

/**
 * Describes a `transExpiredTime` that is probably in the wrong unit; undefined for any other value. The specification
 * gives no limits.
 */
export function suspiciousExpiry(ms: number): string | undefined {
  if (ms < minuteMs) return 'less than a minute';
  if (ms > longestDays * 86_400_000) return `more than ${longestDays} days`;
  // A multiple of 1000 is probably right. Any other value is suspicious only if it looks like a Unix time or whole
  // hours in seconds.
  if (ms % 1000 === 0) return undefined;
  if (ms >= unixSeconds.from && ms < unixSeconds.to) return 'probably a Unix time in seconds';
  return ms % hourInSeconds === 0 && ms <= longestDays * 86_400
    ? 'probably whole hours in seconds'
    : undefined;
}

/** Warns about a `transExpiredTime` that is probably in the wrong unit. */
export function expiryWarning({
  transExpiredTime: ms,
}: {
  readonly transExpiredTime?: number | undefined;
}): string | undefined {
  const problem = ms === undefined ? undefined : suspiciousExpiry(ms);
  return (
    problem && `transExpiredTime is ${problem}. It must be a duration in milliseconds: 15 minutes are 900000.`
  );
}
