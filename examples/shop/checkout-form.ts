/** The form of the checkout. Each field is named for its path in the payment request. */
import { paymentRequestSchema, type PaymentItem } from 'installment-payments';
import { totalOf } from './catalogue.js';
import type { ShopRequest } from './database.js';

export const checkoutFields = [
  { name: 'customer.lastName', label: 'Last name', autocomplete: 'family-name' },
  { name: 'customer.firstName', label: 'First name', autocomplete: 'given-name' },
  { name: 'customer.phoneNumber', label: 'Mobile number', autocomplete: 'tel', type: 'tel' },
  { name: 'customer.email', label: 'E-mail', autocomplete: 'email', type: 'email' },
  { name: 'shipping.houseNumber', label: 'House number', autocomplete: 'off' },
  { name: 'shipping.street', label: 'Street', autocomplete: 'address-line1' },
  { name: 'shipping.ward', label: 'Ward', autocomplete: 'address-level4' },
  { name: 'shipping.district', label: 'District', autocomplete: 'address-level3' },
  { name: 'shipping.city', label: 'City or province', autocomplete: 'address-level2' },
];

/** A form as a browser sent it: text by field name. */
export type Form = Readonly<Record<string, string>>;

export interface ShopAddress {
  /** The URL at which customers reach the shop. */
  readonly shopUrl: string;
  /** The customer's time to pay, in milliseconds. */
  readonly payWithinMs: number;
}

/** The request that pays an order, or the problem of each field that is wrong. */
export function requestOf(
  orderId: string,
  items: readonly PaymentItem[],
  form: Form,
  { shopUrl, payWithinMs }: ShopAddress,
): { readonly request: ShopRequest } | { readonly problems: Form } {
  // Another tab can have changed the cart since the page was loaded.
  if (form['total'] !== String(totalOf(items)))
    return { problems: { total: 'Your cart has changed. Please check the total.' } };
  const typed = checkoutFields.map(({ name }) => [name, form[name]?.trim() ?? ''] as const);
  const part = (prefix: string) =>
    Object.fromEntries(
      typed
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, text]) => [name.slice(prefix.length), text]),
    );
  const { data, error } = paymentRequestSchema.safeParse({
    referenceId: orderId, // each payment has its own, so it is removed below
    paymentMethod: 'WEB',
    description: items.map(({ productName, quantity }) => `${quantity} x ${productName}`).join(', '),
    successRedirectUrl: `${shopUrl}/orders/${orderId}/return`,
    unSuccessRedirectUrl: `${shopUrl}/orders/${orderId}`,
    amount: { value: totalOf(items) },
    items,
    customer: part('customer.'),
    shipping: part('shipping.'),
    transExpiredTime: payWithinMs,
  });
  const wrong = error?.issues.map(({ path, message }) => [path.join('.'), message] as const) ?? [];
  // Nothing can be delivered without an address. The specification does not forbid empty texts.
  const empty = typed.filter(([, text]) => text === '').map(([name]) => [name, 'must not be empty'] as const);
  if (!data || empty.length > 0) return { problems: Object.fromEntries([...wrong, ...empty]) };
  const { referenceId: _referenceId, ...request } = data;
  return { request };
}
