/** The cases that a person has to decide: the service does not report them, or only by telephone. */
import type { Child } from 'hono/jsx';
import type { OpenQuestions } from './database.js';
import { Page } from './pages.js';

interface Choice {
  readonly label: string;
  readonly value: string;
}

interface QuestionProps {
  readonly title: string;
  readonly advice: string;
  readonly action: string;
  readonly rows: readonly {
    readonly key: string;
    readonly state: string;
    readonly detail: string | null;
    readonly choices?: readonly Choice[];
  }[];
  readonly choices: readonly Choice[];
}

function Question({ title, advice, action, rows, choices }: QuestionProps): Child {
  return (
    <section class="card">
      <h2>{title}</h2>
      <p class="quiet">{rows.length === 0 ? 'None' : advice}</p>
      {rows.map(({ key, state, detail, choices: own = choices }) => (
        <form method="post" action={action} class="question">
          <p class="reference">
            {key} <strong>{state}</strong> {detail}
          </p>
          <input type="hidden" name="key" value={key} />
          {own.map(({ label, value }) => (
            <button name="state" value={value} aria-label={`${label}: ${key}`}>
              {label}
            </button>
          ))}
        </form>
      ))}
    </section>
  );
}

const paid: Choice = { label: 'It is paid', value: 'paid' };

export function StaffPage({ attempts, refunds, invoices, notices }: OpenQuestions) {
  return (
    <Page title="For staff">
      <Question
        title="Payments without a confirmation"
        advice="Stop the sending, wait three minutes, look the reference up at the payment service, then decide."
        action="/staff/attempts"
        rows={attempts.map(({ reference, state, problem }) => ({
          key: reference,
          state,
          detail: problem,
          ...(state === 'starting' && { choices: [{ label: 'Stop sending it', value: 'unknown' }, paid] }),
        }))}
        choices={[paid, { label: 'It is declined or unknown there', value: 'declined' }]}
      />
      <Question
        title="Payments of orders that were paid before"
        advice="Give the money back at the payment service, then say so here."
        action="/staff/refunds"
        rows={refunds.map(({ reference, state }) => ({ key: reference, state, detail: null }))}
        choices={[{ label: 'It is refunded', value: 'refunded' }]}
      />
      <Question
        title="Invoices to look up"
        advice="An invoice that may have arrived is not sent twice. Wait three minutes, then look it up at the payment service."
        action="/staff/invoices"
        rows={invoices.map(({ orderId, state, detail }) => ({ key: orderId, state, detail }))}
        choices={[
          { label: 'It is there', value: 'stored' },
          { label: 'It is not there: send it again', value: 'ready' },
        ]}
      />
      <Question
        title="Notifications that the shop did not understand"
        advice="No order was changed. Look the payment up, decide above, then say so here."
        action="/staff/notices"
        rows={notices.map(({ text }) => ({ key: text, state: '', detail: null }))}
        choices={[{ label: 'It is done', value: 'done' }]}
      />
    </Page>
  );
}
