import type { MockInvoice } from '../../state/invoices.js';
import { settlements, type MockPayment } from '../../state/payments.js';
import { Moment } from '../shared/moment.js';
import { dong } from '../shared/money.js';
import { PaymentBadge } from './badges.js';
import { Choice } from './forms.js';
import { EmptyState, InspectorPage } from './layout.js';
import { Table } from './panel.js';
import { customerName, payPath, paymentPath, SettleForm } from './payment-detail.js';
import { queryOf, type PaymentFilters } from './payment-filters.js';

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

const columns = ['Reference', 'Amount', 'Status', 'Customer', 'Created', 'Invoices', 'Page', 'Settle'];

/** One page of the payments. */
export function PaymentsPage({ payments, filters, invoicesOf, page }: PaymentsPageProps) {
  const shown = payments.slice((page - 1) * paymentsPerPage, page * paymentsPerPage);
  const hasOlder = payments.length > page * paymentsPerPage;
  const link = (to: number) => `/_mock/ui/payments?${queryOf(filters, { page: String(to) })}`;
  return (
    <InspectorPage place="Payments">
      <div class="heading">
        <h1 id="payments">Payments</h1>
      </div>
      <FilterForm filters={filters} />
      <div id="region" data-live-region="">
        <p class="quiet aside" role="status">
          {payments.length} {payments.length === 1 ? 'payment' : 'payments'}
        </p>
        {shown.length === 0 ? (
          <Nothing isFiltered={queryOf(filters) !== ''} />
        ) : (
          <div class="panel list">
            <Table labelledBy="payments" columns={columns} class="payments">
              {shown.map((payment) => (
                <Row payment={payment} invoices={invoicesOf(payment).length} />
              ))}
            </Table>
          </div>
        )}
        <p class="older">
          {page > 1 && <PageLink href={link(page - 1)} label="Newer payments" />}
          {hasOlder && <PageLink href={link(page + 1)} label="Older payments" />}
        </p>
      </div>
    </InspectorPage>
  );
}

function FilterForm({ filters: { search = '', status } }: { readonly filters: PaymentFilters }) {
  return (
    <form
      class="filters"
      action="/_mock/ui/payments"
      role="search"
      aria-label="Filter payments"
      data-filters=""
    >
      <label class="field wide">
        <span>Search</span>
        <input type="search" name="search" value={search} autocomplete="off" spellcheck={false} />
      </label>
      <Choice
        name="status"
        label="Status"
        options={[['', 'All'], 'pending', ...settlements]}
        chosen={status ?? ''}
      />
      <button class="button">Filter</button>
    </form>
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

function Row({ payment, invoices }: { readonly payment: MockPayment; readonly invoices: number }) {
  const { referenceId, status, createdAt, request } = payment;
  return (
    <tr>
      <th scope="row">
        <a class="mono" href={paymentPath(payment)}>
          {referenceId}
        </a>
      </th>
      <td class="amount">{dong(request.amount.value)}</td>
      <td>
        <PaymentBadge status={status} />
      </td>
      <td>{customerName(payment)}</td>
      <td>
        <Moment at={createdAt} />
      </td>
      <td>{invoices > 0 && invoices}</td>
      <td>
        <a href={payPath(payment)} aria-label={`Open the payment page of ${referenceId}`}>
          Open
        </a>
      </td>
      <td>{status === 'pending' && <SettleForm payment={payment} from="payments" />}</td>
    </tr>
  );
}
