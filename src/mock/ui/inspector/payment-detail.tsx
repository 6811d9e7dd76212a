import type { MockInvoice } from '../../state/invoices.js';
import { paymentKey, settlements, type MockPayment, type PaymentName } from '../../state/payment-record.js';
import type { MockControls } from '../../controls/mock-controls.js';
import { dong, link, moment } from '../shared/elements.js';
import { wordsIn } from '../payment-page/words.js';
import { paymentBadge } from './badges.js';
import { detailPage } from './layout.js';
import { actionForm, tablePanel, type Columns } from './panel.js';
import { webhookColumns } from './webhooks-page.js';

const tokenOf = ({ paymentUrl }: MockPayment) => paymentUrl.slice(paymentUrl.lastIndexOf('/') + 1);

/** Where the inspector shows a payment. */
export const paymentPath = (payment: MockPayment) => `/_mock/ui/payments/${tokenOf(payment)}`;

/** The page of a payment's customer, under the host that the inspector was reached by. */
export const payPath = (payment: MockPayment) => `/pay/${tokenOf(payment)}`;

export const customerName = ({ request: { customer } }: MockPayment) =>
  `${customer.firstName} ${customer.lastName}`;

/** Two merchants may share a reference. */
const isOf = (payment: MockPayment) => (record: PaymentName) => paymentKey(record) === paymentKey(payment);

export function invoicesOf(payment: MockPayment, mock: MockControls): readonly MockInvoice[] {
  return mock.invoices.all().filter(isOf(payment));
}

const invoiceColumns: Columns<MockInvoice> = [
  ['Invoice', ({ invoiceId }) => <code>{invoiceId}</code>],
  ['Number', ({ fields }) => fields['invoiceNumber']],
  ['File', ({ file, fileUrl }) => (file ? `${file.name} (${file.size} bytes)` : fileUrl), 'reference'],
  ['Uploaded', ({ uploadedAt }) => moment(uploadedAt)],
];

/** Everything that is known about one payment. */
export function paymentDetailPage(payment: MockPayment, mock: MockControls) {
  const { referenceId, request, idempotencyKey } = payment;
  return detailPage({
    place: 'Payments',
    title: `Payment ${referenceId}`,
    crumbs: [
      link('/_mock/ui/payments', 'All payments'),
      link(`/_mock?reference=${encodeURIComponent(referenceId)}`, 'Requests for this payment'),
    ],
    heading: ['Payment ', <span class="reference">{referenceId}</span>],
    beside: [paymentBadge(payment), <span class="amount">{dong(request.amount.value)}</span>],
    summary: [
      ['Description', request.description],
      ['Customer', customerName(payment)],
      ['Merchant', payment.merchantId],
      ['Store', request.storeId],
      ['Created', moment(payment.createdAt)],
      ['Expires', moment(payment.expiresAt)],
      ['Settled', moment(payment.settledAt)],
      ['Transaction', payment.paymentTransId],
      ['Idempotency-Key', idempotencyKey && <code>{idempotencyKey}</code>],
    ],
    actions: [
      link(payPath(payment), 'Payment page', { class: 'button' }),
      settleForm(payment, `payments/${tokenOf(payment)}`),
    ],
    content: [
      tablePanel('invoices', 'Invoices', invoiceColumns, invoicesOf(payment, mock)),
      tablePanel('webhooks', 'Webhooks', webhookColumns, mock.webhooks.all().filter(isOf(payment))),
    ],
  });
}

const { actions } = wordsIn('en');

/** The buttons that end a pending payment, and lead back to a page below `/_mock/ui/`. */
export function settleForm({ referenceId, merchantId, status }: MockPayment, from: string) {
  const buttons = settlements.map((settlement) => (
    <button class="button" name="status" value={settlement}>
      {actions[settlement]}
    </button>
  ));
  const named = { class: 'actions', 'aria-label': `Settle ${referenceId}` };
  return status === 'pending' && actionForm('settle', { from, referenceId, merchantId }, buttons, named);
}
