import { parseRequestTime } from '../../protocol/timestamps.js';
import { groupBy } from '../../values/group-by.js';
import { valueOf } from '../../values/untrusted-values.js';
import type { JournalEntry } from '../state/journal-types.js';
import type { MockPayment } from '../state/payment-record.js';
import {
  byReference,
  isApproved,
  isRefusedForNow,
  leavesOpen,
  orderIn,
  orderKey,
  orderOf,
  perReference,
  requestName,
  requestNumbers,
  requestsOf,
  sighting,
  stemOf,
  type Sighting,
} from './evidence.js';
import type { RunRecord } from './record.js';
import { isAnswerLost } from '../state/journal.js';

const mostRequests = 20;
const mostNamed = 6;
const burst = { requests: 10, withinMs: 2000 };
// The clocks of two machines differ; half an hour is a time zone.
const toleratedMs = 5 * 60_000;
const halfHourMs = 30 * 60_000;
// Timers may fire a little early, and the journal keeps whole milliseconds.
const inaccuracyMs = 50;

function bodyOf({ body = '', bodySha256 = body }: JournalEntry): string {
  return bodySha256;
}

/**
 * The payments beyond those that are expected. An end without payment, more than the plain world has, allows one more that
 * began after the first such end: it is another attempt.
 */
function paymentsBeyond(expected: number, run: RunRecord, plain?: RunRecord): number {
  const unpaidEnds = (some?: RunRecord) => some?.ends.filter(({ status }) => status !== 'paid') ?? [];
  const unpaid = unpaidEnds(run);
  const firstEnd = Math.min(...unpaid.map(({ at }) => at.getTime()));
  const later = run.payments.filter(({ createdAt }) => createdAt.getTime() > firstEnd).length;
  const known = run.orders === undefined ? unpaidEnds(plain).length : 0;
  const attempts = Math.max(0, Math.min(later, unpaid.length - known));
  return run.payments.length - expected - attempts;
}

export function twoPayments(run: RunRecord, plain?: RunRecord): Sighting[] {
  const { payments } = run;
  const expected = run.orders ?? plain?.payments.length ?? Infinity;
  const more = paymentsBeyond(expected, run, plain);
  if (more <= 0) return [];
  const [again, isClear] = repeatedPayments(payments, more, run, plain);
  const keys = new Set(again.map(orderKey));
  const created = requestsOf('initiatePayment', run).filter(
    (entry) => entry.acted && (!isClear || keys.has(orderKey(entry))),
  );
  const compared = run.orders === undefined ? `, ${expected} in the plain world` : ` for ${expected} orders`;
  const names = created.slice(-3).map(requestName).join(', ');
  const message = `${payments.length} payments were created${compared}. ${isClear ? 'Again' : 'The last'}: ${names}.`;
  return [sighting(message, created, isClear && more === 1 ? again[0]?.referenceId : undefined)];
}

/** The payments that were created again, and whether that is certain: of equal orders nothing tells which. */
function repeatedPayments(
  payments: readonly MockPayment[],
  more: number,
  { clicks, orders }: RunRecord,
  plain?: RunRecord,
): readonly [payments: readonly MockPayment[], isClear: boolean] {
  const clicked = new Map(clicks.map((click) => [orderKey(click), click.order]));
  const nameOf = (payment: MockPayment) => clicked.get(orderKey(payment)) ?? orderOf(payment);
  const seen = new Set<string>();
  const again = payments.filter((payment) => seen.size === seen.add(nameOf(payment)).size);
  const known = plain?.payments.map(orderOf) ?? [];
  const isDistinct = orders !== undefined || new Set(known).size === known.length;
  return again.length === more && isDistinct ? [again, true] : [payments.slice(-more), false];
}

/** Only clicks show which payments are of one order. */
export function twoLinksPaid(run: RunRecord): Sighting[] {
  return [...groupBy(run.clicks, ({ order }) => order).values()].flatMap((clicks) => {
    const keys = new Set(clicks.map(orderKey));
    const paid = run.payments.filter((payment) => payment.status === 'paid' && keys.has(orderKey(payment)));
    const references = paid.map(({ referenceId }) => referenceId);
    if (paid.length < 2) return [];
    const created = requestsOf('initiatePayment', run).filter(
      (entry) => entry.acted && keys.has(orderKey(entry)),
    );
    const message = `${references.join(' and ')} are for one order, and all are paid.`;
    return [sighting(message, created, references.at(-1))];
  });
}

/** A warning of the journal: the order can be meant, and probably is not. */
export function orderOdd(run: RunRecord): Sighting[] {
  return perReference(requestsOf('initiatePayment', run), (entries, referenceId) => {
    const odd = entries.find(({ warnings = [] }) => warnings.length > 0);
    return odd?.warnings?.map((warning) => sighting(`${requestName(odd)}: ${warning}`, [odd], referenceId));
  });
}

