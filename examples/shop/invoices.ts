/** Uploads the invoice of each order that is paid. */
import { isInstallmentError, type InstallmentClient, type NamedInvoiceFile } from 'installment-payments';
import type { Order, ShopDatabase } from './database.js';

interface Setup {
  readonly client: InstallmentClient;
  readonly database: ShopDatabase;
  readonly invoiceFor: (order: Order) => NamedInvoiceFile;
}

export function createInvoices({ client, database, invoiceFor }: Setup) {
  const percents = new Map<string, number>();

  /** Whoever moves the invoice to `sending` sends it, and nobody else. */
  async function upload(orderId: string): Promise<void> {
    const order = await database.order(orderId);
    if (!order?.paidBy) return;
    const file = invoiceFor(order);
    if (!(await database.moveInvoice(orderId, 'sending'))) return;
    try {
      const { invoiceId } = await client.uploadInvoice(
        {
          referenceId: order.paidBy, // of the attempt that was paid, not of the order
          invoiceNumber: order.id,
          invoiceDate: new Date(order.placedAt),
          file,
        },
        { onUploadProgress: ({ percent }) => void percents.set(orderId, percent) },
      );
      await database.moveInvoice(orderId, 'stored', invoiceId ?? null);
    } catch (error) {
      if (!isInstallmentError(error)) throw error;
      const state = error.outcome === 'unknown' ? 'unknown' : error.retryable ? 'ready' : 'refused';
      await database.moveInvoice(orderId, state, error.code);
    } finally {
      percents.delete(orderId);
    }
  }

  return {
    /** Uploads in the background. */
    start: (orderId: string): void => {
      upload(orderId).catch(console.error);
    },

    /** How much of an upload that is under way has been sent. */
    percentOf: (orderId: string) => percents.get(orderId) ?? 0,

    async uploadAll(): Promise<void> {
      const { invoices } = await database.unfinished();
      for (const { orderId } of invoices) await upload(orderId).catch(console.error);
    },
  };
}
