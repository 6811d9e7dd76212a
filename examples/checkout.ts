/**
 * A checkout as functions that return a Response, for any framework. `payments` and `requestOf` are yours;
 * demo-shop.ts in this folder has both for the examples, and fastify.ts, hono.ts and next-route.ts serve it.
 */
import { isInstallmentError, type InstallmentApi, type InvoiceFileInput } from 'installment-payments';
import type { OrderPayments, OrderRequest } from 'installment-payments/orders';

/** The part of a shop that a checkout needs. */
export interface Shop {
  readonly payments: Pick<OrderPayments, 'start' | 'get' | 'find'>;
  readonly client: Pick<InstallmentApi, 'uploadInvoice'>;
  /** Builds the request from the stored order. The browser sends only the ID of an order, never its content. */
  readonly requestOf: (orderId: string) => OrderRequest | undefined;
}

/** Starts the payment of an order and redirects the customer to it, even if the customer submits twice. */
export async function checkout({ payments, requestOf }: Shop, orderId: string): Promise<Response> {
  const request = requestOf(orderId);
  if (!request) return Response.json({ error: 'NO_SUCH_ORDER' }, { status: 404 });
  try {
    const { state, paymentUrl, error, open } = await payments.start(orderId, request);
    if (paymentUrl !== undefined) return Response.redirect(paymentUrl, 303);
    // The order changed while a payment with its old amount is open. Do not send the customer to that payment.
    if (state === 'changed') return Response.json({ state, until: open.until }, { status: 409 });
    // If it is refused, offer another way to pay. Otherwise the payment might exist, so the customer waits.
    return Response.json({ state, error: error?.code }, { status: state === 'refused' ? 422 : 202 });
  } catch (error) {
    return invalid(error);
  }
}

/** The page to which the customer returns. It shows what is known and changes nothing. */
export async function orderPage({ payments }: Shop, id: string): Promise<Response> {
  // The URL contains the order, ORDER-1, or the referenceId of one of its payments, ORDER-1-2.
  const { state } = (await payments.find(id)) ?? (await payments.get(id));
  return state === 'none'
    ? Response.json({ error: 'NO_SUCH_ORDER' }, { status: 404 })
    : Response.json({ state });
}

/** Uploads an invoice for a payment that is paid. In production, `addInvoice` uploads it for you, and never twice. */
export async function uploadInvoice(
  { client }: Shop,
  referenceId: string,
  file: InvoiceFileInput,
): Promise<Response> {
  try {
    const { invoiceId } = await client.uploadInvoice({ referenceId, file });
    return Response.json({ invoiceId }, { status: 201 });
  } catch (error) {
    if (!isInstallmentError(error)) throw error;
    switch (error.outcome) {
      case 'not_sent': // the input is wrong, or the service could not be reached
        return error.code === 'VALIDATION'
          ? invalid(error)
          : Response.json({ error: error.code }, { status: 503 });
      case 'rejected': // the service refused the request; we assume that nothing was created
        return Response.json({ error: error.code }, { status: 422 });
      case 'unknown': // it might be stored: look it up before anything else
        return Response.json({ error: error.code }, { status: 202 });
    }
  }
}

function invalid(error: unknown): Response {
  if (!isInstallmentError(error) || error.code !== 'VALIDATION') throw error;
  return Response.json({ error: error.code, issues: error.issues }, { status: 400 });
}
