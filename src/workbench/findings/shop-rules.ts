import { tryParseJson, finiteNumberAt, readProperty } from '../../values/untrusted-values.js';
import { tableOf } from '../../values/collections.js';
import type { WebhookDelivery } from '../../mock/observation.js';
import { unknownReference } from '../../mock/scenarios/webhook-plans.js';
import {
  byReference,
  isAccepted,
  genuineSent,
  orderOf,
  recordsFor,
  requestsOf,
  confirmedAt,
  type Referring,
} from './journal-queries.js';
import { violation, type Rule, type Violation } from './rule.js';
import type { PageCheck, RunRecord } from './record.js';

const ourPage = "The merchant's order page";
const rawBytes = 'over the raw bytes of the body, before a parser reads it';
const verify = `Verify the signature ${rawBytes}, with the secret key of the environment.`;
const inDong = new Intl.NumberFormat('en-US');
const replaced = `Store each payment of an order with its referenceId: a customer may pay a link that was replaced, or pay after the shop was restarted. See --order-url: {ref} is the referenceId of the payment.`;
const rewritten = `Your code signs JSON that it has written again: verify the signature ${rawBytes}.`;

/** The fix for each cause that the HTTP status shows. */
const fixesByStatus: Readonly<Record<number, string>> = {
  401: verify,
  403: verify,
  404: 'See the URL of the webhook. It is right to refuse an order that is not known yet, so that the notification is delivered again. It is wrong for an order that has another payment by now: store each payment of an order with its referenceId.',
};

