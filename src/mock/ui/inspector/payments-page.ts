import { moment } from '../shared/clock.js';
import { html, type Markup } from '../shared/markup.js';
import { dong } from '../shared/money.js';
import type { MockInvoice } from '../../state/invoices.js';
import type { MockPayment, Settlement } from '../../state/payments.js';
import { paymentBadge } from './badges.js';
import { emptyState, inspectorPage } from './layout.js';
import { facts } from './request-detail.js';

/** Payments on one page. */
export const paymentsPerPage = 50;

const settlements: readonly (readonly [Settlement, string])[] = [
  ['paid', 'Pay'],
  ['declined', 'Decline'],
  ['expired', 'Let it expire'],
];

/** The payments, newest first, each with its invoices. */
export function paymentsPage(
  payments: readonly MockPayment[],
  invoicesOf: (payment: MockPayment) => readonly MockInvoice[],
  page: number,
): Markup {
  const shown = payments.slice((page - 1) * paymentsPerPage, page * paymentsPerPage);
  const hasOlder = payments.length > page * paymentsPerPage;
  return inspectorPage(
    'Payments',
    'Payments',
    html`<div class="heading">
        <h1>Payments</h1>
        <p class="quiet">${payments.length} in all</p>
      </div>
      <div id="region" data-live-region>
        ${shown.map((payment) => paymentCard(payment, invoicesOf(payment)))}
        ${
          shown.length === 0 &&
          emptyState(
            'No payments yet',
            html`<p>A payment shows up here once a request to initiate it is approved.</p>`,
          )
        }
        <p class="older">
          ${page > 1 && html`<a class="button" href="/_mock/ui/payments?page=${page - 1}">Newer payments</a>`}
          ${hasOlder && html`<a class="button" href="/_mock/ui/payments?page=${page + 1}">Older payments</a>`}
        </p>
      </div>`,
  );
}

function paymentCard(payment: MockPayment, invoices: readonly MockInvoice[]): Markup {
  const { referenceId, status, paymentUrl, createdAt, expiresAt, settledAt, paymentTransId, request } =
    payment;
  return html`<article class="panel payment" aria-label="Payment ${referenceId}">
    <div class="heading">
      <h2><a href="/_mock?reference=${encodeURIComponent(referenceId)}">${referenceId}</a></h2>
      ${paymentBadge(status)}
      <p class="amount">${dong(request.amount.value)}</p>
    </div>
    <p>${request.description}</p>
    ${facts([
      ['Merchant', payment.merchantId],
      ['Created', moment(createdAt)],
      ['Expires', expiresAt && moment(expiresAt)],
      ['Settled', settledAt && moment(settledAt)],
      ['Transaction', paymentTransId],
    ])}
    ${
      invoices.length > 0 &&
      html`<h3>Invoices</h3>
        <ul class="invoices">
          ${invoices.map(invoiceLine)}
        </ul>`
    }
    <div class="actions">
      <a class="button" href="${new URL(paymentUrl).pathname}">Payment page</a>
      ${status === 'pending' && settleForm(payment)}
    </div>
  </article>`;
}

function settleForm({ referenceId, merchantId }: MockPayment): Markup {
  return html`<form
    method="post"
    action="/_mock/ui/settle"
    class="actions"
    aria-label="Settle ${referenceId}"
  >
    <input type="hidden" name="from" value="payments" />
    <input type="hidden" name="referenceId" value="${referenceId}" />
    <input type="hidden" name="merchantId" value="${merchantId}" />
    ${settlements.map(([status, text]) => html`<button class="button" name="status" value="${status}">${text}</button>`)}
  </form>`;
}

function invoiceLine({ invoiceId, uploadedAt, file, fileUrl, fields }: MockInvoice): Markup {
  const what = file ? `${file.name} (${String(file.size)} bytes)` : fileUrl;
  return html`<li>
    <code>${invoiceId}</code> ${fields['invoiceNumber']}
    <span class="quiet">${what}, ${moment(uploadedAt)}</span>
  </li>`;
}
