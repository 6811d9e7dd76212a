/** The goods of the shop. Prices come from this file, never from a browser. */
import type { PaymentItem } from 'installment-payments';

export const catalogue: readonly Omit<PaymentItem, 'quantity'>[] = [
  { productId: 'TL-2', productName: 'Tủ lạnh hai cánh 255 lít', category: 'Refrigerators', price: 8_490_000 },
  {
    productId: 'MG-9',
    productName: 'Máy giặt cửa trước 9 kg',
    category: 'Washing machines',
    price: 7_290_000,
  },
  { productId: 'TV-55', productName: 'Tivi 4K 55 inch', category: 'Televisions', price: 11_990_000 },
  { productId: 'NC-18', productName: 'Nồi cơm điện 1,8 lít', category: 'Kitchen', price: 1_250_000 },
];

export const mostUnits = 9;

/** Numbers of units by product ID. */
export type Cart = Readonly<Record<string, number>>;

/** The lines of a cart. Unknown products are left out. */
export function itemsOf(cart: Cart): PaymentItem[] {
  return catalogue.flatMap((product) => {
    const quantity = cart[product.productId] ?? 0;
    return quantity > 0 ? [{ ...product, quantity }] : [];
  });
}

export function totalOf(items: readonly PaymentItem[]): number {
  return items.reduce((total, { price, quantity }) => total + price * quantity, 0);
}
