/** The parts that are different in your shop: the client options, the request of an order, and the interval of the sweep. */
import type { InstallmentClientOptions, PaymentRequest } from 'installment-payments';
import { createMockService, samplePaymentRequest } from 'installment-payments/mock';

const { env } = process;
const port = Number(env['PORT'] ?? 3000);
const shopUrl = env['SHOP_URL'] ?? `http://127.0.0.1:${port}`;

async function mockOptions(): Promise<InstallmentClientOptions> {
  const mock = createMockService({ webhook: { url: `${shopUrl}/webhooks/installments` } });
  const { url } = await mock.listen();
  console.log(`Mock of the payment service: ${url}/_mock. Shop: ${shopUrl}`);
  const { fetch: _fetch, ...options } = mock.clientOptions();
  env['INSTALLMENT_SECRET_KEY'] = options.secretKey;
  return { ...options, baseUrl: url };
}

/** The options of the client. In production they are `{}`, because the client reads the environment. */
export const clientOptions = env['INSTALLMENT_BASE_URL'] === undefined ? await mockOptions() : {};

/** The payment request of an order. Build it from the order in your database, never from data of the browser. */
export function paymentRequestOf(orderId: string, units = 1): Omit<PaymentRequest, 'referenceId'> {
  const page = `${shopUrl}/orders/${encodeURIComponent(orderId)}`;
  const { referenceId: _referenceId, ...order } = samplePaymentRequest({
    successRedirectUrl: page,
    unSuccessRedirectUrl: page,
    transExpiredTime: 15 * 60_000,
  });
  return {
    ...order,
    amount: { value: order.amount.value * units },
    items: order.items.map(({ totalAmount: _totalAmount, ...item }) => ({
      ...item,
      quantity: item.quantity * units,
    })),
  };
}

/**
 * The interval of the sweep, in milliseconds: a minute. Set a second for a rehearsal, so that the shop repeats a request
 * with a lost response before the rehearsal ends.
 */
export const sweepEveryMs = Number(env['SWEEP_EVERY_MS'] ?? 60_000);
