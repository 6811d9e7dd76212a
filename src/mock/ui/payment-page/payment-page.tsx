import { createContext, useContext, type PropsWithChildren } from 'hono/jsx';
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
import { wordsIn } from './words.js';

const WordsContext = createContext(wordsIn('en'));

interface PaymentProps {
  readonly payment: MockPayment;
}

interface PaymentPageProps extends PaymentProps {
  readonly now: Date;
}

/** The payment as its customer sees it: the order, and beside it the choices or how the payment ended. */
export function PaymentPage({ payment, now }: PaymentPageProps) {
  const { request, status } = payment;
  const { title } = wordsIn(request.lang);
  return (
    <Page lang={request.lang ?? 'en'} title={`${dong(request.amount.value)} · ${title}`}>
      <main id="main" class="layout">
        <Heading {...request} />
        <section class="card pay" aria-label={title}>
          {status === 'pending' ? (
            <Choices payment={payment} now={now} />
          ) : (
            <Ending payment={payment} status={status} />
          )}
        </section>
        <Order {...request} />
      </main>
    </Page>
  );
}

/** The page of a payment that does not exist. Its language is not known, so it uses both. */
export function UnknownPaymentPage() {
  return (
    <Page lang="en" title="Unknown payment">
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

interface PageProps {
  readonly lang: 'vi' | 'en';
  readonly title: string;
}

function Page({ lang, title, children }: PropsWithChildren<PageProps>) {
  const words = wordsIn(lang);
  return (
    <Document title={title} lang={lang} assets="payment">
      <a class="skip" href="#main">
        {words.skip}
      </a>
      <header class="top">
        <p class="brand">{words.title}</p>
        <Badge tone="warn">{words.mock}</Badge>
      </header>
      <WordsContext.Provider value={words}>{children}</WordsContext.Provider>
    </Document>
  );
}

function Heading({ referenceId, merchantId, seller, amount, description }: PaymentRequestWire) {
  const words = useContext(WordsContext);
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

function Order({ amount, items, customer, installment }: PaymentRequestWire) {
  const words = useContext(WordsContext);
  const facts = [
    [words.total, dong(amount.value), 'total'],
    [words.customer, words.fullName(customer)],
    [words.installmentPackage, installment?.packageId],
  ] as const;
  return (
    <section class="card details" aria-labelledby="items">
      <h2 class="label" id="items">
        {words.items}
      </h2>
      <ul class="items">
        {items.map(({ productName, description, quantity, price, totalAmount }) => (
          <li>
            <div>
              <p class="product">{productName}</p>
              {description !== undefined && <p class="quiet">{description}</p>}
              <p class="quiet">
                {words.quantity} {quantity} × {dong(price)}
              </p>
            </div>
            <p class="sum">{dong(totalAmount)}</p>
          </li>
        ))}
      </ul>
      <dl class="facts">
        {facts.map(
          ([name, value, kind]) =>
            value !== undefined && (
              <div class={kind}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}

function Choices({ payment: { expiresAt, paymentUrl }, now }: PaymentPageProps) {
  const words = useContext(WordsContext);
  const left = expiresAt.getTime() - now.getTime();
  return (
    <>
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
      {isReachable(paymentUrl) && (
        <figure class="scan">
          <QrCode text={paymentUrl} label={words.scan} />
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

function Ending({ payment, status }: PaymentProps & { readonly status: Settlement }) {
  const words = useContext(WordsContext);
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
