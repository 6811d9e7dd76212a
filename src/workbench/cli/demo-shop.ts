import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { InstallmentClient } from '../../client.js';
import { orderEventSchema } from '../../orders/events.js';
import { createOrderPayments, type OrderPayments } from '../../orders/order-payments.js';
import type { OrderRequest } from '../../orders/types.js';
import { samplePaymentRequest } from '../../protocol/samples.js';
import { codeOf } from '../../values/reason-of.js';
import { createWebhookHandler } from '../../webhooks/create-webhook-handler.js';
import { orderPage, productPage, staffPage } from './demo-pages.js';
import { memoryStorage } from './memory-storage.js';

export interface DemoShopOptions {
  readonly client: InstallmentClient;
  readonly secretKey: string;
  /** The address of the shop. */
  readonly shopUrl: string;
  /** The address of the mock's inspector. */
  readonly inspectorUrl: string;
  /** Prints a line. */
  readonly print: (line: string) => void;
}

/** The payment request of an order. A real shop reads the request from its database, never from the browser. */
function requestFor(orderId: string, shopUrl: string): OrderRequest {
  const page = `${shopUrl}/orders/${encodeURIComponent(orderId)}`;
  const { referenceId: _referenceId, ...request } = samplePaymentRequest({
    successRedirectUrl: page,
    unSuccessRedirectUrl: page,
    transExpiredTime: 15 * 60_000,
  });
  return request;
}

/** Carries out the decision of a button on the staff page. */
async function decide(payments: OrderPayments, form: URLSearchParams): Promise<void> {
  const act = form.get('act');
  const orderId = form.get('orderId') ?? '';
  const referenceId = form.get('referenceId') ?? '';
  const by = 'demo staff';
  switch (act) {
    case 'cancel':
      await payments.cancel(orderId, { by });
      break;
    case 'lookUp':
      await payments.lookUp(referenceId, { by });
      break;
    case 'markRefunded':
      await payments.markRefunded(referenceId, { by });
      break;
    case 'absent':
    case 'exists':
    case 'paid':
    case 'over':
    case 'accept':
      await payments.conclude(referenceId, act, { by });
  }
}

/** The shop of the demo: a product, a checkout, a webhook, a page for each order, and a page for staff. */
export function createDemoShop({ client, secretKey, shopUrl, inspectorUrl, print }: DemoShopOptions) {
  const payments = createOrderPayments({
    client,
    storage: memoryStorage(), // in your shop: a table of your database
    onPaid: ({ orderId }) => print(`ship ${orderId}`), // it can run twice: make it idempotent
    repeatAfterMs: 2000, // in your shop: leave it out, and the first repeat comes after a minute
  });
  const stopSweeping = payments.sweepEvery(1000); // in your shop: once a minute

  /** Starts the payment of an order, or continues it. Returns the URL to which the customer is sent. */
  async function checkout(orderId: string): Promise<string> {
    const { paymentUrl } = await payments.start(orderId, requestFor(orderId, shopUrl));
    // Without a link, the order's page says why: the payment is being checked, or was refused.
    return paymentUrl ?? `/orders/${encodeURIComponent(orderId)}`;
  }

  const webhook = createWebhookHandler({
    secretKey,
    schema: orderEventSchema, // in your shop: the shape in your provider's documentation
    onEvent: async (event) => {
      await payments.handleEvent(event);
    },
    onError: (error) => print(`webhook refused: ${codeOf(error) ?? String(error)}`),
  });

  let lastNumber = 0;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { pathname, searchParams } = new URL(request.url ?? '/', shopUrl);
    const redirect = (location: string) => response.writeHead(303, { location }).end();
    const show = (page: string, status = 200) =>
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    const [, orderId] = /^\/orders\/([^/]+)$/.exec(pathname) ?? [];

    if (request.method === 'POST') {
      if (pathname === '/webhooks/installments') return webhook.node(request, response);
      if (pathname === '/checkout') {
        // A double click sends the same order twice, and gets the same link.
        return redirect(await checkout(searchParams.get('order') ?? `ORDER-${String(++lastNumber)}`));
      }
      if (pathname === '/staff') {
        await decide(payments, searchParams);
        return redirect('/staff');
      }
    } else if (pathname === '/') {
      return show(productPage(`ORDER-${String(++lastNumber)}`, inspectorUrl));
    } else if (pathname === '/staff') {
      const orders = await payments.list({ changedSince: new Date(0) });
      return show(staffPage(await payments.forReview(), orders));
    } else if (orderId !== undefined) {
      const id = decodeURIComponent(orderId);
      // The URL can also contain the referenceId of a payment: ORDER-1-1.
      const view = (await payments.find(id)) ?? (await payments.get(id));
      return show(orderPage(view, await payments.history(view.orderId)), view.state === 'none' ? 404 : 200);
    }
    return response.writeHead(404).end();
  }

  const listener: RequestListener = (request, response) => {
    respond(request, response).catch((error: unknown) => {
      print(String(error));
      response.writeHead(500).end();
    });
  };
  return { listener, stop: stopSweeping };
}
