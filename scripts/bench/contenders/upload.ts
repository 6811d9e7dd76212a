import http from 'node:http';
import { json } from 'node:stream/consumers';
import { hmac, merchant } from '../order.js';
import { loadPackage } from '../own-build.js';
import type { Suite } from './contender.js';

/** The largest file that the service accepts. */
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

  'bare node:http': (url) => ({
    call() {
      const part = (head: string, end = '') =>
        Buffer.from(`--boundary\r\nContent-Disposition: form-data; ${head}\r\n\r\n${end}`);
      const texts = Object.entries(fields).map(([name, value]) => part(`name="${name}"`, `${value}\r\n`));
      const head = part('name="file"; filename="invoice.pdf"\r\nContent-Type: application/pdf');
      const body = Buffer.concat([...texts, head, file, Buffer.from('\r\n--boundary--\r\n')]);
      const headers = {
        'Client-Id': merchant.clientId,
        'Content-Length': body.length,
        'Content-Type': 'multipart/form-data; boundary=boundary',
        Signature: hmac(JSON.stringify(fields)),
      };
      return new Promise((resolve, reject) => {
        const request = http.request(
          `${url}/v2/payments/upload-invoice`,
          { method: 'POST', headers },
          (response) => {
            resolve(json(response));
          },
        );
        request.on('error', reject).end(body);
      });
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
