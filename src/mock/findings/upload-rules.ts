import { groupBy } from '../../values/group-by.js';
import type { MockInvoice } from '../state/invoices.js';
import type { JournalEntry } from '../state/journal-types.js';
import {
  byReference,
  orderKey,
  paidAt,
  paidIn,
  toldAt,
  perReference,
  requestNumbers,
  requestsFor,
  requestsOf,
  sighting,
  type Referring,
  type Sighting,
} from './evidence.js';
import type { RunRecord } from './record.js';
import { isAnswerLost } from '../state/journal.js';

/** The file of an upload or invoice, or its URL. */
function contentOf(file: { readonly sha256: string } | undefined, fileUrl: string | undefined): string {
  return file?.sha256 ?? fileUrl ?? '';
}

function uploadOf({ files, fields, ...order }: JournalEntry): string | undefined {
  return order.referenceId && `${orderKey(order)} ${contentOf(files?.[0], fields?.['fileUrl'])}`;
}

function invoiceOf({ file, fileUrl, ...order }: MockInvoice): string {
  return `${orderKey(order)} ${contentOf(file, fileUrl)}`;
}

export function uploadAgain(run: RunRecord, plain?: RunRecord): Sighting[] {
  const uploads = requestsOf('uploadInvoice', run);
  const stored = groupBy(run.invoices, invoiceOf);
  const sightings = [...groupBy(uploads, uploadOf)].flatMap(([upload, entries]) => {
    const lost = entries.find(isAnswerLost);
    const again = entries.filter(({ id }) => lost !== undefined && id > lost.id);
    const count = stored.get(upload)?.length ?? 0;
    if (!lost || again.length === 0 || count < 2) return [];
    const first = `The response to upload ${lost.id} (${lost.referenceId}) was lost`;
    const message = `${first}; ${requestNumbers(again)} sent the same file again, and it is stored ${count} times.`;
    return [sighting(message, [lost, ...again], lost.referenceId)];
  });
  if (sightings.length > 0 || !plain) return sightings;
  // Where nothing was paid in the plain world nothing could be uploaded there: then a file should be stored once.
  const paid = paidIn(plain);
  const isPaid = paid > 0;
  const lengths = largestFirst(byReference(plain.invoices)).map(({ length }) => length);
  const usual = Array.from({ length: paid }, (_, index) => lengths[index] ?? 0);
  // Each payment that is paid in this world only may have as many invoices as any.
  const more = Math.max(0, paidIn(run) - paid);
  const place = (index: number) => Math.max(0, index - more);
  const groups = largestFirst(isPaid ? byReference(run.invoices) : stored);
  const index = groups.findIndex(({ length }, at) => length > (usual[place(at)] ?? 1));
  const { length, [0]: first } = groups[index] ?? [];
  if (!first) return [];
  const { referenceId } = first;
  const known = usual.slice(0, place(index) + 1).join(', ');
  const compared = isPaid ? `in the plain world, by reference: ${known}` : 'all of one file';
  const message = `Invoices stored for ${referenceId}: ${length}; ${compared}.`;
  return [sighting(message, requestsFor(first, uploads), referenceId)];
}

function largestFirst(groups: ReadonlyMap<string, readonly MockInvoice[]>): (readonly MockInvoice[])[] {
  return [...groups.values()].sort((one, other) => other.length - one.length);
}

export function uploadUnconfirmed(run: RunRecord): Sighting[] {
  return perReference(requestsOf('uploadInvoice', run), (uploads, referenceId) => {
    const order: Referring = uploads[0] ?? {};
    const told = run.hasWebhook ? toldAt(order, run) : -Infinity;
    const paid = paidAt(order, run);
    const early = uploads.find(({ at }) => at.getTime() < Math.max(paid, told));
    if (!early) return undefined;
    const message =
      early.at.getTime() < paid
        ? `Upload ${early.id} arrived while the payment ${referenceId} was not paid.`
        : `Upload ${early.id} (${referenceId}) arrived before a notification or query said that the payment is paid.`;
    return sighting(message, [early], referenceId);
  });
}
