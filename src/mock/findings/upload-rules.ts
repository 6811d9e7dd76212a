import type { MockInvoice } from '../state/invoices.js';
import type { JournalEntry } from '../state/journal-types.js';
import {
  byReference,
  groupBy,
  isLost,
  named,
  of,
  paidAt,
  toldAt,
  perReference,
  requestsFor,
  sighting,
  type Evidence,
  type Sighting,
} from './evidence.js';

/** The file of an upload or invoice, or its URL. */
function contentOf(file: { readonly sha256: string } | undefined, fileUrl: string | undefined): string {
  return file?.sha256 ?? fileUrl ?? '';
}

function uploadOf({ referenceId, files, fields }: JournalEntry): string | undefined {
  return referenceId && `${referenceId} ${contentOf(files?.[0], fields?.['fileUrl'])}`;
}

function invoiceOf({ referenceId, file, fileUrl }: MockInvoice): string {
  return `${referenceId} ${contentOf(file, fileUrl)}`;
}

export function uploadAgain(run: Evidence, plain?: Evidence): Sighting[] {
  const uploads = of('uploadInvoice', run);
  const stored = groupBy(run.invoices, invoiceOf);
  const sightings = [...groupBy(uploads, uploadOf)].flatMap(([upload, entries]) => {
    const lost = entries.find(isLost);
    const again = entries.filter(({ id }) => lost !== undefined && id > lost.id);
    const count = stored.get(upload)?.length ?? 0;
    if (!lost || again.length === 0 || count < 2) return [];
    const first = `The answer to upload ${lost.id} (${lost.referenceId}) was lost`;
    const message = `${first}; ${named(again)} sent the same file again, and it is stored ${count} times.`;
    return [sighting(message, [lost, ...again], lost.referenceId)];
  });
  if (sightings.length > 0 || !plain) return sightings;
  // Where nothing was paid in the plain world nothing could be uploaded there: then a file should be stored once.
  const isPaid = plain.payments.some(({ status }) => status === 'paid');
  const most = largest(isPaid ? byReference(run.invoices) : stored);
  const usual = isPaid ? largest(byReference(plain.invoices)).length : 1;
  if (most.length <= usual) return [];
  const referenceId = most[0]?.referenceId ?? '';
  const compared = isPaid ? `in the plain world at most ${usual} for one reference` : 'all of one file';
  const message = `Invoices stored for ${referenceId}: ${most.length}; ${compared}.`;
  return [sighting(message, requestsFor(referenceId, uploads), referenceId)];
}

/** The most invoices of one kind; a world in which more payments are paid has more invoices in all. */
function largest(groups: ReadonlyMap<string, readonly MockInvoice[]>): readonly MockInvoice[] {
  return [...groups.values()].reduce((most, each) => (each.length > most.length ? each : most), []);
}

export function uploadUnconfirmed(run: Evidence): Sighting[] {
  return perReference(of('uploadInvoice', run), (uploads, referenceId) => {
    const told = run.hasWebhook ? toldAt(referenceId, run) : -Infinity;
    const paid = paidAt(referenceId, run);
    const early = uploads.find(({ at }) => at.getTime() < Math.max(paid, told));
    if (!early) return undefined;
    const message =
      early.at.getTime() < paid
        ? `Upload ${early.id} came while the payment ${referenceId} was not paid.`
        : `Upload ${early.id} (${referenceId}) came before a notification or query had told that the payment is paid.`;
    return sighting(message, [early], referenceId);
  });
}
