/**
 * The checkout with Next.js: this file is `app/checkout/[reference]/route.ts`. Copy checkout.ts beside it, and put
 * your own shop in place of demo-shop.ts. Remove `.js` from the imports of the copied files: Next.js does not look
 * for a `.ts` file under that name. The Node.js runtime is the default, and is required. A PUT accepts the invoice of
 * the order, as a form with the field `invoice`. A GET shows the order. The webhook is a separate route:
 * webhooks/next-route.ts.
 */
import { checkout, orderPage, uploadInvoice } from './checkout.js';
import { shop } from './demo-shop.js';

interface Context {
  params: Promise<{ reference: string }>;
}

export async function GET(_request: Request, { params }: Context): Promise<Response> {
  return orderPage(shop, (await params).reference);
}

export async function POST(_request: Request, { params }: Context): Promise<Response> {
  return checkout(shop, (await params).reference);
}

export async function PUT(request: Request, { params }: Context): Promise<Response> {
  // Next.js documents formData(). The types of Node deprecate it, because it keeps whole files in memory. An invoice has
  // 5 MB at most.
  const invoice = (await request.formData()).get('invoice');
  return invoice instanceof File
    ? uploadInvoice(shop, (await params).reference, invoice)
    : Response.json({ error: 'NO_FILE' }, { status: 400 });
}
