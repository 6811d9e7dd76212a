import { settlements, type MockPayment } from '../../state/payments.js';
import type { MockControls } from '../../controls/mock-controls.js';
import { Moment } from '../shared/moment.js';
import { dong } from '../shared/money.js';
import { PaymentBadge } from './badges.js';
import { hasText } from './filters.js';
import { FilterForm, filtersOf, queryOf, type Filters, type FormField } from './forms.js';
import { EmptyState, ListPage } from './layout.js';
import { NameLink, TableList, type Column } from './panel.js';
import { customerName, invoicesOf, payPath, paymentPath, SettleForm } from './payment-detail.js';

/** Payments on one page. */
const paymentsPerPage = 50;

const filterFields: readonly FormField[] = [
  { name: 'search', label: 'Search' },
  { name: 'status', label: 'Status', options: [['', 'All'], 'pending', ...settlements] },
];

/** True for a payment with this status, and with a reference, customer, transaction or merchant that has the text. */
function isShown(payment: MockPayment, { search, status }: Filters): boolean {
  const { referenceId, paymentTransId = '', merchantId } = payment;
  const texts = [referenceId, customerName(payment), paymentTransId, merchantId];
  return (
    (status === undefined || payment.status === status) && (search === undefined || hasText(texts, search))
  );
}

const columnsOf = (mock: MockControls): readonly Column<MockPayment>[] => [
  ['Reference', (payment) => <NameLink to={paymentPath(payment)} name={payment.referenceId} />],
  ['Amount', ({ request }) => dong(request.amount.value), 'amount'],
  ['Status', ({ status }) => <PaymentBadge status={status} />],
  ['Customer', customerName],
  ['Created', ({ createdAt }) => <Moment at={createdAt} />],
  ['Invoices', (payment) => invoicesOf(payment, mock).length || false],
  [
    'Page',
    (payment) => (
      <a href={payPath(payment)} aria-label={`Open the payment page of ${payment.referenceId}`}>
        Open
      </a>
    ),
  ],
  ['Settle', (payment) => payment.status === 'pending' && <SettleForm payment={payment} from="payments" />],
];

interface PaymentsPageProps {
  readonly mock: MockControls;
  /** The filters, and the number of the page, from 1. */
  readonly query: Filters;
}

/** One page of the payments, newest first. */
export function PaymentsPage({ mock, query }: PaymentsPageProps) {
  const filters = filtersOf(filterFields, query);
  const payments = mock.payments.all().filter((payment) => isShown(payment, filters));
  const page = Math.max(1, Math.trunc(Number(query['page'])) || 1);
  const rows = payments.reverse().slice((page - 1) * paymentsPerPage, page * paymentsPerPage);
  const path = '/_mock/ui/payments';
  const link = (to: number, label: string) => (
    <a class="button" href={`${path}?${queryOf(filters, { page: String(to) })}`}>
      {label}
    </a>
  );
  return (
    <ListPage
      place="Payments"
      filters={<FilterForm action={path} label="Filter payments" fields={filterFields} filters={filters} />}
    >
      <p class="quiet aside" role="status">
        {payments.length} {payments.length === 1 ? 'payment' : 'payments'}
      </p>
      <TableList id="payments" columns={columnsOf(mock)} rows={rows}>
        {queryOf(filters) === '' ? (
          <EmptyState title="No payments yet">
            <p>A payment appears here once a request to initiate it is approved.</p>
          </EmptyState>
        ) : (
          <EmptyState title="No payment matches">
            <p>
              <a href={path}>Show all payments</a>
            </p>
          </EmptyState>
        )}
      </TableList>
      <p class="older">
        {page > 1 && link(page - 1, 'Newer payments')}
        {payments.length > page * paymentsPerPage && link(page + 1, 'Older payments')}
      </p>
    </ListPage>
  );
}
