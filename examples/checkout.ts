/**
 * A checkout as functions that return a Response, for any framework. Its client and its stored attempts are yours: in
 * production `new InstallmentClient()`, and a look-up in your database. demo-shop.ts in this folder has both for the examples;
 * fastify.ts, hono.ts and next-route.ts serve it. It needs start-payment.ts.
 */
import { isInstallmentError, type InstallmentApi, type InvoiceFileInput } from 'installment-payments';
import { startPayment, type Attempt } from './start-payment.js';

/** The part of a shop that a checkout needs. */
export interface Shop {
  readonly client: Pick<InstallmentApi, 'initiatePayment' | 'uploadInvoice'>;
  /** The stored payment attempt. What is paid for is never taken from the browser: it names an attempt, and no more. */
  readonly attemptOf: (referenceId: string) => Attempt | undefined | Promise<Attempt | undefined>;
}

/** Starts the payment of an order and sends the customer to it, also a customer who submits twice. */
export async function checkout({ client, attemptOf }: Shop, referenceId: string): Promise<Response> {
  const attempt = await attemptOf(referenceId);
  if (!attempt) return Response.json({ error: 'NO_SUCH_ORDER' }, { status: 404 });
  const progress = await startPayment(client, attempt);
  switch (progress.state) {
    case 'started':
      return Response.redirect(progress.paymentUrl, 303);
    case 'refused': // as this package reads the response, nothing was created: offer another way to pay
      return failure(progress.error);
    case 'new': // not sent, or refused for now: the same attempt may succeed later
      return Response.json({ error: progress.error?.code }, { status: 503 });
    default: // the payment may exist: the customer waits, and starts nothing new for the order
      return Response.json({ state: progress.state }, { status: 202 });
  }
}

/** Uploads an invoice for an order that is paid. */
export async function uploadInvoice(
  { client }: Shop,
  referenceId: string,
  file: InvoiceFileInput,
): Promise<Response> {
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
    case 'rejected': // refused, and as this package reads the response, nothing was created
      return Response.json({ error: code }, { status: 422 });
    case 'unknown': // the service may have acted: it is looked up before anything else
      return Response.json({ error: code }, { status: 202 });
  }
}
