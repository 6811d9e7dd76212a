type Name = Readonly<Record<'firstName' | 'lastName', string>>;

const english = {
  title: 'Pay in installments',
  mock: 'Mock service: no money moves',
  skip: 'Skip to the payment',
  order: 'Order',
  from: 'from',
  items: 'Items',
  quantity: 'Quantity',
  total: 'Total',
  customer: 'Customer',
  installmentPackage: 'Installment package',
  timeLeft: 'Time left',
  payBefore: 'Pay before',
  choose: 'Choose the outcome of this payment',
  actions: { paid: 'Pay', declined: 'Decline', expired: 'Let it expire' },
  /** The headline and the detail of each end. */
  ended: {
    paid: ['Paid', 'The payment went through. You can close this page.'],
    declined: ['Declined', 'The payment was declined.'],
    expired: ['Expired', 'The time for this payment is over.'],
  },
  back: 'Back to the shop',
  /** The family name and the given name in the order of the language. */
  fullName: ({ firstName, lastName }: Name) => `${firstName} ${lastName}`,
};

/** The texts of the payment page, in one language. */
export type Words = typeof english;

const vietnamese: Words = {
  title: 'Thanh toán trả góp',
  mock: 'Dịch vụ giả lập: không trừ tiền thật',
  skip: 'Đến phần thanh toán',
  order: 'Đơn hàng',
  from: 'tại',
  items: 'Sản phẩm',
  quantity: 'Số lượng',
  total: 'Tổng cộng',
  customer: 'Khách hàng',
  installmentPackage: 'Gói trả góp',
  timeLeft: 'Thời gian còn lại',
  payBefore: 'Hết hạn lúc',
  choose: 'Chọn kết quả cho giao dịch thanh toán này',
  actions: { paid: 'Thanh toán', declined: 'Từ chối', expired: 'Để hết hạn' },
  ended: {
    paid: ['Đã thanh toán', 'Thanh toán thành công. Bạn có thể đóng trang này.'],
    declined: ['Bị từ chối', 'Giao dịch đã bị từ chối.'],
    expired: ['Đã hết hạn', 'Đã hết thời hạn thanh toán.'],
  },
  back: 'Quay lại cửa hàng',
  fullName: ({ firstName, lastName }) => `${lastName} ${firstName}`,
};

/** Returns the texts in a payment's language. It is English unless the shop asked for Vietnamese. */
export function wordsIn(lang: 'vi' | 'en' | undefined): Words {
  return lang === 'vi' ? vietnamese : english;
}
