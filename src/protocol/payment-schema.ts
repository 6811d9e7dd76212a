import * as z from 'zod/mini';
import { compare, decimalOf, multiply, toExactNumber } from '../values/decimal.js';
import {
  transformed,
  ruleError,
  identifier,
  integerFrom,
  objectError,
  whenValid,
  oneOf,
  literal,
  optional,
  patterned,
  positiveInteger,
  text,
  boolean,
} from '../validation/rules.js';
import { issuedId, moneyWith, referenceId } from './field-rules.js';
import { maxItems } from './limits.js';
import type { CheckedPaymentRequest, PaymentRequest, PaymentRequestWire } from './payment-types.js';
import { parseLink, scriptSchemes } from './urls.js';
import { dayShape, isCalendarDay } from './timestamps.js';

const refusedSchemes = [scriptSchemes.slice(0, -1).join(', '), ...scriptSchemes.slice(-1)].join(' or ');
const redirectRule = `must be an absolute URL, such as https://shop.example/paid; URLs with ${refusedSchemes} are refused`;
const redirectUrl = z
  .string(ruleError(redirectRule))
  .check(z.refine((value) => value.isWellFormed() && parseLink(value) !== undefined, redirectRule));

// The pattern uses only syntax that all dialects of regular expressions support, because openapi.json contains it too.
const forbiddenInLabel = String.raw`\s@.\u0000-\u001f\u007f-\u009f`;
const domainLabel = `[^${forbiddenInLabel}-](?:[^${forbiddenInLabel}]*[^${forbiddenInLabel}-])?`;
const emailShape = new RegExp(
  String.raw`^[^\s@\u0000-\u001f\u007f-\u009f]+@${domainLabel}(?:\.${domainLabel})*$`,
);

const customer = z.strictObject(
  {
    phoneNumber: patterned(
      /^\+?[0-9]+$/,
      'must be a string of digits with an optional leading +, such as 0912345678',
    ),
    email: patterned(emailShape, 'must be an e-mail address, such as an@example.com'),
    firstName: text,
    lastName: text,
    rank: optional(text),
    description: optional(text),
    gender: optional(oneOf(['M', 'F', 'U'])),
    dateOfBirth: optional(
      patterned(
        dayShape,
        'must be a string in the form DD-MM-YYYY, such as 31-12-1990',
        isCalendarDay,
        'is not a real date: check the day and the month',
      ),
    ),
  },
  objectError(),
);

const seller = z.strictObject(
  { id: identifier, email: optional(text), name: optional(text), address: optional(text) },
  objectError(),
);

const installment = z.strictObject({ packageId: identifier }, objectError('{ packageId }'));

const amountFields = {
  value: integerFrom(1, { 'has a fraction': 'round to whole đồng' }),
  currency: literal('VND'),
};

const amountObject = objectError('{ value: 12000000 }');

const shippingFields = {
  city: text,
  district: text,
  ward: text,
  street: text,
  houseNumber: text,
  country: literal('VN'),
  zipCode: optional(text),
  streetNumber: optional(text),
  houseExtension: optional(text),
};

const price = moneyWith({ 'is negative': 'for a discount, lower the prices of the other items' });

// totalAmount is the last field, so that the bytes are the same whether the total is given or derived.
const itemFields = {
  productId: identifier,
  productName: text,
  category: text,
  currency: literal('VND'),
  quantity: integerFrom(1, {
    'has a fraction': 'use one item with quantity 1, and put the total into its price',
  }),
  price,
  description: optional(text),
  imageUrl: optional(text),
  totalAmount: price,
};

type ItemNumbers = Readonly<{ price: number; quantity: number; totalAmount?: number | undefined }>;

function exactTotal({ price, quantity }: Omit<ItemNumbers, 'totalAmount'>) {
  return multiply(decimalOf(price), decimalOf(quantity));
}

function totalFits(item: ItemNumbers): boolean {
  const { totalAmount } = item;
  return totalAmount === undefined || compare(decimalOf(totalAmount), exactTotal(item)) === 0;
}

/**
 * The advice for a total that does not equal price x quantity. Some totals cannot be divided by the quantity exactly.
 */