/** The shop's responses to notifications, and its order page. */
export const shopRules = tableOf<Rule>()({
  'forged-accepted': {
    why: 'Anyone who knows the address can have goods sent without paying.',
    fix: 'Verify the signature over the exact bytes before anything else, respond with 401 if it is wrong or missing, and accept nothing while the secret key is missing or empty.',
    find(run) {
      const accepted = run.webhooks.filter(({ forgery, tries }) => forgery && tries.some(isAccepted));
      return byReference(accepted).flatMap((deliveries) => {
        const [first] = deliveries;
        const effect = effectOf(first, run);
        if (effect === undefined) return [];
        const names = deliveries.map(({ id, forgery }) => `${id} ${forgery}`).join(', ');
        const message = `Forged notifications for ${first.referenceId} (${names}) got a 2xx response, and ${effect}.`;
        return violation(message, recordsFor(first, requestsOf('uploadInvoice', run)), first);
      });
    },
  },
  'paid-not-counted': {
    why: 'The customer has paid, and the order is not processed.',
    fix: 'Count an order as paid whenever a signed notification says so, also after it was declined, expired or pending. Let nothing overwrite that: a notification may arrive before the response to your own call. Respond to an unknown order with an error, so that the notification may be delivered again. If the page is right, see --order-url ({ref} is the referenceId of the payment) and --paid.',
    find(run) {
      const refused = new Set(neverAccepted(run).map(({ referenceId }) => referenceId));
      return (
        checksAtTheEnd(run)
          // After a change of the basket, staff might have to check the payment first.
          .filter((pageCheck) => pageCheck.isPaid && !pageCheck.paid && !checkAfterChange(pageCheck, run))
          .map((pageCheck) => {
            const page = pageCheck.problem === undefined ? 'does not say so' : 'could not be read';
            const refusal = refused.has(pageCheck.referenceId)
              ? ', and no notification for it was accepted'
              : '';
            const message = `${pageCheck.referenceId} is paid at the service; the merchant's order page ${page}${refusal}.`;
            const seen = checkedAt(pageCheck, run, message);
            return pageCheck.problem === undefined ? seen : { ...seen, fix: replaced };
          })
      );
    },
  },
  'unpaid-counted': {
    why: 'Goods are sent without payment.',
    fix: 'APPROVED says that the payment was created, not that it is paid. Count an order as paid only by a signed notification whose status, reference, amount, currency and merchant are those of the stored request, or by a status query. If the page does not say paid, --paid matches too much.',
    find(run) {
      const decoysFor = (pageCheck: PageCheck) =>
        recordsFor(pageCheck, run.webhooks).filter((each) => each.decoy !== undefined);
      const untouched = countedAt('untouched', run);
      const tooEarly = countedAt('before-notification', run).filter(
        (pageCheck) => decoysFor(pageCheck).length > 0,
      );
      const atTheEnd = countedAt('end', run).filter((pageCheck) => !isPaidByAnother(pageCheck, run));
      // The first check that shows it: later checks of the same order add nothing.
      return byReference([...untouched, ...tooEarly, ...atTheEnd]).map(([pageCheck]) => {
        const accepted = decoysFor(pageCheck)
          .filter(({ tries }) => tries.some(isAccepted))
          .map((each) => `${each.id} ${each.decoy}`);
        const but =
          accepted.length > 0
            ? `it had accepted notifications that must not count (${accepted.join(', ')})`
            : 'notifications had arrived that must not count, all of which it refused';
        const unpaid =
          pageCheck.moment === 'untouched' ? 'its customer has not paid yet' : 'at the service it is not';
        const after =
          pageCheck.moment === 'before-notification' ? `no customer had paid, but ${but}` : unpaid;
        return checkedAt(pageCheck, run, `${ourPage} says that ${pageCheck.referenceId} is paid; ${after}.`);
      });
    },
  },
  'unknown-acknowledged': {
    level: 'warning',
    why: 'It may be about an order that you have not stored yet: once you acknowledge it, it is not delivered again.',
    fix: 'Respond with an error such as 404 to a reference that you do not know. If every notification is stored first and read later, nothing is lost.',
    find({ webhooks }) {
      const accepted = webhooks.filter(
        ({ decoy, tries }) => decoy === 'unknown-reference' && tries.some(isAccepted),
      );
      if (accepted.length === 0) return [];
      const names = accepted.map(({ id }) => id).join(', ');
      const message = `Signed notifications for ${unknownReference} (${names}) got a 2xx response; that reference was never sent.`;
      return [violation(message, [])];
    },
  },
  'other-amount-counted': {
    why: 'The customer gets more than was paid for.',
    fix: 'Store what an order asks now, and count a payment for it only if its amount, currency and merchant are those; otherwise have someone on your team look at it. While a payment of another amount is open, give no link, or refuse the change.',
    find: (run, baseline) =>
      checksAtTheEnd(run).flatMap((pageCheck) => {
        const before = pageCheck.isPaid ? acceptedChange(pageCheck, run) : undefined;
        const isCounted = pageCheck.paid || (pageCheck.count ?? 0) > (before?.count ?? 0);
        if (!before || !isCounted) return [];
        const paid = inDong.format(amountOf(pageCheck, run));
        const asked = inDong.format(baseline?.changedAmount ?? 0);
        const message = `${ourPage} counts ${pageCheck.referenceId}, for which ${paid} đồng were paid after its basket had grown to ${asked} đồng.`;
        return checkedAt(pageCheck, run, message);
      }),
  },
  'redirect-believed': {
    why: 'Anyone can open a URL: goods are sent without payment.',
    fix: 'Let the redirect show the state of the order and change nothing. Count it as paid by a signed notification.',
    find: (run) =>
      countedAt('redirected', run).map((pageCheck) => {
        const after = 'after its successRedirectUrl was opened; no customer had paid.';
        return checkedAt(pageCheck, run, `${ourPage} says that ${pageCheck.referenceId} is paid ${after}`);
      }),
  },
  'counted-twice': {
    why: 'Goods go out, or credit is given, once for each notification.',
    fix: 'Change the state of the order and do what follows from it in one transaction, and only where it was not paid before.',
    find(run, baseline = run) {
      const most = Math.max(...checksAtTheEnd(baseline).flatMap(({ count }) => count ?? []));
      // Customers of some scenarios pay although those of the baseline do not.
      const isNew = !checksAtTheEnd(baseline).some(({ isPaid }) => isPaid);
      const mostFor = (pageCheck: PageCheck) =>
        isNew && (pageCheck.isPaid || isPaidByAnother(pageCheck, run)) ? Math.max(1, most) : most;
      return checksAtTheEnd(run)
        .filter((pageCheck) => Number.isFinite(most) && (pageCheck.count ?? most) > mostFor(pageCheck))
        .map((pageCheck) => {
          const counts = `${pageCheck.count} where --once looks, ${most} in the baseline.`;
          return checkedAt(pageCheck, run, `${ourPage} of ${pageCheck.referenceId} has ${counts}`);
        });
    },
  },
  'notification-refused': {
    level: 'warning',
    why: 'If the shop never accepts the webhook, it misses the payment.',
    fix: 'Respond with 2xx once the notification is stored. See the log of the backend.',
    find(run, baseline) {
      const wasAccepted = baseline?.webhooks.some(
        ({ body, tries }) => isCompact(body) && tries.some(isAccepted),
      );
      return neverAccepted(run).map((delivery) => {
        const { id, referenceId, tries, body } = delivery;
        const { httpStatus, error = 'no response' } = tries.at(-1) ?? {};
        const answer = httpStatus === undefined ? error : `HTTP ${httpStatus}`;
        const counted = tries.length === 1 ? '1 try' : `${tries.length} tries, the last`;
        const message = `The notification ${id} (${referenceId}) was never accepted: ${counted} ${answer}.`;
        const seen = violation(message, [], delivery);
        if (wasAccepted === true && !isCompact(body)) return { ...seen, level: 'error', fix: rewritten };
        const fix = fixesByStatus[httpStatus ?? 0];
        return fix === undefined ? seen : { ...seen, fix };
      });
    },
  },
});

