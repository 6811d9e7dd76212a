import type { MockInvoice } from '../../state/invoices.js';
import { settlements, type MockPayment } from '../../state/payments.js';
import { Moment } from '../shared/moment.js';
import { dong } from '../shared/money.js';
import { PaymentBadge } from './badges.js';
import { queryOf } from './filters.js';
import { FormTexts } from './form-texts.js';
import { FilterForm } from './forms.js';
import { EmptyState, ListPage } from './layout.js';
import { NameLink, Table, type Column } from './panel.js';
import { customerName, payPath, paymentPath, SettleForm } from './payment-detail.js';
import type { PaymentFilters } from './payment-filters.js';

/** Payments on one page. */
export const paymentsPerPage = 50;

interface PaymentsPageProps {
  /** All that the filters let through, newest first. */
  readonly payments: readonly MockPayment[];
  readonly filters: PaymentFilters;
  readonly invoicesOf: (payment: MockPayment) => readonly MockInvoice[];
  /** From 1. */
  readonly page: number;
}

const columnsOf = (invoicesOf: PaymentsPageProps['invoicesOf']): readonly Column<MockPayment>[] => [
  ['Reference', (payment) => <NameLink to={paymentPath(payment)} name={payment.referenceId} />],
  ['Amount', ({ request }) => dong(request.amount.value), 'amount'],
  ['Status', ({ status }) => <PaymentBadge status={status} />],
  ['Customer', customerName],
  ['Created', ({ createdAt }) => <Moment at={createdAt} />],
  ['Invoices', (payment) => invoicesOf(payment).length || false],
  ['Page', (payment) => <PayLink payment={payment} />],
  ['Settle', (payment) => payment.status === 'pending' && <SettleForm payment={payment} from="payments" />],
];

function PayLink({ payment }: { readonly payment: MockPayment }) {
  return (
    <a href={payPath(payment)} aria-label={`Open the payment page of ${payment.referenceId}`}>
      Open
    </a>
  );
}

/** One page of the payments. */
export function PaymentsPage({ payments, filters, invoicesOf, page }: PaymentsPageProps) {
  const rows = payments.slice((page - 1) * paymentsPerPage, page * paymentsPerPage);
  const hasOlder = payments.length > page * paymentsPerPage;
  const link = (to: number) => `/_mock/ui/payments?${queryOf(filters, { page: String(to) })}`;
  return (
    <ListPage place="Payments" filters={<Filters filters={filters} />}>
      <p class="quiet aside" role="status">
        {payments.length} {payments.length === 1 ? 'payment' : 'payments'}
      </p>
      {rows.length === 0 ? (
        <Nothing isFiltered={queryOf(filters) !== ''} />
      ) : (
        <div class="panel list">
          <Table labelledBy="payments" columns={columnsOf(invoicesOf)} rows={rows} class="payments" />
        </div>
      )}
      <p class="older">
        {page > 1 && <PageLink href={link(page - 1)} label="Newer payments" />}
        {hasOlder && <PageLink href={link(page + 1)} label="Older payments" />}
      </p>
    </ListPage>
  );
}

function Filters({ filters }: { readonly filters: PaymentFilters }) {
  return (
    <FilterForm
      action="/_mock/ui/payments"
      label="Filter payments"
      typed={new FormTexts({ ...filters })}
      fields={[
        { name: 'search', label: 'Search' },
        { name: 'status', label: 'Status', options: [['', 'All'], 'pending', ...settlements] },
      ]}
    />
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title="No payment matches">
      <p>
        <a href="/_mock/ui/payments">Show all payments</a>
      </p>
    </EmptyState>
  ) : (
    <EmptyState title="No payments yet">
      <p>A payment appears here once a request to initiate it is approved.</p>
    </EmptyState>
  );
}

function PageLink({ href, label }: { readonly href: string; readonly label: string }) {
  return (
    <a class="button" href={href}>
      {label}
    </a>
  );
}
