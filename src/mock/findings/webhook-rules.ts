import { jsonIn } from '../../values/untrusted-values.js';
import type { WebhookDelivery } from '../webhooks/webhook-types.js';
import {
  byReference,
  isAccepted,
  isTrue,
  orderKey,
  recordsFor,
  requestsOf,
  sighting,
  toldAt,
  type Sighting,
} from './evidence.js';
import type { Look, RunRecord } from './record.js';

const rawBytes = 'over the raw bytes of the body, before a parser reads it';
const cures = {
  replaced: `Keep each attempt of an order with its reference: a customer may pay a link that was replaced. See --order-url: {ref} is the reference of the attempt, as the service knows it.`,
  rewritten: `Your code signs JSON that it has written again: verify the signature ${rawBytes}.`,
};
const verify = `Verify the signature ${rawBytes}, with the secret key of the environment.`;

/** The cure for the cause, where the answer shows it. */
const curesByStatus: Readonly<Record<number, string>> = {
  401: verify,
  403: verify,
  404: 'See the URL of the webhook. It is right to refuse an order that is not known yet, so that the notification is delivered again. It is wrong for an order that has another reference by now: keep each attempt of an order with its reference.',
};

export function forgedAccepted(run: RunRecord): Sighting[] {
  const accepted = run.webhooks.filter(({ forgery, tries }) => forgery && tries.some(isAccepted));
  return [...byReference(accepted).values()].flatMap((deliveries) => {
    const [first] = deliveries;
    const effect = first && effectOf(first, run);
    if (!first || effect === undefined) return [];
    const { referenceId } = first;
    const names = deliveries.map(({ id, forgery }) => `${id} ${forgery}`).join(', ');
    const message = `Forged notifications for ${referenceId} (${names}) got a 2xx response, and ${effect}.`;
    return [sighting(message, recordsFor(first, requestsOf('uploadInvoice', run)), referenceId)];
  });
}

/** The effect of a forged notification, as words; undefined if the merchant's order page shows that it had none. */
function effectOf(delivery: WebhookDelivery, run: RunRecord): string | undefined {
  const acceptedAt = delivery.tries.find(isAccepted)?.startedAt.getTime() ?? 0;
  const truth = toldAt(delivery, run);
  const uploads = recordsFor(delivery, requestsOf('uploadInvoice', run));
  if (uploads.some(({ at }) => at.getTime() >= acceptedAt && at.getTime() < truth))
    return 'an invoice was uploaded before a true one said that the order is paid';
  const looks = recordsFor(delivery, run.looks).filter(
    ({ moment, isPaid, problem }) =>
      !isPaid && problem === undefined && (moment === 'announced' || moment === 'end'),
  );
  if (looks.some(({ paid }) => paid)) return 'the order counted as paid before a true one said so';
  return looks.length > 0 ? undefined : 'nothing shows that it had no effect';
}

/** A look at the page, as the evidence of a message. */
function lookedAt(look: Look, message: string, run: RunRecord): Sighting {
  const seen = look.problem ?? look.seen;
  return sighting(
    seen === undefined ? message : `${message} ${seen}.`,
    recordsFor(look, run.requests),
    look.referenceId,
  );
}

/** The last look at the page of each payment. */
function lastLooks({ looks }: RunRecord): Look[] {
  const ends = looks.filter(({ moment }) => moment === 'end');
  return [...new Map(ends.map((look) => [look.referenceId, look])).values()];
}

export function paidNotCounted(run: RunRecord): Sighting[] {
  const refused = new Set(notificationRefused(run).map(({ referenceId }) => referenceId));
  return lastLooks(run)
    .filter(({ paid, isPaid }) => isPaid && !paid)
    .map((look) => {
      const page = look.problem === undefined ? 'does not say so' : 'could not be read';
      const told = refused.has(look.referenceId) ? ', and no notification for it was accepted' : '';
      const message = `${look.referenceId} is paid at the service; the merchant's order page ${page}${told}.`;
      return { ...lookedAt(look, message, run), ...(look.problem !== undefined && { fix: cures.replaced }) };
    });
}

export function unpaidCounted(run: RunRecord): Sighting[] {
  const said = (look: Look, after: string) =>
    lookedAt(look, `The merchant's order page says that ${look.referenceId} is paid; ${after}.`, run);
  const wrong = run.looks.filter(({ paid, isPaid }) => paid && !isPaid);
  const announced = wrong.flatMap((look) => {
    const odd = recordsFor(look, run.webhooks).flatMap((each) => (each.odd ? `${each.id} ${each.odd}` : []));
    const isSeen = look.moment === 'announced' && odd.length > 0;
    return isSeen
      ? said(look, `nobody had paid, but notifications had arrived that must not count (${odd.join(', ')})`)
      : [];
  });
  const known = new Set(announced.map(({ referenceId }) => referenceId));
  const atTheEnd = lastLooks(run).filter(
    (look) => wrong.includes(look) && !known.has(look.referenceId) && !isPaidByAnother(look, run),
  );
  return [...announced, ...atTheEnd.map((look) => said(look, 'at the service it is not'))];
}

/** A page shows an order: another attempt may have paid it. */
function isPaidByAnother(look: Look, { clicks, payments }: RunRecord): boolean {
  const orders = recordsFor(look, clicks).map(({ order }) => order);
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
  const wasAccepted = plain?.webhooks.some(({ body, tries }) => isCompact(body) && tries.some(isAccepted));
  return run.webhooks
    .filter((delivery) => isTrue(delivery) && delivery.tries.length > 0 && !delivery.tries.some(isAccepted))
    .map(({ id, referenceId, tries, body }) => {
      const { httpStatus, error = 'no response' } = tries.at(-1) ?? {};
      const answer = httpStatus === undefined ? error : `HTTP ${httpStatus}`;
      const counted = tries.length === 1 ? '1 try' : `${tries.length} tries, the last`;
      const message = `The notification ${id} (${referenceId}) was never accepted: ${counted} ${answer}.`;
      const fix = curesByStatus[httpStatus ?? 0];
      const cure =
        wasAccepted === true && !isCompact(body)
          ? { level: 'error' as const, fix: cures.rewritten }
          : fix !== undefined && { fix };
      return { ...sighting(message, [], referenceId), ...cure };
    });
}

function isCompact(body: string): boolean {
  const value = jsonIn(body);
  return value === undefined || JSON.stringify(value) === body;
}
