import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { renderToString } from 'hono/jsx/dom/server';
import { dong } from '../../mock/ui/elements.js';
import { customerText } from '../../orders/customer-text.js';
import type { OrderChange, OrderView, ReviewItem } from '../../orders/types.js';
import { samplePaymentRequest } from '../../protocol/samples.js';

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; background: #fff; color: #1c1c1f; }
  a { color: #0b5c4a; }
  @media (prefers-color-scheme: dark) {
    :root { background: #1b1b1f; color: #e8e8ec; }
    a { color: #8fe0c8; }
  }
  body { max-width: 46rem; margin: 0 auto; padding: 1rem; }
  nav a { margin-right: 1rem; }
  section { border: 1px solid #8888; border-radius: .75rem; padding: 0 1.25rem 1.25rem; margin: 1rem 0; }
  button, .button { font: inherit; padding: .5rem 1rem; border-radius: .5rem; border: 1px solid; margin: .25rem .5rem .25rem 0;
    background: #0b5c4a; color: #fff; cursor: pointer; text-decoration: none; display: inline-block; }
  form { display: inline; }
  li, p { overflow-wrap: anywhere; }
`;

function page(title: string, main: Child, refresh = false): string {
  return `<!doctype html>${renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {refresh && <meta http-equiv="refresh" content="2" />}
        <title>{title}</title>
        <link rel="icon" href="data:," />
        <style>{raw(style)}</style>
      </head>
      <body>
        <nav aria-label="Shop">
          <a href="/">Shop</a>
          <a href="/staff">Staff page</a>
        </nav>
        <main>
          <h1>{title}</h1>
          {main}
        </main>
      </body>
    </html>,
  )}`;
}

const form = (action: string, fields: Readonly<Record<string, string>>, label: string) => (
  <form method="post" action={`${action}?${new URLSearchParams(fields).toString()}`}>
    <button>{label}</button>
  </form>
);

/** The first page: a product, and the checkout of a new order. */
export function productPage(orderId: string, inspectorUrl: string): string {
  const { description, amount } = samplePaymentRequest();
  return page('Demo shop', [
    <section>
      <h2 lang="vi">{description}</h2>
      <p>{dong(amount.value)}</p>
      {form('/checkout', { order: orderId }, 'Pay in installments')}
    </section>,
    <p>
      A mock replaces the payment service, and no money moves. Its <a href={inspectorUrl}>inspector</a> shows
      every request.
    </p>,
  ]);
}

/** The page to which the customer comes back. It shows the state of the order, and changes nothing. */
export function orderPage(view: OrderView, changes: readonly OrderChange[]): string {
  const { orderId, state, paymentUrl, amount } = view;
  return page(
    orderId,
    [
      <section>
        <h2>{state}</h2>
        <p>{customerText(view, 'en')}</p>
        <p lang="vi">{customerText(view, 'vi')}</p>
        {amount && <p>{dong(amount.value)}</p>}
        {paymentUrl !== undefined && (
          <a class="button" href={paymentUrl}>
            Go to the payment page
          </a>
        )}
        {state === 'over' && form('/checkout', { order: orderId }, 'Try again')}
      </section>,
      <h2>History</h2>,
      <ul>
        {changes.map(({ at, referenceId = 'order', from, to, cause }) => (
          <li>{`${at.toISOString().slice(11, 19)} ${referenceId}: ${from} to ${to} (${cause})`}</li>
        ))}
      </ul>,
    ],
    ['new', 'checking', 'started'].includes(state),
  );
}

const labels: Readonly<Record<ReviewItem['conclusions'][number], string>> = {
  lookUp: 'Stop sending it',
  absent: 'It does not exist',
  exists: 'It can be paid',
  paid: 'It is paid',
  over: 'It can no longer be paid',
  accept: 'Accept this amount',
  stored: 'It is stored',
  markRefunded: 'It is refunded',
  cancel: 'Cancel the order',
};

/** The page for staff: the items for review, with a button for each possible decision, and all orders. */
export function staffPage(items: readonly ReviewItem[], orders: readonly OrderView[]): string {
  return page('Staff page', [
    items.length === 0 && <p>Nothing needs your staff.</p>,
    items.map(({ orderId, referenceId = '', reason, action, conclusions }) => (
      <section>
        <h2>{`${referenceId || orderId}: ${reason}`}</h2>
        <p>{action}</p>
        {conclusions.map((act) => form('/staff', { act, orderId, referenceId }, labels[act]))}
      </section>
    )),
    <h2>Orders</h2>,
    <ul>
      {orders.map(({ orderId, state, referenceId = '' }) => (
        <li>
          <a href={`/orders/${encodeURIComponent(orderId)}`}>{orderId}</a> {state}{' '}
          {state === 'checking' &&
            form('/staff', { act: 'lookUp', orderId, referenceId }, `Stop sending ${referenceId}`)}
          {!['paid', 'cancelled'].includes(state) &&
            form('/staff', { act: 'cancel', orderId }, `Cancel ${orderId}`)}
        </li>
      ))}
    </ul>,
  ]);
}
