import { canonicalString, hmac, multipartParts, signedFields, type Part } from '../helpers/wire-reader.js';

/**
 * Says whether a request that was sent is one the service could take, by the tables of the specification alone.
 * Nothing is imported from the package: a mistake in its schemas must not be made again here.
 */

/** A request as it was sent. */
export interface SentRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

type Json = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isBoolean: Check = (value) => typeof value === 'boolean';
const matches =
  (shape: RegExp): Check =>
  (value) =>
    typeof value === 'string' && shape.test(value);
const among =
  (...words: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value);

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object whose required fields are all there, and that has no field of neither kind. */
const table =
  (required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check =>
  (value) =>
    isObject(value) &&
    Object.keys(required).every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, field]) => {
      const check = Object.hasOwn(required, name)
        ? required[name]
        : Object.hasOwn(optional, name) && optional[name];
      return check && check(field);
    });

/** The digits of a number as a fraction of whole numbers, so that 3 x 0.1 is 0.3. */
function fraction(value: number): readonly [units: bigint, denominator: bigint] {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', decimals = ''] = mantissa.split('.');
  const shift = Number(exponent) - decimals.length;
  const units = BigInt(whole + decimals);
  return shift >= 0 ? [units * 10n ** BigInt(shift), 1n] : [units, 10n ** BigInt(-shift)];
}

function isProduct(total: number, price: number, quantity: number): boolean {
  const [a, b] = fraction(total);
  const [c, d] = fraction(price);
  return a * d === c * BigInt(quantity) * b;
}

const itemTable = table(
  {
    productId: isText,
    productName: isText,
    category: isText,
    currency: among('VND'),
    quantity: (value) => Number.isInteger(value) && Number(value) > 0,
    price: isNumber,
    totalAmount: isNumber,
  },
  { description: isText, imageUrl: isText },
);

const isItem: Check = (value) => {
  if (!itemTable(value)) return false;
  const { totalAmount, price, quantity } = value as { totalAmount: number; price: number; quantity: number };
  return isProduct(totalAmount, price, quantity);
};

function isDay(value: unknown): boolean {
  const [day, month, year] = /^(\d\d)-(\d\d)-(\d{4})$/.exec(String(value))?.slice(1).map(Number) ?? [];
  if (day === undefined || month === undefined || year === undefined) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day >= 1 && day <= days;
}

const isReference = matches(/^[0-9a-zA-Z_:-]{1,60}$/);
const isAbsoluteUrl = matches(/^[a-z][a-z0-9+.-]*:/i);

const isPayment = table(
  {
    merchantId: isText,
    storeId: isText,
    referenceId: isReference,
    platformId: isText,
    requestType: among('installment'),
    paymentMethod: among('APP', 'POS', 'WEB'),
    description: isText,
    successRedirectUrl: isAbsoluteUrl,
    unSuccessRedirectUrl: isAbsoluteUrl,
    amount: table({ value: (value) => isNumber(value) && Number(value) > 0, currency: among('VND') }),
    items: (value) => Array.isArray(value) && value.length > 0 && value.length <= 200 && value.every(isItem),
    customer: table(
      {
        phoneNumber: matches(/^\+?\d+$/),
        email: matches(/^[^\s@]+@[^\s@]+$/),
        firstName: isText,
        lastName: isText,
      },
      { rank: isText, description: isText, gender: among('M', 'F', 'U'), dateOfBirth: isDay },
    ),
    shipping: table(
      {
        city: isText,
        district: isText,
        ward: isText,
        street: isText,
        houseNumber: isText,
        country: among('VN'),
      },
      { zipCode: isText, streetNumber: isText, houseExtension: isText },
    ),
  },
  {
    lang: among('vi', 'en'),
    extraData: isText,
    terminalType: among('DESKTOP_BROWSER', 'MOBILE_BROWSER', 'MOBILE_APP'),
    installment: table({ packageId: isText }),
    seller: table({ id: isText }, { email: isText, name: isText, address: isText }),
    transExpiredTime: (value) => isNumber(value) && Number(value) > 0,
    sendSms: isBoolean,
    sendEmail: isBoolean,
  },
);

