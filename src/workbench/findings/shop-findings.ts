import { tryParseJson, finiteNumberAt, readProperty } from '../../values/untrusted-values.js';
import { tableOf } from '../../values/collections.js';
import type { WebhookDelivery } from '../../mock/observation.js';
import { unknownReference } from '../../mock/scenarios/webhook-plans.js';
import {
  groupByPayment,
  isAccepted,
  sentGenuineWebhooks,
  orderOfPayment,
  recordsFor,
  requestsOf,
  confirmedAt,
  type PaymentRelated,
} from './journal-queries.js';
import { violation, type Rule, type Violation } from './rule.js';
import type { PageCheck, RunRecord } from './record.js';

const thePage = "The shop's order page";
const rawBytes = 'over the raw bytes of the body, before it is parsed';
const verifySignature = `Verify the signature ${rawBytes}, and with the secret key of this environment.`;
const inDong = new Intl.NumberFormat('en-US');
const storeEveryPayment = `Store each payment of an order with its referenceId, because a customer can pay with an earlier link, or after a restart of the shop. Check that --order-url finds the order: {ref} is replaced with the referenceId of the payment.`;
const verifyRawBytes = `Your code verifies the signature over JSON that was parsed and serialized again. Verify the signature ${rawBytes}.`;

/** The fix for each HTTP status that shows the cause. */
const fixesByStatus: Readonly<Record<number, string>> = {
  401: verifySignature,
  403: verifySignature,
  404: 'Check the URL of the webhook. Respond with 404 only if the referenceId is unknown: the webhook is then delivered again. Do not refuse a webhook because the order has a newer payment: store each payment of an order with its referenceId.',
};

