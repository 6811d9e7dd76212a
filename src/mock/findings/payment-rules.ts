import { parseRequestTime } from '../../protocol/timestamps.js';
import type { JournalEntry } from '../state/journal-types.js';
import {
  answeredAt,
  groupBy,
  idsOf,
  isApproved,
  isLost,
  leavesOpen,
  named,
  of,
  type Evidence,
} from './evidence.js';
import type { Sighting } from './sighting.js';

const mostRequests = 20;
const burst = { requests: 10, withinMs: 2000 };
// The clocks of two machines differ; half an hour is a time zone.
const toleratedMs = 5 * 60_000;
const halfHourMs = 30 * 60_000;

function byReference(entries: readonly JournalEntry[]) {
  return groupBy(entries, ({ referenceId }) => referenceId);
}

function isSameBody(one: JournalEntry, other: JournalEntry): boolean {
  return one.body === other.body && one.bodyBytes === other.bodyBytes;
}

export function twoPayments(run: Evidence, plain: Evidence): Sighting[] {
  const more = run.payments.length - plain.payments.length;
  if (more <= 0) return [];
  const extra = run.payments.slice(-more).map(({ referenceId }) => referenceId);
  const created = of('initiatePayment', run).filter(
    ({ referenceId, replay, resultStatus }) =>
      !replay && resultStatus === 'APPROVED' && extra.includes(referenceId ?? ''),
  );
  return [
    {
      message:
        `${run.payments.length} payments were created, ${plain.payments.length} in the plain world. ` +
        `The last: ${extra.slice(-3).join(', ')}.`,
      ...(extra.length === 1 && { referenceId: extra[0] }),
      requests: idsOf(created),
    },
  ];
}

/** The order in a body: all that is signed but its reference. */
function orderIn({ body = '' }: JournalEntry): string {
  try {
    const { referenceId: _reference, ...order } = JSON.parse(body) as Record<string, unknown>;
    return JSON.stringify(order);
  } catch {
    return body;
  }
}

export function newReferenceAfterUnknown(run: Evidence, plain: Evidence): Sighting[] {
  const sent = byReference(of('initiatePayment', run));
  const more = sent.size - byReference(of('initiatePayment', plain)).size;
  if (more <= 0) return [];
  const firsts = [...sent.values()].flatMap((entries) => entries.slice(0, 1));
  const doubts = [...sent.values()].flatMap((entries) => entries.filter(leavesOpen).slice(0, 1));
  const sightings = doubts.flatMap((doubt) => {
    const later = firsts.filter(({ id }) => id > doubt.id);
    const next = later.find((entry) => orderIn(entry) === orderIn(doubt)) ?? later[0];
    if (!next) return [];
    const end = isLost(doubt) ? 'was lost' : `was ${doubt.resultStatus ?? `HTTP ${doubt.httpStatus}`}`;
    return [
      {
        message:
          `The answer to request ${doubt.id} (${doubt.referenceId}) ${end}; ` +
          `request ${next.id} followed with ${next.referenceId}.`,
        referenceId: doubt.referenceId,
        requests: [doubt.id, next.id],
      },
    ];
  });
  return sightings.slice(0, more);
}

export function newKey(run: Evidence): Sighting[] {
  const sightings: Sighting[] = [];
  for (const [referenceId, entries] of byReference(of('initiatePayment', run))) {
    const [first] = entries;
    const other = entries.find(
      (entry) =>
        first &&
        entry.idempotencyKey !== undefined &&
        first.idempotencyKey !== undefined &&
        entry.idempotencyKey !== first.idempotencyKey &&
        isSameBody(entry, first),
    );
    if (!first || !other) continue;
    const message = `${named([first, other])} for ${referenceId} have the same body and two Idempotency-Keys.`;
    sightings.push({ message, referenceId, requests: [first.id, other.id] });
  }
  return sightings;
}

export function keyReused(run: Evidence): Sighting[] {
  const keyOf = ({ idempotencyKey, headers }: JournalEntry) =>
    idempotencyKey === undefined ? undefined : `${headers['client-id'] ?? ''}\n${idempotencyKey}`;
  const sightings: Sighting[] = [];
  for (const entries of groupBy(of('initiatePayment', run), keyOf).values()) {
    const [first] = entries;
    const other = entries.find((entry) => first && !isSameBody(entry, first));
    if (!first || !other) continue;
    sightings.push({
      message: `${named([first, other])} have one Idempotency-Key and two bodies: ${differenceOf(first, other)}.`,
      referenceId: first.referenceId,
      requests: [first.id, other.id],
    });
  }
  return sightings;
}

