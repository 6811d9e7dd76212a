import { isTimestamp, requestForm } from '../../protocol/timestamps.js';
import { groupBy, tableOf } from '../../values/collections.js';
import { tryParseJson } from '../../values/untrusted-values.js';
import { isAnswerLost, type JournalEntry } from '../../mock/observation.js';
import { redirectedPath } from '../../mock/scenarios/network.js';
import {
  byReference,
  clickedOrder,
  isRedirect,
  isRefusedForNow,
  leavesOpen,
  paymentKeyOf,
  recordsFor,
  requestsOf,
} from './journal-queries.js';
import { violation, type Rule } from './rule.js';
import { requestNames, responseTo } from './wording.js';
import type { RunRecord } from './record.js';

const mostRequests = 20;
const burst = { requests: 10, withinMs: 2000 };
// The clocks of two machines can differ. A difference of half an hour or more is a time zone.
const toleratedMinutes = 5;
// Timers can fire a little early, and the journal has whole milliseconds.
const inaccuracyMs = 50;

/** The rules about requests, with their keys, times and contents. */
export const requestRules = tableOf<Rule>()({
  'new-key': {
    why: 'A service that identifies requests by their key can treat the retry as a new request.',
    fix: 'Send the key of the first attempt with every retry. With InstallmentClient, leave idempotencyKey out or store it with the order.',
    find(run) {
      const sameBody = (entry: JournalEntry) =>
        entry.referenceId && `${paymentKeyOf(entry)}\n${bodyOf(entry)}`;
      return differingPairs(run, sameBody, ({ idempotencyKey }) => idempotencyKey).map((pair) =>
        violation(`The same body has two Idempotency-Keys: ${requestNames(pair)}.`, pair),
      );
    },
  },
  'key-reused': {
    why: 'The service might respond with the payment of the other body, or refuse a valid request.',
    fix: 'Store the whole request before the first call and retry exactly that request. Use a different key for each order.',
    find(run) {
      const sameKey = ({ idempotencyKey, headers }: JournalEntry) =>
        `${headers['client-id']}\n${idempotencyKey}`;
      return differingPairs(run, sameKey, bodyOf).map((pair) => {
        const message = `One Idempotency-Key has two bodies: ${requestNames(pair)}. ${differenceOf(...pair)}.`;
        return violation(message, pair, pair[0]);
      });
    },
  },
  'request-rebuilt': {
    why: 'A service that identifies requests by their key gets a new request, and might create a second payment.',
    fix: 'Store the whole request with its key before the first call, and retry exactly that request. InstallmentClient derives the key from the request, so a different time or number in it changes the key.',
    find: (run) =>
      byReference(requestsOf('initiatePayment', run)).flatMap((requests) => {
        const pairs = requests.filter(leavesOpen).flatMap((open) => {
          const rebuilt = requests.find((later) => later.id > open.id && isRebuilt(later, open));
          return rebuilt ? [[open, rebuilt] as const] : [];
        });
        return pairs.slice(0, 1).map((pair) => {
          const [open, rebuilt] = pair;
          const message = `${responseTo(open)}; ${requestNames([rebuilt])} has a different body and a different Idempotency-Key. ${differenceOf(...pair)}.`;
          return violation(message, pair);
        });
      }),
  },
  'redirect-followed': {
    why: 'The target of the redirect receives your Client-Id and a signed order, and can respond in the name of the service.',
    fix: "Do not follow redirects: allow_redirects=False (requests), redirect: 'manual' (fetch), follow_location 0 (PHP), no -L (curl). InstallmentClient never follows redirects. After a redirect there might be a payment: look it up.",
    find: ({ requests }) =>
      requests.filter(isRedirect).flatMap((redirect) => {
        const { id, referenceId } = redirect;
        // A client that follows the redirect with GET sends no reference.
        const followed = requests.find(
          (entry) =>
            entry.id > id &&
            entry.path.startsWith(`${redirectedPath}/`) &&
            (entry.referenceId ?? referenceId) === referenceId,
        );
        if (!followed) return [];
        const message = `${responseTo(redirect)}, a redirect; ${requestNames([followed])} followed it to ${followed.path}.`;
        return violation(message, [redirect, followed], redirect);
      }),
  },
  'repeats-for-ever': {
    why: 'So many retries are a burden on the service, and the order is never settled.',
    fix: 'Wait longer before each retry. After a limit, let your staff look the payment up.',
    find: (run) =>
      (['initiatePayment', 'uploadInvoice'] as const).flatMap((operation) =>
        byReference(requestsOf(operation, run)).flatMap((all) => {
          const end = all.findIndex((entry) => entry.resultStatus === 'APPROVED' && !isAnswerLost(entry));
          const open = end === -1 ? all : all.slice(0, end);
          const isBurst = all.some((first, index) => {
            const last = all[index + burst.requests - 1];
            return last !== undefined && last.at.getTime() - first.at.getTime() <= burst.withinMs;
          });
          if (open.length <= mostRequests && !isBurst) return [];
          const requests = isBurst ? all : open;
          const how = isBurst
            ? `, ${burst.requests} within ${burst.withinMs / 1000} s`
            : ' without an approval';
          const message = `${operation}: ${requests.length} requests${how}. See ${requestNames(requests)}.`;
          return violation(message, requests);
        }),
      ),
  },
  'no-key': {
    level: 'warning',
    why: 'The specification recommends a key for safe retries. Without a key, a retry can be refused as a duplicate.',
    fix: 'Send an Idempotency-Key with each initiate request. InstallmentClient does this for you.',
    find(run) {
      const without = requestsOf('initiatePayment', run).filter(
        ({ idempotencyKey, referenceId }) => referenceId !== undefined && idempotencyKey === undefined,
      );
      return without.length === 0
        ? []
        : [violation(`No Idempotency-Key: ${requestNames(without)}.`, without)];
    },
  },
  'unknown-abandoned': {
    level: 'warning',
    why: 'The payment might exist, but its paymentUrl is lost. After HTTP 429 there is no payment, so the order is lost.',
    fix: 'Retry the same request, or look the payment up, before you cancel the order. If your code does so later, increase --settle-ms: the run ends after that time without a request.',
    find: (run) =>
      notSentAgain(run)
        .filter((last) => !staysUp(run) || isRefusedForNow(last))
        .map((last) =>
          violation(`${responseTo(last)}, and the request was not sent again within the run.`, [last]),
        ),
  },
  'retry-not-seen': {
    level: 'warning',
    why: 'The job that continues such an order is slower than the rehearsal, so the rehearsal cannot check whether it pays twice.',
    fix: 'Run the job every second here, or increase --settle-ms: the run ends after that time without a request. If there is no such job, retry the same request, or look the payment up, before you cancel the order.',
    find: (run) =>
      notSentAgain(run)
        .filter((last) => staysUp(run) && !isRefusedForNow(last) && !isFollowedByAnother(last, run))
        .map((last) =>
          violation(`${responseTo(last)}, and the shop sent no further request for it within the run.`, [
            last,
          ]),
        ),
  },
  'retry-after-ignored': {
    level: 'warning',
    why: 'A service that limits its callers can refuse them for longer.',
    fix: 'Wait as long as Retry-After says.',
    find: (run) =>
      byReference(run.requests.filter(({ own }) => own !== true)).flatMap((requests) =>
        requests.flatMap((entry, index) => {
          const seconds = Number(entry.response?.headers['retry-after']);
          if (!(seconds > 0) || isAnswerLost(entry)) return [];
          const answeredAt = (entry.completedAt ?? entry.at).getTime();
          const later = requests
            .slice(index + 1)
            .map((next) => ({ next, ms: next.at.getTime() - answeredAt }));
          const isEarly = (ms: number) => ms < seconds * 1000 - inaccuracyMs;
          // If one request waited, a second process sent the other request, which arrived together with the response.
          const isWaited = later.some(({ next, ms }) => next.operation === entry.operation && !isEarly(ms));
          const tooEarly = later.filter(({ ms }) => isEarly(ms) && !(ms < inaccuracyMs && isWaited));
          return tooEarly.slice(0, 1).map(({ next, ms }) => {
            const after = `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
            const message = `The response to ${requestNames([entry])} asked to wait ${seconds} s; ${requestNames([next])} followed after ${after}.`;
            return violation(message, [entry, next]);
          });
        }),
      ),
  },
  'request-time-off': {
    level: 'warning',
    why: 'A service can refuse requests whose time is too old or in the future.',
    fix: 'Send Request-Time in the time zone of the service, and synchronise the clock.',
    find({ requests, requestTimeOffset }) {
      const minutesOff = ({ at, headers }: JournalEntry) => {
        const stated = headers['request-time'] ?? '';
        if (!isTimestamp(stated, requestForm)) return 0;
        const ms = Date.parse(`${stated.replace(' ', 'T')}Z`) - at.getTime();
        return Math.round(ms / 60_000) - requestTimeOffset;
      };
      const off = requests.filter((entry) => Math.abs(minutesOff(entry)) > toleratedMinutes);
      return off.slice(0, 1).map((first) => {
        const minutes = minutesOff(first);
        const where = `${Math.abs(minutes)} minutes ${minutes > 0 ? 'ahead of' : 'behind'} the mock's clock`;
        const message = `Request-Time is ${where} in ${requestNames(off)}.${zoneOf(minutes, requestTimeOffset)}`;
        return violation(message, off);
      });
    },
  },
  'order-odd': {
    level: 'warning',
    why: 'The customer might be asked for a wrong amount, or cannot pay in time.',
    fix: 'Amounts are in đồng and times in milliseconds. Check the code that makes the order.',
    find(run) {
      const odd = requestsOf('initiatePayment', run).filter(({ warnings = [] }) => warnings.length > 0);
      return byReference(odd).flatMap(([first]) =>
        (first.warnings ?? []).map((warning) => violation(`${requestNames([first])}: ${warning}`, [first])),
      );
    },
  },
});

/** The last request for each order that was left open or rate-limited and not sent again. */
function notSentAgain(run: RunRecord): JournalEntry[] {
  return byReference(requestsOf('initiatePayment', run)).flatMap(([first]) => {
    // An upload does not look the payment up: a webhook can have reported the payment as paid meanwhile.
    const asked = recordsFor(first, run.requests).filter(({ operation }) => operation !== 'uploadInvoice');
    const last = asked.at(-1);
    // After a redirect it is right to send nothing more.
    if (last?.operation !== 'initiatePayment' || isRedirect(last)) return [];
    const isOpen = leavesOpen(last) || isRefusedForNow(last);
    return isAnswerLost(last) || (isOpen && asked.length === 1) ? last : [];
  });
}

/** True if the shop has continued the order with a different reference. Another rule reports that. */
function isFollowedByAnother(last: JournalEntry, run: RunRecord): boolean {
  const order = clickedOrder(last, run);
  return requestsOf('initiatePayment', run).some(
    (entry) => order !== undefined && entry.id > last.id && clickedOrder(entry, run) === order,
  );
}

/** True for a shop that keeps running after the orders are placed. Other merchants send nothing more. */
function staysUp({ orders, hasWebhook }: RunRecord): boolean {
  return orders !== undefined || hasWebhook;
}

function isRebuilt(later: JournalEntry, earlier: JournalEntry): boolean {
  const keys = [later.idempotencyKey, earlier.idempotencyKey];
  return !keys.includes(undefined) && keys[0] !== keys[1] && bodyOf(later) !== bodyOf(earlier);
}

function bodyOf({ body = '', bodySha256 = body }: JournalEntry): string {
  return bodySha256;
}

/** The first two requests that differ, in each group of initiate requests that have a key. */
function differingPairs(
  run: RunRecord,
  groupOf: (entry: JournalEntry) => string | undefined,
  read: (entry: JournalEntry) => string | undefined,
): (readonly [JournalEntry, JournalEntry])[] {
  const entries = requestsOf('initiatePayment', run).filter((entry) => entry.idempotencyKey !== undefined);
  return [...groupBy(entries, groupOf).values()].flatMap(([first, ...later]) => {
    const other = later.find((entry) => read(entry) !== read(first));
    return other ? [[first, other] as const] : [];
  });
}

/** The path of the first difference of two bodies, without the values, which can be personal data. */
function differenceOf({ body = '' }: JournalEntry, { body: other = '' }: JournalEntry): string {
  const path = firstDifferentPath(tryParseJson(body), tryParseJson(other));
  return path === undefined
    ? 'They differ in the serialization of the JSON, or after the text that the journal keeps'
    : `First difference: ${path || 'the whole body'}`;
}

function firstDifferentPath(one: unknown, other: unknown, path = ''): string | undefined {
  if (Object.is(one, other)) return undefined;
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
  if (!isObject(one) || !isObject(other)) return path;
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const keyPath = Array.isArray(one) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    const found = firstDifferentPath(Reflect.get(one, key), Reflect.get(other, key), keyPath);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Names the time zone that would explain a difference, if there is one. */
function zoneOf(minutes: number, ownOffset: number): string {
  const wholeHalfHours = 30 * Math.round(minutes / 30);
  const offset = ownOffset + wholeHalfHours;
  const isZone = Math.abs(minutes - wholeHalfHours) <= toleratedMinutes && Math.abs(offset) <= 14 * 60;
  if (!isZone) return '';
  return ` That is the time at ${offsetText(offset)}. This mock expects ${offsetText(ownOffset)} (wire.requestTimeOffset); the offset of the service is not documented.`;
}

function offsetText(minutes: number): string {
  const time = new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16);
  return `${minutes < 0 ? '-' : '+'}${time}${minutes === 0 ? ' (UTC)' : ''}`;
}
