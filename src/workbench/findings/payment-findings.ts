import { groupBy, tableOf } from '../../values/collections.js';
import {
  isAnswerLost,
  type JournalEntry,
  type MockInvoice,
  type MockPayment,
} from '../../mock/observation.js';
import {
  byReference,
  clickedOrder,
  leavesOpen,
  orderOf,
  paymentKeyOf,
  paidAt,
  paidIn,
  recordsFor,
  requestsOf,
  confirmedAt,
} from './journal-queries.js';
import { violation, type Rule, type Violation } from './rule.js';
import { requestNames, responseTo } from './wording.js';
import type { RunRecord } from './record.js';

/** The rules about payments and invoices that are too many or too early. */
export const paymentRules = tableOf<Rule>()({
  'two-payments': {
    why: 'A customer can be charged twice for one order.',
    fix: 'Retry the same request a few times, with the same referenceId and Idempotency-Key. Then look the payment up. The specification does not say what the service does with a repeated key. Begin another payment only after the last one was refused, declined or expired. A declined payment can still be paid later: if both are paid, refund one.',
    find(run, baseline) {
      const { payments, orders } = run;
      const expected = orders ?? baseline?.payments.length ?? Infinity;
      if (payments.length - laterPayments(run, baseline) <= expected) return [];
      const created = creationsOf(payments, run);
      const compared =
        orders === undefined ? `, ${expected} in the baseline` : ` for ${ordersText(expected)}`;
      const count = `${payments.length} payments were created${compared}`;
      const ofOneOrder = [...groupBy(created, (entry) => clickedOrder(entry, run)).values()].find(
        ({ length }) => length > 1,
      );
      if (!ofOneOrder) return [violation(`${count}. See ${requestNames(created)}.`, created)];
      return [
        violation(`${count}; ${requestNames(ofOneOrder)} belong to one order.`, ofOneOrder, ofOneOrder[0]),
      ];
    },
  },
  'new-reference-after-unknown': {
    why: 'The payment whose response was lost might exist, so the customer might have two payments.',
    fix: 'Store the referenceId before the first call, and use a different referenceId only after the service has definitely rejected the first payment.',
    find(run, baseline = run) {
      const sent = byReference(requestsOf('initiatePayment', run));
      const known = byReference(requestsOf('initiatePayment', baseline));
      if (sent.length - laterPayments(run, baseline) <= known.length) return [];
      const knownKeys = new Set(known.map(([first]) => paymentKeyOf(first)));
      const firsts = sent.map(([first]) => first).filter((first) => !knownKeys.has(paymentKeyOf(first)));
      const cases = requestsOf('initiatePayment', run)
        .filter(leavesOpen)
        .map((doubt) => ({ doubt, next: firsts.filter(({ id }) => id > doubt.id) }))
        .filter(({ next }) => next.length > 0);
      return run.orders === undefined
        ? // The last case has the fewest possible successors.
          cases.slice(-1).map(({ doubt, next }) => anotherReference(doubt, next))
        : ofClickedOrders(cases, run);
    },
  },
  'upload-again': {
    why: 'A referenceId can have three invoices at most, and a repeated upload can use up two of them.',
    fix: 'After a lost response, do not upload again: look the invoice up at the service, or ask the provider.',
    find(run, baseline) {
      const stored = groupBy(run.invoices, invoiceKey);
      const repeated = [...groupBy(requestsOf('uploadInvoice', run), uploadKey)].flatMap(
        ([upload, entries]) => {
          const lost = entries.find((entry) => entry.acted && isAnswerLost(entry));
          const again = entries.filter(({ id }) => lost !== undefined && id > lost.id);
          const count = stored.get(upload)?.length ?? 0;
          if (!lost || again.length === 0 || count < 2) return [];
          const first = `The response to the upload in ${requestNames([lost])} was lost`;
          const message = `${first}; ${requestNames(again)} sent the same file again, and it is stored ${count} times.`;
          return violation(message, [lost, ...again]);
        },
      );
      const isComparable = baseline !== undefined && baseline.isCutShort !== true;
      return repeated.length > 0 || !isComparable ? repeated : moreThanBaseline(run, baseline);
    },
  },
  'upload-unconfirmed': {
    why: 'The specification lets merchants upload only after the payment is confirmed.',
    fix: 'Upload when a signed webhook or a status query says that the payment is paid. The redirect proves nothing.',
    find: (run) =>
      byReference(requestsOf('uploadInvoice', run)).flatMap((uploads) => {
        const [order] = uploads;
        const confirmed = run.hasWebhook ? confirmedAt(order, run) : -Infinity;
        const paid = paidAt(order, run);
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
    why: 'The customer has paid twice, and one payment must be refunded.',
    fix: 'Count the order once, and let your staff refund the second payment.',
    // The rehearsal must call the checkout. Otherwise it is not known which payments belong to one order.
    find(run) {
      const paid = run.payments.filter(({ status }) => status === 'paid');
      const byOrder = [...groupBy(paid, (payment) => orderOf(payment, run)).values()];
      return byOrder
        .filter(({ length }) => length > 1)
        .map((payments) => {
          const created = creationsOf(payments, run);
          return violation(`One order is paid twice: ${requestNames(created)}.`, created, payments.at(-1));
        });
    },
  },
});

function ordersText(count: number): string {
  return count === 1 ? '1 order' : `${count} orders`;
}

/**
 * A request whose response left open whether there is a payment, and the later requests with a different reference.
 */
interface Doubt {
  readonly doubt: JournalEntry;
  readonly next: readonly JournalEntry[];
}

function anotherReference(doubt: JournalEntry, next: readonly JournalEntry[]): Violation {
  const which = next.length === 1 ? '' : ', one of them for the same order';
  const message = `${responseTo(doubt)}; ${requestNames(next)} followed with a different reference${which}.`;
  return violation(message, [doubt, ...next], doubt);
}

/**
 * The cases of orders that are placed at the same time. A request must not be compared with a request for a different
 * order.
 */
function ofClickedOrders(cases: readonly Doubt[], run: RunRecord): Violation[] {
  const known = cases.flatMap(({ doubt, next }) => {
    const order = clickedOrder(doubt, run);
    const same = order === undefined ? [] : next.filter((each) => clickedOrder(each, run) === order);
    return same.length === 0 ? [] : anotherReference(doubt, same.slice(0, 1));
  });
  if (known.length > 0) return known.slice(-1);
  // If the requests do not show their order, only their number is known.
  const unknown = cases.filter(({ doubt }) => clickedOrder(doubt, run) === undefined);
  return unknown.slice(-1).map(({ doubt }) => {
    const { length } = byReference(requestsOf('initiatePayment', run));
    const message = `${responseTo(doubt)}; ${length} references were sent for ${ordersText(run.orders ?? 0)}.`;
    return violation(message, [doubt]);
  });
}

const unpaidEnds = ({ ends }: RunRecord) => ends.filter(({ status }) => status !== 'paid');

/** The number of payments that may follow one that ended unpaid: they were created after the first such end, and each end allows one. */
function laterPayments(run: RunRecord, baseline?: RunRecord): number {
  const ends = unpaidEnds(run);
  const firstEnd = Math.min(...ends.map(({ settledAt }) => settledAt?.getTime() ?? Infinity));
  const followers = run.payments.filter(({ createdAt }) => createdAt.getTime() > firstEnd).length;
  // If the baseline gives the expected number, this number already contains the payments after its own unpaid ends.
  const expected = run.orders === undefined && baseline ? unpaidEnds(baseline).length : 0;
  return Math.max(0, Math.min(followers, ends.length - expected));
}

/** The requests that created these payments. */
function creationsOf(payments: readonly MockPayment[], run: RunRecord): JournalEntry[] {
  const keys = new Set(payments.map(paymentKeyOf));
  return requestsOf('initiatePayment', run).filter((entry) => entry.acted && keys.has(paymentKeyOf(entry)));
}

function uploadKey({ files, fields, ...order }: JournalEntry): string | undefined {
  return order.referenceId && `${paymentKeyOf(order)} ${files?.[0]?.sha256 ?? fields?.['fileUrl']}`;
}

function invoiceKey({ file, fileUrl, ...order }: MockInvoice): string {
  return `${paymentKeyOf(order)} ${file?.sha256 ?? fileUrl}`;
}

/**
 * Finds more invoices than in the baseline. A payment that is paid only in this scenario can have as many invoices as
 * the payment with the most invoices in the baseline.
 */
function moreThanBaseline(run: RunRecord, baseline: RunRecord): Violation[] {
  const paid = paidIn(baseline);
  const usual = Math.max(1, ...byReference(baseline.invoices).map(({ length }) => length));
  const most = baseline.invoices.length + Math.max(0, paidIn(run) - paid) * usual;
  // If nothing was paid in the baseline, nothing was uploaded there: each file should be stored once.
  const groups = paid > 0 ? byReference(run.invoices) : [...groupBy(run.invoices, invoiceKey).values()];
  const [largest] = groups.sort((one, other) => other.length - one.length);
  const isMore = paid > 0 && run.invoices.length > most;
  if (!largest || !(isMore || largest.length > usual)) return [];
  const [{ referenceId }] = largest;
  const message = `${run.invoices.length} invoices are stored (${baseline.invoices.length} in the baseline), ${largest.length} of them for ${referenceId}.`;
  return [violation(message, recordsFor(largest[0], requestsOf('uploadInvoice', run)), largest[0])];
}