/** The first place where two bodies differ, by its path and without its values, which may be personal. */
function differenceOf({ body = '' }: JournalEntry, { body: other = '' }: JournalEntry): string {
  try {
    const path = firstDifferentPath(JSON.parse(body), JSON.parse(other));
    return path === undefined ? 'they are written differently' : `${path || 'the whole'} differs`;
  } catch {
    return 'at least one is not JSON, or longer than the journal keeps';
  }
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

export function repeatsForEver(run: Evidence): Sighting[] {
  const sightings: Sighting[] = [];
  for (const operation of ['initiatePayment', 'uploadInvoice'] as const) {
    for (const [referenceId, all] of byReference(of(operation, run))) {
      const end = all.findIndex(isApproved);
      const open = end === -1 ? all : all.slice(0, end);
      const close = tooClose(all);
      if (open.length <= mostRequests && !close) continue;
      const count = close
        ? `${burst.requests} requests within ${((close.at(-1)?.at.getTime() ?? 0) - (close[0]?.at.getTime() ?? 0)) / 1000} s`
        : `${open.length} requests without an end`;
      const requests = close ?? open;
      const message = `${operation} for ${referenceId}: ${count} (${named(requests)}).`;
      sightings.push({ message, referenceId, requests: idsOf(requests) });
    }
  }
  return sightings;
}

/** The first requests that follow each other too fast. */
function tooClose(entries: readonly JournalEntry[]): readonly JournalEntry[] | undefined {
  const start = entries.findIndex((entry, index) => {
    const last = entries[index + burst.requests - 1];
    return last && last.at.getTime() - entry.at.getTime() <= burst.withinMs;
  });
  return start === -1 ? undefined : entries.slice(start, start + burst.requests);
}

export function noKey(run: Evidence): Sighting[] {
  const without = of('initiatePayment', run).filter(
    ({ idempotencyKey, referenceId }) => referenceId !== undefined && idempotencyKey === undefined,
  );
  if (without.length === 0) return [];
  return [{ message: `No Idempotency-Key: ${named(without)}.`, requests: idsOf(without) }];
}

export function answerAbandoned(run: Evidence): Sighting[] {
  const sightings: Sighting[] = [];
  for (const [referenceId, entries] of byReference(run.requests)) {
    const doubt = entries.findLast((entry) => entry.operation === 'initiatePayment' && isLost(entry));
    if (!doubt || entries.some(({ id }) => id > doubt.id)) continue;
    const message = `The answer to request ${doubt.id} (${referenceId}) was lost, and nothing asked again.`;
    sightings.push({ message, referenceId, requests: [doubt.id] });
  }
  return sightings;
}

export function retryAfterIgnored(run: Evidence): Sighting[] {
  const sightings: Sighting[] = [];
  for (const [referenceId, entries] of byReference(run.requests)) {
    for (const [index, entry] of entries.entries()) {
      const next = entries[index + 1];
      const seconds = Number(entry.response?.headers['retry-after']);
      if (!next || !(seconds > 0) || isLost(entry)) continue;
      const waitedMs = next.at.getTime() - answeredAt(entry);
      // Timers may fire a little early, and the journal keeps whole milliseconds.
      if (waitedMs >= seconds * 1000 - 50) continue;
      sightings.push({
        message:
          `The answer to request ${entry.id} (${referenceId}) asked to wait ${seconds} s; ` +
          `request ${next.id} followed after ${(Math.max(0, waitedMs) / 1000).toFixed(1)} s.`,
        referenceId,
        requests: [entry.id, next.id],
      });
    }
  }
  return sightings;
}

export function requestTimeOff(run: Evidence): Sighting[] {
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
  return [
    {
      message: `Request-Time is ${minutes} minutes ${where} the mock's clock (${named(entries)})${zoneOf(first.byMs, run)}.`,
      requests: idsOf(entries),
    },
  ];
}

/** The time zone that explains a difference, if one does. */
function zoneOf(byMs: number, { requestTimeOffset }: Evidence): string {
  const halfHours = Math.round(byMs / halfHourMs);
  if (halfHours === 0 || Math.abs(byMs - halfHours * halfHourMs) > toleratedMs) return '';
  const offset = requestTimeOffset + halfHours * 30;
  return Math.abs(offset) > 14 * 60
    ? ''
    : `: it looks like the time at ${offsetText(offset)}; the service's is ${offsetText(requestTimeOffset)}`;
}

function offsetText(minutes: number): string {
  if (minutes === 0) return '+00:00 (UTC)';
  const pad = (value: number) => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}
