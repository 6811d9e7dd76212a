/** Everything that waits for a person, and a button for each decision. */
import type { OrderPayments, ReviewItem } from 'installment-payments/orders';
import type { Form } from './checkout-form.js';
import { Page } from './pages.js';

type Button = readonly [act: string, label: string];

const isPaid: Button = ['paid', 'It is paid'];
const exists: Button = ['exists', 'It can be paid'];
const isOver: Button = ['over', 'It can no longer be paid'];
const isAbsent: Button = ['absent', 'It does not exist'];

const buttons: Readonly<Record<ReviewItem['reason'], readonly Button[]>> = {
  look_up: [['lookUp', 'From when may I decide?'], isPaid, exists, isOver, isAbsent],
  overdue: [isPaid, isOver, isAbsent],
  no_word: [isPaid, exists, isOver],
  not_sent: [
    ['start', 'Send it again'],
    ['lookUp', 'Stop sending it'],
  ],
  mismatch: [['exists', 'I have compared it'], isPaid, isOver],
  exists_after_all: [isPaid, exists, isOver],
  refund: [['refunded', 'It is refunded']],
  invoice_look_up: [
    ['invoice stored', 'It is there'],
    ['invoice absent', 'It is not there: send it again'],
  ],
  invoice_refused: [['invoice absent', 'Give it up']],
  unreadable: [],
};

/** Does what a button says. Resolves to what the person is told, if that is not simply done. */
export async function decide(
  payments: OrderPayments,
  { act = '', orderId = '', referenceId = '', number, paymentUrl }: Form,
): Promise<string | undefined> {
  const tooEarly = (safeFrom: Date | undefined) =>
    safeFrom && `Look it up at the payment service from ${safeFrom.toISOString()} on, then decide.`;
  switch (act) {
    case 'start':
      await payments.start(orderId);
      return undefined;
    case 'refunded':
      await payments.markRefunded(referenceId);
      return undefined;
    case 'cancel':
      return (await payments.cancel(orderId)) ? undefined : 'It is paid: refund it at the payment service.';
    case 'lookUp':
      return tooEarly((await payments.lookUp(referenceId)).safeFrom);
    case 'paid':
    case 'exists':
    case 'over':
    case 'absent': {
      const link = paymentUrl ? { paymentUrl } : {};
      return tooEarly((await payments.conclude(referenceId, act, link)).safeFrom);
    }
    case 'invoice stored':
    case 'invoice absent': {
      const word = act === 'invoice stored' ? 'stored' : 'absent';
      return tooEarly((await payments.concludeInvoice(orderId, Number(number), word)).safeFrom);
    }
    default:
      return undefined;
  }
}

function Review({ orderId, referenceId, reason, number, since, action, error }: ReviewItem) {
  const about = referenceId ?? orderId;
  return (
    <section class="card">
      <h2>{reason}</h2>
      <p class="quiet">{action}</p>
      <form method="post" action="/staff" class="question">
        <p class="reference">
          {about} {number} since {since.toISOString()} <strong>{error?.code}</strong>
        </p>
        <input type="hidden" name="orderId" value={orderId} />
        <input type="hidden" name="referenceId" value={referenceId} />
        <input type="hidden" name="number" value={number} />
        {reason === 'look_up' && <input name="paymentUrl" aria-label={`Link of ${about}, if you have it`} />}
        {buttons[reason].map(([act, label]) => (
          <button name="act" value={act} aria-label={`${label}: ${about}`}>
            {label}
          </button>
        ))}
      </form>
    </section>
  );
}

export function StaffPage({
  items,
  told,
}: {
  readonly items: readonly ReviewItem[];
  readonly told?: string | undefined;
}) {
  return (
    <Page title="For staff">
      {told && <p role="status">{told}</p>}
      {items.length === 0 && <p>Nothing waits for you.</p>}
      {items.map(Review)}
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
