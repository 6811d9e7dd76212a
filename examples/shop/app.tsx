/** The shop as one fetch handler, with all its routes. */
import { readFileSync } from 'node:fs';
import { Hono, type Context } from 'hono';
import { basicAuth } from 'hono/basic-auth';
import { bodyLimit } from 'hono/body-limit';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import { OrderError, type OrderPayments } from 'installment-payments/orders';
import type { WebhookHandler } from 'installment-payments/webhooks';
import * as z from 'zod';
import { catalogue, itemsOf, mostUnits, type Cart } from './catalogue.js';
import { requestOf, type Form, type ShopAddress } from './checkout-form.js';
import type { Order, ShopDatabase } from './database.js';
import { liveScript } from './live-script.js';
import { CartPage, CataloguePage, CheckoutPage, NotFoundPage, OrderPage, Page } from './pages.js';
import { decide, StaffPage } from './staff-page.js';

export interface AppSetup {
  readonly database: ShopDatabase;
  readonly payments: OrderPayments;
  readonly webhook: WebhookHandler;
  readonly address: ShopAddress;
  readonly staffPassword: string;
  readonly newOrderId: () => string;
}

const style = readFileSync(new URL('shop.css', import.meta.url), 'utf8');
const units = z.coerce.number().int().min(0).max(mostUnits);
const cartCookie = z.record(z.string(), units);
/** Makes the order ID for the page of the checkout. A test can pass its own function. */
const orderIdRule = z.string().regex(/^[\w-]{8,50}$/);

async function formOf(context: Context): Promise<Form> {
  const entries = Object.entries(await context.req.parseBody());
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function cartOf(context: Context): Cart {
  try {
    return cartCookie.parse(JSON.parse(getCookie(context, 'cart') ?? '{}'));
  } catch {
    return {};
  }
}

export function createApp({
  database,
  payments,
  webhook,
  address,
  staffPassword,
  newOrderId,
}: AppSetup): Hono {
  const app = new Hono();
  const cookie = { httpOnly: true, sameSite: 'Lax', secure: address.shopUrl.startsWith('https:') } as const;

  // This comes before every check of browsers and bodies.
  app.all('/webhooks/installments', ({ req }) => webhook.fetch(req.raw));

  app.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        connectSrc: ["'self'"],
        imgSrc: ['data:'],
        // Browsers check the redirect of a form, which leads to the payment page. The mock's page uses http.
        formAction: ["'self'", 'https:', 'http://127.0.0.1:*'],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
      // `no-referrer` would make browsers send forms with `Origin: null`.
      referrerPolicy: 'same-origin',
      strictTransportSecurity: cookie.secure,
    }),
    csrf({ origin: address.shopUrl }),
    bodyLimit({ maxSize: 64 * 1024 }),
    async (context, next) => {
      await next();
      context.header('cache-control', 'no-store');
    },
  );
  app.notFound((context) => context.html(<NotFoundPage />, 404));
  app.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse(); // of the middleware: 401, 403, 413
    if (error instanceof OrderError && error.code !== 'CONFLICT') return context.html(<NotFoundPage />, 404);
    console.error(error);
    return context.html(<Page title="Something went wrong">Please try again.</Page>, 500);
  });

  app.get('/shop.css', (context) => context.body(style, 200, { 'content-type': 'text/css; charset=utf-8' }));
  app.get('/live.js', (context) => context.body(liveScript, 200, { 'content-type': 'text/javascript' }));

  app.get('/', (context) => context.html(<CataloguePage />));
  app.get('/cart', (context) => context.html(<CartPage items={itemsOf(cartOf(context))} />));

  app.post('/cart', async (context) => {
    const form = await formOf(context);
    const cart = cartOf(context);
    const quantities = catalogue.map(({ productId }) => {
      const given = units.safeParse(form[productId]).data ?? cart[productId] ?? 0;
      return [productId, Math.min(given + (form['add'] === productId ? 1 : 0), mostUnits)];
    });
    setCookie(context, 'cart', JSON.stringify(Object.fromEntries(quantities)), cookie);
    return context.redirect(form['then'] === 'checkout' ? '/checkout' : '/cart', 303);
  });

  app.get('/checkout', (context) => {
    const items = itemsOf(cartOf(context));
    if (items.length === 0) return context.redirect('/cart');
    return context.html(<CheckoutPage orderId={newOrderId()} items={items} form={{}} problems={{}} />);
  });

  /** Redirects to the payment page, or to the order, whose page says why there is no payment page. */
  async function pay(context: Context, { id, request }: Order): Promise<Response> {
    const { paymentUrl = `/orders/${id}` } = await payments.start(id, request);
    return context.redirect(paymentUrl, 303);
  }

  app.post('/orders', async (context) => {
    const form = await formOf(context);
    const orderId = orderIdRule.safeParse(form['orderId']).data ?? newOrderId();
    const items = itemsOf(cartOf(context));
    if (items.length > 0) {
      const checked = requestOf(orderId, items, form, address);
      if ('problems' in checked)
        return context.html(<CheckoutPage orderId={orderId} items={items} form={form} problems={checked.problems} />, 400); // oxfmt-ignore
      database.place({ id: orderId, request: checked.request, placedAt: Date.now() });
      deleteCookie(context, 'cart', cookie);
    }
    const order = database.order(orderId);
    return order ? pay(context, order) : context.redirect('/cart', 303);
  });

  app.post('/orders/:id/pay', async (context) => {
    const order = database.order(context.req.param('id'));
    return order ? pay(context, order) : context.notFound();
  });

  /** The page of an order. The URL can also contain the referenceId of one of its payments. */
  app.get('/orders/:id/:page{return}?', async (context) => {
    const id = context.req.param('id');
    const view = (await payments.find(id)) ?? (await payments.get(id));
    const order = database.order(view.orderId);
    if (!order) return context.notFound();
    const isReturn = context.req.param('page') !== undefined;
    return context.html(<OrderPage order={order} view={view} isReturn={isReturn} />);
  });

  app.use('/staff', basicAuth({ username: 'staff', password: staffPassword }));
  const staffPage = async (context: Context, told?: string) => {
    const items = await payments.forReview();
    const orderIds = [...new Set(items.map(({ orderId }) => orderId))];
    const histories = new Map(
      await Promise.all(orderIds.map(async (id) => [id, await payments.history(id)] as const)),
    );
    return context.html(<StaffPage items={items} histories={histories} told={told} />);
  };
  app.get('/staff', (context) => staffPage(context));
  app.post('/staff', async (context) => {
    const form = await formOf(context);
    // Without this check, a mistyped order would be cancelled before it exists.
    if (form['act'] === 'cancel' && !database.order(form['orderId'] ?? '')) return context.notFound();
    const told = await decide(payments, form);
    return told === undefined ? context.redirect('/staff', 303) : staffPage(context, told);
  });

  return app;
}
