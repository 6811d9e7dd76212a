import * as z from 'zod';
import { compare, decimalOf, multiply, toExactNumber } from './decimal.js';
import { hasNumbers, money, positiveInteger } from './numbers.js';
import type { CompletePaymentRequest, PaymentRequestWire } from './payment-types.js';
import {
  identifier,
  identifierOrDefault,
  missingOr,
  object,
  oneOf,
  only,
  parseUrl,
  patterned,
  text,
  toUrl,
} from './text.js';
import { dayShape, isCalendarDay } from './timestamps.js';
import type { OwnStatus } from './validation.js';

/** The most items of one order (specification: Limits). */
export const maxItems = 200;

const referenceIdShape = /^[0-9a-zA-Z_:-]{1,60}$/;

export function isReferenceId(value: string): boolean {
  return referenceIdShape.test(value);
}

/** The merchant's reference of an order, in both operations. */
export const referenceId = patterned(
  referenceIdShape,
  'must be 1 to 60 characters: digits, letters, "_", ":" and "-", such as ORDER:2026-0001',
);

/** Schemes whose URL runs as code, or shows content of its own, where it is opened. */
const scriptSchemes = ['javascript:', 'data:', 'vbscript:'];

/** True for a text that would run as code where it is opened; white space that a browser drops is dropped here too. */
function isScriptUrl(value: string): boolean {
  return scriptSchemes.includes(toUrl(value)?.protocol ?? '');
}

/** The absolute URL that a text is, for a browser to follow; undefined for a relative one and for a script. */
export function parseLink(value: string): URL | undefined {
  return isScriptUrl(value) ? undefined : parseUrl(value);
}

const redirectRule = `must be an absolute URL, such as https://shop.example/paid; ${scriptSchemes.join(', ')} are refused`;
const redirectUrl = z
  .string(missingOr(redirectRule))
  .refine((value) => value.isWellFormed() && parseLink(value) !== undefined, redirectRule);

// No part of it is special to a dialect of regular expressions: openapi.json has the same pattern.
const domainLabel = String.raw`[^\s@.\u0000-\u001f\u007f-\u009f-](?:[^\s@.\u0000-\u001f\u007f-\u009f]*[^\s@.\u0000-\u001f\u007f-\u009f-])?`;
const emailShape = new RegExp(
  String.raw`^[^\s@\u0000-\u001f\u007f-\u009f]+@${domainLabel}(?:\.${domainLabel})*$`,
);

const boolean = z.boolean(missingOr('must be true or false')).optional();

const customer = z.strictObject(
  {
    phoneNumber: patterned(
      /^\+?[0-9]+$/,
      'must be a string of digits, with an optional + before them, such as 0912345678',
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

const seller = z.strictObject(
  { id: identifier, email: text.optional(), name: text.optional(), address: text.optional() },
  object(),
);

// totalAmount is last: whether a total was given or derived, the bytes are the same.
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

/** True for a total that is exact, or that is still to be derived. */
function totalFits(item: ItemNumbers): boolean {
  return item.totalAmount === undefined || compare(decimalOf(item.totalAmount), exactTotal(item)) === 0;
}

// Made for each use: zod writes into the object, and into its path, that it is given.
const wrongTotal = (advice = '') => ({
  path: ['totalAmount'],
  message: `must equal price x quantity exactly${advice}`,
  when: hasNumbers(['price', 'quantity'], ['totalAmount']),
});

const wireItem = z.strictObject(itemFields, object()).refine(totalFits, wrongTotal());

const inputItem = z
  .strictObject(
    { ...itemFields, currency: itemFields.currency.default('VND'), totalAmount: money.optional() },
    object(),
  )
  .refine(totalFits, wrongTotal('; leave it out to have it derived'))
  .transform((item, context) => {
    const totalAmount = item.totalAmount ?? toExactNumber(exactTotal(item));
    if (totalAmount === undefined) {
      const message = 'cannot be derived: price x quantity has more digits than a number can hold';
      context.addIssue({ code: 'custom', path: ['totalAmount'], message, input: item });
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
  installment: z.strictObject({ packageId: identifier }, object('{ packageId }')).optional(),
  seller: seller.optional(),
  transExpiredTime: positiveInteger.optional(),
  sendSms: boolean,
  sendEmail: boolean,
};

/** The body of an initiate request as it has to be on the wire: constants present, every total given. */
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
export const paymentRequestSchema: z.ZodType<PaymentRequestWire, CompletePaymentRequest> = z.strictObject(
  {
    ...fields,
    requestType: fields.requestType.default('installment'),
    amount: z.strictObject({ value: positiveInteger, currency: only('VND').default('VND') }, amountObject),
    items: itemsOf(inputItem),
    shipping: z.strictObject({ ...shippingFields, country: shippingFields.country.default('VN') }, object()),
  },
  object(),
);

/** Fields whose broken rule the service answers with a status of its own, if the value has the right type. */
export const paymentOwnStatuses: readonly OwnStatus[] = [
  { path: 'referenceId', type: 'string', resultStatus: 'INVALID_REFERENCE_ID' },
  { path: 'amount.value', type: 'number', resultStatus: 'INVALID_AMOUNT' },
  { path: 'customer.phoneNumber', type: 'string', resultStatus: 'PHONE_NUMBER_INVALID' },
  { path: 'storeId', type: 'string', resultStatus: 'INVALID_STORE_ID' },
];

/** Why an approved answer does not lead to a payment; undefined for one that does. */
export function paymentUrlProblem({ paymentUrl }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof paymentUrl !== 'string' || paymentUrl === '')
    return 'the answer is APPROVED but has no paymentUrl';
  return isScriptUrl(paymentUrl)
    ? `the answer is APPROVED but its paymentUrl is refused: it is a ${new URL(paymentUrl).protocol} URL`
    : undefined;
}
