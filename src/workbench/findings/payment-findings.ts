import { groupBy, tableOf } from '../../values/collections.js';
import {
  isAnswerLost,
  type JournalEntry,
  type MockInvoice,
  type MockPayment,
} from '../../mock/observation.js';
import {
  groupByPayment,
  orderOfRequest,
  hasUnknownOutcome,
  orderOfPayment,
  paymentKeyOf,
  paidAt,
  paidPaymentCount,
  recordsFor,
  requestsOf,
  confirmedAt,
} from './journal-queries.js';
import { violation, type Rule, type Violation } from './rule.js';
import { requestNames, describeResponse } from './wording.js';
import type { RunRecord } from './record.js';

/** The rules against additional payments, and against additional or early invoices. */
export const paymentRules = tableOf<Rule>()({
  'two-payments': {
    why: 'A customer can be charged twice for one order.',
    fix: 'While the outcome is unknown, repeat the same request, with its referenceId and Idempotency-Key. If the repeats do not settle the outcome, look the payment up. Begin another payment only after the previous payment was refused, declined or expired. If two payments of an order are paid, refund one of them.',
    find(run, baseline) {
      const { payments, orderCount } = run;
      const expected = orderCount ?? baseline?.payments.length ?? Infinity;
      if (payments.length - allowedLaterPayments(run, baseline) <= expected) return [];
      const created = creationsOf(payments, run);
      const compared =
        orderCount === undefined ? ` (in the baseline: ${expected})` : ` for ${ordersText(expected)}`;
      const summary = `${payments.length} payments were created${compared}`;
      const ofOneOrder = [...groupBy(created, (entry) => orderOfRequest(entry, run)).values()].find(
        ({ length }) => length > 1,
      );
      if (!ofOneOrder) return [violation(`${summary}. See ${requestNames(created)}.`, created)];
      return [
        violation(
          `${summary}; ${requestNames(ofOneOrder)} are for the same order.`,
          ofOneOrder,
          ofOneOrder[0],
        ),
      ];
    },
  },
  'new-reference-after-unknown': {
    why: 'The first payment might exist, so the customer can be charged twice.',
    fix: 'Store the referenceId before the first call. Send no other referenceId for the order until the payment is known to be refused, declined or expired.',
    find(run, baseline = run) {
      const sent = groupByPayment(requestsOf('initiatePayment', run));
      const sentInBaseline = groupByPayment(requestsOf('initiatePayment', baseline));
      if (sent.length - allowedLaterPayments(run, baseline) <= sentInBaseline.length) return [];
      const baselineKeys = new Set(sentInBaseline.map(([first]) => paymentKeyOf(first)));
      const firsts = sent.map(([first]) => first).filter((first) => !baselineKeys.has(paymentKeyOf(first)));
      const cases = requestsOf('initiatePayment', run)
        .filter(hasUnknownOutcome)
        .map((unknown) => ({ unknown, followers: firsts.filter(({ id }) => id > unknown.id) }))
        .filter(({ followers }) => followers.length > 0);
      return run.orderCount === undefined
        ? // The last request with an unknown outcome has the fewest followers, so it is the clearest case.
          cases.slice(-1).map(anotherReferenceViolation)
        : violationsByOrder(cases, run);
    },
  },
  'upload-again': {
    why: 'Each copy of a file counts as an invoice, and a payment can have at most three invoices.',
    fix: 'Do not repeat an upload whose response was lost. Look the invoice up, or ask the provider.',
    find(run, baseline) {
      const stored = groupBy(run.invoices, invoiceKey);
      const repeated = [...groupBy(requestsOf('uploadInvoice', run), uploadKey)].flatMap(
        ([upload, entries]) => {
          const lost = entries.find((entry) => entry.acted && isAnswerLost(entry));
          const again = entries.filter(({ id }) => lost !== undefined && id > lost.id);
          const copies = stored.get(upload)?.length ?? 0;
          if (!lost || again.length === 0 || copies < 2) return [];
          const first = `The response to the upload in ${requestNames([lost])} was lost`;
          const message = `${first}; ${requestNames(again)} sent the same file again, and the file is stored ${copies} times.`;
          return violation(message, [lost, ...again]);
        },
      );
      const isComparable = baseline !== undefined && baseline.hasLateInvoices !== true;
      if (repeated.length > 0 || !isComparable) return repeated;
      return additionalInvoices(run, baseline);
    },
  },
  'upload-unconfirmed': {
    why: 'The specification allows uploads only for confirmed payments.',
    fix: 'Upload only when a signed webhook or a status query says that the payment is paid. The redirect back to the shop proves nothing.',
    find: (run) =>
      groupByPayment(requestsOf('uploadInvoice', run)).flatMap((uploads) => {
        const [firstUpload] = uploads;
        const confirmed = run.hasWebhook ? confirmedAt(firstUpload, run) : -Infinity;
        const paid = paidAt(firstUpload, run);
        const early = uploads.find(({ at }) => at.getTime() < Math.max(paid, confirmed));
        if (!early) return [];
        const when =
          early.at.getTime() < paid
            ? 'while the payment was not paid'
            : 'before a webhook or a query said that the payment is paid';
        return violation(`The upload in ${requestNames([early])} arrived ${when}.`, [early]);
      }),
  },
  'two-links-paid': {
    level: 'warning',
    why: 'The customer has paid twice.',
    fix: 'Fulfil the order once, and let your staff refund the other payment.',
    // The order of each payment is known only if the rehearsal calls the checkout. If not, this rule finds nothing.
    find(run) {
      const paid = run.payments.filter(({ status }) => status === 'paid');
      const byOrder = [...groupBy(paid, (payment) => orderOfPayment(payment, run)).values()];
      return byOrder
        .filter(({ length }) => length > 1)
        .map((payments) => {
          const created = creationsOf(payments, run);
          return violation(
            `One order was paid ${payments.length} times. See ${requestNames(created)}.`,
            created,
            payments.at(-1),
          );
        });
    },
  },
});

