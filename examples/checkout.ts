/**
 * A checkout as a function from a request to a response. fastify.ts, hono.ts and next-route.ts in this folder serve it.
 */
import {
  InstallmentClient,
  isInstallmentError,
  type InvoiceFileInput,
  type PaymentRequest,
} from 'installment-payments';
import { createMockService, samplePaymentRequest } from 'installment-payments/mock';

// Prerequisites: a service. In production the environment names it: `new InstallmentClient()`.
const mock = createMockService({ uploads: 'any' });
const client = new InstallmentClient(mock.clientOptions());

// The shop's own orders. What is paid for is never taken from the browser: it names an order, and no more.
const orders = new Map<string, PaymentRequest>([
  ['ORDER-1', samplePaymentRequest({ referenceId: 'ORDER-1' })],
  ['FREE-OF-CHARGE', samplePaymentRequest({ referenceId: 'FREE-OF-CHARGE', amount: { value: 0 } })],
]);

/** Creates the payment of an order and sends the customer to it. */
export async function checkout(referenceId: string): Promise<Response> {
  const order = orders.get(referenceId);
  if (!order) return Response.json({ error: 'NO_SUCH_ORDER' }, { status: 404 });
  try {
    const { paymentUrl } = await client.initiatePayment(order);
    return Response.redirect(paymentUrl, 303);
  } catch (error) {
    return failure(error);
  }
}

/** Uploads an invoice for an order that is paid. */
export async function uploadInvoice(referenceId: string, file: InvoiceFileInput): Promise<Response> {
  try {
    const { invoiceId } = await client.uploadInvoice({ referenceId, file });
    return Response.json({ invoiceId }, { status: 201 });
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown): Response {
  if (!isInstallmentError(error)) throw error;
  const { code, outcome } = error;
  switch (outcome) {
    case 'not_sent': // the input is wrong, or the service could not be reached
      return error.code === 'VALIDATION'
        ? Response.json({ error: code, issues: error.issues }, { status: 400 })
        : Response.json({ error: code }, { status: 503 });
    case 'rejected': // refused: by the documented meaning of the answer nothing was created
      return Response.json({ error: code }, { status: 422 });
    case 'unknown': // the service may have acted: keep the order, and start nothing new for it
      return Response.json({ error: code }, { status: 202 });
  }
}
