import { Hono } from 'hono';
import { pageHeaders } from '../shared/page-headers.js';
import type { MockService } from '../../types.js';
import type { Routes } from '../../controls/guard.js';
import type { Settlement } from '../../state/payments.js';
import { paymentPage, unknownPaymentPage } from './payment-page.js';
import { returnSources, returnUrl } from './return-url.js';

const settlements: readonly Settlement[] = ['paid', 'declined', 'expired'];

function settlementOf(value: unknown): Settlement | undefined {
  return settlements.find((settlement) => settlement === value);
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
    const outcome = settlementOf((await context.req.parseBody())['outcome']);
    const payment = mock.payments.byToken(context.req.param('token'));
    if (!payment) return context.html(unknownPaymentPage(), 404, pageHeaders());
    const headers = pageHeaders(returnSources(payment));
    if (!outcome) return context.html(paymentPage(payment, now()), 400, headers);
    // It may have ended otherwise since the page was shown: then the page says how.
    const isOver = payment.status !== 'pending' && payment.status !== outcome;
    if (isOver) return context.html(paymentPage(payment, now()), 409, headers);
    mock.settle(payment.referenceId, outcome, payment.merchantId);
    const location = returnUrl(payment, outcome)?.href ?? payment.paymentUrl;
    return context.body(null, 303, { ...headers, location });
  });

  return routes;
}