function headerProblem({ headers }: SentRequest, signature: string, contentType: RegExp): string | undefined {
  if (!contentType.test(headers['Content-Type'] ?? '')) return 'wrong Content-Type';
  if (!/^[\x21-\x7e\xa0-\xff]+$/.test(headers['Client-Id'] ?? '')) return 'wrong Client-Id';
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(headers['Request-Time'] ?? '')) return 'wrong Request-Time';
  if (headers['Signature'] !== signature) return 'wrong Signature';
  return undefined;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** The mistake in an initiate request, or undefined. */
export function paymentProblem(request: SentRequest, secretKey: string): string | undefined {
  if (request.path !== '/v2/payments') return 'wrong path';
  if (!request.headers['Idempotency-Key']) return 'no Idempotency-Key';
  const text = textOf(request.body);
  if (/\\ud[89a-f]/i.test(text)) return 'half of a surrogate pair';
  if (!isPayment(JSON.parse(text))) return 'the body breaks a rule';
  return headerProblem(request, hmac(request.body, secretKey), /^application\/json$/);
}

/** The marks by which a jpg, png, pdf or xml begins; xml may have a byte order mark and white space before. */
const fileMarks = /^(?:\xff\xd8\xff|\x89PNG\r\n\x1a\n|%PDF-|(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*<)/;

function fileProblem({ head, body }: Part): string | undefined {
  if (body.length === 0 || body.length > 5 * 1024 * 1024) return 'wrong file size';
  if (!fileMarks.test(body.toString('latin1', 0, 64))) return 'wrong file content';
  const lines = head.split('\r\n');
  const shape = /^Content-Disposition: form-data; name="file"; filename="[^"\r\n\0/\\]+"$/;
  const type = /^Content-Type: (?:image\/(?:jpeg|png)|application\/(?:pdf|xml))$/;
  return lines.length === 2 && shape.test(lines[0] ?? '') && type.test(lines[1] ?? '')
    ? undefined
    : 'wrong file head';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The mistake in an upload, or undefined. */
export function invoiceProblem(request: SentRequest, secretKey: string): string | undefined {
  if (request.path !== '/v2/payments/upload-invoice') return 'wrong path';
  const parts = multipartParts(request.headers['Content-Type'], request.body);
  if (!parts) return 'no multipart body';
  const names = parts.map(({ name }) => name);
  if (new Set(names).size !== names.length) return 'a field twice';
  if (names.some((name) => ![...signedFields, 'fileUrl', 'file'].includes(name))) return 'an unknown field';
  const fields = new Map(
    parts.filter(({ name }) => name !== 'file').map(({ name, body }) => [name, textOf(body)]),
  );
  const file = parts.find(({ name }) => name === 'file');
  const fileUrl = fields.get('fileUrl');
  if (!file && fileUrl === undefined) return 'neither file nor fileUrl';
  // When both are sent, the file is used.
  if (!file && fileUrl !== undefined && !/^https:/i.test(fileUrl.trim())) return 'wrong fileUrl';
  if (!isReference(fields.get('referenceId'))) return 'wrong referenceId';
  if (!fields.get('merchantId')) return 'no merchantId';
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(fields.get('invoiceDate') ?? '2026-01-01T00:00:00Z'))
    return 'wrong invoiceDate';
  if (!isJson(fields.get('extraData') ?? '{}')) return 'extraData is no JSON';
  const canonical = canonicalString(Object.fromEntries(fields));
  return (
    (file && fileProblem(file)) ??
    headerProblem(request, hmac(canonical, secretKey), /^multipart\/form-data; boundary=\S+$/)
  );
}
