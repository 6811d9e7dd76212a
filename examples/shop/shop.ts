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

type MerchantIds = Pick<Merchant, 'merchantId' | 'storeId' | 'platformId'>;

export interface ShopOptions extends Omit<Merchant, keyof MerchantIds> {
  /** The service, and what the merchant is called there. */
  readonly service: InstallmentClientOptions & MerchantIds & { readonly secretKey: string };
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
  ...rest
}: ShopOptions) {
  const { secretKey, merchantId, storeId, platformId } = service;
  const client = new InstallmentClient(service);
  const database = await ShopDatabase.open(databaseUrl);
  await database.doubtInterruptedUploads();
  const payments = createPayments({ client, database, now });
  const invoices = createInvoices({ client, database, invoiceFor });
  const webhook = createWebhook({ secretKey, database, onPaid: invoices.start });
  const merchant = { merchantId, storeId, platformId, ...rest };
  return {
    database,
    app: createApp({ database, payments, invoices, webhook, merchant, staffPassword, now }),
    /** Goes on with what a process that was killed, or a service that was down, has left. */
    async resume(): Promise<void> {
      await Promise.all([payments.recover(), invoices.uploadAll()]);
    },
  };
}
