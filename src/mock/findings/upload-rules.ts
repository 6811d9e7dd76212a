import { groupBy } from '../../values/group-by.js';
import { isAnswerLost } from '../state/journal.js';
import type { MockInvoice } from '../state/invoices.js';
import type { JournalEntry } from '../state/journal-types.js';
import {
  byReference,
  orderKey,
  paidAt,
  paidIn,
  perReference,
  recordsFor,
  requestNames,
  requestsOf,
  sighting,
  toldAt,
  type Sighting,
} from './evidence.js';
import type { RunRecord } from './record.js';

function uploadKey({ files, fields, ...order }: JournalEntry): string | undefined {
  return order.referenceId && `${orderKey(order)} ${files?.[0]?.sha256 ?? fields?.['fileUrl']}`;
}

function invoiceKey({ file, fileUrl, ...order }: MockInvoice): string {
  return `${orderKey(order)} ${file?.sha256 ?? fileUrl}`;
}

export function uploadAgain(run: RunRecord, plain?: RunRecord): Sighting[] {
  const uploads = requestsOf('uploadInvoice', run);
  const stored = groupBy(run.invoices, invoiceKey);
  const sightings = [...groupBy(uploads, uploadKey)].flatMap(([upload, entries]) => {
    const lost = entries.find(isAnswerLost);
    const again = entries.filter(({ id }) => lost !== undefined && id > lost.id);
    const count = stored.get(upload)?.length ?? 0;
    if (!lost || again.length === 0 || count < 2) return [];
    const first = `The response to the upload in ${requestNames([lost])} was lost`;
    const message = `${first}; ${requestNames(again)} sent the same file again, and it is stored ${count} times.`;
    return [sighting(message, [lost, ...again], lost.referenceId)];
  });
  return sightings.length > 0 || !plain ? sightings : moreThanPlain(run, plain);
}

/** More invoices than in the plain world. Each payment that is paid only in this world may have as many as any has there. */
function moreThanPlain(run: RunRecord, plain: RunRecord): Sighting[] {
  const paid = paidIn(plain);
  // Where nothing was paid nothing could be uploaded: then a file should be stored once.
  const groups = paid > 0 ? byReference(run.invoices) : groupBy(run.invoices, invoiceKey);
  const usual = Math.max(1, ...[...byReference(plain.invoices).values()].map(({ length }) => length));
  const most = paid > 0 ? usual : 1;
  const expected = plain.invoices.length + Math.max(0, paidIn(run) - paid) * most;
  const largest = [...groups.values()].sort((one, other) => other.length - one.length)[0];
  const isMore = paid > 0 && run.invoices.length > expected;
  if (!largest?.[0] || !(isMore || largest.length > most)) return [];
  const message = `${run.invoices.length} invoices are stored, ${plain.invoices.length} in the plain world, and for ${largest[0].referenceId} alone ${largest.length}.`;
  const entries = recordsFor(largest[0], requestsOf('uploadInvoice', run));
  return [sighting(message, entries, largest[0].referenceId)];
}

export function uploadUnconfirmed(run: RunRecord): Sighting[] {
  return perReference(requestsOf('uploadInvoice', run), (uploads, referenceId) => {
    const order = uploads[0] ?? {};
    const told = run.hasWebhook ? toldAt(order, run) : -Infinity;
    const paid = paidAt(order, run);
    const early = uploads.find(({ at }) => at.getTime() < Math.max(paid, told));
    if (!early) return undefined;
    const when =
      early.at.getTime() < paid
        ? 'while the payment was not paid'
        : 'before a notification or query said that the payment is paid';
    return sighting(`The upload in ${requestNames([early])} arrived ${when}.`, [early], referenceId);
  });
}
