import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import type { Routes } from '../ui/routes.js';
import { MockUsageError } from '../../errors/usage-error.js';
import { pageHeaders } from '../ui/page-headers.js';
import { settlements } from '../state/payment-record.js';
import type { MockContext } from '../service/mock-context.js';
import { paymentPage, unknownPaymentPage } from './payment-page.js';
import { returnSources, returnUrl } from './return-url.js';

type PaymentSetup = Pick<MockContext, 'payments' | 'webhooks' | 'now'>;

/**
 * Creates the routes of the page behind each `paymentUrl`, and of its form, which settles the payment and leads back
 * to the shop.
 */
export function paymentRoutes({ payments, webhooks, now }: PaymentSetup): Routes {
  const routes: Routes = new Hono();
  const urlTokenOf = (context: Context) => context.req.param('urlToken') ?? '';
  const paymentOf = (context: Context) => payments.byUrlToken(urlTokenOf(context));
  const sourcesOf = (context: Context) => {
    const payment = paymentOf(context);
    return payment ? returnSources(payment) : [];
  };
  routes.use('/:urlToken', pageHeaders(sourcesOf));

  routes.get('/:urlToken', (context) => {
    const payment = paymentOf(context);
    return payment ? context.html(paymentPage(payment, now())) : context.html(unknownPaymentPage(), 404);
  });

  routes.post('/:urlToken', async (context) => {
    const { outcome: chosen } = await context.req.parseBody();
    const outcome = settlements.find((settlement) => settlement === chosen);
    const payment = paymentOf(context);
    if (!payment) return context.html(unknownPaymentPage(), 404);
    const page = paymentPage(payment, now());
    if (!outcome) return context.html(page, 400);
    try {
      payments.settleByUrlToken(urlTokenOf(context), outcome);
      await webhooks.whenTried(payment);
    } catch (error) {
      // If the payment has ended with a different status since the page was loaded, the page shows that status.
      if (error instanceof MockUsageError) return context.html(page, 409);
      throw error;
    }
    return context.redirect(returnUrl(payment, outcome)?.href ?? payment.paymentUrl, 303);
  });

  return routes;
}
