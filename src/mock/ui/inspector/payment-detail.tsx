import type { MockInvoice } from '../../state/invoices.js';
import { paymentKey, settlements, type MockPayment, type PaymentName } from '../../state/payments.js';
import type { MockControls } from '../../controls/mock-controls.js';
import { Moment } from '../shared/moment.js';
import { dong } from '../shared/money.js';
import { wordsIn } from '../payment-page/words.js';
import { PaymentBadge } from './badges.js';
import { DetailPage } from './layout.js';
import { TablePanel, type Column } from './panel.js';
import { webhookColumns } from './webhooks-page.js';

interface PaymentProps {
  readonly payment: MockPayment;
}

function tokenOf({ paymentUrl }: MockPayment): string {
  return paymentUrl.slice(paymentUrl.lastIndexOf('/') + 1);
}

/** Where the inspector shows a payment. */
export function paymentPath(payment: MockPayment): string {
  return `/_mock/ui/payments/${tokenOf(payment)}`;
}

/** The page of a payment's customer, under the host that the inspector was reached by. */
export function payPath(payment: MockPayment): string {
  return `/pay/${tokenOf(payment)}`;
}

export function customerName({ request: { customer } }: MockPayment): string {
  return `${customer.firstName} ${customer.lastName}`;
}

/** Two merchants may share a reference. */
const isOf = (payment: MockPayment) => (record: PaymentName) => paymentKey(record) === paymentKey(payment);

export function invoicesOf(payment: MockPayment, mock: MockControls): readonly MockInvoice[] {
  return mock.invoices.all().filter(isOf(payment));
}

const invoiceColumns: readonly Column<MockInvoice>[] = [
  ['Invoice', ({ invoiceId }) => <code>{invoiceId}</code>],
  ['Number', ({ fields }) => fields['invoiceNumber']],
  [
    'File',
    ({ file, fileUrl }) => (file ? `${file.name} (${String(file.size)} bytes)` : fileUrl),
    'reference',
  ],
  ['Uploaded', ({ uploadedAt }) => <Moment at={uploadedAt} />],
];

/** Everything that is known about one payment. */
export function PaymentDetailPage({ payment, mock }: PaymentProps & { readonly mock: MockControls }) {
  const { referenceId, status, expiresAt, settledAt, request, idempotencyKey } = payment;
  return (
    <DetailPage
      place="Payments"
      title={`Payment ${referenceId}`}
      crumbs={[
        ['/_mock/ui/payments', 'All payments'],
        [`/_mock?reference=${encodeURIComponent(referenceId)}`, 'Requests for this payment'],
      ]}
      heading={
        <>
          Payment <span class="reference">{referenceId}</span>
        </>
      }
      beside={
        <>
          <PaymentBadge status={status} />
          <span class="amount">{dong(request.amount.value)}</span>
        </>
      }
      facts={[
        ['Description', request.description],
        ['Customer', customerName(payment)],
        ['Merchant', payment.merchantId],
        ['Store', request.storeId],
        ['Created', <Moment at={payment.createdAt} />],
        ['Expires', <Moment at={expiresAt} />],
        ['Settled', settledAt && <Moment at={settledAt} />],
        ['Transaction', payment.paymentTransId],
        ['Idempotency-Key', idempotencyKey && <code>{idempotencyKey}</code>],
      ]}
      actions={
        <div class="actions">
          <a class="button" href={payPath(payment)}>
            Payment page
          </a>
          {status === 'pending' && <SettleForm payment={payment} from={`payments/${tokenOf(payment)}`} />}
        </div>
      }
    >
      <TablePanel id="invoices" title="Invoices" columns={invoiceColumns} rows={invoicesOf(payment, mock)} />
      <TablePanel
        id="webhooks"
        title="Webhooks"
        columns={webhookColumns}
        rows={mock.webhooks.all().filter(isOf(payment))}
        class="webhooks"
      />
    </DetailPage>
  );
}

const { actions } = wordsIn('en');

interface SettleFormProps extends PaymentProps {
  /** The page below `/_mock/ui/` that the form leads back to. */
  readonly from: string;
}

export function SettleForm({ payment: { referenceId, merchantId }, from }: SettleFormProps) {
  return (
    <form method="post" action="/_mock/ui/settle" class="actions" aria-label={`Settle ${referenceId}`}>
      <input type="hidden" name="from" value={from} />
      <input type="hidden" name="referenceId" value={referenceId} />
      <input type="hidden" name="merchantId" value={merchantId} />
      {settlements.map((settlement) => (
        <button class="button" name="status" value={settlement}>
          {actions[settlement]}
        </button>
      ))}
    </form>
  );
}
