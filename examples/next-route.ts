/**
 * The checkout with Next.js: this file is `app/checkout/[reference]/route.ts`. It needs the Node.js runtime, the default.
 * A PUT takes the invoice of the order, as a form with the field `invoice`.
 */
import { checkout, uploadInvoice } from './checkout.js';

interface Context {
  params: Promise<{ reference: string }>;
}

export async function POST(_request: Request, { params }: Context): Promise<Response> {
  return checkout((await params).reference);
}

export async function PUT(request: Request, { params }: Context): Promise<Response> {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated for large files; Next.js documents it, and an invoice is small
  const invoice = (await request.formData()).get('invoice');
  return invoice instanceof File
    ? uploadInvoice((await params).reference, invoice)
    : Response.json({ error: 'NO_FILE' }, { status: 400 });
}
