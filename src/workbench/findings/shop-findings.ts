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

const thePage = "The merchant's order page";
const rawBytes = 'over the raw bytes of the body, before a parser reads it';
const verify = `Verify the signature ${rawBytes}, with the secret key of the environment.`;
const inDong = new Intl.NumberFormat('en-US');
const replaced = `Store each payment of an order with its referenceId: a customer can pay with a link that was replaced, or pay after the shop was restarted. Check --order-url: {ref} is the referenceId of the payment.`;
const rewritten = `Your code signs JSON that it has serialized again. Verify the signature ${rawBytes}.`;

/** The fix for each cause that the HTTP status shows. */
const fixesByStatus: Readonly<Record<number, string>> = {
  401: verify,
  403: verify,
  404: 'Check the URL of the webhook. It is right to refuse an order that is not known yet, so that the webhook is delivered again. It is wrong to refuse an order because it has another payment by now: store each payment of an order with its referenceId.',
};

/** The rules about the shop's responses to webhooks and about its order page. */
export const shopRules = tableOf<Rule>()({
  'forged-accepted': {
    why: 'Anyone who knows the address can get goods without paying.',
    fix: 'Verify the signature over the exact bytes before anything else. Respond with 401 if it is wrong or missing, and accept nothing while the secret key is missing or empty.',
    find(run) {
      const accepted = run.webhooks.filter(({ forgery, tries }) => forgery && tries.some(isAccepted));
      return byReference(accepted).flatMap((deliveries) => {
        const [first] = deliveries;
        const effect = effectOf(first, run);
        if (effect === undefined) return [];
        const names = deliveries.map(({ id, forgery }) => `${id} ${forgery}`).join(', ');
        const message = `Forged webhooks for ${first.referenceId} (${names}) got a 2xx response, and ${effect}.`;
        return violation(message, recordsFor(first, requestsOf('uploadInvoice', run)), first);
      });
    },
  },
  'paid-not-counted': {
    why: 'The customer has paid, and the order is not processed.',
    fix: 'Count an order as paid whenever a signed webhook says so, also after it was declined, expired or pending. Never overwrite that: a webhook can arrive before the response to your own call. Respond to an unknown order with an error, so that the webhook can be delivered again. If the page is right, check --order-url ({ref} is the referenceId of the payment) and --paid.',
    find(run) {
      const refused = new Set(neverAccepted(run).map(({ referenceId }) => referenceId));
      return (
        checksAtTheEnd(run)
          // After a change of the basket, staff might have to check the payment first.
          .filter((pageCheck) => pageCheck.isPaid && !pageCheck.paid && !checkAfterChange(pageCheck, run))
          .map((pageCheck) => {
            const page = pageCheck.problem === undefined ? 'does not say so' : 'could not be read';
            const refusal = refused.has(pageCheck.referenceId) ? ', and no webhook for it was accepted' : '';
            const message = `${pageCheck.referenceId} is paid at the service; the merchant's order page ${page}${refusal}.`;
            const seen = checkedAt(pageCheck, run, message);
            return pageCheck.problem === undefined ? seen : { ...seen, fix: replaced };
          })
      );
    },
  },
  'unpaid-counted': {
    why: 'Goods are sent without payment.',
    fix: 'APPROVED says that the payment was created, not that it is paid. Count an order as paid only after a signed webhook whose status, reference, amount, currency and merchant match the stored request, or after a status query. If the page does not show the order as paid, the pattern of --paid matches too much.',
    find(run) {
      const decoysFor = (pageCheck: PageCheck) =>
        recordsFor(pageCheck, run.webhooks).filter((each) => each.decoy !== undefined);
      const untouched = countedAt('untouched', run);
      const tooEarly = countedAt('before-notification', run).filter(
        (pageCheck) => decoysFor(pageCheck).length > 0,
      );
      const atTheEnd = countedAt('end', run).filter((pageCheck) => !isPaidByAnother(pageCheck, run));
      // The first check that shows it is enough: later checks of the same order add nothing.
      return byReference([...untouched, ...tooEarly, ...atTheEnd]).map(([pageCheck]) => {
        const accepted = decoysFor(pageCheck)
          .filter(({ tries }) => tries.some(isAccepted))
          .map((each) => `${each.id} ${each.decoy}`);
        const but =
          accepted.length > 0
            ? `the shop had accepted webhooks that must not count (${accepted.join(', ')})`
            : 'webhooks that must not count had arrived, and the shop had refused all of them';
        const unpaid =
          pageCheck.moment === 'untouched' ? 'its customer has not paid yet' : 'at the service it is not';
        const after =
          pageCheck.moment === 'before-notification' ? `no customer had paid, but ${but}` : unpaid;
        return checkedAt(pageCheck, run, `${thePage} says that ${pageCheck.referenceId} is paid; ${after}.`);
      });
    },
  },
  'unknown-acknowledged': {
    level: 'warning',
    why: 'The webhook might be about an order that you have not stored yet. Once you acknowledge it, it is not delivered again.',
    fix: 'Respond to an unknown reference with an error such as 404. If every webhook is stored first and read later, nothing is lost.',
    find({ webhooks }) {
      const accepted = webhooks.filter(
        ({ decoy, tries }) => decoy === 'unknown-reference' && tries.some(isAccepted),
      );
      if (accepted.length === 0) return [];
      const names = accepted.map(({ id }) => id).join(', ');
      const message = `Signed webhooks for ${unknownReference} (${names}) got a 2xx response; that reference was never sent.`;
      return [violation(message, [])];
    },
  },
  'other-amount-counted': {
    why: 'The customer gets more than they have paid for.',
    fix: 'Store the current amount of the order. Count a payment for it only if its amount, currency and merchant match; otherwise let your staff check it. While a payment with a different amount is open, return no link, or refuse the change.',
    find: (run, baseline) =>
      checksAtTheEnd(run).flatMap((pageCheck) => {
        const before = pageCheck.isPaid ? acceptedChange(pageCheck, run) : undefined;
        const isCounted = pageCheck.paid || (pageCheck.count ?? 0) > (before?.count ?? 0);
        if (!before || !isCounted) return [];
        const paid = inDong.format(paymentAmount(pageCheck, run));
        const asked = inDong.format(baseline?.changedAmount ?? 0);
        const message = `${thePage} counts ${pageCheck.referenceId} as paid: ${paid} đồng were paid after its basket had grown to ${asked} đồng.`;
        return checkedAt(pageCheck, run, message);
      }),
  },
  'redirect-believed': {
    why: 'Anyone can open a URL, so goods are sent without payment.',
    fix: 'Let the redirect show the state of the order and change nothing. Count the order as paid after a signed webhook.',
    find: (run) =>
      countedAt('redirected', run).map((pageCheck) => {
        const after = 'after its successRedirectUrl was opened; no customer had paid.';
        return checkedAt(pageCheck, run, `${thePage} says that ${pageCheck.referenceId} is paid ${after}`);
      }),
  },
  'counted-twice': {
    why: 'Goods are sent, or credit is given, once for each webhook.',
    fix: 'Change the state of the order and act on it in one transaction, and only if it was not paid before.',
    find(run, baseline = run) {
      const most = Math.max(...checksAtTheEnd(baseline).flatMap(({ count }) => count ?? []));
      // In some scenarios customers pay, although the customers of the baseline do not.
      const isNew = !checksAtTheEnd(baseline).some(({ isPaid }) => isPaid);
      const mostFor = (pageCheck: PageCheck) =>
        isNew && (pageCheck.isPaid || isPaidByAnother(pageCheck, run)) ? Math.max(1, most) : most;
      return checksAtTheEnd(run)
        .filter((pageCheck) => Number.isFinite(most) && (pageCheck.count ?? most) > mostFor(pageCheck))
        .map((pageCheck) => {
          const counts = `the number ${pageCheck.count} for --once, and ${most} in the baseline.`;
          return checkedAt(pageCheck, run, `${thePage} of ${pageCheck.referenceId} shows ${counts}`);
        });
    },
  },
  'notification-refused': {
    level: 'warning',
    why: 'If the shop never accepts the webhook, it misses the payment.',
    fix: 'Respond with 2xx once the webhook is stored. Check the log of the backend.',
    find(run, baseline) {
      const wasAccepted = baseline?.webhooks.some(
        ({ body, tries }) => isCompact(body) && tries.some(isAccepted),
      );
      return neverAccepted(run).map((delivery) => {
        const { id, referenceId, tries, body } = delivery;
        const { httpStatus, error = 'no response' } = tries.at(-1) ?? {};
        const answer = httpStatus === undefined ? error : `HTTP ${httpStatus}`;
        const counted = tries.length === 1 ? '1 try, which' : `${tries.length} tries, the last of which`;
        const message = `The webhook ${id} (${referenceId}) was never accepted: ${counted} ended with ${answer}.`;
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
    return 'an invoice was uploaded before a genuine webhook said that the order is paid';
  const pageChecks = recordsFor(delivery, run.pageChecks).filter(
    ({ moment, isPaid, problem }) =>
      !isPaid && problem === undefined && (moment === 'before-notification' || moment === 'end'),
  );
  if (pageChecks.some(({ paid }) => paid))
    return 'the order counted as paid before a genuine webhook said so';
  return pageChecks.length > 0 ? undefined : 'the rehearsal could not confirm that they had no effect';
}

/** The checks at a moment that show an order as paid, although it is not. */
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

/** True if another payment of the same order is paid, even if the shop has never shown its link. */
function isPaidByAnother(pageCheck: PageCheck, run: RunRecord): boolean {
  const order = orderOf(pageCheck, run);
  return (
    order !== undefined &&
    run.payments.some((payment) => payment.status === 'paid' && orderOf(payment, run) === order)
  );
}

/**
 * The check after a change of the basket, if the shop accepted the change: it returned a link, or requested a higher
 * amount.
 */
function acceptedChange(pageCheck: PageCheck, run: RunRecord): PageCheck | undefined {
  const order = orderOf(pageCheck, run);
  if (order === undefined) return undefined;
  const isLinkGiven = run.clicks.some((click) => click.isChanged === true && click.order === order);
  const asked = requestsOf('initiatePayment', run).filter((request) => orderOf(request, run) === order);
  const mostAsked = Math.max(...asked.map(({ body = '' }) => requestedAmount(body)));
  if (!isLinkGiven && mostAsked <= paymentAmount(pageCheck, run)) return undefined;
  return checkAfterChange(pageCheck, run);
}

/** The check of an order right after its basket was changed. */
function checkAfterChange(payment: Referring, { pageChecks }: RunRecord): PageCheck | undefined {
  return recordsFor(payment, pageChecks).find(({ moment }) => moment === 'changed');
}

function requestedAmount(body: string): number {
  return finiteNumberAt(readProperty(tryParseJson(body), 'amount'), 'value') ?? 0;
}

function paymentAmount(payment: Referring, { payments }: RunRecord): number {
  return recordsFor(payment, payments)[0]?.request.amount.value ?? Infinity;
}

function neverAccepted(run: RunRecord): WebhookDelivery[] {
  return genuineSent(run).filter(({ tries }) => !tries.some(isAccepted));
}

function isCompact(body: string): boolean {
  const value = tryParseJson(body);
  return value === undefined || JSON.stringify(value) === body;
}
