import type { JournalEntry } from '../state/journal-types.js';
import type { WebhookDelivery, WebhookTry } from '../webhooks/webhook-types.js';
import {
  of,
  requestsFor,
  sighting,
  toldAt,
  type Evidence,
  type ProbeAnswer,
  type Sighting,
} from './evidence.js';

function isAccepted({ httpStatus = 0 }: WebhookTry): boolean {
  return httpStatus >= 200 && httpStatus < 300;
}

export function forgedAccepted(run: Evidence): Sighting[] {
  const sightings = run.webhooks.flatMap((delivery): Sighting[] => {
    const { id, referenceId } = delivery;
    const accepted = delivery.forged === true ? delivery.tries.find(isAccepted) : undefined;
    const effect = accepted && effectOf(delivery, accepted, run);
    if (!accepted || effect === undefined) return [];
    const message = `The forged notification ${id} (${referenceId}) was answered with ${accepted.httpStatus}${effect}.`;
    return [sighting(message, requestsFor(delivery, of('uploadInvoice', run)), referenceId)];
  });
  const first = ({ referenceId }: Sighting) => sightings.find((each) => each.referenceId === referenceId);
  return sightings.filter((each) => first(each) === each);
}

/** The effect of a forged notification, as words; undefined if the merchant's order page shows that it had none. */
function effectOf(delivery: WebhookDelivery, { startedAt }: WebhookTry, run: Evidence) {
  const truth = toldAt(delivery, run);
  const isFalse = ({ at }: JournalEntry) => at.getTime() >= startedAt.getTime() && at.getTime() < truth;
  if (requestsFor(delivery, of('uploadInvoice', run)).some(isFalse)) {
    return ', and an invoice was uploaded before a true one said that the order is paid';
  }
  const probes = requestsFor(delivery, run.probes).filter(({ isEarly }) => isEarly);
  if (probes.some(({ paid }) => paid)) return ', and the order counted as paid before a true one said so';
  return probes.length > 0 ? undefined : ', and nothing shows that it had no effect';
}

/** The orders whose last answer of the order page is otherwise than the service has them. */
function miscounted(isPaid: boolean, run: Evidence, messageFor: (probe: ProbeAnswer) => string): Sighting[] {
  const lastProbes = new Map(run.probes.map((probe) => [probe.referenceId, probe]));
  return [...lastProbes.values()]
    .filter((probe) => {
      const ends = requestsFor(probe, run.payments).map(({ status }) => status === 'paid');
      return probe.paid !== isPaid && (ends.length === 0 ? [false] : ends).every((end) => end === isPaid);
    })
    .map((probe) => {
      const { referenceId, seen } = probe;
      const message = `${messageFor(probe)}${seen === undefined ? '' : ` ${seen}.`}`;
      return sighting(message, requestsFor(probe, run.requests), referenceId);
    });
}

export function paidNotCounted(run: Evidence): Sighting[] {
  const refused = new Set(notificationRefused(run).map(({ referenceId }) => referenceId));
  return miscounted(true, run, ({ referenceId, isRefused }) => {
    const page = isRefused === true ? 'could not be read' : 'does not say so';
    const told = refused.has(referenceId) ? ', and no notification for it was accepted' : '';
    return `The service has ${referenceId} as paid; the merchant's order page ${page}${told}.`;
  });
}

export function unpaidCounted(run: Evidence): Sighting[] {
  return miscounted(false, run, ({ referenceId }) => {
    return `The merchant's order page says that ${referenceId} is paid; with the service it is not.`;
  });
}

export function notificationRefused(run: Evidence): Sighting[] {
  return run.webhooks
    .filter(({ forged, tries }) => forged !== true && tries.length > 0 && !tries.some(isAccepted))
    .map(({ id, referenceId, tries }) => {
      const { httpStatus, error = 'no answer' } = tries.at(-1) ?? {};
      const answer = httpStatus === undefined ? error : `HTTP ${httpStatus}`;
      const counted = tries.length === 1 ? '1 try' : `${tries.length} tries, the last`;
      const message = `The notification ${id} (${referenceId}) was never accepted: ${counted} ${answer}.`;
      return sighting(message, [], referenceId);
    });
}
