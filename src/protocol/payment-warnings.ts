import type { CheckedPaymentRequest } from './payment-types.js';

/**
 * Warns if the amount is in a different unit than the prices. It then differs from their sum by a power of ten;
 * shipping or a discount rarely makes such a difference.
 */
export function amountUnitWarning({
  amount,
  items,
}: Pick<CheckedPaymentRequest, 'amount' | 'items'>): string | undefined {
  const sum = items.reduce((total, item) => total + item.totalAmount, 0);
  const isOdd = sum >= 10 * amount.value || amount.value >= 10 * sum;
  if (!isOdd) return undefined;
  const size = sum > amount.value ? 'ten times amount.value or more' : 'a tenth of amount.value or less';
  return `The sum of the items is ${size}: check that all amounts are in VND.`;
}

const minuteMs = 60_000;
const longestDays = 90;
const hourInSeconds = 3600;
/** Unix times in seconds of the years 2020 to 2040. As milliseconds, they are about three weeks. */
const unixSeconds = { from: 1_577_836_800, to: 2_208_988_800 };

/**
 * Describes a `transExpiredTime` that is probably in the wrong unit; undefined for any other. The specification gives
 * no limits.
 */
export function oddExpiry(ms: number): string | undefined {
  if (ms < minuteMs) return 'less than a minute';
  if (ms > longestDays * 86_400_000) return `more than ${longestDays} days`;
  // A duration is usually a whole number of seconds. The time until a deadline is not, but rarely matches the checks
  // below.
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
  const odd = ms === undefined ? undefined : oddExpiry(ms);
  return odd && `transExpiredTime is ${odd}. It must be a duration in milliseconds: 15 minutes are 900000.`;
}
