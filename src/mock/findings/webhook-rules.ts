import { jsonIn } from '../../values/untrusted-values.js';
import type { JournalEntry } from '../state/journal-types.js';
import type { WebhookDelivery } from '../webhooks/webhook-types.js';
import {
  isAccepted,
  isTrue,
  orderKey,
  requestsFor,
  requestsOf,
  sighting,
  toldAt,
  type Sighting,
} from './evidence.js';
import type { Look, RunRecord } from './record.js';

const cures = {
  attempts: 'Keep each attempt of an order with its reference: a customer may pay a link that was replaced.',
  unknown:
    'See the URL of the webhook. It is right to refuse an order that is not known yet, so that the notification is delivered again. It is wrong for an order that has another reference by now: keep each attempt of an order with its reference.',
  verify:
    'Verify the signature over the raw bytes of the body, before a parser reads it, with the secret key of the environment.',
  rewritten:
    'Your code signs JSON that it has written anew: verify the signature over the raw bytes of the body, before a parser reads it.',
  page: 'See --order-url: {ref} is the reference of the attempt, as the service knows it.',
};

export function forgedAccepted(run: RunRecord): Sighting[] {
  const accepted = run.webhooks.filter(({ forged, tries }) => forged === true && tries.some(isAccepted));
  const references = new Set(accepted.map(orderKey));
  return [...references].flatMap((key) => {
    const deliveries = accepted.filter((delivery) => orderKey(delivery) === key);
    const [first] = deliveries;
    const effect = first && effectOf(first, run);
    if (!first || effect === undefined) return [];
    const { referenceId } = first;
    const names = deliveries.map(({ id, forgery }) => `${id} ${forgery}`);
    const forgedOnes = deliveries.length === 1 ? 'notification' : 'notifications';
    const message = `The forged ${forgedOnes} for ${referenceId} (${names.join(', ')}) got a 2xx response${effect}.`;
    return [sighting(message, requestsFor(first, requestsOf('uploadInvoice', run)), referenceId)];
  });
}

/** The effect of a forged notification, as words; undefined if the merchant's order page shows that it had none. */
function effectOf(delivery: WebhookDelivery, run: RunRecord): string | undefined {
  const acceptedAt = delivery.tries.find(isAccepted)?.startedAt.getTime() ?? 0;
  const truth = toldAt(delivery, run);
  const isFalse = ({ at }: JournalEntry) => at.getTime() >= acceptedAt && at.getTime() < truth;
  if (requestsFor(delivery, requestsOf('uploadInvoice', run)).some(isFalse)) {
    return ', and an invoice was uploaded before a true one said that the order is paid';
  }
  const looks = requestsFor(delivery, run.looks).filter(
    ({ moment, isPaid }) => !isPaid && (moment === 'announced' || moment === 'end'),
  );
  if (looks.some(({ paid }) => paid)) return ', and the order counted as paid before a true one said so';
  return looks.length > 0 ? undefined : ', and nothing shows that it had no effect';
}

/** A look at the page, as the evidence of a message. */
function lookedAt(look: Look, message: string, run: RunRecord): Sighting {
  const seen = look.seen === undefined ? '' : ` ${look.seen}.`;
  return sighting(`${message}${seen}`, requestsFor(look, run.requests), look.referenceId);
}

/** The last look at the page of each payment. */
function lastLooks(run: RunRecord): Look[] {
  return [
    ...new Map(
      run.looks.filter(({ moment }) => moment === 'end').map((look) => [look.referenceId, look]),
    ).values(),
  ];
}

export function paidNotCounted(run: RunRecord): Sighting[] {
  const refused = new Set(notificationRefused(run).map(({ referenceId }) => referenceId));
  return lastLooks(run)
    .filter(({ paid, isPaid }) => isPaid && !paid)
    .map((look) => {
      const page = look.refused === undefined ? 'does not say so' : 'could not be read';
      const told = refused.has(look.referenceId) ? ', and no notification for it was accepted' : '';
      const message = `${look.referenceId} is paid at the service; the merchant's order page ${page}${told}.`;
      const fix = look.refused === undefined ? {} : { fix: `${cures.attempts} ${cures.page}` };
      return { ...lookedAt(look, message, run), ...fix };
    });
}

