/** Code that the backends with the client share: an order, a server, and the test's control of the mock. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { PaymentRequest } from 'installment-payments';
import { connectMock } from 'installment-payments/mock/remote';
import { createWebhookHandler, type WebhookHandler } from 'installment-payments/webhooks';
import * as z from 'zod';

const { env } = process;

export const newReference = () => `TS-${randomUUID()}`;

/** Merchant, store and platform come from the environment. */
export function newOrder(referenceId: string, changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    referenceId,
    paymentMethod: 'WEB',
    description: 'Tủ lạnh hai cánh',
    successRedirectUrl: `https://shop.example/orders/${referenceId}`,
    unSuccessRedirectUrl: `https://shop.example/orders/${referenceId}`,
    amount: { value: 12_000_000 },
    items: [
      { productId: 'TL-2', productName: 'Tủ lạnh', category: 'appliance', quantity: 1, price: 12_000_000 },
    ],
    customer: { firstName: 'An', lastName: 'Nguyễn', phoneNumber: '0912345678', email: 'an@example.com' },
    shipping: {
      city: 'Hà Nội',
      district: 'Ba Đình',
      ward: 'Kim Mã',
      street: 'Kim Mã',
      houseNumber: '12',
      country: 'VN',
    },
    ...changes,
  };
}

export const invoiceOf = (referenceId: string) => ({
  referenceId,
  invoiceNumber: `HD-${referenceId}`,
  file: { data: new TextEncoder().encode(`%PDF-1.7\n${referenceId}`), filename: `${referenceId}.pdf` },
});

/** The customer, simulated by a test. */
export async function settle(referenceId: string, status: 'paid' | 'declined'): Promise<void> {
  await connectMock(env['INSTALLMENT_MOCK_URL'] ?? '').settle(referenceId, status);
}

const secretKey = env['INSTALLMENT_SECRET_KEY'] ?? '';

/** The webhook of the mock. */
const notification = z.object({
  referenceId: z.string(),
  merchantId: z.string(),
  amount: z.object({ value: z.number(), currency: z.string() }),
  status: z.string(),
});

type Notification = z.output<typeof notification>;

/** The webhook handler of a shop that verifies each webhook. */
export function webhookFor(onEvent: (event: Notification) => void | Promise<void>): WebhookHandler {
  return createWebhookHandler({ secretKey, schema: notification, onEvent });
}

interface Backend {
  /** Returns the payment URL, if there is one. */
  readonly checkOut: (reference: string) => Promise<string | undefined>;
  readonly webhook: WebhookHandler;
  readonly stateOf: (reference: string) => string | undefined;
}

export function listen({ checkOut, webhook, stateOf }: Backend): void {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop');
    if (pathname === '/webhook') {
      void webhook.node(request, response);
    } else if (pathname === '/checkout') {
      checkOut(searchParams.get('order') ?? '').then(
        (paymentUrl) => response.end(paymentUrl),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
      void text(request);
    } else {
      response.end(stateOf(pathname.replace('/orders/', '')) ?? 'unknown');
    }
  });
  server.listen(Number(env['WEBHOOK_PORT']), '127.0.0.1', () => {
    console.log('ready');
  });
}
