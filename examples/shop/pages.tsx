/** The pages that customers see. JSX escapes every text. */
import { raw } from 'hono/html';
import type { PropsWithChildren } from 'hono/jsx';
import type { PaymentItem } from 'installment-payments';
import type { OrderView } from 'installment-payments/orders';
import { catalogue, mostUnits, totalOf } from './catalogue.js';
import { checkoutFields, type Form } from './checkout-form.js';
import type { Order } from './database.js';

const money = new Intl.NumberFormat('vi-VN', { style: 'currency', currency: 'VND' });

export function Page({ title, children }: PropsWithChildren<{ title: string }>) {
  return (
    <>
      {raw('<!doctype html>')}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>{title} · Cửa hàng Điện máy</title>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href="/shop.css" />
          <script type="module" src="/live.js"></script>
        </head>
        <body>
          <header>
            <a class="name" href="/" lang="vi">
              Cửa hàng Điện máy
            </a>
            <a href="/cart">Cart</a>
          </header>
          <main>
            <h1>{title}</h1>
            {children}
          </main>
        </body>
      </html>
    </>
  );
}

export function NotFoundPage() {
  return (
    <Page title="Not found">
      <p>
        There is no such page. <a href="/">To the shop</a>
      </p>
    </Page>
  );
}

export function CataloguePage() {
  return (
    <Page title="Pay for it month by month">
      <form method="post" action="/cart">
        <ul class="products">
          {catalogue.map(({ productId, productName, category, price }) => (
            <li class="card">
              <h2 lang="vi">{productName}</h2>
              <p class="quiet">{category}</p>
              <p class="price">{money.format(price)}</p>
              <button name="add" value={productId} aria-label={`Add to cart: ${productName}`}>
                Add to cart
              </button>
            </li>
          ))}
        </ul>
      </form>
    </Page>
  );
}

export function CartPage({ items }: { readonly items: readonly PaymentItem[] }) {
  if (items.length === 0)
    return (
      <Page title="Your cart is empty">
        <p>
          <a href="/">Look around</a>
        </p>
      </Page>
    );
  return (
    <Page title="Your cart">
      <form method="post" action="/cart" class="card">
        <ul class="lines">
          {items.map(({ productId, productName, quantity, price }) => (
            <li>
              <label for={productId} lang="vi">
                {productName}
              </label>
              <input
                id={productId}
                name={productId}
                type="number"
                min="0"
                max={mostUnits}
                value={quantity}
                required
              />
              <span class="price">{money.format(price * quantity)}</span>
            </li>
          ))}
        </ul>
        <p class="total">
          Total <strong>{money.format(totalOf(items))}</strong>
        </p>
        <p class="actions">
          <button>Update</button>
          <button class="primary" name="then" value="checkout">
            Check out
          </button>
        </p>
      </form>
    </Page>
  );
}

interface CheckoutProps {
  /** The order ID, which is made with the page, so that a double click places one order. */
  readonly orderId: string;
  readonly items: readonly PaymentItem[];
  readonly form: Form;
  readonly problems: Form;
}

export function CheckoutPage({ orderId, items, form, problems }: CheckoutProps) {
  return (
    <Page title="Check out">
      <form method="post" action="/orders" class="card">
        <input type="hidden" name="orderId" value={orderId} />
        <input type="hidden" name="total" value={totalOf(items)} />
        <div class="fields">
          {checkoutFields.map(({ name, label, autocomplete, type = 'text' }) => {
            const problem = problems[name];
            return (
              <p>
                <label for={name}>{label}</label>
                <input
                  id={name}
                  name={name}
                  type={type}
                  autocomplete={autocomplete}
                  value={form[name]}
                  required
                  aria-invalid={problem !== undefined}
                  aria-describedby={problem && `${name}-problem`}
                />
                {problem && (
                  <span class="problem" id={`${name}-problem`}>
                    {label} {problem}
                  </span>
                )}
              </p>
            );
          })}
        </div>
        {problems['total'] && <p class="problem">{problems['total']}</p>}
        <p class="total">
          Total <strong>{money.format(totalOf(items))}</strong>
        </p>
        <p class="actions">
          <button class="primary">Pay by installments</button>
        </p>
      </form>
    </Page>
  );
}

interface OrderProps {
  readonly order: Order;
  readonly view: OrderView;
  /** True for the page to which the payment page redirects, which proves nothing. */
  readonly isReturn: boolean;
}

/**
 * Heading, text and button of each state. Tests that ask a page whether an order is paid look for that word, so no
 * other state has it.
 */
const texts: Readonly<Record<OrderView['state'], readonly [heading: string, text: string, button?: string]>> =
  {
    none: ['Your order is stored', 'You have not begun to pay.', 'Pay by installments'],
    new: [
      'One moment',
      'The payment service cannot be reached. We are trying again, and this page will change.',
    ],
    checking: [
      'We are checking your payment',
      'The payment service has not confirmed it yet. Please do not order again: this page will change.',
    ],
    changed: [
      'Your order has changed',
      'A payment of the old amount is still open. Please do not make that payment. You can pay the new amount after that payment has ended.',
      'Pay the new amount',
    ],
    started: ['Waiting for your payment', 'This page changes once the payment service confirms it.'],
    refused: ['The payment could not be started', 'You can try once more.', 'Try again'],
    over: [
      'This payment is over',
      'No money was reported. If you sent any, do not pay again: write to us.',
      'Try again',
    ],
    paid: ['Paid', 'Thank you. Your order is on its way.'],
    cancelled: ['Cancelled', 'We have cancelled this order. Please do not pay for it.'],
  };

export function OrderPage({ order: { id, request }, view: { state, paymentUrl }, isReturn }: OrderProps) {
  const [heading, text, button] = texts[state];
  const isChanging = state === 'new' || state === 'checking' || state === 'started';
  return (
    <Page title="Your order">
      <section class="card">
        <div role="status" data-live>
          <h2 class={state}>{isReturn && state === 'started' ? 'Waiting for the confirmation' : heading}</h2>
          <p>{text}</p>
        </div>
        <div data-live>
          {isChanging && <span class="changing" />}
          {paymentUrl && (
            <p class="actions">
              <a class={isReturn ? '' : 'button primary'} href={paymentUrl}>
                {isReturn ? 'Back to the payment' : 'Go to the payment'}
              </a>
            </p>
          )}
          {button && (
            <form method="post" action={`/orders/${id}/pay`} class="actions">
              <button class="primary">{button}</button>
            </form>
          )}
        </div>
      </section>
      <section class="card">
        <h2>Items</h2>
        <ul class="lines">
          {request.items.map(({ productName, quantity, totalAmount }) => (
            <li>
              <span lang="vi">
                {quantity} × {productName}
              </span>
              <span class="price">{money.format(totalAmount)}</span>
            </li>
          ))}
        </ul>
        <p class="total">
          Total <strong>{money.format(request.amount.value)}</strong>
        </p>
        <p class="quiet reference">Order {id}</p>
      </section>
    </Page>
  );
}
