import type { WebhookDelivery, WebhookTry } from '../webhooks/webhook-types.js';
import { idsOf, of, paidAt, toldAt, type Evidence, type ProbeAnswer } from './evidence.js';
import type { Sighting } from './sighting.js';

function isAccepted({ httpStatus = 0 }: WebhookTry): boolean {
  return httpStatus >= 200 && httpStatus < 300;
}

export function forgedAccepted(run: Evidence): Sighting[] {
  const sightings: Sighting[] = [];
  const told = new Set<string>();
  for (const delivery of run.webhooks) {
    const { referenceId } = delivery;
    const accepted = delivery.forged === true ? delivery.tries.find(isAccepted) : undefined;
    if (!accepted || told.has(referenceId)) continue;
    const effect = effectOf(delivery, accepted, run);
    if (effect === undefined) continue;
    told.add(referenceId);
    const message = `The forged notification ${delivery.id} (${referenceId}) was answered with ${accepted.httpStatus}${effect}.`;
    const uploads = of('uploadInvoice', run).filter((entry) => entry.referenceId === referenceId);
    sightings.push({ message, referenceId, requests: idsOf(uploads) });
  }
  return sightings;
}

/** The effect of a forged notification, as words; undefined if the merchant's order page shows that it had none. */
function effectOf({ referenceId }: WebhookDelivery, { startedAt }: WebhookTry, run: Evidence) {
  const since = startedAt.getTime();
  const truth = toldAt(referenceId, run);
  const isOf = (record: { readonly referenceId?: string }) => record.referenceId === referenceId;
  const isFalse = ({ at }: { readonly at: Date }) => at.getTime() >= since && at.getTime() < truth;
  if (of('uploadInvoice', run).some((entry) => isOf(entry) && isFalse(entry))) {
    return ', and an invoice was uploaded before a true one said that the order is paid';
  }
  const probes = run.probes.filter((probe) => isOf(probe) && isFalse(probe));
  if (probes.some(({ paid }) => paid)) return ', and the order counted as paid before a true one said so';
  return probes.length > 0 ? undefined : ', and nothing shows that it had no effect';
}

/** The last answer of the order page for each order. */
function lastProbes({ probes }: Evidence): ProbeAnswer[] {
  return [...new Map(probes.map((probe) => [probe.referenceId, probe])).values()];
}

/** Orders that count otherwise with the merchant than with the service. */
function miscounted(run: Evidence, isPaid: boolean): string[] {
  return lastProbes(run)
    .filter(({ paid }) => paid !== isPaid)
    .map(({ referenceId }) => referenceId)
    .filter((referenceId) => Number.isFinite(paidAt(referenceId, run)) === isPaid);
}

function requestsFor(referenceId: string, run: Evidence): number[] {
  return idsOf(run.requests.filter((entry) => entry.referenceId === referenceId));
}

export function paidNotCounted(run: Evidence): Sighting[] {
  return miscounted(run, true).map((referenceId) => ({
    message: `The service has ${referenceId} as paid; the merchant's order page does not say so.`,
    referenceId,
    requests: requestsFor(referenceId, run),
  }));
}

export function unpaidCounted(run: Evidence): Sighting[] {
  return miscounted(run, false).map((referenceId) => ({
    message: `The merchant's order page says that ${referenceId} is paid; with the service it is not.`,
    referenceId,
    requests: requestsFor(referenceId, run),
  }));
}

export function notificationRefused(run: Evidence): Sighting[] {
  return run.webhooks
    .filter(({ forged, tries }) => forged !== true && tries.length > 0 && !tries.some(isAccepted))
    .map(({ id, referenceId, tries }) => {
      const last = tries.at(-1);
      const answer =
        last?.httpStatus === undefined ? (last?.error ?? 'no answer') : `HTTP ${last.httpStatus}`;
      const message = `The notification ${id} (${referenceId}) was never accepted: ${tries.length} tries, the last ${answer}.`;
      return { message, referenceId, requests: [] };
    });
}
