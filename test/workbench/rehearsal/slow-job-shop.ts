import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { InstallmentClient } from '../../../src/entries/index.js';
import { sampleInvoice, samplePaymentRequest, type MockWebhookEvent } from '../../../src/entries/mock.js';
import { verifyWebhook } from '../../../src/entries/webhooks.js';

/** The actions of the shop's job. */
export type Work = 'uploads' | 'ships and uploads' | 'counts, ships and uploads';

interface Order {
  readonly referenceId: string;
  link?: Promise<string>;
  isPaid: boolean;
  /** Resolves once the job is done. */
  isDone: boolean;
}

/** A shop without a mistake. Its job processes a webhook this long after it was accepted. */
export async function slowJobShop(baseUrl: string, work: Work, jobMs: number) {
  const orders = new Map<string, Order>();
  const secretKey = 'demo-secret';
  const client = new InstallmentClient({
    ...{ baseUrl, secretKey, clientId: 'demo-client', merchantId: 'DEMO-MERCHANT' },
    ...{ storeId: 'STORE-01', platformId: 'WEBSHOP' },
  });

  const pay = async (referenceId: string) => {
    const request = samplePaymentRequest({ referenceId });
    for (let mayHaveBeenSent = false; ; mayHaveBeenSent = true) {
      const payment = await client.initiatePayment(request, { mayHaveBeenSent }).catch(() => undefined);
      if (payment) return payment.paymentUrl;
      // It runs once. Staff look up the orders that are still open.
      if (mayHaveBeenSent) return 'is being looked up';
    }
  };

  const runJob = async (order: Order) => {
    await pause(jobMs);
    order.isDone = true;
    const { referenceId } = order;
    await client.uploadInvoice(sampleInvoice({ referenceId })).catch(() => undefined);
  };

  const take = ({ referenceId, merchantId, status, amount }: MockWebhookEvent): number => {
    const order = orders.get(referenceId);
    const isOurs = merchantId === 'DEMO-MERCHANT' && amount.currency === 'VND' && amount.value === 12_000_000;
    if (!order || !isOurs) return 409;
    if (status !== 'paid' || order.isPaid) return 204;
    order.isPaid = true;
    void runJob(order);
    return 204;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'http://shop');
    const [, path = '', referenceId = ''] = pathname.split('/');
    const body = await text(request);
    if (path === 'checkout') {
      const known = orders.get(referenceId);
      const order = known ?? { referenceId, isPaid: false, isDone: false };
      orders.set(referenceId, order);
      response.end(await (order.link ??= pay(referenceId)));
    } else if (path === 'webhook') {
      const event = verifyWebhook(
        { body, signature: String(request.headers['signature'] ?? '') },
        { secretKey },
      );
      response.writeHead(take(event as MockWebhookEvent)).end();
    } else {
      const { isPaid = false, isDone = false } = orders.get(referenceId) ?? {};
      const isCounted = work === 'counts, ships and uploads' ? isDone : isPaid;
      const isShipped = work === 'uploads' ? isPaid : isDone;
      response.end(`${isCounted ? 'paid' : 'open'}, shipped: ${Number(isShipped)}`);
    }
  };

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.writeHead(401).end());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
