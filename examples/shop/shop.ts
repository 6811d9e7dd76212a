/** Puts the shop together. */
import { randomUUID } from 'node:crypto';
import type { InstallmentApi, InvoiceFileInput } from 'installment-payments';
import { createApp } from './app.js';
import type { Merchant } from './checkout-form.js';
import type { Order, ShopDatabase } from './database.js';
import { xmlInvoice } from './invoice-file.js';
import { createInvoices } from './invoices.js';
import { createPayments } from './payments.js';
import { createWebhook } from './webhook.js';

export interface ShopOptions extends Merchant {
  readonly client: Pick<InstallmentApi, 'initiatePayment' | 'uploadInvoice'>;
  readonly database: ShopDatabase;
  /** The key that the service's notifications are signed with. */
  readonly secretKey: string;
  readonly staffPassword: string;
  readonly invoiceFor?: (order: Order) => InvoiceFileInput;
  readonly now?: () => Date;
  /** Makes the IDs of orders, which must be UUIDs. */
  readonly newOrderId?: () => string;
}

/** A shop that reads the time, makes identifiers and does I/O only by what it is given. */
export function createShop({
  client,
  database,
  secretKey,
  staffPassword,
  invoiceFor = xmlInvoice,
  now = () => new Date(),
  newOrderId = randomUUID,
  ...merchant
}: ShopOptions) {
  const payments = createPayments({ client, database, now });
  const invoices = createInvoices({ client, database, invoiceFor, now });
  const webhook = createWebhook({ secretKey, database, onPaid: invoices.start });
  return {
    app: createApp({ database, payments, invoices, webhook, merchant, staffPassword, now, newOrderId }),
    /**
     * Goes on with what a process that was killed, or a service that was down, has left. To be called at the start and
     * then at intervals.
     */
    async resume(): Promise<void> {
      await Promise.all([payments.recover(), invoices.uploadAll()]);
    },
  };
}
