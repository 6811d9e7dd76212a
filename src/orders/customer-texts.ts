/** A text for the customer, in each language. */
export interface CustomerSentence {
  /** The situation in which the text is shown. The guide lists the situations. */
  readonly situation: string;
  readonly en: string;
  readonly vi: string;
}

/**
 * The texts of `customerText`. `{amount}` is the amount due of the order. `{open}` is the amount of the open payment.
 */
export const customerTexts = {
  none: {
    situation: '`none`: no payment has begun',
    en: 'You have not started to pay yet.',
    vi: 'Bạn chưa bắt đầu thanh toán.',
  },
  new: {
    situation: '`new`: a payment is stored, but the service has not created it yet',
    en: 'The installment service is busy right now. Please do not place another order. You can check out this order again in a few minutes.',
    vi: 'Dịch vụ trả góp đang bận. Vui lòng không đặt đơn khác. Bạn có thể bấm thanh toán lại đơn này sau vài phút.',
  },
  checking: {
    situation: '`checking`: a payment might exist',
    en: 'We are checking your payment. Please do not pay again.',
    vi: 'Chúng tôi đang kiểm tra giao dịch của bạn. Vui lòng không thanh toán lại.',
  },
  started: {
    situation:
      '`started`, on the order page: the customer can pay, or has paid and the webhook has not arrived',
    en: 'We are waiting for the confirmation of your payment.',
    vi: 'Chúng tôi đang chờ đơn vị trả góp xác nhận giao dịch của bạn.',
  },
  changed: {
    situation: '`changed`: the amount of the order has changed, and a payment of another amount is open',
    en:
      'Your order is now {amount}, but an earlier payment of {open} is still open. Please do not pay the earlier ' +
      'amount. You can pay the new amount when the earlier payment has ended.',
    vi:
      'Tổng tiền đơn hàng của bạn hiện là {amount}, nhưng vẫn còn một giao dịch {open} đang chờ thanh toán. Vui ' +
      'lòng không thanh toán giao dịch đó. Bạn có thể thanh toán số tiền mới sau khi giao dịch đó kết thúc.',
  },
  refused: {
    situation: '`refused`',
    en: 'Installments are not available for this order. Please choose another way to pay.',
    vi: 'Đơn hàng này không hỗ trợ trả góp. Vui lòng chọn hình thức thanh toán khác.',
  },
  AMOUNT_BELOW_MINIMUM_LIMIT: {
    situation: '`refused` with AMOUNT_BELOW_MINIMUM_LIMIT',
    en: 'This order is too small for installments.',
    vi: 'Đơn hàng chưa đạt giá trị tối thiểu để trả góp.',
  },
  AMOUNT_EXCEEDED_UPPER_LIMIT: {
    situation: '`refused` with AMOUNT_EXCEEDED_UPPER_LIMIT',
    en: 'This order is too large for installments.',
    vi: 'Giá trị đơn hàng vượt quá hạn mức trả góp.',
  },
  PHONE_NUMBER_INVALID: {
    situation: '`refused` with PHONE_NUMBER_INVALID or PHONE_NUMBER_UNAVAILABLE',
    en: 'Please check your mobile number.',
    vi: 'Vui lòng kiểm tra lại số điện thoại di động.',
  },
  over: {
    situation: '`over`: the last payment has ended, does not exist, or is overdue',
    en: 'This payment has ended, and your order is not complete. You can start again.',
    vi: 'Giao dịch này không còn hiệu lực và đơn hàng chưa hoàn tất. Bạn có thể bắt đầu thanh toán lại từ đầu.',
  },
  paid: {
    situation: '`paid`',
    en: 'We have received your payment. Thank you.',
    vi: 'Chúng tôi đã nhận được thanh toán của bạn. Xin cảm ơn.',
  },
  cancelled: {
    situation: '`cancelled`, unless the customer pays in another way',
    en: 'This order is cancelled. Please do not pay for it.',
    vi: 'Đơn hàng này đã bị hủy. Vui lòng không thanh toán.',
  },
} as const satisfies Readonly<Record<string, CustomerSentence>>;
