import type { JournalEntry } from '../state/journal-types.js';
import type { MockInvoice } from '../state/invoices.js';
import { groupBy, idsOf, isLost, named, of, paidAt, toldAt, type Evidence } from './evidence.js';
import type { Sighting } from './sighting.js';

/** The file of an upload or invoice, or its URL. */
function contentOf(file: { readonly sha256: string } | undefined, fileUrl: string | undefined) {
  return file?.sha256 ?? fileUrl;
}

function uploadOf({ referenceId, files, fields }: JournalEntry): string | undefined {
  return referenceId && `${referenceId} ${contentOf(files?.[0], fields?.['fileUrl']) ?? ''}`;
}

function invoiceOf({ referenceId, file, fileUrl }: MockInvoice): string {
  return `${referenceId} ${contentOf(file, fileUrl) ?? ''}`;
}

export function uploadAgain(run: Evidence, plain?: Evidence): Sighting[] {
  const stored = groupBy(run.invoices, invoiceOf);
  const sightings: Sighting[] = [];
  for (const [upload, entries] of groupBy(of('uploadInvoice', run), uploadOf)) {
    const lost = entries.find(isLost);
    const again = entries.filter(({ id }) => lost !== undefined && id > lost.id);
    const count = stored.get(upload)?.length ?? 0;
    if (!lost || again.length === 0 || count < 2) continue;
    sightings.push({
      message:
        `The answer to upload ${lost.id} (${lost.referenceId}) was lost; ${named(again)} sent the same file again, ` +
        `and it is stored ${count} times.`,
      referenceId: lost.referenceId,
      requests: idsOf([lost, ...again]),
    });
  }
  const most = mostFor(run);
  const usual = plain && mostFor(plain);
  if (sightings.length === 0 && usual && most.invoices > usual.invoices) {
    const { referenceId, invoices } = most;
    sightings.push({
      message: `${invoices} invoices were stored for ${referenceId}; in the plain world at most ${usual.invoices} for one reference.`,
      referenceId,
      requests: idsOf(of('uploadInvoice', run).filter((entry) => entry.referenceId === referenceId)),
    });
  }
  return sightings;
}

/** The reference with the most invoices; a world in which more payments are paid has more invoices in all. */
function mostFor({ invoices }: Evidence): { readonly referenceId: string; readonly invoices: number } {
  let most = { referenceId: '', invoices: 0 };
  for (const [referenceId, stored] of groupBy(invoices, (invoice) => invoice.referenceId)) {
    if (stored.length > most.invoices) most = { referenceId, invoices: stored.length };
  }
  return most;
}

export function uploadUnconfirmed(run: Evidence): Sighting[] {
  const sightings: Sighting[] = [];
  for (const [referenceId, uploads] of groupBy(of('uploadInvoice', run), (entry) => entry.referenceId)) {
    const told = run.hasWebhook ? toldAt(referenceId, run) : -Infinity;
    const paid = paidAt(referenceId, run);
    const early = uploads.find(({ at }) => at.getTime() < Math.max(paid, told));
    if (!early) continue;
    const message =
      early.at.getTime() < paid
        ? `Upload ${early.id} came while the payment ${referenceId} was not paid.`
        : `Upload ${early.id} (${referenceId}) came before a notification or query had told that the payment is paid.`;
    sightings.push({ message, referenceId, requests: [early.id] });
  }
  return sightings;
}
