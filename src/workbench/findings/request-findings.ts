import { isTimestamp, requestForm } from '../../protocol/timestamps.js';
import { groupBy, tableOf } from '../../values/collections.js';
import { tryParseJson } from '../../values/untrusted-values.js';
import { isAnswerLost, type JournalEntry } from '../../mock/observation.js';
import { redirectedPath } from '../../mock/scenarios/network.js';
import {
  groupByPayment,
  isCustomOperation,
  orderOfRequest,
  isRedirect,
  isRateLimited,
  hasUnknownOutcome,
  paymentKeyOf,
  recordsFor,
  requestsOf,
} from './journal-queries.js';
import { violation, type Rule } from './rule.js';
import { requestNames, describeResponse } from './wording.js';
import type { RunRecord } from './record.js';

const maxRequestsBeforeApproval = 20;
const burst = { requests: 10, withinMs: 2000 };
// The clocks of two machines can differ by a few minutes, which is tolerated. A larger difference is reported. If the
// difference is close to a multiple of 30 minutes, the cause is probably a wrong time zone.
const toleratedMinutes = 5;
// Timers can fire a little early, and the journal contains whole milliseconds.
const inaccuracyMs = 50;

/** The rules about the keys, the times and the contents of requests. */
export const requestRules = tableOf<Rule>()({
  'new-key': {
    why: 'The service can treat the repeated request as a new request.',
    fix: 'Send the Idempotency-Key of the first request with every repeat. With InstallmentClient, leave idempotencyKey out, or store it with the order.',
    find(run) {
      const sameBody = (entry: JournalEntry) =>
        entry.referenceId && `${paymentKeyOf(entry)}\n${bodyIdentity(entry)}`;
      return differingPairs(run, sameBody, ({ idempotencyKey }) => idempotencyKey).map((pair) =>
        violation(`The same body was sent with two Idempotency-Keys: ${requestNames(pair)}.`, pair),
      );
    },
  },
  'key-reused': {
    why: 'The service might return the payment of the other request, or refuse a valid request.',
    fix: 'Store each request before the first call, and repeat exactly the stored request. Use a different Idempotency-Key for each order.',
    find(run) {
      const sameKey = ({ idempotencyKey, headers }: JournalEntry) =>
        `${headers['client-id']}\n${idempotencyKey}`;
      return differingPairs(run, sameKey, bodyIdentity).map((pair) => {
        const message = `The same Idempotency-Key was sent with two bodies: ${requestNames(pair)}. ${differenceOf(...pair)}.`;
        return violation(message, pair, pair[0]);
      });
    },
  },
  'request-rebuilt': {
    why: 'The service can treat the rebuilt request as a new request, and create a second payment.',
    fix: 'Store the whole request before the first call, and repeat exactly the stored request. InstallmentClient derives the Idempotency-Key from the request.',
    find: (run) =>
      groupByPayment(requestsOf('initiatePayment', run)).flatMap((requests) => {
        const pairs = requests.filter(hasUnknownOutcome).flatMap((unknown) => {
          const rebuilt = requests.find((later) => later.id > unknown.id && isRebuilt(later, unknown));
          return rebuilt ? [[unknown, rebuilt] as const] : [];
        });
        return pairs.slice(0, 1).map((pair) => {
          const [unknown, rebuilt] = pair;
          const message = `${describeResponse(unknown)}; ${requestNames([rebuilt])} has a different body and a different Idempotency-Key. ${differenceOf(...pair)}.`;
          return violation(message, pair);
        });
      }),
  },
  'redirect-followed': {
    why: 'The target of the redirect gets your Client-Id and a signed order, and can respond in the name of the service.',
    fix: "Do not follow redirects: allow_redirects=False (requests), redirect: 'manual' (fetch), follow_location 0 (PHP), no -L (curl). InstallmentClient never follows redirects. After a redirect, the payment might exist: look it up.",
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
        const message = `${describeResponse(redirect)}, a redirect; ${requestNames([followed])} followed the redirect to ${followed.path}.`;
        return violation(message, [redirect, followed], redirect);
      }),
  },
  'repeats-for-ever': {
    why: 'This number of requests overloads the service, and leads to no result.',
    fix: 'Wait longer before each repeat, and limit the number of repeats. After the last repeat, let your staff look the payment up.',
    find: (run) =>
      (['initiatePayment', 'uploadInvoice'] as const).flatMap((operation) =>
        groupByPayment(requestsOf(operation, run)).flatMap((all) => {
          const approval = all.findIndex(
            (entry) => entry.resultStatus === 'APPROVED' && !isAnswerLost(entry),
          );
          const beforeApproval = approval === -1 ? all : all.slice(0, approval);
          const isBurst = all.some((first, index) => {
            const last = all[index + burst.requests - 1];
            return last !== undefined && last.at.getTime() - first.at.getTime() <= burst.withinMs;
          });
          if (beforeApproval.length <= maxRequestsBeforeApproval && !isBurst) return [];
          const requests = isBurst ? all : beforeApproval;
          const how = isBurst
            ? `, of which ${burst.requests} arrived within ${burst.withinMs / 1000} s`
            : ' without an approval';
          const message = `${operation}: ${requests.length} requests${how}. See ${requestNames(requests)}.`;
          return violation(message, requests);
        }),
      ),
  },
  'no-key': {
    level: 'warning',
    why: 'The specification recommends an Idempotency-Key. Without the key, a repeated request can be refused as a duplicate.',
    fix: 'Send an Idempotency-Key with each initiate request, as InstallmentClient does.',
    find(run) {
      const without = requestsOf('initiatePayment', run).filter(
        ({ idempotencyKey, referenceId }) => referenceId !== undefined && idempotencyKey === undefined,
      );
      return without.length === 0
        ? []
        : [violation(`No Idempotency-Key was sent with ${requestNames(without)}.`, without)];
    },
  },
  'unknown-abandoned': {
    level: 'warning',
    why: 'After an unknown outcome, the payment might exist, and your shop has no paymentUrl. After HTTP 429, no payment was created, and your shop loses the order.',
    fix: 'After an unknown outcome, repeat the same request or look the payment up before you cancel the order. After HTTP 429, wait, then send the same request again. If your code waits longer than --settle-ms, increase --settle-ms.',
    find: (run) =>
      requestsNotRepeated(run)
        .filter((last) => !keepsRunning(run) || isRateLimited(last))
        .map((last) =>
          violation(
            `${describeResponse(last)}, and the request was not sent again before the scenario ended.`,
            [last],
          ),
        ),
  },
  'retry-not-seen': {
    level: 'warning',
    why: 'The scenario ended before your shop continued the order, so the rehearsal cannot show whether your shop would then create a second payment.',
    fix: 'If a job of your shop continues orders with an unknown outcome, run the job every second in the rehearsal, or increase --settle-ms. If there is no such job, repeat the same request or look the payment up before you cancel the order.',
    find: (run) =>
      requestsNotRepeated(run)
        .filter(
          (last) => keepsRunning(run) && !isRateLimited(last) && !isContinuedWithOtherReference(last, run),
        )
        .map((last) =>
          violation(
            `${describeResponse(last)}, and the shop sent no further request for the payment before the scenario ended.`,
            [last],
          ),
        ),
  },
  'retry-after-ignored': {
    level: 'warning',
    why: 'If your shop ignores Retry-After, the service can refuse your requests for a longer time.',
    fix: 'Send no request for the payment before the time in Retry-After has passed.',
    find: (run) =>
      groupByPayment(run.requests.filter((entry) => !isCustomOperation(entry))).flatMap((requests) =>
        requests.flatMap((entry, index) => {
          const seconds = Number(entry.response?.headers['retry-after']);
          if (!(seconds > 0) || isAnswerLost(entry)) return [];
          const completedAtMs = (entry.completedAt ?? entry.at).getTime();
          const later = requests
            .slice(index + 1)
            .map((next) => ({ next, ms: next.at.getTime() - completedAtMs }));
          const isEarly = (ms: number) => ms < seconds * 1000 - inaccuracyMs;
          // A request that was sent at the same moment as the response can come from a second process, which has not
          // seen Retry-After. Such a request is not reported if a later request did wait long enough.
          const hasWaited = later.some(({ next, ms }) => next.operation === entry.operation && !isEarly(ms));
          const tooEarly = later.filter(({ ms }) => isEarly(ms) && !(ms < inaccuracyMs && hasWaited));
          return tooEarly.slice(0, 1).map(({ next, ms }) => {
            const after = `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
            const message = `The response to ${requestNames([entry])} asked the client to wait ${seconds} s; ${requestNames([next])} arrived after ${after}.`;
            return violation(message, [entry, next]);
          });
        }),
      ),
  },
  'request-time-off': {
    level: 'warning',
    why: 'A service can refuse requests whose Request-Time is too old or in the future.',
    fix: 'Send Request-Time in the time zone of the service, and synchronise the clock of your server.',
    find({ requests, requestTimeOffset }) {
      const minutesOff = ({ at, headers }: JournalEntry) => {
        const sentTime = headers['request-time'] ?? '';
        if (!isTimestamp(sentTime, requestForm)) return 0;
        const ms = Date.parse(`${sentTime.replace(' ', 'T')}Z`) - at.getTime();
        return Math.round(ms / 60_000) - requestTimeOffset;
      };
      const off = requests.filter((entry) => Math.abs(minutesOff(entry)) > toleratedMinutes);
      return off.slice(0, 1).map((first) => {
        const minutes = minutesOff(first);
        const difference = `${Math.abs(minutes)} minutes ${minutes > 0 ? 'later' : 'earlier'} than the mock's clock`;
        const message = `Request-Time is ${difference} in ${requestNames(off)}.${zoneHint(minutes, requestTimeOffset)}`;
        return violation(message, off);
      });
    },
  },
  'order-odd': {
    level: 'warning',
    why: 'The customer might pay a wrong amount, or have too little time to pay.',
    fix: 'Check the code that creates the request: amounts are in đồng, not in hundredths of a đồng, and durations are in milliseconds.',
    find(run) {
      const odd = requestsOf('initiatePayment', run).filter(({ warnings = [] }) => warnings.length > 0);
      return groupByPayment(odd).flatMap(([first]) =>
        (first.warnings ?? []).map((warning) => violation(`${requestNames([first])}: ${warning}`, [first])),
      );
    },
  },
});

