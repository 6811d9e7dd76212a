/**
 * 4xx statuses that do not prove a refusal by the service: proxy (407), time-out (408), conflict (409), wrong server
 * (421), too early (425).
 */
const undecided4xx: ReadonlySet<number> = new Set([407, 408, 409, 421, 425]);

/** True for an HTTP status that means, without a result in the body, that the service refused the request. */
export function isRefusalStatus(httpStatus: number): boolean {
  return httpStatus >= 400 && httpStatus < 500 && !undecided4xx.has(httpStatus);
}
