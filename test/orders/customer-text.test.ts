import { describe, expect, test } from 'vitest';
import { customerText, type OrderView } from '../../src/entries/orders.js';
import { viewOf } from '../../src/orders/order-view.js';
import { accepted, dearPayment, newPayment, sentOrder } from './order-under-test.js';

const orderId = 'A-1';
const referenceId = 'A-1-1';
const amount = { value: 45_200_000, currency: 'VND' };
const open = { referenceId, amount: { value: 200_000, currency: 'VND' } };
const refusedWith = (code: string): OrderView => ({ orderId, state: 'refused', error: { code, action: '' } });

const texts: readonly (readonly [string, OrderView, en: string, vi: string])[] = [
  ['none', { orderId, state: 'none' }, 'You have not started to pay yet.', 'Bạn chưa bắt đầu thanh toán.'],
  [
    'new',
    { orderId, state: 'new' },
    'The installment service is busy right now. Please do not place another order. You can check out this order again in a few minutes.',
    'Dịch vụ trả góp đang bận. Vui lòng không đặt đơn khác. Bạn có thể bấm thanh toán lại đơn này sau vài phút.',
  ],
  [
    'checking',
    { orderId, state: 'checking' },
    'We are checking your payment. Please do not pay again.',
    'Chúng tôi đang kiểm tra giao dịch của bạn. Vui lòng không thanh toán lại.',
  ],
  [
    'started',
    { orderId, state: 'started', referenceId, paymentUrl: 'https://pay.example/1' },
    'We are waiting for the confirmation of your payment.',
    'Chúng tôi đang chờ đơn vị trả góp xác nhận giao dịch của bạn.',
  ],
  [
    'changed',
    { orderId, state: 'changed', amount, open },
    'Your order is now ₫45,200,000, but an earlier payment of ₫200,000 is still open. Please do not pay the earlier ' +
      'amount. You can pay the new amount when the earlier payment has ended.',
    'Tổng tiền đơn hàng của bạn hiện là 45.200.000 ₫, nhưng vẫn còn một giao dịch 200.000 ₫ đang chờ thanh toán. ' +
      'Vui lòng không thanh toán giao dịch đó. Bạn có thể thanh toán số tiền mới sau khi giao dịch đó kết thúc.',
  ],
  [
    'refused',
    refusedWith('INVALID_AMOUNT'),
    'Installments are not available for this order. Please choose another way to pay.',
    'Đơn hàng này không hỗ trợ trả góp. Vui lòng chọn hình thức thanh toán khác.',
  ],
  [
    'an amount that is too small',
    refusedWith('AMOUNT_BELOW_MINIMUM_LIMIT'),
    'This order is too small for installments.',
    'Đơn hàng chưa đạt giá trị tối thiểu để trả góp.',
  ],
  [
    'an amount that is too large',
    refusedWith('AMOUNT_EXCEEDED_UPPER_LIMIT'),
    'This order is too large for installments.',
    'Giá trị đơn hàng vượt quá hạn mức trả góp.',
  ],
  [
    'an invalid phone number',
    refusedWith('PHONE_NUMBER_INVALID'),
    'Please check your mobile number.',
    'Vui lòng kiểm tra lại số điện thoại di động.',
  ],
  [
    'an unavailable phone number',
    refusedWith('PHONE_NUMBER_UNAVAILABLE'),
    'Please check your mobile number.',
    'Vui lòng kiểm tra lại số điện thoại di động.',
  ],
  [
    'over',
    { orderId, state: 'over' },
    'This payment has ended, and your order is not complete. You can start again.',
    'Giao dịch này không còn hiệu lực và đơn hàng chưa hoàn tất. Bạn có thể bắt đầu thanh toán lại từ đầu.',
  ],
  [
    'paid',
    { orderId, state: 'paid', paidAmount: { value: 12_000_000, currency: 'VND' }, paidAt: new Date(0) },
    'We have received your payment. Thank you.',
    'Chúng tôi đã nhận được thanh toán của bạn. Xin cảm ơn.',
  ],
  [
    'cancelled',
    { orderId, state: 'cancelled' },
    'This order is cancelled. Please do not pay for it.',
    'Đơn hàng này đã bị hủy. Vui lòng không thanh toán.',
  ],
];

describe('customerText', () => {
  test.each(texts)('returns a text in both languages: %s', (_title, view, en, vi) => {
    // A no-break space stands before the sign of the currency.
    const plain = (text: string) => text.replaceAll('\u00a0', ' ');
    expect(plain(customerText(view, 'en'))).toBe(en);
    expect(plain(customerText(view, 'vi'))).toBe(vi);
  });

  test('returns the text of state checking even if the error of the last call is a refusal', () => {
    const view: OrderView = {
      orderId,
      state: 'checking',
      error: { code: 'PHONE_NUMBER_INVALID', action: '' },
    };
    expect(customerText(view, 'en')).toBe('We are checking your payment. Please do not pay again.');
  });

  test.each(['fr', '', 'EN', undefined, null])('refuses the language %j', (lang) => {
    const call = () => customerText({ orderId, state: 'over' }, lang as 'en');
    expect(call).toThrow(expect.objectContaining({ code: 'CONFIGURATION' }));
    expect(call).toThrow("lang must be 'en' or 'vi'");
  });

  test('does not say after a refund that no money was received', () => {
    const order = sentOrder(accepted);
    order.click(dearPayment(2));
    order.event('paid');
    order.refunded();
    expect(customerText(viewOf('o', order.order), 'en')).toBe(
      'This payment has ended, and your order is not complete. You can start again.',
    );
  });

  test.each(texts)(
    'does not contain the text by which a rehearsal recognises a paid order: %s',
    (_title, view) => {
      expect(customerText(view, 'en')).not.toMatch(/\bpaid\b/i);
    },
  );

  test('does not ask the customer to start again if the order has too many payments', () => {
    const order = sentOrder(accepted, { mostPayments: 1 });
    order.event('declined');
    const text = () => customerText(viewOf('o', order.order), 'en');
    expect(text()).toContain('You can start again');
    order.click(newPayment(2));
    expect(text()).toContain('Please choose another way to pay');
  });
});
