import * as z from 'zod/mini';
import { checkOptions } from '../errors/check-options.js';
import { customerTexts, type CustomerSentence } from './customer-texts.js';
import { reviewLanguages, type ReviewLanguage } from './review-texts.js';
import type { OrderAmount, OrderView } from './types.js';

const locales: Readonly<Record<ReviewLanguage, string>> = { en: 'en-US', vi: 'vi-VN' };
const rules = z.object({ lang: z.enum(reviewLanguages, "must be 'en' or 'vi'") });

function sentenceFor({ state, error }: OrderView): CustomerSentence {
  // The error says that the order has too many payments, so the customer cannot start again.
  if (state === 'over' && error) return customerTexts.refused;
  if (state !== 'refused') return customerTexts[state];
  switch (error?.code) {
    case 'AMOUNT_BELOW_MINIMUM_LIMIT':
    case 'AMOUNT_EXCEEDED_UPPER_LIMIT':
    case 'PHONE_NUMBER_INVALID':
      return customerTexts[error.code];
    case 'PHONE_NUMBER_UNAVAILABLE':
      return customerTexts.PHONE_NUMBER_INVALID;
    default:
      return customerTexts.refused;
  }
}

/**
 * Returns a text about an order for the customer, in a few sentences. While the outcome of a payment is unknown, the
 * text never says that the payment failed.
 *
 * @example
 * ```ts
 * import { customerText } from 'installment-payments/orders';
 *
 * console.log(customerText({ orderId: 'ORDER-1', state: 'checking' }, 'en'));
 * // We are checking your payment. Please do not pay again.
 * ```
 * @param view - The result of `start`, `get`, `find` or `handleEvent`.
 * @param lang - `'en'` or `'vi'`.
 * @throws ConfigurationError for any other language.
 */
export function customerText(view: OrderView, lang: 'en' | 'vi'): string {
  checkOptions(rules, { lang });
  const money = (amount: OrderAmount | undefined) =>
    new Intl.NumberFormat(locales[lang], { style: 'currency', currency: 'VND' }).format(amount?.value ?? 0);
  return sentenceFor(view)
    [lang].replace('{amount}', () => money(view.amount))
    .replace('{open}', () => money(view.open?.amount));
}