/** The rules about the shop's responses to webhooks and about its order page. */
export const shopRules = tableOf<Rule>()({
  'forged-accepted': {
    why: "Anyone who knows the webhook's URL can get goods without payment.",
    fix: 'First verify the signature over the raw bytes of the body. Respond with 401 if the signature is wrong or missing, and refuse every webhook if no secret key is configured.',
    find(run) {
      const accepted = run.webhooks.filter(({ forgery, tries }) => forgery && tries.some(isAccepted));
      return groupByPayment(accepted).flatMap((deliveries) => {
        const [first] = deliveries;
        const effect = effectOfForgery(first, run);
        if (effect === undefined) return [];
        const names = deliveries.map(({ id, forgery }) => `${id} ${forgery}`).join(', ');
        const message = `Forged webhooks for ${first.referenceId} (${names}) got a 2xx response, and ${effect}.`;
        return violation(message, recordsFor(first, requestsOf('uploadInvoice', run)), first);
      });
    },
  },
  'paid-not-counted': {
    why: 'The customer has paid, but gets nothing.',
    fix: 'Count an order as paid whenever a signed webhook says so, even if its payment was declined, expired or pending before. Once an order is paid, do not overwrite this status, for example with the response to your initiate request: the webhook can arrive before that response. Respond to an unknown referenceId with an error, so that the webhook is sent again. If the order page is correct, check --paid and --order-url ({ref} is the referenceId).',
    find(run) {
      const refused = new Set(neverAcceptedWebhooks(run).map(({ referenceId }) => referenceId));
      return (
        finalChecks(run)
          // After a change of the basket, the shop is right not to show the order as paid before its staff have checked
          // the payment.
          .filter(
            (pageCheck) =>
              pageCheck.isPaidAtService && !pageCheck.showsPaid && !checkAfterChange(pageCheck, run),
          )
          .map((pageCheck) => {
            const page = pageCheck.problem === undefined ? 'does not show it as paid' : 'could not be read';
            const refusal = refused.has(pageCheck.referenceId)
              ? ', and the shop has accepted no webhook for the payment'
              : '';
            const message = `${pageCheck.referenceId} is paid at the service, but the shop's order page ${page}${refusal}.`;
            const found = pageViolation(pageCheck, run, message);
            return pageCheck.problem === undefined ? found : { ...found, fix: storeEveryPayment };
          })
      );
    },
  },
  'unpaid-counted': {
    why: 'Goods are sent without payment.',
    fix: 'APPROVED means that the payment was created, not that it is paid. Count an order as paid only after a signed webhook that says paid and whose referenceId, amount, currency and merchant match the stored request, or after a status query that says paid. If the order page is correct, the regex of --paid matches too much.',
    find(run) {
      const decoysFor = (pageCheck: PageCheck) =>
        recordsFor(pageCheck, run.webhooks).filter((each) => each.decoy !== undefined);
      const untouched = falselyPaidAt('untouched', run);
      const tooEarly = falselyPaidAt('before-notification', run).filter(
        (pageCheck) => decoysFor(pageCheck).length > 0,
      );
      const atLast = falselyPaidAt('final', run).filter(
        (pageCheck) => !isPaidByAnotherPayment(pageCheck, run),
      );
      // For each payment, only its first wrong check is reported.
      return groupByPayment([...untouched, ...tooEarly, ...atLast]).map(([pageCheck]) => {
        const accepted = decoysFor(pageCheck)
          .filter(({ tries }) => tries.some(isAccepted))
          .map((each) => `${each.id} ${each.decoy}`);
        const decoys =
          accepted.length > 0
            ? ` The shop had accepted webhooks that do not prove a payment (${accepted.join(', ')}).`
            : ' The rehearsal had sent webhooks that must not change the order. The shop accepted none of them, so they are probably not the reason why the page shows the order as paid.';
        const truth =
          pageCheck.moment === 'final' ? 'it is not paid at the service' : 'the customer had not paid yet';
        const details = pageCheck.moment === 'before-notification' ? decoys : '';
        return pageViolation(
          pageCheck,
          run,
          `${thePage} shows ${pageCheck.referenceId} as paid, but ${truth}.${details}`,
        );
      });
    },
  },
  'unknown-acknowledged': {
    level: 'warning',
    why: 'A webhook can arrive before the shop has stored its order. If the shop accepts that webhook, the service does not send the webhook again.',
    fix: 'Respond to an unknown referenceId with an error, such as 500. Ignore this warning if your shop stores every webhook first, and processes it later.',
    find({ webhooks }) {
      const accepted = webhooks.filter(
        ({ decoy, tries }) => decoy === 'unknown-reference' && tries.some(isAccepted),
      );
      if (accepted.length === 0) return [];
      const names = accepted.map(({ id }) => id).join(', ');
      const message = `Signed webhooks for ${unknownReference} (${names}) got a 2xx response, although the shop never sent this referenceId.`;
      return [violation(message, [])];
    },
  },
  'other-amount-counted': {
    why: 'The customer gets more than they have paid for.',
    fix: 'Store the current amount of the order, and count the order as paid only if the amount, currency and merchant of the payment match. If not, let your staff check the payment. While the customer can still pay the earlier amount, return no payment link for the new amount, or do not let the customer change the basket.',
    find: (run, baseline) =>
      finalChecks(run).flatMap((pageCheck) => {
        const afterChange = pageCheck.isPaidAtService ? checkAfterAcceptedChange(pageCheck, run) : undefined;
        const isCounted = pageCheck.showsPaid || (pageCheck.onceNumber ?? 0) > (afterChange?.onceNumber ?? 0);
        if (!afterChange || !isCounted) return [];
        const paid = inDong.format(paymentAmount(pageCheck, run));
        const newAmount = inDong.format(baseline?.changedAmount ?? 0);
        const message = `${thePage} shows ${pageCheck.referenceId} as paid, but ${paid} đồng were paid after the amount of the basket had changed to ${newAmount} đồng.`;
        return pageViolation(pageCheck, run, message);
      }),
  },
  'redirect-believed': {
    why: 'Anyone can open the redirect URL, and get goods without payment.',
    fix: 'At the redirect URL, only show the status of the order. Count the order as paid after a signed webhook.',
    find: (run) =>
      falselyPaidAt('redirect-opened', run).map((pageCheck) => {
        const message = `${thePage} shows ${pageCheck.referenceId} as paid after its successRedirectUrl was opened, but the customer had not paid.`;
        return pageViolation(pageCheck, run, message);
      }),
  },
  'counted-twice': {
    why: 'The shop sends goods or gives credit more than once for one payment.',
    fix: 'Mark the order as paid only if it was not paid before, and ship or give credit in the same transaction.',
    find(run, baseline = run) {
      const inBaseline = Math.max(...finalChecks(baseline).flatMap(({ onceNumber }) => onceNumber ?? []));
      // In some scenarios the customers pay, although the customers of the baseline do not.
      const isPaidOnlyHere = !finalChecks(baseline).some(({ isPaidAtService }) => isPaidAtService);
      const allowedFor = (pageCheck: PageCheck) =>
        isPaidOnlyHere && (pageCheck.isPaidAtService || isPaidByAnotherPayment(pageCheck, run))
          ? Math.max(1, inBaseline)
          : inBaseline;
      return finalChecks(run)
        .filter(
          (pageCheck) =>
            Number.isFinite(inBaseline) && (pageCheck.onceNumber ?? -Infinity) > allowedFor(pageCheck),
        )
        .map((pageCheck) => {
          const message = `${thePage} of ${pageCheck.referenceId} shows the number ${pageCheck.onceNumber} (captured by --once). In the baseline, it was ${inBaseline} at most, so your shop has probably acted twice.`;
          return pageViolation(pageCheck, run, message);
        });
    },
  },
  'notification-refused': {
    level: 'warning',
    why: 'The shop does not learn that the payment was settled.',
    fix: "Respond with 2xx once the webhook is stored. See your shop's log for the cause.",
    find(run, baseline) {
      const wasCompactAccepted = baseline?.webhooks.some(
        ({ body, tries }) => isCompact(body) && tries.some(isAccepted),
      );
      return neverAcceptedWebhooks(run).map((delivery) => {
        const { id, referenceId, tries, body } = delivery;
        const { httpStatus, error = 'no response' } = tries.at(-1) ?? {};
        const result = httpStatus === undefined ? error : `HTTP ${httpStatus}`;
        const attempts = tries.length === 1 ? '1 attempt' : `${tries.length} attempts`;
        const message = `The webhook ${id} (${referenceId}) was not accepted in ${attempts}. The last result was: ${result}.`;
        const found = violation(message, [], delivery);
        if (wasCompactAccepted === true && !isCompact(body))
          return { ...found, level: 'error', fix: verifyRawBytes };
        const fix = fixesByStatus[httpStatus ?? 0];
        return fix === undefined ? found : { ...found, fix };
      });
    },
  },
});

