import { parseRequestTime } from '../../protocol/timestamps.js';
import { groupBy } from '../../values/group-by.js';
import { jsonIn } from '../../values/untrusted-values.js';
import { isAnswerLost } from '../state/journal.js';
import type { JournalEntry } from '../state/journal-types.js';
import type { MockPayment } from '../state/payment-record.js';
import {
  byReference,
  isRefusedForNow,
  leavesOpen,
  orderIn,
  orderKey,
  perReference,
  requestNames,
  requestsOf,
  sighting,
  type Sighting,
} from './evidence.js';
import type { RunRecord } from './record.js';

const mostRequests = 20;
const burst = { requests: 10, withinMs: 2000 };
// The clocks of two machines differ; half an hour is a time zone.
const toleratedMinutes = 5;
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
  const firstEnd = Math.min(...unpaid.map(({ settledAt }) => settledAt?.getTime() ?? Infinity));
  const later = run.payments.filter(({ createdAt }) => createdAt.getTime() > firstEnd).length;
  const known = run.orders === undefined ? unpaidEnds(plain).length : 0;
  const attempts = Math.max(0, Math.min(later, unpaid.length - known));
  return run.payments.length - expected - attempts;
}

export function twoPayments(run: RunRecord, plain?: RunRecord): Sighting[] {
  const { payments, orders } = run;
  const expected = orders ?? plain?.payments.length ?? Infinity;
  const more = paymentsBeyond(expected, run, plain);
  if (more <= 0) return [];
  const clicked = new Map(run.clicks.map((click) => [orderKey(click), click.order]));
  const byOrder = (some: RunRecord) =>
    groupBy(some.payments, (each) => clicked.get(orderKey(each)) ?? orderIn(each.request, each.referenceId));
  const repeated = [...byOrder(run).values()].filter(({ length }) => length > 1);
  // Of orders that are alike nothing tells which was paid twice.
  const areAlike = orders === undefined && plain && byOrder(plain).size < plain.payments.length;
  const isClear = areAlike !== true && repeated.flat().length - repeated.length === more;
  const created = creationsOf(isClear ? repeated.flat() : payments, run);
  const compared = orders === undefined ? `, ${expected} in the plain world` : ` for ${expected} orders`;
  const message = `${payments.length} payments were created${compared}. See ${requestNames(created)}.`;
  const [again, ...others] = isClear ? repeated : [];
  return [sighting(message, created, others.length === 0 ? again?.at(-1)?.referenceId : undefined)];
}

/** The requests that created payments. */
function creationsOf(payments: readonly MockPayment[], run: RunRecord): JournalEntry[] {
  const keys = new Set(payments.map(orderKey));
  return requestsOf('initiatePayment', run).filter((entry) => entry.acted && keys.has(orderKey(entry)));
}

/** Only clicks show which payments are of one order. */
export function twoLinksPaid(run: RunRecord): Sighting[] {
  return [...groupBy(run.clicks, ({ order }) => order).values()].flatMap((clicks) => {
    const keys = new Set(clicks.map(orderKey));
    const paid = run.payments.filter((payment) => payment.status === 'paid' && keys.has(orderKey(payment)));
    const created = creationsOf(paid, run);
    const message = `One order is paid twice: ${requestNames(created)}.`;
    return paid.length > 1 ? sighting(message, created, paid.at(-1)?.referenceId) : [];
  });
}

/** A warning of the journal: the order can be meant, and probably is not. */
export function orderOdd(run: RunRecord): Sighting[] {
  return perReference(requestsOf('initiatePayment', run), (entries, referenceId) => {
    const odd = entries.find(({ warnings = [] }) => warnings.length > 0);
    return odd?.warnings?.map((warning) =>
      sighting(`${requestNames([odd])}: ${warning}`, [odd], referenceId),
    );
  });
}

