import * as z from 'zod';
import { compare, decimalOf, multiply, toExactNumber } from '../values/decimal.js';
import {
  hasNumbers,
  money,
  positiveInteger,
  fromCaller,
  identifier,
  identifierOrDefault,
  missingOr,
  object,
  oneOf,
  only,
  patterned,
  referenceId,
  text,
  trueOrFalse,
} from './field-rules.js';
import { maxItems } from './limits.js';
import type { CompletePaymentRequest, PaymentRequestWire } from './payment-types.js';
import { parseLink, scriptSchemes } from './urls.js';
import { dayShape, isCalendarDay } from './timestamps.js';

const redirectRule = `must be an absolute URL, such as https://shop.example/paid; ${scriptSchemes.join(', ')} are refused`;
const redirectUrl = z
  .string(missingOr(redirectRule))
  .refine((value) => value.isWellFormed() && parseLink(value) !== undefined, redirectRule);

// In syntax that all dialects of regular expressions have: openapi.json has the same pattern.
const domainLabel = String.raw`[^\s@.\u0000-\u001f\u007f-\u009f-](?:[^\s@.\u0000-\u001f\u007f-\u009f]*[^\s@.\u0000-\u001f\u007f-\u009f-])?`;
const emailShape = new RegExp(
  String.raw`^[^\s@\u0000-\u001f\u007f-\u009f]+@${domainLabel}(?:\.${domainLabel})*$`,
);

const customer = fromCaller(
  z.strictObject(
    {
      phoneNumber: patterned(
        /^\+?[0-9]+$/,
        'must be a string of digits with an optional leading +, such as 0912345678',
      ),
      email: patterned(emailShape, 'must be an e-mail address, such as an@example.com'),
      firstName: text,
      lastName: text,
      rank: text.optional(),
      description: text.optional(),
      gender: oneOf(['M', 'F', 'U']).optional(),
      dateOfBirth: patterned(dayShape, 'must be a string in the form DD-MM-YYYY, such as 31-12-1990')
        .refine(isCalendarDay, 'is not a real date: check the day and the month')
        .optional(),
    },
    object(),
  ),
);

const shippingFields = {
  city: text,
  district: text,
  ward: text,
  street: text,
  houseNumber: text,
  country: only('VN'),
  zipCode: text.optional(),
  streetNumber: text.optional(),
  houseExtension: text.optional(),
};

const seller = fromCaller(
  z.strictObject(
    { id: identifier, email: text.optional(), name: text.optional(), address: text.optional() },
    object(),
  ),
);

// totalAmount is last, so that the bytes are the same for a given and a derived total.
const itemFields = {
  productId: identifier,
  productName: text,
  category: text,
  currency: only('VND'),
  quantity: positiveInteger,
  price: money,
  description: text.optional(),
  imageUrl: text.optional(),
  totalAmount: money,
};

type ItemNumbers = Readonly<{ price: number; quantity: number; totalAmount?: number | undefined }>;

function exactTotal({ price, quantity }: ItemNumbers) {
  return multiply(decimalOf(price), decimalOf(quantity));
}

function totalFits(item: ItemNumbers): boolean {
  return item.totalAmount === undefined || compare(decimalOf(item.totalAmount), exactTotal(item)) === 0;
}

// A new object for each use, because zod writes into the object and its path.
const wrongTotal = (advice = '') => ({
  path: ['totalAmount'],
  message: `must equal price x quantity exactly${advice}`,
  when: hasNumbers(['price', 'quantity'], ['totalAmount']),
});

const wireItem = z.strictObject(itemFields, object()).refine(totalFits, wrongTotal());

const inputItem = fromCaller(
  z
    .strictObject(
      { ...itemFields, currency: itemFields.currency.default('VND'), totalAmount: money.optional() },
      object(),
    )
    .refine(totalFits, wrongTotal('; leave it out to have it derived')),
).transform((item, context) => {
  const totalAmount = item.totalAmount ?? toExactNumber(exactTotal(item));
  if (totalAmount === undefined) {
    const message = 'cannot be derived: price x quantity has more digits than a number can hold';
    context.addIssue({ code: 'custom', path: ['totalAmount'], message });
    return z.NEVER;
  }
  return { ...item, totalAmount };
});

const itemsRule = `must be an array of 1 to ${maxItems} items`;

function itemsOf<Item extends z.ZodType>(item: Item) {
  return z.array(item, missingOr(itemsRule)).min(1, itemsRule).max(maxItems, itemsRule);
}

const amountObject = object('{ value: 12000000 }');

const fields = {
  merchantId: identifierOrDefault,
  storeId: identifierOrDefault,
  referenceId,
  platformId: identifierOrDefault,
  requestType: only('installment'),
  paymentMethod: oneOf(['APP', 'POS', 'WEB']),
  description: text,
  successRedirectUrl: redirectUrl,
  unSuccessRedirectUrl: redirectUrl,
  amount: z.strictObject({ value: positiveInteger, currency: only('VND') }, amountObject),
  items: itemsOf(wireItem),
  customer,
  shipping: z.strictObject(shippingFields, object()),
  lang: oneOf(['vi', 'en']).optional(),
  extraData: text.optional(),
  terminalType: oneOf(['DESKTOP_BROWSER', 'MOBILE_BROWSER', 'MOBILE_APP']).optional(),
  installment: fromCaller(z.strictObject({ packageId: identifier }, object('{ packageId }'))).optional(),
  seller: seller.optional(),
  transExpiredTime: positiveInteger.optional(),
  sendSms: trueOrFalse.optional(),
  sendEmail: trueOrFalse.optional(),
};

/** The body of an initiate request on the wire: constants and totals are required. */
export const paymentRequestWireSchema: z.ZodType<PaymentRequestWire> = z.strictObject(
  { ...fields, merchantId: identifier, storeId: identifier, platformId: identifier },
  object(),
);

/**
 * Checks a payment request and turns it into the body that is sent: fills in constants and totals, checks every rule and
 * refuses unknown fields. The client applies it, after its own defaults, before anything is sent.
 *
 * @example
 * ```ts
 * import { paymentRequestSchema } from 'installment-payments';
 * import * as z from 'zod';
 *
 * const checkout = z.object({ cartId: z.string(), payment: paymentRequestSchema });
 * ```
 * @see specification, Payment request
 */
export const paymentRequestSchema: z.ZodType<PaymentRequestWire, CompletePaymentRequest> = fromCaller(
  z.strictObject(
    {
      ...fields,
      requestType: fields.requestType.default('installment'),
      amount: fromCaller(
        z.strictObject({ value: positiveInteger, currency: only('VND').default('VND') }, amountObject),
      ),
      items: itemsOf(inputItem),
      shipping: fromCaller(
        z.strictObject({ ...shippingFields, country: shippingFields.country.default('VN') }, object()),
      ),
    },
    object(),
  ),
);
