import { Hono } from 'hono/tiny';
import { ConfigurationError } from '../../../errors/errors.js';
import type { Routes } from '../../controls/guard.js';
import { MockUsageError } from '../../wire/usage-error.js';
import type { MockControls } from '../../controls/mock-controls.js';
import { applyControl, controls, ControlsPage, type ControlsPageProps } from './controls-page.js';
import { FormTexts } from './forms.js';
import type { InspectorSetup } from './inspector-setup.js';
import { missing } from './layout.js';
import { lenderForms, LenderPage, sendAsLender } from './lender-page.js';

/** The forms that control a mock, and those that play its lender. Each leads to a page that can be reloaded safely. */
export function formRoutes(mock: MockControls, setup: InspectorSetup): Routes {
  const routes: Routes = new Hono();
  const { script, ownOperations } = setup;
  const controlsPage = (shown: Pick<ControlsPageProps, 'sent' | 'problem' | 'typed'>) => (
    <ControlsPage {...shown} script={script} ownPaths={ownOperations.keys()} />
  );

  routes.get('/controls', (context) => {
    const sent = controls.find((control) => control === context.req.query('done'));
    return context.render(controlsPage({ sent, typed: new FormTexts(context.req.query()) }));
  });

  routes.post('/resend', async (context) => {
    const id = new FormTexts(await context.req.parseBody()).text('id');
    if (!mock.webhooks.get(id)) return missing(context, 'There is no such webhook');
    mock.webhooks.resend(id);
    return context.redirect(`/_mock/ui/webhooks/${id}`, 303);
  });

  routes.post('/cancel', async (context) => {
    const typed = new FormTexts(await context.req.parseBody());
    const rules = typed.text('kind') === 'answer' ? script.answers : script.faults;
    rules.cancel(typed.number('id') ?? NaN);
    return context.redirect('/_mock/ui/controls', 303);
  });

  for (const control of controls) {
    routes.post(`/${control}`, async (context) => {
      const typed = new FormTexts(await context.req.parseBody());
      try {
        const settled = applyControl(control, mock, typed);
        if (settled) await setup.announced(settled);
      } catch (error) {
        if (!(error instanceof MockUsageError || error instanceof ConfigurationError)) throw error;
        context.status(400);
        return context.render(controlsPage({ sent: control, problem: error.message, typed }));
      }
      const from = typed.text('from');
      const place = /^payments(?:\/\d+)?$/.test(from) ? from : `controls?done=${control}`;
      return context.redirect(`/_mock/ui/${place}`, 303);
    });
  }

  routes.get('/lender', (context) =>
    context.render(<LenderPage typed={new FormTexts(context.req.query())} />),
  );

  for (const form of lenderForms) {
    routes.post(`/lender/${form}`, async (context) => {
      const typed = new FormTexts(await context.req.parseBody());
      const requestId = await sendAsLender(form, typed, { ...setup, origin: context.env.baseUrl });
      const entry = mock.journal.find({ requestId });
      return context.redirect(entry ? `/_mock/ui/requests/${String(entry.id)}` : '/_mock', 303);
    });
  }

  return routes;
}