/**
 * Returns the initiate requests after which the shop sent nothing for the payment, except perhaps uploads. A request
 * that was redirected is not returned. For each returned request, one of these is true:
 *
 * - Its response was lost.
 * - It is the only request for the payment, and either its outcome is unknown or it was rate-limited.
 */
function requestsNotRepeated(run: RunRecord): JournalEntry[] {
  return groupByPayment(requestsOf('initiatePayment', run)).flatMap(([first]) => {
    // Uploads are left out. An upload shows only that the merchant knows, perhaps from a webhook, that the payment is
    // paid. It does not show that the merchant has retried or looked the payment up.
    const requests = recordsFor(first, run.requests).filter(({ operation }) => operation !== 'uploadInvoice');
    const last = requests.at(-1);
    // It is right to send nothing after a redirect.
    if (last?.operation !== 'initiatePayment' || isRedirect(last)) return [];
    const needsRetry = hasUnknownOutcome(last) || isRateLimited(last);
    return isAnswerLost(last) || (needsRetry && requests.length === 1) ? last : [];
  });
}

/** True if the shop has continued the order with a different reference. Another rule reports this. */
function isContinuedWithOtherReference(last: JournalEntry, run: RunRecord): boolean {
  const order = orderOfRequest(last, run);
  return requestsOf('initiatePayment', run).some(
    (entry) => order !== undefined && entry.id > last.id && orderOfRequest(entry, run) === order,
  );
}

