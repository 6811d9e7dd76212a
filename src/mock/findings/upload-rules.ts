import { groupBy } from '../../values/group-by.js';
import { tableOf } from '../common/table-of.js';
import { isAnswerLost } from '../state/journal.js';
import type { MockInvoice } from '../state/invoices.js';
import type { JournalEntry } from '../state/journal-types.js';
import {
  byReference,
  orderKey,
  paidAt,
  paidIn,
  recordsFor,
  requestNames,
  requestsOf,
  sighting,
  toldAt,
  type Rule,
  type Sighting,
} from './evidence.js';
import type { RunRecord } from './record.js';

/** Invoices that are too many, or too early. */
export const uploadRules = tableOf<Rule>()({
  'upload-again': {
    level: 'error',
    why: 'A referenceId has three invoices at most, and a repeated upload may use up two of them.',
    fix: 'After a lost response, do not upload again: look the invoice up at the service, or ask it.',
    find(run, plain) {
      const stored = groupBy(run.invoices, invoiceKey);
      const repeated = [...groupBy(requestsOf('uploadInvoice', run), uploadKey)].flatMap(
        ([upload, entries]) => {
          const lost = entries.find(isAnswerLost);
          const again = entries.filter(({ id }) => lost !== undefined && id > lost.id);
          const count = stored.get(upload)?.length ?? 0;
          if (!lost || again.length === 0 || count < 2) return [];
          const first = `The response to the upload in ${requestNames([lost])} was lost`;
          const message = `${first}; ${requestNames(again)} sent the same file again, and it is stored ${count} times.`;
          return sighting(message, [lost, ...again]);
        },
      );
      return repeated.length > 0 || !plain ? repeated : moreThanPlain(run, plain);
    },
  },
  'upload-unconfirmed': {
    level: 'error',
    why: 'The specification has merchants upload only after the payment is confirmed.',
    fix: 'Upload when a signed notification, or a status query, says that the payment is paid. The redirect proves nothing.',
    find: (run) =>
      byReference(requestsOf('uploadInvoice', run)).flatMap((uploads) => {
        const [order] = uploads;
        const told = run.hasWebhook ? toldAt(order, run) : -Infinity;
        const paid = paidAt(order, run);
        const early = uploads.find(({ at }) => at.getTime() < Math.max(paid, told));
        if (!early) return [];
        const when =
          early.at.getTime() < paid
            ? 'while the payment was not paid'
            : 'before a notification or query said that the payment is paid';
        return sighting(`The upload in ${requestNames([early])} arrived ${when}.`, [early]);
      }),
  },
});

function uploadKey({ files, fields, ...order }: JournalEntry): string | undefined {
  return order.referenceId && `${orderKey(order)} ${files?.[0]?.sha256 ?? fields?.['fileUrl']}`;
}

function invoiceKey({ file, fileUrl, ...order }: MockInvoice): string {
  return `${orderKey(order)} ${file?.sha256 ?? fileUrl}`;
}

/** More invoices than in the plain world. Each payment that is paid only in this world may have as many as any has there. */
function moreThanPlain(run: RunRecord, plain: RunRecord): Sighting[] {
  const usual = Math.max(...byReference(plain.invoices).map(({ length }) => length));
  const most = plain.invoices.length + Math.max(0, paidIn(run) - paidIn(plain)) * usual;
  const [largest] = byReference(run.invoices).sort((one, other) => other.length - one.length);
  const isMore = run.invoices.length > most || (largest?.length ?? 0) > usual;
  if (!largest || plain.invoices.length === 0 || !isMore) return [];
  const [{ referenceId }] = largest;
  const message = `${run.invoices.length} invoices are stored, ${plain.invoices.length} in the plain world, and for ${referenceId} alone ${largest.length}.`;
  return [sighting(message, recordsFor(largest[0], requestsOf('uploadInvoice', run)), largest[0])];
}
