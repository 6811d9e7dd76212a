import * as z from 'zod';
import { inputItem, wireItem } from './payment-item.js';
import type { CompletePaymentRequest, PaymentRequestWire } from './payment-types.js';
import { positiveInteger } from './numbers.js';
import {
  identifier,
  identifierOrDefault,
  missingOr,
  oneOf,
  only,
  parseUrl,
  record,
  shapedText,
  text,
} from './text.js';
import { isCalendarDay } from './timestamps.js';
import type { OwnStatus } from './validation.js';

/** At most this many lines in one order (specification: Limits). */
export const maxItems = 200;

export const referenceIdShape = /^[0-9a-zA-Z_:-]{1,60}$/;
export const phoneNumberShape = /^\+?[0-9]+$/;
const scriptSchemes: ReadonlySet<string> = new Set(['javascript:', 'data:', 'vbscript:']);

export function isReferenceId(value: string): boolean {
  return referenceIdShape.test(value);
}

/** A merchant's reference, for both operations. */
export const referenceId = shapedText(isReferenceId, 'must be 1 to 60 of digits, letters, _, : and -');

function isScript({ protocol }: URL): boolean {
  return scriptSchemes.has(protocol);
}

/** True for a text that would run as code where it is opened, with what a browser drops from it before. */
export function isScriptUrl(value: string): boolean {
  return URL.canParse(value) && isScript(new URL(value));
}

/** The absolute URL that a text is, for a browser to follow: undefined too for one that would run as code there. */
export function parseLink(value: string): URL | undefined {
  const url = parseUrl(value);
  return url && !isScript(url) ? url : undefined;
}

const redirectUrl = shapedText(
  (value) => parseLink(value) !== undefined,
  'must be an absolute URL, of any scheme but javascript:, data: and vbscript:',
);

const emailRule = 'must be a valid e-mail address';
/** The customer's address. */
export const email = text.regex(z.regexes.rfc5322Email, emailRule);

const yesOrNo = z.boolean('must be true or false').optional();

const customer = z.strictObject(
  {
    phoneNumber: shapedText(
      (value) => phoneNumberShape.test(value),
      'must be digits, with an optional + before them',
    ),
    email,
    firstName: text,
    lastName: text,
    rank: text.optional(),
    description: text.optional(),
    gender: oneOf(['M', 'F', 'U']).optional(),
    dateOfBirth: shapedText(isCalendarDay, 'must be a real day as DD-MM-YYYY').optional(),
  },
  record,
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
  record,
);

const itemsRule = `must hold 1 to ${String(maxItems)} items`;

function itemsOf<Item extends z.ZodType>(item: Item) {
  return z.array(item, missingOr('must be an array of items')).min(1, itemsRule).max(maxItems, itemsRule);
}

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
  amount: z.strictObject({ value: positiveInteger, currency: only('VND') }, record),
  items: itemsOf(wireItem),
  customer,
  shipping: z.strictObject(shippingFields, record),
  lang: oneOf(['vi', 'en']).optional(),
  extraData: text.optional(),
  terminalType: oneOf(['DESKTOP_BROWSER', 'MOBILE_BROWSER', 'MOBILE_APP']).optional(),
  installment: z.strictObject({ packageId: identifier }, record).optional(),
  seller: seller.optional(),
  transExpiredTime: positiveInteger.optional(),
  sendSms: yesOrNo,
  sendEmail: yesOrNo,
};

/** The body of an initiate request as it must stand on the wire: the constants present, every total given. */
export const paymentRequestWireSchema: z.ZodType<PaymentRequestWire> = z.strictObject(
  { ...fields, merchantId: identifier, storeId: identifier, platformId: identifier },
  record,
);

/**
 * What a developer types, turned into what goes over the wire: constants and totals filled in, every rule checked,
 * unknown fields refused. The client applies it, with its own defaults in place, before anything is sent.
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
    amount: z.strictObject({ value: positiveInteger, currency: only('VND').default('VND') }, record),
    items: itemsOf(inputItem),
    shipping: z.strictObject({ ...shippingFields, country: shippingFields.country.default('VN') }, record),
  },
  record,
);

/** Fields whose broken rule the service answers with a status of its own, provided the value has the right type. */
export const paymentOwnStatuses: readonly OwnStatus[] = [
  { path: 'referenceId', type: 'string', resultStatus: 'INVALID_REFERENCE_ID' },
  { path: 'amount.value', type: 'number', resultStatus: 'INVALID_AMOUNT' },
  { path: 'customer.phoneNumber', type: 'string', resultStatus: 'PHONE_NUMBER_INVALID' },
  { path: 'storeId', type: 'string', resultStatus: 'INVALID_STORE_ID' },
];
