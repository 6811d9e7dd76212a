import type { Context } from 'hono';
import { Hono } from 'hono/tiny';
import { ConfigurationError } from '../../../errors/errors.js';
import type { Routes } from '../../controls/guard.js';
import { MockUsageError } from '../../common/usage-error.js';
import type { MockControls } from '../../controls/mock-controls.js';
import { controls, controlsPage, type ShownControls } from './controls-page.js';
import { textsOf, valuesOf } from './forms.js';
import type { InspectorSetup } from './inspector-setup.js';
import { missing, type Page } from './layout.js';
import { lenderForms, lenderPage, sendAsLender } from './lender-page.js';

type Show = (context: Context, page: Page) => Response | Promise<Response>;

/** The forms that control a mock, and those that play its lender. Each leads to a page that can be reloaded safely. */
export function formRoutes(mock: MockControls, setup: InspectorSetup, show: Show): Routes {
  const { script, ownPaths, journal } = setup;
  const routes: Routes = new Hono();
  const pageOf = (shown: ShownControls) => controlsPage(shown, script, ownPaths());

  routes.get('/controls', (context) => {
    const typed = textsOf(context.req.query());
    return show(context, pageOf({ sent: controls.find(({ id }) => id === typed['done']), typed }));
  });

  for (const control of controls) {
    routes.post(`/${control.id}`, async (context) => {
      const typed = textsOf(await context.req.parseBody());
      try {
        await control.apply(mock, valuesOf(control.fields, typed), setup.announced);
      } catch (error) {
        if (!(error instanceof MockUsageError || error instanceof ConfigurationError)) throw error;
        return show(context, pageOf({ sent: control, problem: error.message, typed }));
      }
      const { from = '' } = typed;
      const place = /^payments(?:\/\d+)?$/.test(from) ? from : `controls?done=${control.id}`;
      return context.redirect(`/_mock/ui/${place}`, 303);
    });
  }

  routes.post('/clear', (context) => {
    journal.clear();
    return context.redirect('/_mock', 303);
  });

  routes.post('/resend', async (context) => {
    const { id = '' } = textsOf(await context.req.parseBody());
    if (!mock.webhooks.get(id)) return show(context, missing('There is no such webhook'));
    mock.webhooks.resend(id);
    return context.redirect(`/_mock/ui/webhooks/${id}`, 303);
  });

  routes.post('/cancel', async (context) => {
    const { kind, id } = textsOf(await context.req.parseBody());
    (kind === 'answer' ? script.answers : script.faults).cancel(Number(id));
    return context.redirect('/_mock/ui/controls', 303);
  });

  routes.get('/lender', (context) => show(context, lenderPage(textsOf(context.req.query()))));

  for (const form of lenderForms) {
    routes.post(`/lender/${form.id}`, async (context) => {
      const typed = textsOf(await context.req.parseBody());
      const requestId = await sendAsLender(form, typed, context.env.baseUrl, setup);
      const entry = mock.journal.find({ requestId });
      return context.redirect(entry ? `/_mock/ui/requests/${entry.id}` : '/_mock', 303);
    });
  }

  return routes;
}
