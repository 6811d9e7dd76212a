import type { Review } from './reviews.js';
import type { ReviewItem } from './types.js';

export const reviewLanguages = ['en', 'vi'] as const;
export type ReviewLanguage = (typeof reviewLanguages)[number];

type Texts = Readonly<Record<ReviewItem['reason'], Readonly<Record<ReviewLanguage, string>>>>;

const texts: Texts = {
  refund: {
    en:
      'This payment is paid, but the order was paid by another payment, or was cancelled. Refund this payment ' +
      'at the provider, then mark it as refunded.',
    vi:
      'Giao dịch này đã được thanh toán, nhưng đơn hàng đã được thanh toán bằng giao dịch khác hoặc đã hủy. ' +
      'Hãy hoàn tiền tại nhà cung cấp, rồi đánh dấu là đã hoàn tiền.',
  },
  other_amount: {
    en:
      'This payment is paid, but its amount differs from the amount of the order. First, cancel any other open ' +
      'payment at the provider. Then choose one of two ways: set the total of the order in your shop to the paid ' +
      'amount and accept this payment for the order, or refund this payment and mark it as refunded.',
    vi:
      'Giao dịch này đã được thanh toán, nhưng số tiền của giao dịch khác số tiền của đơn hàng. Trước tiên, hãy ' +
      'hủy mọi giao dịch khác còn đang mở tại nhà cung cấp. Sau đó, hãy sửa tổng tiền của đơn hàng trong shop ' +
      'thành số tiền khách đã trả rồi chấp nhận giao dịch này cho đơn hàng, hoặc hoàn tiền giao dịch này rồi đánh ' +
      'dấu là đã hoàn tiền.',
  },
  changed: {
    en:
      'The amount of the order has changed, and differs from the amount of its open payment. Cancel the open ' +
      'payment at the provider, then conclude "over".',
    vi:
      'Số tiền của đơn hàng đã thay đổi và không còn khớp với giao dịch đang mở. Hãy hủy giao dịch đó tại nhà ' +
      'cung cấp, rồi kết luận "over" (đã kết thúc).',
  },
  on_paid_due: {
    en: 'The order is paid, and onPaid has not succeeded for an hour. Check the process that runs onPaid.',
    vi:
      'Đơn hàng đã được thanh toán, nhưng sau một giờ onPaid vẫn chưa chạy thành công. Hãy kiểm tra tiến ' +
      'trình chạy onPaid.',
  },
  unreadable: {
    en:
      'The row of this order cannot be read or processed. Ask your developers to check the log, the version of ' +
      'this package in every process, and the character set of the database connection.',
    vi:
      'Không đọc hoặc không xử lý được bản ghi của đơn hàng này. Hãy nhờ lập trình viên kiểm tra log, phiên bản ' +
      'của thư viện này trong mọi tiến trình, và bảng mã của kết nối cơ sở dữ liệu.',
  },
  no_client: {
    en:
      'For a day, the shop could not get a client for the account of this order, so nothing is sent for the order. ' +
      'Restore the credentials of the account, or cancel the order if it is not paid.',
    vi:
      'Suốt một ngày, shop không có client cho tài khoản merchant (account) của đơn hàng này, nên không gửi được ' +
      'yêu cầu nào cho đơn hàng. Hãy khôi phục thông tin xác thực của tài khoản merchant đó, hoặc hủy đơn hàng nếu chưa ' +
      'được thanh toán.',
  },
  mismatch: {
    en:
      'The amount, currency or merchant in a webhook differs from the payment. Check the payment at the provider. ' +
      'Conclude "paid" only if the customer has paid exactly the amount of this payment. If not, choose another of ' +
      'the possible conclusions.',
    vi:
      'Webhook báo số tiền, loại tiền hoặc merchant không khớp với giao dịch. Hãy đối chiếu giao dịch với nhà ' +
      'cung cấp. Chỉ kết luận "paid" (đã thanh toán) nếu khách đã trả đúng số tiền của giao dịch. Nếu không, hãy ' +
      'chọn một kết luận khác trong danh sách.',
  },
  exists_after_all: {
    en:
      'The service has this payment, although it was recorded as refused or absent. Check the payment at the ' +
      'provider. If the payment is paid, conclude "paid". If not, conclude "exists" to keep the payment, or cancel ' +
      'the payment at the provider and conclude "over".',
    vi:
      'Nhà cung cấp vẫn có giao dịch này, dù giao dịch đã được ghi nhận là bị từ chối hoặc không tồn tại. Hãy ' +
      'kiểm tra tại nhà cung cấp. Nếu giao dịch đã được thanh toán, hãy kết luận "paid". Nếu chưa, hãy kết luận ' +
      '"exists" để giữ giao dịch, hoặc hủy giao dịch tại nhà cung cấp rồi kết luận "over".',
  },
  look_up: {
    en:
      'It is unknown whether this payment exists. Look up the referenceId at the provider. If the payment is ' +
      'there, conclude "exists" or "paid". If it is not there, conclude "absent".',
    vi:
      'Chưa rõ giao dịch này có tồn tại hay không. Hãy tra cứu mã tham chiếu (referenceId) tại nhà cung cấp. ' +
      'Nếu có giao dịch, hãy kết luận "exists" (tồn tại) hoặc "paid" (đã thanh toán). Nếu không có, hãy kết ' +
      'luận "absent" (không tồn tại).',
  },
  overdue: {
    en:
      'The time to pay has passed, and no webhook has reported the end of this payment. Look up the ' +
      'referenceId at the provider, then conclude "over", "paid" or "absent".',
    vi:
      'Đã hết thời hạn thanh toán mà chưa có webhook nào báo giao dịch này đã kết thúc. Hãy tra cứu mã ' +
      'tham chiếu (referenceId) tại nhà cung cấp, rồi kết luận "over" (đã kết thúc), "paid" (đã thanh toán) ' +
      'hoặc "absent" (không tồn tại).',
  },
  no_webhook: {
    en:
      'This payment has been open for a day, and no webhook has reported its end. Look up the referenceId at ' +
      'the provider, then conclude "exists", "paid" or "over".',
    vi:
      'Giao dịch này đã mở được một ngày mà chưa có webhook nào báo là đã kết thúc. Hãy tra cứu mã tham chiếu ' +
      '(referenceId) tại nhà cung cấp, rồi kết luận "exists" (tồn tại), "paid" (đã thanh toán) hoặc "over" (đã ' +
      'kết thúc).',
  },
  not_sent: {
    en:
      'No payment was created. If the error names a mistake, correct the mistake. If the service could not be reached ' +
      'or was busy, wait until it is available. Then let your developers call start(orderId), or wait until the ' +
      'customer checks out again: both send the stored request. If the payment is not needed any more, conclude "over".',
    vi:
      'Giao dịch chưa được tạo. Nếu lỗi cho biết có chỗ sai, hãy sửa chỗ đó. Nếu chưa kết nối được với nhà cung ' +
      'cấp, hoặc nhà cung cấp tạm thời từ chối yêu cầu, hãy chờ đến khi dịch vụ hoạt động lại. Sau đó, hãy nhờ lập ' +
      'trình viên gọi start(orderId), hoặc chờ khách hàng bấm thanh toán lần nữa: cả hai cách đều gửi yêu cầu đã ' +
      'lưu. Nếu không cần giao dịch này nữa, hãy kết luận "over" (đã kết thúc).',
  },
  too_many: {
    en:
      'The order has as many payments as mostPayments allows, so no further payment can begin. Cancel the order, ' +
      'or raise mostPayments.',
    vi:
      'Đơn hàng đã đạt số giao dịch tối đa (mostPayments) nên không thể bắt đầu giao dịch mới. Hãy hủy đơn ' +
      'hàng, hoặc tăng mostPayments.',
  },
  invoice_look_up: {
    en:
      'It is unknown whether the service has the invoice. Look the invoice up at the provider, then conclude ' +
      '"stored" or "absent" for this invoice.',
    vi:
      'Chưa rõ nhà cung cấp đã lưu hóa đơn hay chưa. Hãy tra cứu hóa đơn tại nhà cung cấp, rồi kết luận "stored" ' +
      '(đã lưu) hoặc "absent" (không tồn tại) cho hóa đơn này.',
  },
  invoice_refused: {
    en:
      'The service refused the invoice. Add a corrected invoice with addInvoice, then conclude "absent" for ' +
      'the refused invoice.',
    vi:
      'Nhà cung cấp đã từ chối hóa đơn. Hãy thêm hóa đơn đã sửa bằng addInvoice, rồi kết luận "absent" (không ' +
      'tồn tại) cho hóa đơn bị từ chối.',
  },
  invoice_not_loaded: {
    en:
      'The file of the invoice could not be loaded, or the stored upload was erased. Nothing was sent. Add the ' +
      'invoice again with addInvoice, then conclude "absent" for the invoice of this item.',
    vi:
      'Không đọc được tệp hóa đơn, hoặc dữ liệu đã lưu của hóa đơn đã bị xóa, nên hóa đơn chưa được gửi. Hãy ' +
      'thêm lại hóa đơn bằng addInvoice, rồi kết luận "absent" (không tồn tại) cho hóa đơn của mục này.',
  },
};

const waitForSafeFrom: Readonly<Record<ReviewLanguage, string>> = {
  en: ' Wait until safeFrom before you conclude "absent".',
  vi: ' Hãy đợi đến thời điểm safeFrom rồi mới kết luận "absent".',
};

const lastStatus: Readonly<Record<ReviewLanguage, (status: string) => string>> = {
  en: (status) => ` The last webhook said ${status}, which is not in statusAliases.`,
  vi: (status) => ` Webhook gần nhất báo ${status}, giá trị này không có trong statusAliases.`,
};

/**
 * Returns the action that your staff should take for an item. `isTooEarly`: `'absent'` is not a safe conclusion yet.
 */
export function reviewActionFor(
  {
    reason,
    unknownStatus,
    isTooEarly = false,
  }: Pick<Review, 'reason' | 'unknownStatus'> & { readonly isTooEarly?: boolean },
  language: ReviewLanguage,
): string {
  return [
    texts[reason][language],
    isTooEarly ? waitForSafeFrom[language] : '',
    unknownStatus === undefined ? '' : lastStatus[language](unknownStatus),
  ].join('');
}