export function unpaidCounted(run: RunRecord): Sighting[] {
  const wrong = run.looks.filter(({ paid, isPaid }) => paid && !isPaid);
  const announced = wrong.flatMap((look) => {
    const odd = requestsFor(look, run.webhooks).filter((delivery) => delivery.odd !== undefined);
    const names = odd.map(({ id, odd: name }) => `${id} ${name}`).join(', ');
    const isSeen = look.moment === 'announced' && odd.length > 0;
    return isSeen
      ? [
          {
            look,
            after: `nobody had paid, but notifications had arrived that must not count (${names})`,
          },
        ]
      : [];
  });
  const atTheEnd = lastLooks(run)
    .filter((look) => wrong.includes(look) && !isPaidByAnother(look, run))
    .filter(({ referenceId }) => announced.every(({ look }) => look.referenceId !== referenceId))
    .map((look) => ({ look, after: 'at the service it is not' }));
  return [...announced, ...atTheEnd].map(({ look, after }) =>
    lookedAt(look, `The merchant's order page says that ${look.referenceId} is paid; ${after}.`, run),
  );
}

/** A page shows an order: another attempt may have paid it. */
function isPaidByAnother(look: Look, { clicks, payments }: RunRecord): boolean {
  const orders = requestsFor(look, clicks).map(({ order }) => order);
  const attempts = clicks.filter(({ order }) => orders.includes(order)).map(orderKey);
  return payments.some((payment) => payment.status === 'paid' && attempts.includes(orderKey(payment)));
}

export function redirectBelieved(run: RunRecord): Sighting[] {
  return run.looks
    .filter(({ moment, paid, isPaid }) => moment === 'redirected' && paid && !isPaid)
    .map((look) => {
      const message = `The merchant's order page says that ${look.referenceId} is paid after its successRedirectUrl was opened; nobody had paid.`;
      return lookedAt(look, message, run);
    });
}

export function countedTwice(run: RunRecord, plain?: RunRecord): Sighting[] {
  const usual = plain ? lastLooks(plain).flatMap(({ count }) => count ?? []) : [];
  const most = usual.length === 0 ? Infinity : Math.max(...usual);
  return lastLooks(run)
    .filter(({ count = most }) => count > most)
    .map((look) => {
      const message = `The merchant's order page of ${look.referenceId} has ${look.count} where --once looks, ${most} in the plain world.`;
      return lookedAt(look, message, run);
    });
}

export function notificationRefused(run: RunRecord, plain?: RunRecord): Sighting[] {
  const wasAccepted =
    plain?.webhooks.some(({ body, tries }) => isCompact(body) && tries.some(isAccepted)) === true;
  return run.webhooks
    .filter((delivery) => isTrue(delivery) && delivery.tries.length > 0 && !delivery.tries.some(isAccepted))
    .map((delivery) => {
      const { id, referenceId, tries, body } = delivery;
      const { httpStatus, error = 'no response' } = tries.at(-1) ?? {};
      const answer = httpStatus === undefined ? error : `HTTP ${httpStatus}`;
      const counted = tries.length === 1 ? '1 try' : `${tries.length} tries, the last`;
      const message = `The notification ${id} (${referenceId}) was never accepted: ${counted} ${answer}.`;
      const isRewritten = wasAccepted && !isCompact(body);
      const cure = isRewritten ? { level: 'error' as const, fix: cures.rewritten } : cureOf(httpStatus);
      return { ...sighting(message, [], referenceId), ...cure };
    });
}

function isCompact(body: string): boolean {
  const value = jsonIn(body);
  return value === undefined || JSON.stringify(value) === body;
}

/** The cure for the cause, where the answer shows it. */
function cureOf(httpStatus: number | undefined): Pick<Sighting, 'fix'> {
  if (httpStatus === 401 || httpStatus === 403) return { fix: cures.verify };
  return httpStatus === 404 ? { fix: cures.unknown } : {};
}
