import type { MockInvoice } from '../../state/invoices.js';
import type { MockPayment } from '../../state/payments.js';
import { Moment } from '../shared/moment.js';
import { dong } from '../shared/money.js';
import { settlements } from '../../state/payments.js';
import { PaymentBadge } from './badges.js';
import { EmptyState, InspectorPage } from './layout.js';
import { Facts } from './panel.js';

/** Payments on one page. */
export const paymentsPerPage = 50;

interface PaymentsPageProps {
  /** All of them, newest first. */
  readonly payments: readonly MockPayment[];
  readonly invoicesOf: (payment: MockPayment) => readonly MockInvoice[];
  /** From 1. */
  readonly page: number;
}

/** One page of the payments, each with its invoices. */
export function PaymentsPage({ payments, invoicesOf, page }: PaymentsPageProps) {
  const shown = payments.slice((page - 1) * paymentsPerPage, page * paymentsPerPage);
  const hasOlder = payments.length > page * paymentsPerPage;
  return (
    <InspectorPage place="Payments">
      <div class="heading">
        <h1>Payments</h1>
        <p class="quiet">{payments.length} in all</p>
      </div>
      <div id="region" data-live-region="">
        {shown.map((payment) => (
          <Payment payment={payment} invoices={invoicesOf(payment)} />
        ))}
        {shown.length === 0 && (
          <EmptyState title="No payments yet">
            <p>A payment appears here once a request to initiate it is approved.</p>
          </EmptyState>
        )}
        <p class="older">
          {page > 1 && <PageLink page={page - 1} label="Newer payments" />}
          {hasOlder && <PageLink page={page + 1} label="Older payments" />}
        </p>
      </div>
    </InspectorPage>
  );
}

function PageLink({ page, label }: { readonly page: number; readonly label: string }) {
  return (
    <a class="button" href={`/_mock/ui/payments?page=${String(page)}`}>
      {label}
    </a>
  );
}

interface PaymentProps {
  readonly payment: MockPayment;
  readonly invoices: readonly MockInvoice[];
}

function Payment({ payment, invoices }: PaymentProps) {
  const { referenceId, status, expiresAt, settledAt, request } = payment;
  return (
    <article class="panel payment" aria-label={`Payment ${referenceId}`}>
      <div class="heading">
        <h2>
          <a href={`/_mock?reference=${encodeURIComponent(referenceId)}`}>{referenceId}</a>
        </h2>
        <PaymentBadge status={status} />
        <p class="amount">{dong(request.amount.value)}</p>
      </div>
      <p>{request.description}</p>
      <Facts
        of={[
          ['Merchant', payment.merchantId],
          ['Created', <Moment at={payment.createdAt} />],
          ['Expires', expiresAt && <Moment at={expiresAt} />],
          ['Settled', settledAt && <Moment at={settledAt} />],
          ['Transaction', payment.paymentTransId],
        ]}
      />
      {invoices.length > 0 && (
        <>
          <h3>Invoices</h3>
          <ul class="invoices">
            {invoices.map((invoice) => (
              <Invoice invoice={invoice} />
            ))}
          </ul>
        </>
      )}
      <div class="actions">
        <a class="button" href={new URL(payment.paymentUrl).pathname}>
          Payment page
        </a>
        {status === 'pending' && <SettleForm payment={payment} />}
      </div>
    </article>
  );
}

const actions = { paid: 'Pay', declined: 'Decline', expired: 'Let it expire' } as const;

function SettleForm({ payment: { referenceId, merchantId } }: { readonly payment: MockPayment }) {
  return (
    <form method="post" action="/_mock/ui/settle" class="actions" aria-label={`Settle ${referenceId}`}>
      <input type="hidden" name="from" value="payments" />
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

function Invoice({ invoice }: { readonly invoice: MockInvoice }) {
  const { invoiceId, uploadedAt, file, fileUrl, fields } = invoice;
  return (
    <li>
      <code>{invoiceId}</code> {fields['invoiceNumber']}{' '}
      <span class="quiet">
        {file ? `${file.name} (${String(file.size)} bytes)` : fileUrl}, <Moment at={uploadedAt} />
      </span>
    </li>
  );
}
