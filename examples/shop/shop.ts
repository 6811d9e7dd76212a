/** Puts the shop together. */
import {
  InstallmentClient,
  type InstallmentClientOptions,
  type NamedInvoiceFile,
} from 'installment-payments';
import { createApp } from './app.js';
import type { Merchant } from './checkout-form.js';
import { ShopDatabase, type Order } from './database.js';
import { xmlInvoice } from './invoice-file.js';
import { createInvoices } from './invoices.js';
import { createPayments } from './payments.js';
import { createWebhook } from './webhook.js';

export interface ShopOptions extends Merchant {
  /** The service. */
  readonly service: InstallmentClientOptions & { readonly secretKey: string };
  /** Such as `file:shop.db`. */
  readonly databaseUrl: string;
  readonly staffPassword: string;
  readonly invoiceFor?: (order: Order) => NamedInvoiceFile;
  readonly now?: () => Date;
}

export async function createShop({
  service,
  databaseUrl,
  staffPassword,
  invoiceFor = xmlInvoice,
  now = () => new Date(),
  ...merchant
}: ShopOptions) {
  const { merchantId, storeId, platformId } = merchant;
  const database = await ShopDatabase.open(databaseUrl);
  const client = new InstallmentClient({ merchantId, storeId, platformId, ...service });
  const payments = createPayments({ client, database, now });
  const invoices = createInvoices({ client, database, invoiceFor });
  const webhook = createWebhook({ secretKey: service.secretKey, database, onPaid: invoices.start });
  await database.doubtInterruptedUploads();
  return {
    database,
    app: createApp({ database, payments, invoices, webhook, merchant, staffPassword, now }),
    /** Goes on with what a process that was killed, or a service that was down, has left. */
    async resume(): Promise<void> {
      await payments.recover();
      await invoices.uploadAll();
    },
  };
}