export function newReferenceAfterUnknown(run: RunRecord, plain?: RunRecord): Sighting[] {
  if (!plain) return [];
  const sent = byReference(requestsOf('initiatePayment', run));
  const known = byReference(requestsOf('initiatePayment', plain));
  const groups = [...sent.values()];
  const fresh = groups.flatMap(([first]) => (first && !known.has(orderKey(first) ?? '') ? first : []));
  return groups
    .flatMap((entries) => entries.find(leavesOpen) ?? [])
    .map((doubt) => ({ doubt, next: successors(doubt, fresh) }))
    .filter(({ next }) => next.length > 0)
    .sort((one, other) => one.next.length - other.next.length)
    .slice(0, Math.max(0, sent.size - known.size))
    .map(({ doubt, next }) => {
      const which = next.length === 1 ? '' : ', one of them for it';
      const message = `${responseTo(doubt)}; ${requestNames(next)} followed under another reference${which}.`;
      return sighting(message, [doubt, ...next], doubt.referenceId);
    });
}

/** The requests that may be for the same order under another reference: those that are alike, else all later ones. */
function successors(doubt: JournalEntry, firsts: readonly JournalEntry[]): readonly JournalEntry[] {
  const order = ({ body, referenceId }: JournalEntry) => orderIn(body ?? '', referenceId);
  const later = firsts.filter(({ id }) => id > doubt.id);
  const alike = later.filter((entry) => order(entry) === order(doubt));
  return alike.length > 0 ? alike : later;
}

/** `The response to request 3 (A) was lost`. */
function responseTo(entry: JournalEntry): string {
  const end = isAnswerLost(entry) ? 'lost' : (entry.resultStatus ?? `HTTP ${entry.httpStatus}`);
  return `The response to ${requestNames([entry])} was ${end}`;
}

/** In each group, the first two requests that differ. */
function differingPairs(
  entries: readonly JournalEntry[],
  groupOf: (entry: JournalEntry) => string | undefined,
  read: (entry: JournalEntry) => string | undefined,
): (readonly [JournalEntry, JournalEntry])[] {
  return [...groupBy(entries, groupOf).values()].flatMap(([first, ...later]) => {
    const other = later.find((entry) => first && read(entry) !== read(first));
    return first && other ? [[first, other] as const] : [];
  });
}

function requestsWithKey(run: RunRecord): JournalEntry[] {
  return requestsOf('initiatePayment', run).filter((entry) => entry.idempotencyKey !== undefined);
}

export function newKey(run: RunRecord): Sighting[] {
  const sameBody = (entry: JournalEntry) => entry.referenceId && `${orderKey(entry)}\n${bodyOf(entry)}`;
  return differingPairs(requestsWithKey(run), sameBody, (entry) => entry.idempotencyKey).map((pair) => {
    const message = `The same body has two Idempotency-Keys: ${requestNames(pair)}.`;
    return sighting(message, pair, pair[0].referenceId);
  });
}

export function keyReused(run: RunRecord): Sighting[] {
  const sameKey = ({ idempotencyKey, headers }: JournalEntry) => `${headers['client-id']}\n${idempotencyKey}`;
  return differingPairs(requestsWithKey(run), sameKey, bodyOf).map((pair) => {
    const message = `One Idempotency-Key has two bodies: ${requestNames(pair)}. ${differenceOf(...pair)}.`;
    return sighting(message, pair, pair[0].referenceId);
  });
}

/** The first place where two bodies differ, by its path and without its values, which may be personal. */
function differenceOf({ body = '' }: JournalEntry, { body: other = '' }: JournalEntry): string {
  const [one, two] = [jsonIn(body), jsonIn(other)];
  if (one === undefined || two === undefined)
    return 'At least one is not JSON, or longer than the journal keeps';
  const path = firstDifferentPath(one, two);
  return path === undefined ? 'They are written differently' : `First difference: ${path || 'the whole'}`;
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
      const end = all.findIndex((entry) => entry.resultStatus === 'APPROVED' && !isAnswerLost(entry));
      const open = end === -1 ? all : all.slice(0, end);
      const close = tooClose(all);
      if (open.length <= mostRequests && !close) return undefined;
      const requests = close ?? open;
      const count = close
        ? `${burst.requests} requests within ${msOf(close) / 1000} s`
        : `${open.length} requests without an approval`;
      return sighting(`${operation}: ${count}. See ${requestNames(requests)}.`, requests, referenceId);
    }),
  );
}

