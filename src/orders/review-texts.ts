import type { Review } from './reviews.js';
import type { ReviewItem } from './types.js';

export const reviewLanguages = ['en', 'vi'] as const;
export type ReviewLanguage = (typeof reviewLanguages)[number];

type Texts = Readonly<Record<ReviewItem['reason'], Readonly<Record<ReviewLanguage, string>>>>;

const texts: Texts = {
  refund: {
    en:
      'This payment is paid, but the order is paid by a different payment, or cancelled. Refund the payment ' +
      'at the provider, then mark it as refunded.',
    vi:
      'Giao dịch này đã được thanh toán, nhưng đơn hàng đã được thanh toán bằng giao dịch khác hoặc đã hủy. ' +
      'Hãy hoàn tiền tại nhà cung cấp, rồi đánh dấu là đã hoàn tiền.',
  },
  other_amount: {
    en:
      'This payment is paid, but its amount differs from that of the order. First, end any other open payment ' +
      'at the provider. Then accept this payment for the order, or refund it and mark it as refunded.',
    vi:
      'Giao dịch này đã được thanh toán, nhưng số tiền không khớp với đơn hàng. Trước tiên, hãy hủy mọi giao ' +
      'dịch khác còn đang mở tại nhà cung cấp. Sau đó, hãy chấp nhận giao dịch này cho đơn hàng, hoặc hoàn ' +
      'tiền rồi đánh dấu là đã hoàn tiền.',
  },
  changed: {
    en:
      'The amount of the order has changed, and differs from that of its open payment. End the open payment ' +
      'at the provider, then conclude "over".',
    vi:
      'Số tiền của đơn hàng đã thay đổi và không còn khớp với giao dịch đang mở. Hãy hủy giao dịch đó tại nhà ' +
      'cung cấp, rồi kết luận: đã kết thúc.',
  },
  on_paid_due: {
    en: 'The order is paid, and onPaid has not succeeded for an hour. Check the process that runs onPaid.',
    vi:
      'Đơn hàng đã được thanh toán, nhưng sau một giờ onPaid vẫn chưa chạy thành công. Hãy kiểm tra tiến ' +
      'trình chạy onPaid.',
  },
  unreadable: {
    en:
      'The row of this order cannot be read or moved. Ask your developers to look at the log, which contains ' +
      'its key: a later version may have written the row, or the character set of the connection is wrong.',
    vi:
      'Không đọc hoặc không xử lý được dữ liệu của đơn hàng này. Hãy nhờ bộ phận kỹ thuật xem nhật ký, trong ' +
      'đó có khóa của dòng dữ liệu: có thể một phiên bản mới hơn đã ghi dòng này, hoặc bảng mã của kết nối cơ ' +
      'sở dữ liệu không đúng.',
  },
  no_client: {
    en:
      'For a day, there has been no client for the account of this order, so nothing is sent. Restore its credentials, or ' +
      'cancel the order.',
    vi:
      'Tài khoản của đơn hàng này đã mất kết nối một ngày, nên không gửi được yêu cầu nào. Hãy khôi phục ' +
      'thông tin xác thực, hoặc hủy đơn hàng.',
  },
  mismatch: {
    en:
      'A webhook contains a different amount, currency or merchant. Compare the payment with the provider, ' +
      'then conclude.',
    vi:
      'Webhook báo số tiền, loại tiền tệ hoặc đơn vị bán hàng không khớp. Hãy đối chiếu giao dịch với nhà ' +
      'cung cấp, rồi kết luận.',
  },
  exists_after_all: {
    en:
      'The service has this payment, although it was recorded as refused or absent. Check it at the provider, ' +
      'cancel it there or keep it, then conclude.',
    vi:
      'Nhà cung cấp vẫn có giao dịch này, dù giao dịch đã được ghi nhận là bị từ chối hoặc không tồn tại. Hãy ' +
      'kiểm tra tại nhà cung cấp, hủy hoặc giữ lại giao dịch, rồi kết luận.',
  },
  look_up: {
    en:
      'It is unknown whether this payment exists. Look up the referenceId at the provider, then conclude. ' +
      'Conclude "absent" only after the time from which that is safe.',
    vi:
      'Chưa rõ giao dịch này có tồn tại hay không. Hãy tra cứu mã tham chiếu tại nhà cung cấp, rồi kết luận. ' +
      'Chỉ kết luận "không tồn tại" khi đã đến thời điểm an toàn.',
  },
  overdue: {
    en:
      'No webhook arrived before the time to pay had passed. Look up the referenceId at the provider, then ' +
      'conclude "over", "paid" or "absent".',
    vi:
      'Đã hết thời hạn thanh toán mà chưa nhận được webhook. Hãy tra cứu mã tham chiếu tại nhà cung cấp, rồi ' +
      'kết luận: đã kết thúc, đã thanh toán hoặc không tồn tại.',
  },
  no_webhook: {
    en: 'No webhook arrived within a day. Look up the referenceId at the provider, then conclude.',
    vi: 'Chưa nhận được webhook nào trong một ngày. Hãy tra cứu mã tham chiếu tại nhà cung cấp, rồi kết luận.',
  },
  not_sent: {
    en:
      'Nothing was sent. Correct what the error names: the next checkout then sends the payment again. Or ' +
      'look it up at the provider, and conclude "absent".',
    vi:
      'Yêu cầu chưa được gửi. Hãy khắc phục lỗi được nêu; khi khách hàng bấm thanh toán lần nữa, yêu cầu sẽ ' +
      'được gửi lại. Hoặc tra cứu giao dịch và kết luận: không tồn tại.',
  },
  too_many: {
    en:
      'The order has as many payments as mostPayments allows, so no other payment begins. Cancel the order, ' +
      'or raise mostPayments.',
    vi:
      'Đơn hàng đã đạt số giao dịch tối đa (mostPayments) nên không thể bắt đầu giao dịch mới. Hãy hủy đơn ' +
      'hàng, hoặc tăng mostPayments.',
  },
  invoice_look_up: {
    en: 'The invoice may be stored. Look it up at the provider, then conclude: stored or absent.',
    vi: 'Hóa đơn có thể đã được lưu. Hãy tra cứu tại nhà cung cấp, rồi kết luận: đã lưu hoặc không tồn tại.',
  },
  invoice_refused: {
    en: 'The service refused the invoice. Add a corrected invoice, then conclude this invoice as absent.',
    vi: 'Nhà cung cấp đã từ chối hóa đơn. Hãy thêm hóa đơn đã sửa, rồi kết luận hóa đơn này là không tồn tại.',
  },
  invoice_not_loaded: {
    en:
      'The file of the invoice could not be loaded, or was erased. Nothing was sent. Add the invoice again, ' +
      'then conclude this invoice as absent.',
    vi:
      'Không tải được tệp hóa đơn, hoặc tệp đã bị xóa, nên hóa đơn chưa được gửi. Hãy thêm lại hóa đơn, rồi ' +
      'kết luận hóa đơn này là không tồn tại.',
  },
};

const lastStatus: Readonly<Record<ReviewLanguage, (status: string) => string>> = {
  en: (status) => ` The last webhook said ${status}, which is not in statusAliases.`,
  vi: (status) => ` Webhook gần nhất báo ${status}, giá trị này không có trong statusAliases.`,
};

/** The action of an item: what your staff do about it. */
export function reviewActionFor(
  { reason, unknownStatus }: Pick<Review, 'reason' | 'unknownStatus'>,
  language: ReviewLanguage,
): string {
  const text = texts[reason][language];
  return unknownStatus === undefined ? text : text + lastStatus[language](unknownStatus);
}
