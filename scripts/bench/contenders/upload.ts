import { hmac, merchant } from '../order.js';
import { loadPackage } from '../own-build.js';
import type { Suite } from './contender.js';

/** The largest file that the service takes. */
export const fileBytes = 5 * 1024 * 1024;

const file = Buffer.alloc(fileBytes, '%PDF-1.7 ');
const fields = { merchantId: merchant.merchantId, referenceId: 'ORDER-1', invoiceNumber: 'INV-1' };

/** One invoice of 5 MB in memory, sent over loopback. */
export const uploads: Suite = {
  'bare fetch': (url) => ({
    async call() {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append('file', new Blob([file], { type: 'application/pdf' }), 'invoice.pdf');
      const headers = { 'Client-Id': merchant.clientId, Signature: hmac(JSON.stringify(fields)) };
      const response = await fetch(`${url}/v2/payments/upload-invoice`, {
        method: 'POST',
        body: form,
        headers,
      });
      return response.json();
    },
  }),

  async 'installment-payments'(url) {
    const { InstallmentClient } = await loadPackage();
    const client = new InstallmentClient({ baseUrl: url, ...merchant });
    const { referenceId, invoiceNumber } = fields;
    return {
      call: () =>
        client.uploadInvoice({ referenceId, invoiceNumber, file: { data: file, filename: 'i.pdf' } }),
    };
  },
};