function msOf(entries: readonly JournalEntry[]): number {
  return (entries.at(-1)?.at.getTime() ?? 0) - (entries[0]?.at.getTime() ?? 0);
}

/** The first requests that follow each other too fast. */
function tooClose(entries: readonly JournalEntry[]): readonly JournalEntry[] | undefined {
  return entries
    .map((_entry, start) => entries.slice(start, start + burst.requests))
    .find((some) => some.length === burst.requests && msOf(some) <= burst.withinMs);
}

export function noKey(run: RunRecord): Sighting[] {
  const without = requestsOf('initiatePayment', run).filter(
    ({ idempotencyKey, referenceId }) => referenceId !== undefined && idempotencyKey === undefined,
  );
  if (without.length === 0) return [];
  const [referenceId, ...others] = new Set(without.map((entry) => entry.referenceId));
  const message = `No Idempotency-Key: ${requestNames(without)}.`;
  return [sighting(message, without, others.length === 0 ? referenceId : undefined)];
}

export function answerAbandoned(run: RunRecord): Sighting[] {
  return perReference(run.requests, (entries, referenceId) => {
    // An upload asks nothing: the payment may have been paid and notified meanwhile.
    const asked = entries.filter(({ operation }) => operation !== 'uploadInvoice');
    const last = asked.at(-1);
    if (last?.operation !== 'initiatePayment') return undefined;
    const isOpen = leavesOpen(last) || isRefusedForNow(last);
    if (!isAnswerLost(last) && !(isOpen && asked.length === 1)) return undefined;
    return sighting(`${responseTo(last)}, and nothing sent it again.`, [last], referenceId);
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
      const tooEarly = later.find(({ ms }) => isEarly(ms) && !(ms < inaccuracyMs && isWaited));
      if (!tooEarly) return [];
      const { each: next, ms } = tooEarly;
      const after = `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
      const message = `The response to ${requestNames([entry])} asked to wait ${seconds} s; ${requestNames([next])} followed after ${after}.`;
      return [sighting(message, [entry, next], referenceId)];
    }),
  );
}

export function requestTimeOff(run: RunRecord): Sighting[] {
  const off = run.requests.flatMap((entry) => {
    const stated = parseRequestTime(entry.headers['request-time'] ?? '', run.requestTimeOffset);
    const minutes = stated ? Math.round((stated.getTime() - entry.at.getTime()) / 60_000) : 0;
    return Math.abs(minutes) > toleratedMinutes ? [{ entry, minutes }] : [];
  });
  const [first] = off;
  if (!first) return [];
  const { minutes } = first;
  const entries = off.map(({ entry }) => entry);
  const where = `${Math.abs(minutes)} minutes ${minutes > 0 ? 'ahead of' : 'behind'} the mock's clock`;
  const message = `Request-Time is ${where}${zoneOf(minutes, run.requestTimeOffset)}: ${requestNames(entries)}.`;
  return [sighting(message, entries)];
}

/** The time zone that explains a difference, if one does. */
function zoneOf(minutes: number, ownOffset: number): string {
  const wholeHalfHours = 30 * Math.round(minutes / 30);
  const offset = ownOffset + wholeHalfHours;
  const isZone = Math.abs(minutes - wholeHalfHours) <= toleratedMinutes && Math.abs(offset) <= 14 * 60;
  if (wholeHalfHours === 0 || !isZone) return '';
  return `, like the time at ${offsetText(offset)}; this mock's is ${offsetText(ownOffset)} (wire.requestTimeOffset), the service's is not documented`;
}

function offsetText(minutes: number): string {
  const time = new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16);
  return `${minutes < 0 ? '-' : '+'}${time}${minutes === 0 ? ' (UTC)' : ''}`;
}
