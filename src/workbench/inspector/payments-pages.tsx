import {
  type MockControls,
  type MockInvoice,
  type MockPayment,
  paymentKey,
  type PaymentReference,
  settlements,
  type WebhookDelivery,
  type WebhookTry,
} from '../../mock/observation.js';
import { wordsIn } from '../../mock/ui/words.js';
import { dong, facts, link, moment } from '../../mock/ui/elements.js';
import { durationText, paymentBadge, webhookBadges } from './badges.js';
import {
  actionForm,
  button,
  emptyState,
  headerFacts,
  panel,
  table,
  tablePanel,
  type Columns,
} from './components.js';
import { recordPage, type Page } from './layout.js';
import { listPage, newest, type ListQuery } from './list-page.js';
import { requestsWith } from './requests-page.js';
import { bodyText } from './texts.js';

const tokenOf = ({ paymentUrl }: MockPayment) => paymentUrl.slice(paymentUrl.lastIndexOf('/') + 1);

/** The URL of a payment in the inspector. */
export const paymentPath = (payment: MockPayment) => `/_mock/ui/payments/${tokenOf(payment)}`;

/** A link to the payment page of the customer, at the host of the inspector. */
export const payLink = (payment: MockPayment, text: string) =>
  link(`/pay/${tokenOf(payment)}`, text, { 'aria-label': `${text}: payment page of ${payment.referenceId}` });

const customerName = ({ request: { customer } }: MockPayment) => `${customer.firstName} ${customer.lastName}`;

/** The records that belong to a payment. Two merchants can use the same reference. */
const recordsOf = <Row extends PaymentReference>(payment: MockPayment, records: readonly Row[]) =>
  records.filter((record) => paymentKey(record) === paymentKey(payment));

/** The payments with their invoices and webhooks, and the webhooks for payments that the mock no longer has. */
export function paymentsPage(query: ListQuery, mock: MockControls): Page {
  const [invoices, webhooks] = [mock.invoices.all(), mock.webhooks.all()];
  const columns: Columns<MockPayment> = [
    ['Reference', (payment) => link(paymentPath(payment), payment.referenceId)],
    ['Amount', ({ request }) => dong(request.amount.value), 'amount'],
    ['Status', paymentBadge],
    ['Customer', customerName, 'wide'],
    ['Created', ({ createdAt }) => moment(createdAt), 'minor'],
    ['Invoices', (payment) => recordsOf(payment, invoices).length || false, 'minor'],
    ['Webhooks', (payment) => newest(recordsOf(payment, webhooks)).rows.map(webhookBadges), 'minor'],
    ['Page', (payment) => payLink(payment, 'Open'), 'minor'],
    ['Settle', settleForm],
  ];
  const list = listPage(query, {
    place: 'Payments',
    records: mock.payments.all(),
    columns,
    idOf: paymentPath,
    empty: emptyState('No payments yet', 'A payment appears here once a request to initiate it is approved.'),
  });
  const others = webhooks.filter((each) => !mock.payments.get(each.referenceId, each.merchantId));
  return { place: 'Payments', main: [list, newest(others).rows.map(webhookPanel)] };
}

/** The page of one payment with all its records. */
export function paymentPage(payment: MockPayment, mock: MockControls) {
  const { referenceId, request } = payment;
  return recordPage({
    place: 'Payments',
    title: `Payment ${referenceId}`,
    crumbs: [
      link('/_mock/ui/payments', 'All payments'),
      link(requestsWith(referenceId), 'Requests for this payment'),
    ],
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
      ['Idempotency-Key', payment.idempotencyKey],
      ['Payment page', payLink(payment, 'Open')],
    ],
    content: [
      settleForm(payment),
      tablePanel('invoices', 'Invoices', invoiceColumns, recordsOf(payment, mock.invoices.all())),
      recordsOf(payment, mock.webhooks.all()).map(webhookPanel),
    ],
  });
}

const { actions } = wordsIn('en');

/** The buttons that end a pending payment. */
function settleForm({ referenceId, merchantId, status }: MockPayment) {
  const buttons = settlements.map((value) =>
    button(actions[value], `${actions[value]}: ${referenceId}`, { name: 'status', value }),
  );
  return status === 'pending' && actionForm('settle', { referenceId, merchantId }, buttons);
}

const invoiceColumns: Columns<MockInvoice> = [
  ['Invoice', ({ invoiceId }) => <code>{invoiceId}</code>],
  ['Number', ({ fields }) => fields['invoiceNumber']],
  ['File', ({ file, fileUrl }) => (file ? `${file.name} (${file.size} bytes)` : fileUrl), 'wide'],
  ['Uploaded', ({ uploadedAt }) => moment(uploadedAt)],
  [
    'Portal',
    ({ invoiceId }) =>
      actionForm(`invoices/${invoiceId}/remove`, {}, button('Remove', `Remove: ${invoiceId}`)),
  ],
];

const tryColumns: Columns<WebhookTry> = [
  ['Started', ({ startedAt }) => moment(startedAt)],
  ['Response', ({ httpStatus, error }) => (httpStatus === undefined ? error : `HTTP ${httpStatus}`), 'wide'],
  ['Took', durationText],
];

/** A webhook, its tries, and the button that sends it again. */
function webhookPanel(delivery: WebhookDelivery) {
  const { id, referenceId, url, createdAt, nextTryAt, headers, body, tries } = delivery;
  const content = [
    facts([
      ['Payment', referenceId],
      ['Sent to', <code>{url}</code>],
      ['Created', moment(createdAt)],
      ['Next try', moment(nextTryAt)],
    ]),
    table(`Tries of ${id}`, tryColumns, tries),
    <details>
      <summary>What is sent</summary>
      {[headerFacts(headers), bodyText(body)]}
    </details>,
  ];
  const resend = actionForm(`webhooks/${id}/resend`, {}, button('Send again', `Send again: ${id}`));
  return panel(id, `Webhook ${id}`, content, [webhookBadges(delivery), resend]);
}
