/**
 * Converts the order of a commerce platform to a payment request, and checks it before the order is placed.
 * Change `PlatformOrder` to the fields of your platform. The guide is docs/payment-request.md.
 */
import { paymentRequestSchema } from 'installment-payments';
import type { OrderRequest } from 'installment-payments/orders';

export interface PlatformOrder {
  number: string;
  /** An amount of đồng as text with decimals, as platforms without rounding return it: `'1250000.00'`. */
  total: string;
  shippingTotal: string;
  items: { sku: string; title: string; quantity: number; lineTotal: string }[];
  customer: { fullName: string; phone: string; email: string };
  /** Ask for the ward and the house number in your checkout: the specification requires both. */
  address: { province: string; district?: string; ward: string; street: string; houseNumber: string };
}

const dong = (amount: string) => Math.round(Number(amount));

/** Converts +84 912 345 678 to 0912345678. */
const nationalPhone = (phone: string) => phone.replaceAll(/[^\d+]/g, '').replace(/^(?:\+|00)84/, '0');

/** A line after its discount. If its total cannot be divided into equal prices, it is one line with quantity 1. */
function lineOf({ sku, title, quantity, lineTotal }: PlatformOrder['items'][number]) {
  const total = dong(lineTotal);
  const line = { productId: sku, category: 'goods' };
  return total % quantity === 0
    ? { ...line, productName: title, quantity, price: total / quantity } // a gift has the price 0
    : { ...line, productName: `${String(quantity)} x ${title}`, quantity: 1, price: total };
}

/** The payment request of an order: `payments.start(order.number, requestFor(order, returnUrl))`. */
export function requestFor(order: PlatformOrder, returnUrl: string): OrderRequest {
  const { fullName, phone, email } = order.customer;
  const words = fullName.trim().split(/\s+/);
  const { province, district = province, ward, street, houseNumber } = order.address;
  const shipping = { sku: 'SHIPPING', title: 'Shipping', quantity: 1, lineTotal: order.shippingTotal };
  return {
    paymentMethod: 'WEB',
    description: `Order ${order.number}`,
    successRedirectUrl: returnUrl,
    unSuccessRedirectUrl: returnUrl,
    amount: { value: dong(order.total) },
    items: [...order.items, shipping].map(lineOf),
    // The given name is the last word. The specification does not say which name goes into which field: ask your
    // provider.
    customer: {
      firstName: words.at(-1) ?? '',
      lastName: words.slice(0, -1).join(' '),
      phoneNumber: nationalPhone(phone),
      email,
    },
    // Vietnam has had no districts since July 2025, but the field is required: ask your provider what to send.
    shipping: { city: province, district, ward, street, houseNumber },
    transExpiredTime: 15 * 60_000,
  };
}

/** Every problem of a request with its path, for the checkout page; empty if the order can be placed. */
export function problemsOf(request: OrderRequest): string[] {
  // Each payment gets its own reference.
  const { error } = paymentRequestSchema.safeParse({ ...request, referenceId: 'CHECK' });
  return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}