/** True for a shop that keeps running after its orders are placed. A command without webhooks ends at that moment. */
function keepsRunning({ orderCount, hasWebhook }: RunRecord): boolean {
  return orderCount !== undefined || hasWebhook;
}

function isRebuilt(later: JournalEntry, earlier: JournalEntry): boolean {
  const keys = [later.idempotencyKey, earlier.idempotencyKey];
  return !keys.includes(undefined) && keys[0] !== keys[1] && bodyIdentity(later) !== bodyIdentity(earlier);
}

/** Returns a text that is equal only for equal bodies: the body, or the digest of a body that the journal has cut. */
function bodyIdentity({ body = '', bodySha256 = body }: JournalEntry): string {
  return bodySha256;
}

/**
 * Groups the initiate requests that have an Idempotency-Key by `groupOf`. For each group, returns its first request,
 * and the first later request for which `read` returns a different value.
 */
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

/** Describes the first difference of two bodies by its path, without the values, which can be personal data. */
function differenceOf({ body = '' }: JournalEntry, { body: other = '' }: JournalEntry): string {
  const path = firstDifferentPath(tryParseJson(body), tryParseJson(other));
  return path === undefined
    ? "The bodies differ in the serialization of the JSON, or after the point where the mock's journal cuts a long body"
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

/** Names the time zone that would explain a difference; empty if no time zone explains the difference. */
function zoneHint(minutes: number, ownOffset: number): string {
  const roundedMinutes = 30 * Math.round(minutes / 30);
  const offset = ownOffset + roundedMinutes;
  const isZone = Math.abs(minutes - roundedMinutes) <= toleratedMinutes && Math.abs(offset) <= 14 * 60;
  if (!isZone) return '';
  return ` Request-Time would be correct for the offset ${offsetText(offset)}. The mock expects ${offsetText(ownOffset)} (wire.requestTimeOffset). The specification does not name the offset of the service.`;
}

function offsetText(minutes: number): string {
  const time = new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16);
  return `${minutes < 0 ? '-' : '+'}${time}${minutes === 0 ? ' (UTC)' : ''}`;
}
