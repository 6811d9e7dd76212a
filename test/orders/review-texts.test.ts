import { describe, expect, test } from 'vitest';
import { reviewActionFor, reviewLanguages } from '../../src/orders/review-texts.js';
import type { ReviewItem } from '../../src/orders/types.js';

const named: Readonly<Record<ReviewItem['reason'], RegExp>> = {
  refund: /mark it as refunded/,
  other_amount: /cancel any other open payment at the provider.* accept .* mark it as refunded/,
  changed: /conclude "over"/,
  on_paid_due: /onPaid/,
  unreadable: /The row/,
  no_client: /cancel/,
  mismatch: /Conclude "paid" only if the customer has paid exactly the amount of this payment/,
  exists_after_all: /conclude "exists" to keep the payment, .* conclude "over"/,
  look_up: /conclude "exists" or "paid".* conclude "absent"/,
  overdue: /conclude "over", "paid" or "absent"/,
  no_webhook: /conclude "exists", "paid" or "over"/,
  not_sent: /conclude "over"/,
  too_many: /mostPayments/,
  invoice_look_up: /conclude "stored" or "absent"/,
  invoice_refused: /conclude "absent"/,
  invoice_not_loaded: /conclude "absent"/,
};
const reasons = Object.keys(named) as ReviewItem['reason'][];

describe('the action of a review', () => {
  test.each(reasons)('says what to do about %s, in whole sentences in both languages', (reason) => {
    const [en, vi] = reviewLanguages.map((language) => reviewActionFor({ reason }, language));
    expect(en).toMatch(named[reason]);
    expect(en).toMatch(/^[A-Z].*\.$/);
    expect(vi).toMatch(/^\p{Lu}.*\.$/u);
    // A Vietnamese sentence has letters that English does not have.
    expect(vi).toMatch(/[ạảấầẩậắằặẹẻẽếềểệỉịọỏốồổộớờởợụủứừửựỳỵ]/);
  });

  test('is different for each reason', () => {
    for (const language of reviewLanguages)
      expect(new Set(reasons.map((reason) => reviewActionFor({ reason }, language))).size).toBe(
        reasons.length,
      );
  });

  test.each([
    ['en', ' Wait until safeFrom before you conclude "absent".'],
    ['vi', ' Hãy đợi đến thời điểm safeFrom rồi mới kết luận "absent".'],
  ] as const)('says to wait if it is too early to conclude "absent": %s', (language, sentence) => {
    const review = { reason: 'invoice_look_up' } as const;
    expect(reviewActionFor({ ...review, isTooEarly: true }, language)).toBe(
      reviewActionFor(review, language) + sentence,
    );
  });

  test.each([
    ['en', ' The last webhook said SETTLED, which is not in statusAliases.'],
    ['vi', ' Webhook gần nhất báo SETTLED, giá trị này không có trong statusAliases.'],
  ] as const)('names the unknown status of the last webhook: %s', (language, sentence) => {
    const review = { reason: 'overdue', unknownStatus: 'SETTLED' } as const;
    expect(reviewActionFor(review, language)).toBe(
      reviewActionFor({ reason: 'overdue' }, language) + sentence,
    );
  });
});
