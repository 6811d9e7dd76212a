import { settlements, type MockPayment } from '../../state/payment-record.js';
import type { MockControls } from '../../controls/mock-controls.js';
import { dong, link, moment } from '../shared/elements.js';
import { paymentBadge } from './badges.js';
import { hasText } from './filters.js';
import { filterForm, filtersOf, queryOf, type FormField, type Texts } from './forms.js';
import { emptyState, listPage } from './layout.js';
import { nameLink, tableList, type Columns } from './panel.js';
import { customerName, invoicesOf, payPath, paymentPath, settleForm } from './payment-detail.js';

/** Payments on one page. */
const paymentsPerPage = 50;
const path = '/_mock/ui/payments';

const filterFields: readonly FormField[] = [
  { name: 'search', label: 'Search' },
  { name: 'status', label: 'Status', options: [['', 'All'], 'pending', ...settlements] },
];

/** True for a payment with this status, and with a reference, customer, transaction or merchant that has the text. */
function isShown(payment: MockPayment, { search = '', status }: Texts): boolean {
  const { referenceId, paymentTransId = '', merchantId } = payment;
  const texts = [referenceId, customerName(payment), paymentTransId, merchantId];
  return (status === undefined || payment.status === status) && hasText(texts, search);
}

const columnsOf = (mock: MockControls): Columns<MockPayment> => [
  ['Reference', (payment) => nameLink(paymentPath(payment), payment.referenceId)],
  ['Amount', ({ request }) => dong(request.amount.value), 'amount'],
  ['Status', paymentBadge],
  ['Customer', customerName],
  ['Created', ({ createdAt }) => moment(createdAt)],
  ['Invoices', (payment) => invoicesOf(payment, mock).length || false],
  ['Page', (payment) => link(payPath(payment), 'Open', { 'aria-label': openLabel(payment) })],
  ['Settle', (payment) => settleForm(payment, 'payments')],
];

const openLabel = ({ referenceId }: MockPayment) => `Open the payment page of ${referenceId}`;

const firstPayment = 'A payment appears here once a request to initiate it is approved.';
const noPayments = emptyState('No payments yet', firstPayment);
const noMatch = emptyState('No payment matches', link(path, 'Show all payments'));

/** One page of the payments, newest first. The query has the filters, and the number of the page, from 1. */
export function paymentsPage(mock: MockControls, query: Texts) {
  const filters = filtersOf(filterFields, query);
  const payments = mock.payments.all().filter((payment) => isShown(payment, filters));
  const page = Math.max(1, Math.trunc(Number(query['page'])) || 1);
  const rows = payments.reverse().slice((page - 1) * paymentsPerPage, page * paymentsPerPage);
  const button = (to: number, label: string) =>
    link(`${path}?${queryOf(filters, { page: String(to) })}`, label, { class: 'button' });
  return listPage(
    'Payments',
    <>
      <p class="quiet aside" role="status">
        {payments.length} {payments.length === 1 ? 'payment' : 'payments'}
      </p>
      {tableList('payments', columnsOf(mock), rows, queryOf(filters) === '' ? noPayments : noMatch)}
      <p class="older">
        {page > 1 && button(page - 1, 'Newer payments')}
        {payments.length > page * paymentsPerPage && button(page + 1, 'Older payments')}
      </p>
    </>,
    filterForm(path, 'Filter payments', filterFields, filters),
  );
}
