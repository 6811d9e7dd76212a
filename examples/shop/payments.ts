/** Pays orders: one reference for each attempt, whose row is written before its request is sent. */
import { isInstallmentError, type InstallmentApi } from 'installment-payments';
import type { Order, ShopDatabase } from './database.js';

/** A payment that is made in the last second is reported later. */
const reportedWithinMs = 120_000;

/** A process that was suspended after its claim, for longer than this, sends nothing when it wakes. */
export const sendWithinMs = 60_000;

interface Setup {
  readonly client: Pick<InstallmentApi, 'initiatePayment'>;
  readonly database: ShopDatabase;
  readonly now: () => Date;
}

export function createPayments({ client, database, now }: Setup) {
  const underWay = new Map<string, Promise<void>>();
  const endOf = ({ request }: Order) =>
    new Date(now().getTime() + (request.transExpiredTime ?? 0) + reportedWithinMs);
  /** Read before a claim: others may act on what they see of it. */
  const sendingEnds = () => new Date(now().getTime() + sendWithinMs);

  /**
   * Asks the service for the payment of an attempt. The request is made of the stored order, so it has the same bytes
   * and the same idempotency key each time.
   */
  async function ask(
    order: Order,
    reference: string,
    { isFirst, sendBefore }: { readonly isFirst: boolean; readonly sendBefore: Date },
  ): Promise<void> {
    try {
      const { paymentUrl } = await client.initiatePayment(
        { ...order.request, referenceId: reference },
        // The database has its own pauses between repeats.
        isFirst ? { sendBefore } : { sendBefore, mayHaveBeenSent: true, maxRetries: 0 },
      );
      // Counted from the answer: the service cannot have begun later.
      await database.accept(reference, paymentUrl, endOf(order));
    } catch (error) {
      if (!isInstallmentError(error)) throw error;
      // Only the first call can end the attempt: nothing was sent, or it was refused, and as this package reads the
      // response, nothing was created. A refused repeat says nothing about the call before it.
      if (isFirst && error.outcome !== 'unknown') await database.settle(reference, 'failed', error.code);
      else await database.askLater(reference, now(), error.code);
    }
  }

  /** Two clicks, two tabs or a click during recovery wait for the same call. */
  function askOnce(order: Order, reference: string, claim: Parameters<typeof ask>[2]): Promise<void> {
    const asking =
      underWay.get(reference) ?? ask(order, reference, claim).finally(() => underWay.delete(reference));
    underWay.set(reference, asking);
    return asking;
  }

  async function askAgain(orderId: string, reference: string, sendBefore: Date): Promise<void> {
    const order = await database.order(orderId);
    if (order?.paidBy === null) await askOnce(order, reference, { isFirst: false, sendBefore });
  }

  return {
    /** Pays an order, or goes on with the attempt that is open. Returns where the customer pays, if it is known. */
    async pay(order: Order): Promise<string | null> {
      const sendBefore = sendingEnds();
      const { attempt, isNew } = await database.openAttempt(order.id, now(), endOf(order));
      if (attempt && isNew) await askOnce(order, attempt.reference, { isFirst: true, sendBefore });
      else if (attempt) await underWay.get(attempt.reference);
      // An older attempt may have been paid in the meantime.
      const asked = await database.order(order.id);
      const last = asked?.attempts.at(-1);
      return asked?.paidBy === null && last?.state === 'waiting' ? last.paymentUrl : null;
    },

    /** Sends the requests again whose answers were lost, with a process or on the way. */
    async recover(): Promise<void> {
      const sendBefore = sendingEnds();
      for (const { orderId, reference } of await database.dueAttempts(now(), [...underWay.keys()]))
        await askAgain(orderId, reference, sendBefore).catch(console.error);
    },
  };
}