export function newReferenceAfterUnknown(run: RunRecord, plain?: RunRecord): Sighting[] {
  if (!plain) return [];
  const sent = byReference(requestsOf('initiatePayment', run));
  const known = byReference(requestsOf('initiatePayment', plain));
  const more = sent.size - known.size;
  if (more <= 0) return [];
  const firsts = [...sent.values()].flatMap((entries) => entries.slice(0, 1));
  const fresh = firsts.filter((entry) => !known.has(orderKey(entry) ?? ''));
  const doubts = [...sent.values()].flatMap((entries) => entries.filter(leavesOpen).slice(0, 1));
  return doubts
    .map((doubt) => ({ doubt, next: successors(doubt, fresh) }))
    .filter(({ next }) => next.length > 0)
    .sort((one, other) => one.next.length - other.next.length)
    .slice(0, more)
    .map(({ doubt, next }) => {
      const about = `The response to request ${doubt.id} (${doubt.referenceId}) ${endOf(doubt)}`;
      const [first] = next;
      const followed =
        next.length === 1
          ? `request ${first?.id} followed with ${first?.referenceId}`
          : `one of ${requestNumbers(next)} followed for it under another reference, and nothing tells which`;
      return sighting(`${about}; ${followed}.`, [doubt, ...next], doubt.referenceId);
    });
}

/**
 * The requests that may be for the same order under another reference: those with the same body, else all later ones.
 * Among orders with equal bodies only references can tell: an attempt is often named after its order, such as ORDER-1-2.
 */
function successors(doubt: JournalEntry, firsts: readonly JournalEntry[]): readonly JournalEntry[] {
  const later = firsts.filter(({ id }) => id > doubt.id);
  const same = later.filter((entry) => orderIn(entry) === orderIn(doubt));
  const likely = same.length > 0 ? same : later;
  const { referenceId = '' } = doubt;
  const longer = likely.filter((entry) => entry.referenceId?.startsWith(referenceId));
  const siblings = likely.filter((entry) => stemOf(entry.referenceId) === stemOf(referenceId));
  return [longer, siblings].find(({ length }) => length > 0) ?? likely;
}

function endOf(entry: JournalEntry): string {
  return isAnswerLost(entry) ? 'was lost' : `was ${entry.resultStatus ?? `HTTP ${entry.httpStatus}`}`;
}

export function newKey(run: RunRecord): Sighting[] {
  const withKey = requestsOf('initiatePayment', run).filter(
    ({ idempotencyKey }) => idempotencyKey !== undefined,
  );
  return perReference(withKey, (all, referenceId) =>
    [...groupBy(all, bodyOf).values()].flatMap((entries) => {
      const [first] = entries;
      const other = entries.find(({ idempotencyKey }) => idempotencyKey !== first?.idempotencyKey);
      if (!first || !other) return [];
      const message = `${requestNumbers([first, other])} for ${referenceId} have the same body and two Idempotency-Keys.`;
      return [sighting(message, [first, other], referenceId)];
    }),
  );
}

export function keyReused(run: RunRecord): Sighting[] {
  const keyOf = ({ idempotencyKey, headers }: JournalEntry) =>
    idempotencyKey === undefined ? undefined : `${headers['client-id'] ?? ''}\n${idempotencyKey}`;
  return [...groupBy(requestsOf('initiatePayment', run), keyOf).values()].flatMap((entries) => {
    const [first] = entries;
    const other = entries.find((entry) => first && bodyOf(entry) !== bodyOf(first));
    if (!first || !other) return [];
    const pair = [first, other];
    const message = `${pair.map(requestName).join(' and ')} have one Idempotency-Key and two bodies: ${differenceOf(first, other)}.`;
    return [sighting(message, pair, first.referenceId)];
  });
}

/** The first place where two bodies differ, by its path and without its values, which may be personal. */
function differenceOf({ body = '' }: JournalEntry, { body: other = '' }: JournalEntry): string {
  const values = valueOf((): readonly unknown[] => [JSON.parse(body), JSON.parse(other)]);
  if (!values) return 'at least one is not JSON, or longer than the journal keeps';
  const path = firstDifferentPath(values[0], values[1]);
  return path === undefined ? 'they are written differently' : `${path || 'the whole'} differs`;
}

