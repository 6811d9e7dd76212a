import { Hono, type Context } from 'hono';
import type { MockService } from '../../types.js';
import type { RouteBindings, Routes } from '../../controls/guard.js';
import { MockUsageError } from '../../controls/usage-error.js';
import { work } from './control-forms.js';
import { controls, controlsPage } from './controls-page.js';
import { FormTexts } from './forms.js';
import { lenderPage } from './lender-page.js';
import { sendNotification, type LenderSender } from './lender-sender.js';
import { originOf } from './request-routes.js';

type PageContext = Context<{ Bindings: RouteBindings }>;

async function typedInto(context: PageContext): Promise<FormTexts> {
  return new FormTexts(await context.req.parseBody());
}

/** The forms that work a mock, and those that play its lender. Each leads to a page that can be reloaded safely. */
export function controlRoutes(mock: MockService, sender: LenderSender): Routes {
  const routes: Routes = new Hono();

  routes.get('/controls', (context) => {
    const done = controls.find((control) => control === context.req.query('done'));
    const typed = new FormTexts(context.req.query());
    return context.html(controlsPage(done && { control: done }, typed));
  });

  for (const control of controls) {
    routes.post(`/${control}`, async (context) => {
      const typed = await typedInto(context);
      try {
        work(control, mock, typed);
      } catch (error) {
        if (!(error instanceof MockUsageError)) throw error;
        return context.html(controlsPage({ control, typed, problem: error.message }, new FormTexts()), 400);
      }
      const page =
        typed.text('from') === 'payments' ? '/_mock/ui/payments' : `/_mock/ui/controls?done=${control}`;
      return context.redirect(page, 303);
    });
  }

  routes.get('/lender', (context) => context.html(lenderPage(new FormTexts(context.req.query()))));

  for (const form of ['receipt', 'allocation'] as const) {
    routes.post(`/lender/${form}`, async (context) => {
      const typed = await typedInto(context);
      const requestId = await sendNotification(mock, form, typed, { ...sender, origin: originOf(context) });
      const entry = mock.journal.find({ requestId });
      return context.redirect(entry ? `/_mock/ui/requests/${String(entry.id)}` : '/_mock', 303);
    });
  }

  return routes;
}