function totalAdvice({ totalAmount = 0, quantity }: ItemNumbers): string {
  const price = Number((totalAmount / quantity).toPrecision(15));
  return totalFits({ totalAmount, quantity, price })
    ? 'leave the field out, and it is computed'
    : 'cannot be divided into equal prices: use one item with quantity 1, and put the total into its price';
}

const totalRule = 'must equal price x quantity exactly';

const exactTotalRule = (messageOf: (item: ItemNumbers) => string) =>
  z.refine<ItemNumbers>(totalFits, {
    path: ['totalAmount'],
    error: ({ input }) => messageOf(input as ItemNumbers),
    when: whenValid('price', 'quantity', 'totalAmount'),
  });

const wireItem = z.strictObject(itemFields, objectError()).check(exactTotalRule(() => totalRule));

const inputItem = transformed(
  z
    .strictObject(
      { ...itemFields, currency: z._default(literal('VND'), 'VND'), totalAmount: optional(price) },
      objectError(),
    )
    .check(exactTotalRule((item) => `${totalRule}; ${totalAdvice(item)}`)),
  (item, refuse) => {
    const totalAmount = item.totalAmount ?? toExactNumber(exactTotal(item));
    const problem = 'cannot be computed: price x quantity has more digits than a number can represent';
    return totalAmount === undefined ? refuse(problem, { path: ['totalAmount'] }) : { ...item, totalAmount };
  },
);

const itemsRule = `must be an array of 1 to ${maxItems} items`;

function itemsOf<Item extends z.ZodMiniType>(item: Item) {
  return z
    .array(item, ruleError(itemsRule))
    .check(z.minLength(1, itemsRule), z.maxLength(maxItems, itemsRule));
}

// The order of the fields here and in the objects above is their order in the JSON that is signed, and from which the
// default idempotency key is derived. This order must not change: after a deployment, a repeat would have a different
// key.
const fields = {
  merchantId: optional(issuedId),
  storeId: optional(issuedId),
  referenceId,
  platformId: optional(issuedId),
  requestType: literal('installment'),
  paymentMethod: oneOf(['APP', 'POS', 'WEB']),
  description: text,
  successRedirectUrl: redirectUrl,
  unSuccessRedirectUrl: redirectUrl,
  amount: z.strictObject({ ...amountFields, currency: z._default(literal('VND'), 'VND') }, amountObject),
  items: itemsOf(inputItem),
  customer,
  shipping: z.strictObject({ ...shippingFields, country: z._default(literal('VN'), 'VN') }, objectError()),
  lang: optional(oneOf(['vi', 'en'])),
  extraData: optional(text),
  terminalType: optional(oneOf(['DESKTOP_BROWSER', 'MOBILE_BROWSER', 'MOBILE_APP'])),
  installment: optional(installment),
  seller: optional(seller),
  transExpiredTime: optional(positiveInteger),
  sendSms: optional(boolean),
  sendEmail: optional(boolean),
};

/** The body of an initiate request on the wire: fields with a default, such as `currency`, are required here. */
export const paymentRequestWireSchema: z.ZodMiniType<PaymentRequestWire> = z.strictObject(
  {
    ...fields,
    merchantId: identifier,
    storeId: identifier,
    platformId: identifier,
    amount: z.strictObject(amountFields, amountObject),
    items: itemsOf(wireItem),
    shipping: z.strictObject(shippingFields, objectError()),
  },
  objectError(),
);

/**
 * Checks a payment request as the client does: adds defaults and totals, checks every rule and refuses unknown fields.
 * The fields `merchantId`, `storeId` and `platformId` can be missing, because the client can have a default. A shop can
 * use this schema to check the data of an order before the shop stores the order.
 *
 * @example
 * ```ts
 * import { paymentRequestSchema } from 'installment-payments';
 *
 * export function problemsOf(order: unknown): string[] {
 *   const { error } = paymentRequestSchema.safeParse(order);
 *   return error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
 * }
 * ```
 * @see specification, Payment request
 */
export const paymentRequestSchema: z.ZodMiniType<CheckedPaymentRequest, PaymentRequest> = z.strictObject(
  { ...fields, requestType: z._default(fields.requestType, 'installment') },
  objectError(),
);