function firstDifferentPath(one: unknown, other: unknown, path = ''): string | undefined {
  if (Object.is(one, other)) return undefined;
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
  if (!isObject(one) || !isObject(other)) return path;
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const place = Array.isArray(one) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const found = firstDifferentPath(Reflect.get(one, key), Reflect.get(other, key), place);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function repeatsForEver(run: RunRecord): Sighting[] {
  return (['initiatePayment', 'uploadInvoice'] as const).flatMap((operation) =>
    perReference(requestsOf(operation, run), (all, referenceId) => {
      const end = all.findIndex(isApproved);
      const open = end === -1 ? all : all.slice(0, end);
      const close = tooClose(all);
      if (open.length <= mostRequests && !close) return undefined;
      const requests = close ?? open;
      const count = close
        ? `${burst.requests} requests within ${secondsOf(close)} s`
        : `${open.length} requests without an end`;
      const message = `${operation} for ${referenceId}: ${count} (${requestNumbers(requests)}).`;
      return sighting(message, requests, referenceId);
    }),
  );
}

function secondsOf(entries: readonly JournalEntry[]): number {
  return ((entries.at(-1)?.at.getTime() ?? 0) - (entries[0]?.at.getTime() ?? 0)) / 1000;
}

/** The first requests that follow each other too fast. */
function tooClose(entries: readonly JournalEntry[]): readonly JournalEntry[] | undefined {
  return entries
    .map((_entry, start) => entries.slice(start, start + burst.requests))
    .find((some) => some.length === burst.requests && secondsOf(some) * 1000 <= burst.withinMs);
}

export function noKey(run: RunRecord): Sighting[] {
  const without = requestsOf('initiatePayment', run).filter(
    ({ idempotencyKey, referenceId }) => referenceId !== undefined && idempotencyKey === undefined,
  );
  if (without.length === 0) return [];
  const more = without.length > mostNamed ? ` and ${without.length - mostNamed} more` : '';
  const names = `${without.slice(0, mostNamed).map(requestName).join(', ')}${more}`;
  const references = new Set(without.map(({ referenceId }) => referenceId));
  const [referenceId] = references.size === 1 ? references : [];
  return [sighting(`No Idempotency-Key: ${names}.`, without, referenceId)];
}

export function answerAbandoned(run: RunRecord): Sighting[] {
  return perReference(run.requests, (entries, referenceId) => {
    // An upload asks nothing: the payment may have been paid and notified meanwhile.
    const asked = entries.filter(({ operation }) => operation !== 'uploadInvoice');
    const last = asked.at(-1);
    if (last?.operation !== 'initiatePayment') return undefined;
    const isOpen = leavesOpen(last) || isRefusedForNow(last);
    if (!isAnswerLost(last) && !(isOpen && asked.length === 1)) return undefined;
    const message = `The response to request ${last.id} (${referenceId}) ${endOf(last)}, and nothing sent it again.`;
    return sighting(message, [last], referenceId);
  });
}

export function retryAfterIgnored(run: RunRecord): Sighting[] {
  const requests = run.requests.filter(({ own }) => own !== true);
  return perReference(requests, (entries, referenceId) =>
    entries.flatMap((entry, index) => {
      const answeredAt = (entry.completedAt ?? entry.at).getTime();
      const seconds = Number(entry.response?.headers['retry-after']);
      if (!(seconds > 0) || isAnswerLost(entry)) return [];
      const later = entries.slice(index + 1).map((each) => ({ each, ms: each.at.getTime() - answeredAt }));
      const isEarly = (ms: number) => ms < seconds * 1000 - inaccuracyMs;
      // Where one waited, another that came with the answer is of a second process: both sent at once.
      const isWaited = later.some(({ each, ms }) => each.operation === entry.operation && !isEarly(ms));
      const isBeside = (ms: number) => ms < inaccuracyMs && isWaited;
      const tooEarly = later.find(({ ms }) => isEarly(ms) && !isBeside(ms));
      if (!tooEarly) return [];
      const { each: next, ms: waitedMs } = tooEarly;
      const waited = (Math.max(0, waitedMs) / 1000).toFixed(1);
      const message = `The response to request ${entry.id} (${referenceId}) asked to wait ${seconds} s; request ${next.id} followed after ${waited} s.`;
      return sighting(message, [entry, next], referenceId);
    }),
  );
}

export function requestTimeOff(run: RunRecord): Sighting[] {
  const off = run.requests.flatMap((entry) => {
    const stated = parseRequestTime(entry.headers['request-time'] ?? '', run.requestTimeOffset);
    const byMs = stated === undefined ? 0 : stated.getTime() - entry.at.getTime();
    return Math.abs(byMs) > toleratedMs ? [{ entry, byMs }] : [];
  });
  const [first] = off;
  if (!first) return [];
  const entries = off.map(({ entry }) => entry);
  const minutes = Math.round(Math.abs(first.byMs) / 60_000);
  const where = first.byMs > 0 ? 'ahead of' : 'behind';
  const clock = `Request-Time is ${minutes} minutes ${where} the mock's clock (${requestNumbers(entries)})`;
  return [sighting(`${clock}${zoneOf(first.byMs, run)}.`, entries)];
}

/** The time zone that explains a difference, if one does. */
function zoneOf(byMs: number, { requestTimeOffset }: RunRecord): string {
  const halfHours = Math.round(byMs / halfHourMs);
  if (halfHours === 0 || Math.abs(byMs - halfHours * halfHourMs) > toleratedMs) return '';
  const offset = requestTimeOffset + halfHours * 30;
  return Math.abs(offset) > 14 * 60
    ? ''
    : `: it looks like the time at ${offsetText(offset)}; this mock's is ${offsetText(requestTimeOffset)} (wire.requestTimeOffset), the service's is not documented`;
}

function offsetText(minutes: number): string {
  if (minutes === 0) return '+00:00 (UTC)';
  const pad = (value: number) => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}