/** Describes the effect of a forged webhook; undefined if the shop's order page shows that there was no effect. */
function effectOfForgery(delivery: WebhookDelivery, run: RunRecord): string | undefined {
  const acceptedAtMs = delivery.tries.find(isAccepted)?.startedAt.getTime() ?? 0;
  const confirmedAtMs = confirmedAt(delivery, run);
  const uploads = recordsFor(delivery, requestsOf('uploadInvoice', run));
  if (uploads.some(({ at }) => at.getTime() >= acceptedAtMs && at.getTime() < confirmedAtMs))
    return 'an invoice was uploaded before a genuine webhook said that the order is paid';
  const pageChecks = recordsFor(delivery, run.pageChecks).filter(
    ({ moment, isPaidAtService, problem }) =>
      !isPaidAtService && problem === undefined && (moment === 'before-notification' || moment === 'final'),
  );
  if (pageChecks.some(({ showsPaid }) => showsPaid))
    return 'the order page showed the order as paid before a genuine webhook said so';
  return pageChecks.length > 0 ? undefined : 'the rehearsal could not check whether this had an effect';
}

/** Returns the checks at a moment that show an order as paid, although its payment is not paid. */
function falselyPaidAt(at: PageCheck['moment'], { pageChecks }: RunRecord): PageCheck[] {
  return pageChecks.filter(
    ({ moment, showsPaid, isPaidAtService }) => moment === at && showsPaid && !isPaidAtService,
  );
}

/** Creates a violation with the evidence of the order page. */
function pageViolation(pageCheck: PageCheck, run: RunRecord, message: string): Violation {
  const evidence = pageCheck.problem ?? pageCheck.evidence;
  const text = evidence === undefined ? message : `${message} ${evidence}.`;
  return violation(text, recordsFor(pageCheck, run.requests), pageCheck);
}

function finalChecks({ pageChecks }: RunRecord): PageCheck[] {
  return pageChecks.filter(({ moment }) => moment === 'final');
}

/** True if any payment of the order is paid, even if the shop has never shown the link of that payment. */
function isPaidByAnotherPayment(pageCheck: PageCheck, run: RunRecord): boolean {
  const order = orderOfPayment(pageCheck, run);
  return (
    order !== undefined &&
    run.payments.some((payment) => payment.status === 'paid' && orderOfPayment(payment, run) === order)
  );
}

/**
 * Returns the check right after the basket was changed, if the shop has accepted the change: it returned a link, or
 * requested a higher amount. Returns undefined if the shop has accepted no change.
 */
function checkAfterAcceptedChange(pageCheck: PageCheck, run: RunRecord): PageCheck | undefined {
  const order = orderOfPayment(pageCheck, run);
  if (order === undefined) return undefined;
  const hasNewLink = run.shownLinks.some((link) => link.fromChangedCheckout === true && link.order === order);
  const requests = requestsOf('initiatePayment', run).filter(
    (request) => orderOfPayment(request, run) === order,
  );
  const highestAmount = Math.max(...requests.map(({ body = '' }) => requestedAmount(body)));
  if (!hasNewLink && highestAmount <= paymentAmount(pageCheck, run)) return undefined;
  return checkAfterChange(pageCheck, run);
}

/** Returns the check of an order right after its basket was changed; undefined if the basket was not changed. */
function checkAfterChange(payment: PaymentRelated, { pageChecks }: RunRecord): PageCheck | undefined {
  return recordsFor(payment, pageChecks).find(({ moment }) => moment === 'changed');
}

function requestedAmount(body: string): number {
  return finiteNumberAt(readProperty(tryParseJson(body), 'amount'), 'value') ?? 0;
}

function paymentAmount(payment: PaymentRelated, { payments }: RunRecord): number {
  return recordsFor(payment, payments)[0]?.request.amount.value ?? Infinity;
}

function neverAcceptedWebhooks(run: RunRecord): WebhookDelivery[] {
  return sentGenuineWebhooks(run).filter(({ tries }) => !tries.some(isAccepted));
}

/**
 * True for JSON without spaces and line breaks between its values. If a shop serializes the JSON again before it
 * verifies the signature, the signature matches only if the JSON was compact.
 */
function isCompact(body: string): boolean {
  const value = tryParseJson(body);
  return value === undefined || JSON.stringify(value) === body;
}
