import { InstallmentClient, type InstallmentClientOptions } from '../../src/entries/index.js';
import {
  createOrderPayments,
  type OrderPayments,
  type OrderPaymentsOptions,
  type OrdersClient,
} from '../../src/entries/orders.js';
import type { OrderRequest } from '../../src/orders/types.js';
import type { Connected } from '../databases/sqlite.js';
import { demo, paymentRequest } from '../helpers/samples.js';
import { memoryStorage } from './memory-storage.js';

/** A request of an order, with a time in which it can be paid. */
export function orderRequest(changes: Partial<OrderRequest> = {}): OrderRequest {
  const { referenceId: _referenceId, ...request } = paymentRequest({ transExpiredTime: 86_400_000 });
  return { ...request, ...changes };
}

/** The event of a sample request's payment. */
export function eventOf(referenceId: string, status = 'paid', value = orderRequest().amount.value) {
  return { referenceId, status, amount: { value, currency: 'VND' } };
}

/** A call that a fake client has received. */
export interface Sent {
  readonly referenceId: string;
  readonly options: Parameters<OrdersClient['initiatePayment']>[1];
  readonly request: Parameters<OrdersClient['initiatePayment']>[0];
}

/** A client of a service at a URL, which leaves every retry to the orders. */
export function clientOf(url: string, options: Partial<InstallmentClientOptions> = {}): InstallmentClient {
  return new InstallmentClient({ ...demo, baseUrl: url, maxRetries: 0, ...options });
}

/** Payments over a database whose table is made. */
export async function paymentsOver(
  { dialect, query }: Connected,
  options: Pick<OrderPaymentsOptions, 'client'> & Partial<OrderPaymentsOptions>,
): Promise<OrderPayments> {
  const payments = createOrderPayments({ dialect, query, onPaid: 'firstPaid', ...options });
  for (const statement of payments.schema) await query(statement, []);
  return payments;
}

/** A shop whose clock stands still until it is turned, with a client that ends each call as `respond` says. */
export function shop(
  options: Partial<OrderPaymentsOptions> = {},
  respond: (call: Sent, count: number) => unknown = ({ referenceId }) => ({
    paymentUrl: `https://pay.example/${referenceId}`,
  }),
) {
  const sent: Sent[] = [];
  const uploads: unknown[] = [];
  const clock = { now: Date.now() };
  const storage = options.storage ?? memoryStorage();
  const logged: unknown[][] = [];
  const log = (...line: unknown[]) => logged.push(line);
  const client: OrdersClient = {
    settings: { ...demo, totalTimeoutMs: 45_000, repeatUnknown: true },
    initiatePayment: async (request, given) => {
      const call = { referenceId: request.referenceId, options: given, request };
      sent.push(call);
      return (await respond(call, sent.length)) as never;
    },
    uploadInvoice: (request) => {
      uploads.push(request);
      return Promise.resolve({ referenceId: request.referenceId, invoiceId: 'INVOICE-1' } as never);
    },
  };
  const payments: OrderPayments = createOrderPayments({
    client,
    storage,
    onPaid: 'firstPaid',
    now: () => new Date(clock.now),
    logger: { debug: log, info: log, warn: log, error: log },
    waitMs: 100,
    ...options,
  });
  const turn = (minutes: number) => {
    clock.now += minutes * 60_000;
  };
  return { payments, client, storage, sent, uploads, clock, turn, logged };
}
