import type { Child } from 'hono/jsx';
import type { PaymentRequestWire } from '../../protocol/payment-types.js';
import { settlements, type MockPayment, type Settlement } from '../state/payment-record.js';
import { Document } from '../ui/document.js';
import { badge, dong, facts, link, zonedMoment } from '../ui/elements.js';
import { remaining } from './remaining.js';
import { returnUrl } from './return-url.js';
import { wordsIn, type Words } from '../ui/words.js';

/** The payment page that the customer sees: the order, and beside it the choices or the end of the payment. */
export function paymentPage(payment: MockPayment, now: Date) {
  const { request, status } = payment;
  const words = wordsIn(request.lang);
  const pay = status === 'pending' ? choices(payment, now, words) : ending(payment, status, words);
  return page(
    request.lang ?? 'en',
    `${dong(request.amount.value)} · ${words.title}`,
    <main id="main" class="layout">
      {heading(request, words)}
      <section class="card pay" aria-label={words.title}>
        {pay}
      </section>
      {order(request, words)}
    </main>,
  );
}

/** The page for a payment that does not exist. Its language is unknown, so it uses both languages. */
export const unknownPaymentPage = () =>
  page(
    'en',
    'Unknown payment',
    <main id="main" class="layout single">
      <section class="card pay ended">
        {statusIcon('unknown')}
        <h1>There is no such payment</h1>
        <p class="quiet">The link is wrong, or the mock was reset after the payment was created.</p>
        <p class="quiet" lang="vi">
          Không tìm thấy giao dịch thanh toán này. Đường dẫn không đúng, hoặc mock đã được đặt lại sau khi
          giao dịch được tạo.
        </p>
      </section>
    </main>,
  );

function page(lang: 'vi' | 'en', title: string, main: Child) {
  const words = wordsIn(lang);
  return (
    <Document title={title} lang={lang} assets="payment" skip={words.skip}>
      <header class="top">
        <p class="brand">{words.title}</p>
        {badge('warn', words.mock)}
      </header>
      {main}
    </Document>
  );
}

const heading = (request: PaymentRequestWire, words: Words) => (
  <div class="order">
    <p class="quiet">
      {words.order} <strong class="reference">{request.referenceId}</strong> {words.from}{' '}
      {request.seller?.name ?? request.merchantId}
    </p>
    <h1 class="amount">{dong(request.amount.value)}</h1>
    <p class="description">{request.description}</p>
  </div>
);

const order = ({ amount, items, customer, installment }: PaymentRequestWire, words: Words) => (
  <section class="card details" aria-labelledby="items">
    {label('items', words.items)}
    <ul class="items">
      {items.map(({ productName, description, quantity, price, totalAmount }) => (
        <li>
          <div>
            <p class="product">{productName}</p>
            {description !== undefined && <p class="quiet">{description}</p>}
            <p class="quiet">{`${words.quantity} ${quantity} × ${dong(price)}`}</p>
          </div>
          <p class="sum">{dong(totalAmount)}</p>
        </li>
      ))}
    </ul>
    {facts([
      [words.total, dong(amount.value), 'total'],
      [words.customer, words.fullName(customer)],
      [words.installmentPackage, installment?.packageId],
    ])}
  </section>
);

function choices({ expiresAt }: MockPayment, now: Date, words: Words) {
  const left = expiresAt.getTime() - now.getTime();
  const buttons = settlements.map((outcome) => (
    <button class={outcome === 'paid' ? 'button primary' : 'button'} name="outcome" value={outcome}>
      {words.actions[outcome]}
    </button>
  ));
  return [
    <div class="left">
      {label('left', words.timeLeft)}
      <p class="clock" role="timer" aria-labelledby="left" data-left={left}>
        {remaining(left)}
      </p>
      <p class="quiet">{[words.payBefore, ' ', zonedMoment(expiresAt)]}</p>
    </div>,
    <form method="post" class="actions">
      {label(undefined, words.choose)}
      {buttons}
    </form>,
  ];
}

const label = (id: string | undefined, text: string) => (
  <h2 class="label" id={id}>
    {text}
  </h2>
);

// The icons are drawn, because some fonts lack these characters.
const iconPaths: Readonly<Record<Settlement | 'unknown', string>> = {
  paid: 'M5 12.5l4.5 4.5L19 7.5',
  declined: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  expired: 'M12 6.5V12l3.5 2.5M3.5 12a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0 -17 0',
  unknown: 'M8.5 9a3.5 3.5 0 1 1 5 3.2q-1.5 .7 -1.5 2.3M12 18v.01',
};

const statusIcon = (of: keyof typeof iconPaths) => (
  <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
    <path d={iconPaths[of]} />
  </svg>
);

function ending(payment: MockPayment, status: Settlement, words: Words) {
  const [headline, detail] = words.ended[status];
  const { paymentTransId, settledAt } = payment;
  const url = returnUrl(payment, status);
  return (
    <div class={`ended ${status}`}>
      {statusIcon(status)}
      <h2>{headline}</h2>
      <p>{detail}</p>
      {paymentTransId !== undefined && <p class="mono">{paymentTransId}</p>}
      {settledAt && <p class="quiet">{zonedMoment(settledAt)}</p>}
      {url && link(url.href, words.back, { class: 'button primary', rel: 'noreferrer' })}
    </div>
  );
}
