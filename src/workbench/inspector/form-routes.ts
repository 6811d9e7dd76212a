import { Hono } from 'hono/tiny';
import { ConfigurationError } from '../../errors/errors.js';
import { checked, MockUsageError } from '../../mock/common/usage-error.js';
import type { Routes } from '../../mock/controls/guard.js';
import type { Mock } from '../../mock/mock.js';
import { settleSchema } from '../../mock/state/payment-record.js';
import { injectFaultSchema, respondWithSchema } from '../../mock/state/script.js';
import type { WorldOption } from '../../mock/worlds/resolve-world.js';
import { failurePage, type Show } from './layout.js';
import { paymentPath } from './payments-pages.js';

/** The texts of a form, trimmed; undefined where nothing was typed. */
type Texts = Readonly<Partial<Record<string, string>>>;

function textsOf(fields: Readonly<Record<string, unknown>>): Texts {
  const textOf = (value: unknown) => (typeof value === 'string' && value.trim()) || undefined;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, textOf(value)]));
}

const numberIn = (text: string | undefined) => (text === undefined ? undefined : Number(text));

/** The routes that the forms are sent to. Each answers with a redirect to a page that can be reloaded safely. */
export function formRoutes(mock: Mock, show: Show): Routes {
  const routes: Routes = new Hono();
  /** Handles a form; what is returned is the page to go on to. */
  const on = (id: string, handle: (texts: Texts) => string | Promise<string>) =>
    routes.post(`/${id}`, async (context) => {
      try {
        return context.redirect(await handle(textsOf(await context.req.parseBody())), 303);
      } catch (error) {
        if (!(error instanceof MockUsageError || error instanceof ConfigurationError)) throw error;
        return show(context, failurePage(400, 'Not possible', error.message));
      }
    });

  on('respond', ({ times, operation, referenceId, httpStatus, resultStatus, resultMsg }) => {
    const answer = { resultStatus, resultMsg, httpStatus: numberIn(httpStatus) };
    const typed = { operation, answer, times: numberIn(times), referenceId };
    const rule = checked(respondWithSchema, 'Next result', typed);
    mock.respondWith(rule.operation, rule.answer, rule);
    return '/_mock/ui/controls';
  });
  on('fault', ({ times, operation, referenceId, fault, delayMs, phase }) => {
    const chosen = fault === 'delay' ? { delayMs: numberIn(delayMs) } : fault;
    const typed = { operation, fault: chosen, phase, times: numberIn(times), referenceId };
    const rule = checked(injectFaultSchema, 'Next fault', typed);
    mock.injectFault(rule.operation, rule.fault, rule);
    return '/_mock/ui/controls';
  });
  on('reset', ({ world }) => {
    mock.reset({ world: world as WorldOption | undefined });
    return '/_mock';
  });
  on('settle', async ({ referenceId, status, merchantId }) => {
    const typed = checked(settleSchema, 'Settle', { referenceId, status, merchantId });
    const payment = mock.settle(typed.referenceId, typed.status, typed.merchantId);
    await mock.webhooks.whenAnnounced(payment);
    return paymentPath(payment);
  });
  on('resend', ({ id = '' }) => {
    const { referenceId, merchantId } = mock.webhooks.resend(id);
    const payment = mock.payments.get(referenceId, merchantId);
    return payment ? paymentPath(payment) : '/_mock/ui/payments';
  });
  return routes;
}
