/**
 * The page for your staff: all items for review, with a button for each possible conclusion and the order's history.
 */
import type { OrderChange, OrderPayments, ReviewItem } from 'installment-payments/orders';
import type { Form } from './checkout-form.js';
import { Page } from './pages.js';

const labels: Readonly<Record<ReviewItem['conclusions'][number], string>> = {
  lookUp: 'Stop sending it, so that I can look it up',
  absent: 'It does not exist',
  exists: 'It can be paid',
  paid: 'It is paid',
  over: 'It can no longer be paid',
  accept: 'Accept it for the order as it is',
  stored: 'It is there',
  markRefunded: 'It is refunded',
  cancel: 'Cancel the order',
};

/** Carries out a button. Resolves to a message for your staff, if there is one. */
export async function decide(
  payments: OrderPayments,
  { act = '', orderId = '', referenceId = '', number, paymentUrl, by = '' }: Form,
): Promise<string | undefined> {
  const who = by === '' ? {} : { by };
  const tooEarly = (safeFrom: Date | undefined) =>
    safeFrom && `Look it up at the payment service from ${safeFrom.toISOString()} on, then decide.`;
  switch (act) {
    case 'cancel':
      return (await payments.cancel(orderId, who))
        ? undefined
        : 'It is paid: refund it at the payment service.';
    case 'markRefunded':
      await payments.markRefunded(referenceId, who);
      return undefined;
    case 'lookUp':
      return tooEarly((await payments.lookUp(referenceId, who)).safeFrom);
    case 'stored':
    case 'absent':
      if (number)
        return tooEarly((await payments.concludeInvoice(orderId, Number(number), act, who)).safeFrom);
  }
  switch (act) {
    case 'paid':
    case 'exists':
    case 'over':
    case 'accept':
    case 'absent': {
      const link = paymentUrl ? { paymentUrl } : {};
      return tooEarly((await payments.conclude(referenceId, act, { ...link, ...who })).safeFrom);
    }
    default:
      return undefined;
  }
}

const money = (amount: ReviewItem['amount']) => amount && `${amount.value} ${amount.currency}`;

function Review({ item, changes }: { readonly item: ReviewItem; readonly changes: readonly OrderChange[] }) {
  const { orderId, referenceId, reason, number, invoiceNumber, since, action, error, conclusions, safeFrom } =
    item;
  const about = referenceId ?? orderId;
  return (
    <section class="card">
      <h2>{reason}</h2>
      <p class="quiet">{action}</p>
      <form method="post" action="/staff" class="question">
        <p class="reference">
          {about} {invoiceNumber ?? number} since {since.toISOString()} <strong>{error?.code}</strong>
        </p>
        <p class="quiet">
          The order asks {money(item.amount)}, the payment {money(item.paymentAmount)}
          {safeFrom && `, safe from ${safeFrom.toISOString()}`}
        </p>
        <input type="hidden" name="orderId" value={orderId} />
        <input type="hidden" name="referenceId" value={referenceId} />
        <input type="hidden" name="number" value={number} />
        {conclusions.includes('exists') && (
          <input name="paymentUrl" aria-label={`Link of ${about}, if you have it`} />
        )}
        {conclusions.map((act) => (
          <button name="act" value={act} aria-label={`${labels[act]}: ${about}`}>
            {labels[act]}
          </button>
        ))}
      </form>
      <details>
        <summary>History</summary>
        <ul>
          {changes.map(({ at, referenceId: payment, invoice, from, to, cause, by }) => (
            <li>
              {at.toISOString()} {payment ?? (invoice ? `invoice ${invoice}` : 'order')}: {from} to {to} (
              {cause}
              {by && `, ${by}`})
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

export function StaffPage({
  items,
  histories,
  told,
}: {
  readonly items: readonly ReviewItem[];
  readonly histories: ReadonlyMap<string, readonly OrderChange[]>;
  readonly told?: string | undefined;
}) {
  return (
    <Page title="For staff">
      {told && <p role="status">{told}</p>}
      {items.length === 0 && <p>Nothing waits for you.</p>}
      {items.map((item) => (
        <Review item={item} changes={histories.get(item.orderId) ?? []} />
      ))}
      <section class="card">
        <h2>Anything else</h2>
        <form method="post" action="/staff" class="question">
          <input name="orderId" aria-label="Order to cancel" required />
          <button name="act" value="cancel">
            Cancel the order
          </button>
        </form>
        <form method="post" action="/staff" class="question">
          <input name="referenceId" aria-label="Reference to stop" required />
          <button name="act" value="lookUp">
            Stop sending it
          </button>
        </form>
      </section>
    </Page>
  );
}