/** The effect of a forged webhook as text; undefined if the merchant's order page shows that it had none. */
function effectOf(delivery: WebhookDelivery, run: RunRecord): string | undefined {
  const acceptedAt = delivery.tries.find(isAccepted)?.startedAt.getTime() ?? 0;
  const truth = confirmedAt(delivery, run);
  const uploads = recordsFor(delivery, requestsOf('uploadInvoice', run));
  if (uploads.some(({ at }) => at.getTime() >= acceptedAt && at.getTime() < truth))
    return 'an invoice was uploaded before a true one said that the order is paid';
  const pageChecks = recordsFor(delivery, run.pageChecks).filter(
    ({ moment, isPaid, problem }) =>
      !isPaid && problem === undefined && (moment === 'before-notification' || moment === 'end'),
  );
  if (pageChecks.some(({ paid }) => paid)) return 'the order counted as paid before a true one said so';
  return pageChecks.length > 0 ? undefined : 'nothing shows that it had no effect';
}

/** Checks at a moment that show an order as paid, although it is not. */
function countedAt(at: PageCheck['moment'], { pageChecks }: RunRecord): PageCheck[] {
  return pageChecks.filter(({ moment, paid, isPaid }) => moment === at && paid && !isPaid);
}

function checkedAt(pageCheck: PageCheck, run: RunRecord, message: string): Violation {
  const seen = pageCheck.problem ?? pageCheck.seen;
  const text = seen === undefined ? message : `${message} ${seen}.`;
  return violation(text, recordsFor(pageCheck, run.requests), pageCheck);
}

function checksAtTheEnd({ pageChecks }: RunRecord): PageCheck[] {
  return pageChecks.filter(({ moment }) => moment === 'end');
}

/** True if another payment has paid the order of the page, even one whose link the shop has never shown. */
function isPaidByAnother(pageCheck: PageCheck, run: RunRecord): boolean {
  const order = orderOf(pageCheck, run);
  return (
    order !== undefined &&
    run.payments.some((payment) => payment.status === 'paid' && orderOf(payment, run) === order)
  );
}

/** The check after a change of the basket, if the shop accepted the change: it returned a link, or requested a higher amount. */
function acceptedChange(pageCheck: PageCheck, run: RunRecord): PageCheck | undefined {
  const order = orderOf(pageCheck, run);
  if (order === undefined) return undefined;
  const isLinkGiven = run.clicks.some((click) => click.isChanged === true && click.order === order);
  const asked = requestsOf('initiatePayment', run).filter((request) => orderOf(request, run) === order);
  const mostAsked = Math.max(...asked.map(({ body = '' }) => requestedAmount(body)));
  if (!isLinkGiven && mostAsked <= amountOf(pageCheck, run)) return undefined;
  return checkAfterChange(pageCheck, run);
}

/** The check of an order right after its basket was changed. */
function checkAfterChange(payment: Referring, { pageChecks }: RunRecord): PageCheck | undefined {
  return recordsFor(payment, pageChecks).find(({ moment }) => moment === 'changed');
}

function requestedAmount(body: string): number {
  return finiteNumberAt(readProperty(tryParseJson(body), 'amount'), 'value') ?? 0;
}

function amountOf(payment: Referring, { payments }: RunRecord): number {
  return recordsFor(payment, payments)[0]?.request.amount.value ?? Infinity;
}

function neverAccepted(run: RunRecord): WebhookDelivery[] {
  return genuineSent(run).filter(({ tries }) => !tries.some(isAccepted));
}

function isCompact(body: string): boolean {
  const value = tryParseJson(body);
  return value === undefined || JSON.stringify(value) === body;
}
