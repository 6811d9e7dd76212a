import type { PropsWithChildren } from 'hono/jsx';
import { loopbackHost } from '../../../protocol/urls.js';
import type { PaymentRequestWire } from '../../../protocol/payment-types.js';
import { settlements, type MockPayment, type Settlement } from '../../state/payments.js';
import { Badge } from '../shared/badge.js';
import { Document } from '../shared/document.js';
import { ZonedMoment } from '../shared/moment.js';
import { dong } from '../shared/money.js';
import { remaining } from '../shared/remaining.js';
import { QrCode } from './qr-code.js';
import { returnUrl } from './return-url.js';
import { wordsIn, type Words } from './words.js';

interface PaymentPageProps {
  readonly payment: MockPayment;
  readonly now: Date;
}

/** The payment as its customer sees it: the order, and beside it the choices or how the payment ended. */
export function PaymentPage({ payment, now }: PaymentPageProps) {
  const { request, status } = payment;
  const words = wordsIn(request.lang);
  const title = `${dong(request.amount.value)} · ${words.title}`;
  return (
    <Page lang={request.lang ?? 'en'} title={title} words={words}>
      <main id="main" class="layout">
        <Heading request={request} words={words} />
        <section class="card pay" aria-label={words.title}>
          {status === 'pending' ? (
            <Choices payment={payment} words={words} now={now} />
          ) : (
            <Ending payment={payment} status={status} words={words} />
          )}
        </section>
        <Order request={request} words={words} />
      </main>
    </Page>
  );
}

/** The page of a payment that does not exist. Its language is not known, so it uses both. */
export function UnknownPaymentPage() {
  return (
    <Page lang="en" title="Unknown payment" words={wordsIn('en')}>
      <main id="main" class="layout single">
        <section class="card pay ended">
          <Mark of="unknown" />
          <h1>There is no such payment</h1>
          <p class="quiet">The link is wrong, or the mock was reset after the payment was created.</p>
          <p class="quiet" lang="vi">
            Không tìm thấy giao dịch thanh toán này.
          </p>
        </section>
      </main>
    </Page>
  );
}

interface WordsProps {
  readonly words: Words;
}

interface PageProps extends WordsProps {
  readonly lang: string;
  readonly title: string;
}

function Page({ lang, title, words, children }: PropsWithChildren<PageProps>) {
  return (
    <Document title={title} lang={lang} assets="payment">
      <a class="skip" href="#main">
        {words.skip}
      </a>
      <header class="top">
        <p class="brand">{words.title}</p>
        <Badge tone="warn">{words.mock}</Badge>
      </header>
      {children}
    </Document>
  );
}

interface OrderProps extends WordsProps {
  readonly request: PaymentRequestWire;
}

function Heading({ request: { referenceId, merchantId, seller, amount, description }, words }: OrderProps) {
  return (
    <div class="order">
      <p class="quiet">
        {words.order} <strong class="reference">{referenceId}</strong> {words.from}{' '}
        {seller?.name ?? merchantId}
      </p>
      <h1 class="amount">{dong(amount.value)}</h1>
      <p class="description">{description}</p>
    </div>
  );
}

function Order({ request: { amount, items, customer, installment }, words }: OrderProps) {
  return (
    <section class="card details" aria-labelledby="items">
      <h2 class="label" id="items">
        {words.items}
      </h2>
      <ul class="items">
        {items.map((item) => (
          <Item item={item} words={words} />
        ))}
      </ul>
      <dl class="facts">
        <div class="total">
          <dt>{words.total}</dt>
          <dd>{dong(amount.value)}</dd>
        </div>
        <div>
          <dt>{words.customer}</dt>
          <dd>{words.fullName(customer)}</dd>
        </div>
        {installment && (
          <div>
            <dt>{words.installmentPackage}</dt>
            <dd>{installment.packageId}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

interface ItemProps extends WordsProps {
  readonly item: PaymentRequestWire['items'][number];
}

function Item({ item, words }: ItemProps) {
  return (
    <li>
      <div>
        <p class="product">{item.productName}</p>
        {item.description !== undefined && <p class="quiet">{item.description}</p>}
        <p class="quiet">
          {words.quantity} {item.quantity} × {dong(item.price)}
        </p>
      </div>
      <p class="sum">{dong(item.totalAmount)}</p>
    </li>
  );
}

function Choices({ payment, words, now }: PaymentPageProps & WordsProps) {
  return (
    <>
      <TimeLeft expiresAt={payment.expiresAt} now={now} words={words} />
      <form method="post" class="actions">
        <h2 class="label">{words.choose}</h2>
        {settlements.map((settlement) => (
          <button
            class={settlement === 'paid' ? 'button primary' : 'button'}
            name="outcome"
            value={settlement}
          >
            {words.actions[settlement]}
          </button>
        ))}
      </form>
      {isReachable(payment.paymentUrl) && (
        <figure class="scan">
          <QrCode text={payment.paymentUrl} label={words.scan} />
          <figcaption class="quiet">{words.scan}</figcaption>
        </figure>
      )}
    </>
  );
}

/** False for the address of this machine, which leads a phone to itself. */
function isReachable(url: string): boolean {
  const { hostname } = new URL(url);
  return !loopbackHost.test(hostname) && !hostname.endsWith('.localhost');
}

interface TimeLeftProps extends WordsProps {
  readonly expiresAt: Date;
  readonly now: Date;
}

function TimeLeft({ expiresAt, now, words }: TimeLeftProps) {
  const left = expiresAt.getTime() - now.getTime();
  return (
    <div class="left">
      <h2 class="label" id="left">
        {words.timeLeft}
      </h2>
      <p class="clock" role="timer" aria-labelledby="left" data-left={left}>
        {remaining(left)}
      </p>
      <p class="quiet">
        {words.payBefore} <ZonedMoment at={expiresAt} />
      </p>
    </div>
  );
}

// Drawn, because not every font has these characters.
const marks: Readonly<Record<Settlement | 'unknown', string>> = {
  paid: 'M5 12.5l4.5 4.5L19 7.5',
  declined: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  expired: 'M12 6.5V12l3.5 2.5M3.5 12a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0 -17 0',
  unknown: 'M8.5 9a3.5 3.5 0 1 1 5 3.2q-1.5 .7 -1.5 2.3M12 18v.01',
};

function Mark({ of }: { readonly of: keyof typeof marks }) {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d={marks[of]} />
    </svg>
  );
}

interface EndingProps extends WordsProps {
  readonly payment: MockPayment;
  readonly status: Settlement;
}

function Ending({ payment, status, words }: EndingProps) {
  const { headline, detail } = words.ended[status];
  const url = returnUrl(payment, status);
  return (
    <div class={`ended ${status}`}>
      <Mark of={status} />
      <h2>{headline}</h2>
      <p>{detail}</p>
      {payment.paymentTransId !== undefined && <p class="mono">{payment.paymentTransId}</p>}
      {payment.settledAt && (
        <p class="quiet">
          <ZonedMoment at={payment.settledAt} />
        </p>
      )}
      {url && (
        <a class="button primary" href={url.href} rel="noreferrer">
          {words.back}
        </a>
      )}
    </div>
  );
}
