/** Uploads the invoice of each order that is paid. */
import { isInstallmentError, type InstallmentApi, type InvoiceFileInput } from 'installment-payments';
import type { Order, ShopDatabase } from './database.js';
import { sendWithinMs } from './payments.js';

interface Setup {
  readonly client: Pick<InstallmentApi, 'uploadInvoice'>;
  readonly database: ShopDatabase;
  readonly invoiceFor: (order: Order) => InvoiceFileInput;
  readonly now: () => Date;
}

export function createInvoices({ client, database, invoiceFor, now }: Setup) {
  /** How much has been sent of the uploads that are under way in this process. */
  const percents = new Map<string, number>();

  /** Whoever claims the invoice sends it, and nobody else, for as long as nobody concludes that it was never sent. */
  async function upload(orderId: string): Promise<void> {
    const order = await database.order(orderId);
    if (!order?.paidBy || percents.has(orderId)) return;
    percents.set(orderId, 0);
    let claim: number | undefined;
    try {
      const file = invoiceFor(order);
      const claimedAt = now();
      const sendBefore = new Date(claimedAt.getTime() + sendWithinMs);
      claim = await database.claimInvoice(orderId, claimedAt);
      if (claim === undefined) return;
      const { invoiceId } = await client.uploadInvoice(
        {
          referenceId: order.paidBy, // of the attempt that was paid, not of the order
          invoiceNumber: order.id,
          invoiceDate: new Date(order.placedAt),
          file,
        },
        { sendBefore, onUploadProgress: ({ percent }) => void percents.set(orderId, percent) },
      );
      await database.moveInvoice(orderId, 'stored', invoiceId ?? null);
    } catch (error) {
      if (!isInstallmentError(error)) throw error;
      // Only what never reached the service is sent again without a person. After TIMEOUT it needs another claim.
      const mayBeSentAgain = error.retryable || error.code === 'TIMEOUT';
      const again = error.outcome === 'not_sent' && mayBeSentAgain ? 'ready' : 'refused';
      await database.moveInvoice(orderId, error.outcome === 'unknown' ? 'unknown' : again, error.code, claim);
    } finally {
      percents.delete(orderId);
    }
  }

  return {
    /** Uploads in the background. */
    start: (orderId: string): void => {
      upload(orderId).catch(console.error);
    },

    percentOf: (orderId: string) => percents.get(orderId) ?? 0,

    async uploadAll(): Promise<void> {
      for (const { orderId } of await database.readyInvoices([...percents.keys()]))
        await upload(orderId).catch(console.error);
    },
  };
}
