/** The shop as one fetch handler: routes, and what happens on each. */
import { readFileSync } from 'node:fs';
import { Hono, type Context } from 'hono';
import { basicAuth } from 'hono/basic-auth';
import { bodyLimit } from 'hono/body-limit';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import type { WebhookHandler } from 'installment-payments/webhooks';
import * as z from 'zod';
import { catalogue, itemsOf, mostUnits, type Cart } from './catalogue.js';
import { requestOf, type Form, type Merchant } from './checkout-form.js';
import { isLocked, type Order, type ShopDatabase } from './database.js';
import type { createInvoices } from './invoices.js';
import { liveScript } from './live-script.js';
import {
  AttemptPage,
  CartPage,
  CataloguePage,
  CheckoutPage,
  NotFoundPage,
  OrderPage,
  Page,
} from './pages.js';
import type { createPayments } from './payments.js';
import { StaffPage } from './staff-page.js';
import { orderState } from './states.js';

export interface AppSetup {
  readonly database: ShopDatabase;
  readonly payments: ReturnType<typeof createPayments>;
  readonly invoices: ReturnType<typeof createInvoices>;
  readonly webhook: WebhookHandler;
  readonly merchant: Merchant;
  readonly staffPassword: string;
  readonly now: () => Date;
  readonly newOrderId: () => string;
}

const style = readFileSync(new URL('shop.css', import.meta.url), 'utf8');
const units = z.coerce.number().int().min(0).max(mostUnits);
const cartCookie = z.record(z.string(), units);
const uuid = z.uuid();

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

const tooEarly = (context: Context) =>
  context.text('Somebody may still be sending it: wait three minutes, and look it up again.', 409);

export function createApp({
  database,
  payments,
  invoices,
  webhook,
  merchant,
  staffPassword,
  now,
  newOrderId,
}: AppSetup): Hono {
  const app = new Hono();
  const cookie = { httpOnly: true, sameSite: 'Lax', secure: merchant.shopUrl.startsWith('https:') } as const;

  // Before everything that looks at browsers, and at bodies.
  app.all('/webhooks/installments', ({ req }) => webhook.fetch(req.raw));

  app.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        connectSrc: ["'self'"],
        imgSrc: ['data:'],
        // Browsers check where a form is redirected: to the payment page, which is the mock's over http.
        formAction: ["'self'", 'https:', 'http://127.0.0.1:*'],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
      // `no-referrer` would make browsers send forms with `Origin: null`.
      referrerPolicy: 'same-origin',
      strictTransportSecurity: cookie.secure,
    }),
    csrf({ origin: merchant.shopUrl }),
    bodyLimit({ maxSize: 64 * 1024 }),
    async (context, next) => {
      await next();
      context.header('cache-control', 'no-store');
    },
  );
  app.notFound((context) => context.html(<NotFoundPage />, 404));
  app.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse(); // of the middleware: 401, 403, 413
    console.error(error);
    if (isLocked(error))
      return context.html(<Page title="The shop is busy">Please try again in a minute.</Page>, 503);
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

  /** To the payment page; or to the order, which says why there is no such page. */
  async function pay(context: Context, order: Order): Promise<Response> {
    return context.redirect((await payments.pay(order)) ?? `/orders/${order.id}`, 303);
  }

  app.post('/orders', async (context) => {
    const form = await formOf(context);
    const orderId = uuid.safeParse(form['orderId']).data ?? newOrderId();
    const items = itemsOf(cartOf(context));
    if (items.length > 0) {
      const checked = requestOf(orderId, items, form, merchant);
      if ('problems' in checked)
        return context.html(<CheckoutPage orderId={orderId} items={items} form={form} problems={checked.problems} />, 400); // prettier-ignore
      await database.place(checked.request, now());
      deleteCookie(context, 'cart', cookie);
    }
    const order = await database.order(orderId);
    return order ? pay(context, order) : context.redirect('/cart', 303);
  });

  app.post('/orders/:id/pay', async (context) => {
    const order = await database.order(context.req.param('id'));
    return order ? pay(context, order) : context.notFound();
  });

  /** Of an order, or of one attempt to pay it by its reference. */
  app.get('/orders/:id/:page{return}?', async (context) => {
    const id = context.req.param('id');
    const attempt = await database.attempt(id);
    if (attempt) return context.html(<AttemptPage {...attempt} />);
    const order = await database.order(id);
    if (!order) return context.notFound();
    const isReturn = context.req.param('page') !== undefined;
    const percent = invoices.percentOf(order.id);
    const state = orderState(order);
    return context.html(<OrderPage order={order} state={state} percent={percent} isReturn={isReturn} />);
  });

  app.use('/staff/*', basicAuth({ username: 'staff', password: staffPassword }));
  app.get('/staff', async (context) => context.html(<StaffPage {...await database.openQuestions()} />));

  app.post('/staff/attempts', async (context) => {
    const { key = '', state } = await formOf(context);
    const attempt = await database.attempt(key);
    if (state === 'unknown') await database.stopSending(key, now());
    if (state === 'paid') await database.settle(key, state, 'decided by staff');
    if (state === 'declined' && !(await database.conclude(key, now()))) return tooEarly(context);
    if (state === 'paid' && attempt) invoices.start(attempt.orderId);
    return context.redirect('/staff', 303);
  });

  app.post('/staff/refunds', async (context) => {
    const { key = '' } = await formOf(context);
    await database.refunded(key, now());
    return context.redirect('/staff', 303);
  });

  app.post('/staff/notices', async (context) => {
    const { key = '' } = await formOf(context);
    await database.noticed(key, now());
    return context.redirect('/staff', 303);
  });

  app.post('/staff/invoices', async (context) => {
    const { key = '', state } = await formOf(context);
    if (state === 'stored') await database.moveInvoice(key, state, 'decided by staff');
    if (state === 'ready') {
      if (!(await database.sendInvoiceAgain(key, now()))) return tooEarly(context);
      invoices.start(key);
    }
    return context.redirect('/staff', 303);
  });

  return app;
}