function ordersText(count: number): string {
  return count === 1 ? '1 order' : `${count} orders`;
}

/** A request with an unknown outcome, and the requests for other payments that followed. */
interface UnknownRequest {
  /** A request after which it is unknown whether a payment exists. */
  readonly unknown: JournalEntry;
  /** The later requests with a new referenceId: the first request for each such referenceId. */
  readonly followers: readonly JournalEntry[];
}

function anotherReferenceViolation({ unknown, followers }: UnknownRequest): Violation {
  const which =
    followers.length === 1
      ? 'was sent with a different referenceId'
      : `were sent later with other referenceIds, and at least one of these requests is for the same order as ${requestNames([unknown])}`;
  const message = `${describeResponse(unknown)}; ${requestNames(followers)} ${which}.`;
  return violation(message, [unknown, ...followers], unknown);
}

/**
 * Returns the violations if the rehearsal calls the checkout, which places several orders at the same time. Only
 * requests for the same order are compared.
 */
function violationsByOrder(cases: readonly UnknownRequest[], run: RunRecord): Violation[] {
  const ofKnownOrders = cases.flatMap(({ unknown, followers }) => {
    const order = orderOfRequest(unknown, run);
    const same = order === undefined ? [] : followers.filter((each) => orderOfRequest(each, run) === order);
    return same.length === 0 ? [] : anotherReferenceViolation({ unknown, followers: same.slice(0, 1) });
  });
  if (ofKnownOrders.length > 0) return ofKnownOrders.slice(-1);
  // If the requests do not show their order, only the number of referenceIds can be compared with the number of orders.
  const withoutOrder = cases.filter(({ unknown }) => orderOfRequest(unknown, run) === undefined);
  return withoutOrder.slice(-1).map(({ unknown }) => {
    const { length } = groupByPayment(requestsOf('initiatePayment', run));
    const message = `${describeResponse(unknown)}; ${length} referenceIds were sent for ${ordersText(run.orderCount ?? 0)}.`;
    return violation(message, [unknown]);
  });
}

const unpaidSettlements = ({ settledPayments }: RunRecord) =>
  settledPayments.filter(({ status }) => status !== 'paid');

/**
 * Returns the number of payments that are allowed in addition to one for each order. Each payment that was declined
 * or has expired allows one more payment.
 */
function allowedLaterPayments(run: RunRecord, baseline?: RunRecord): number {
  const unpaid = unpaidSettlements(run);
  const firstSettledAt = Math.min(...unpaid.map(({ settledAt }) => settledAt?.getTime() ?? Infinity));
  const created = run.payments.filter(({ createdAt }) => createdAt.getTime() > firstSettledAt).length;
  // If the number of orders is unknown, as many payments as in the baseline are expected. That number already includes
  // the payments that followed a declined or expired payment in the baseline.
  const alreadyExpected = run.orderCount === undefined && baseline ? unpaidSettlements(baseline).length : 0;
  return Math.max(0, Math.min(created, unpaid.length - alreadyExpected));
}

/** Returns the requests that created these payments. */
function creationsOf(payments: readonly MockPayment[], run: RunRecord): JournalEntry[] {
  const keys = new Set(payments.map(paymentKeyOf));
  return requestsOf('initiatePayment', run).filter((entry) => entry.acted && keys.has(paymentKeyOf(entry)));
}

function uploadKey({ files, fields, ...upload }: JournalEntry): string | undefined {
  return upload.referenceId && `${paymentKeyOf(upload)} ${files?.[0]?.sha256 ?? fields?.['fileUrl']}`;
}

function invoiceKey({ file, fileUrl, ...invoice }: MockInvoice): string {
  return `${paymentKeyOf(invoice)} ${file?.sha256 ?? fileUrl}`;
}

/**
 * Finds more invoices than in the baseline. A payment that is paid only in this scenario can have as many invoices as
 * the payment with the most invoices in the baseline.
 */
function additionalInvoices(run: RunRecord, baseline: RunRecord): Violation[] {
  const paid = paidPaymentCount(baseline);
  const usualForPayment = Math.max(1, ...groupByPayment(baseline.invoices).map(({ length }) => length));
  const allowed = baseline.invoices.length + Math.max(0, paidPaymentCount(run) - paid) * usualForPayment;
  // If no payment was paid in the baseline, the baseline has no invoices to compare with. Each file should then be
  // stored once.
  const groups = paid > 0 ? groupByPayment(run.invoices) : [...groupBy(run.invoices, invoiceKey).values()];
  const [largest] = groups.sort((one, other) => other.length - one.length);
  const isMore = paid > 0 && run.invoices.length > allowed;
  if (!largest || (!isMore && largest.length <= usualForPayment)) return [];
  const [{ referenceId }] = largest;
  const message = `${run.invoices.length} invoices are stored (in the baseline: ${baseline.invoices.length}), and ${largest.length} of them are for ${referenceId}.`;
  return [violation(message, recordsFor(largest[0], requestsOf('uploadInvoice', run)), largest[0])];
}
