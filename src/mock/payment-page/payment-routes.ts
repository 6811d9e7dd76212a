import { Hono } from 'hono';
import { pageHeaders } from '../pages/page-headers.js';
import type { MockService } from '../mock-service.js';
import type { Routes } from '../routes.js';
import { MockUsageError } from '../usage-error.js';
import { paymentPage, unknownPaymentPage } from './payment-page.js';
import { returnSources, returnUrl } from './return-url.js';

/** A token names a payment, and what it shows changes: every answer is a page of its own. */
const settlements = { paid: 'paid', declined: 'declined', expired: 'expired' } as const;

function settlementOf(value: unknown): keyof typeof settlements | undefined {
  return typeof value === 'string' && Object.hasOwn(settlements, value)
    ? settlements[value as keyof typeof settlements]
    : undefined;
}

/** The page behind each `paymentUrl`, and the form on it: it settles the payment and leads back to the shop. */
export function paymentRoutes(mock: MockService, now: () => Date): Routes {
  const routes: Routes = new Hono();

  routes.get('/:token', (context) => {
    const payment = mock.payments.byToken(context.req.param('token'));
    if (!payment) return context.html(unknownPaymentPage(), 404, pageHeaders());
    return context.html(paymentPage(payment, now()), 200, pageHeaders(returnSources(payment)));
  });

  routes.post('/:token', async (context) => {
    const payment = mock.payments.byToken(context.req.param('token'));
    if (!payment) return context.html(unknownPaymentPage(), 404, pageHeaders());
    const headers = pageHeaders(returnSources(payment));
    const outcome = settlementOf((await context.req.parseBody())['outcome']);
    if (!outcome) return context.html(paymentPage(payment, now()), 400, headers);
    try {
      const settled = mock.settle(payment.referenceId, outcome, payment.merchantId);
      const target = returnUrl(settled, outcome)?.href ?? settled.paymentUrl;
      return context.body(null, 303, { ...headers, location: target });
    } catch (error) {
      if (!(error instanceof MockUsageError)) throw error;
      // It has ended otherwise since the page was shown: show how.
      return context.html(
        paymentPage(mock.payments.byToken(context.req.param('token')) ?? payment, now()),
        409,
        headers,
      );
    }
  });

  return routes;
}
