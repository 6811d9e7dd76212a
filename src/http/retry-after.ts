/**
 * Milliseconds that a `Retry-After` header asks to wait: whole seconds, or an HTTP date. Anything else, a header that
 * was sent twice included, is ignored (RFC 9110, 10.2.3).
 */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
  const date = new Date(value);
  // RFC 9110, 5.6.7: senders use only the form that toUTCString writes, so any other is malformed.
  const isHttpDate = !Number.isNaN(date.getTime()) && date.toUTCString() === value;
  return isHttpDate ? Math.max(0, date.getTime() - now.getTime()) : undefined;
}
