import type { PaymentRequestWire } from '../../../protocol/payment-types.js';
import { moment, remaining } from '../shared/clock.js';
import { document, html, type Markup } from '../shared/markup.js';
import { dong } from '../shared/money.js';
import type { MockPayment, Settlement } from '../../state/payments.js';
import { qrCode } from './qr-code.js';
import { returnUrl } from './return-url.js';
import { wordsOf, type Words } from './words.js';

const outcomes = ['paid', 'declined', 'expired'] as const satisfies readonly Settlement[];

/** The payment as its customer sees it: the order beside what can be done, or how it ended. */
export function paymentPage(payment: MockPayment, now: Date): Markup {
  const words = wordsOf(payment.request.lang);
  const { status } = payment;
  const action = (content: Markup) =>
    html`<section class="card pay" aria-label="${words.title}">${content}</section>`;
  // On a small screen, how it ended comes before what it was for.
  return page(
    payment.request.lang ?? 'en',
    `${dong(payment.request.amount.value)} · ${words.title}`,
    words,
    html`<main id="main" class="layout">
      ${status !== 'pending' && action(ending(payment, status, words))} ${order(payment, words)}
      ${status === 'pending' && action(choices(payment, words, now))}
    </main>`,
  );
}

/** What stands where no payment is: the language is not known, so both have a say. */
export function unknownPaymentPage(): Markup {
  return page(
    'en',
    'Unknown payment',
    wordsOf('en'),
    html`<main id="main" class="layout single">
      <section class="card pay ended">
        <p class="mark" aria-hidden="true">?</p>
        <h1>There is no such payment</h1>
        <p class="quiet">The link is wrong, or the mock was reset since the payment was created.</p>
        <p class="quiet" lang="vi">Không tìm thấy khoản thanh toán này.</p>
      </section>
    </main>`,
  );
}

function page(lang: string, title: string, words: Words, main: Markup): Markup {
  return document(
    { title, lang, style: 'payment.css', script: 'payment.js' },
    html`<body>
      <a class="skip" href="#main">${words.skip}</a>
      <header class="top">
        <p class="brand">${words.title}</p>
        <p class="badge warn">${words.mock}</p>
      </header>
      ${main}
    </body>`,
  );
}

function order({ request }: MockPayment, words: Words): Markup {
  const { referenceId, merchantId, seller, amount, description, items, customer, installment } = request;
  return html`<section class="order">
    <p class="quiet">
      ${words.order} <strong class="reference">${referenceId}</strong> ${words.from}
      ${seller?.name ?? merchantId}
    </p>
    <h1 class="amount">${dong(amount.value)}</h1>
    <p class="description">${description}</p>
    <div class="card">
      <h2 class="label">${words.items}</h2>
      <ul class="items">
        ${items.map((item) => orderLine(item, words))}
      </ul>
      <dl class="facts">
        <div class="total">
          <dt>${words.total}</dt>
          <dd>${dong(amount.value)}</dd>
        </div>
        <div>
          <dt>${words.customer}</dt>
          <dd>${words.fullName(customer)}</dd>
        </div>
        ${
          installment &&
          html`<div>
            <dt>${words.installmentPackage}</dt>
            <dd>${installment.packageId}</dd>
          </div>`
        }
      </dl>
    </div>
  </section>`;
}

function orderLine(item: PaymentRequestWire['items'][number], words: Words): Markup {
  return html`<li>
    <div>
      <p class="product">${item.productName}</p>
      ${item.description !== undefined && html`<p class="quiet">${item.description}</p>`}
      <p class="quiet">${words.quantity} ${item.quantity} × ${dong(item.price)}</p>
    </div>
    <p class="sum">${dong(item.totalAmount)}</p>
  </li>`;
}

function choices(payment: MockPayment, words: Words, now: Date): Markup {
  return html`${payment.expiresAt && timeLeft(payment.expiresAt, words, now)}
    <figure class="scan">
      ${qrCode(payment.paymentUrl, words.scan)}
      <figcaption class="quiet">${words.scan}</figcaption>
    </figure>
    <form method="post" class="actions">
      <h2 class="label">${words.choose}</h2>
      ${outcomes.map(
        (outcome) =>
          html`<button
            class="button ${outcome === 'paid' ? 'primary' : ''}"
            name="outcome"
            value="${outcome}"
          >
            ${words.actions[outcome]}
          </button>`,
      )}
    </form>`;
}

function timeLeft(expiresAt: Date, words: Words, now: Date): Markup {
  const left = expiresAt.getTime() - now.getTime();
  return html`<div class="left">
    <h2 class="label" id="left">${words.timeLeft}</h2>
    <p class="clock" role="timer" aria-labelledby="left" data-left="${left}">${remaining(left)}</p>
    <p class="quiet">${words.payBefore} ${moment(expiresAt)} (+07:00)</p>
  </div>`;
}

const marks: Readonly<Record<Settlement, string>> = { paid: '✓', declined: '✕', expired: '⧖' };

function ending(payment: MockPayment, status: Settlement, words: Words): Markup {
  const { headline, detail } = words.ended[status];
  const url = returnUrl(payment, status);
  const endedAt = payment.settledAt ?? payment.expiresAt;
  return html`<div class="ended ${status}">
    <p class="mark" aria-hidden="true">${marks[status]}</p>
    <h2>${headline}</h2>
    <p>${detail}</p>
    ${payment.paymentTransId !== undefined && html`<p class="mono">${payment.paymentTransId}</p>`}
    ${endedAt && html`<p class="quiet">${moment(endedAt)} (+07:00)</p>`}
    ${url && html`<a class="button primary" href="${url.href}" rel="noreferrer">${words.back}</a>`}
  </div>`;
}
