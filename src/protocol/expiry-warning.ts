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
