import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { ClientSettings } from '../client.js';
import { allOrThrow, parseInput, parseRequest, requireFields } from '../operations/parse-input.js';
import { additionalFieldsHint, additionalPaymentFields } from '../protocol/additional-fields.js';
import { text } from '../protocol/field-rules.js';
import { invoiceUploadSchema } from '../protocol/invoice-schema.js';
import type { InvoiceUpload } from '../protocol/invoice-types.js';
import { parseWith, refusedAt, type Parsed } from '../protocol/issues.js';
import { paymentRequestSchema } from '../protocol/payment-schema.js';
import type { CheckedPaymentRequest, PaymentRequest } from '../protocol/payment-types.js';
import { isRecord, readProperty } from '../values/untrusted-values.js';
import type { NewPayment } from './order.js';

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

const longestId = 180;
const ownKey = /^[0-9a-zA-Z_:-]{1,50}$/;
const referenceShape = /^([0-9a-zA-Z_:-]{1,53})-([1-9][0-9]{0,5})$/;

const orderIdRule = text.check(
  z.minLength(1, 'must not be empty'),
  z.maxLength(longestId, `must have ${longestId} characters at most`),
  z.refine((id) => !id.includes('\0'), 'must not contain NUL, which no database stores in a text'),
);

/** The key of an order, by which its row and its references are found. */
export function keyOf(orderId: string): string {
  const [checked] = allOrThrow(
    { operation: 'initiatePayment' },
    {},
    withPath('orderId', parseWith(orderIdRule, orderId)),
  );
  if (ownKey.test(checked)) return checked;
  const readable = checked.replaceAll(/[^0-9a-zA-Z_:-]/g, '').slice(0, 36);
  // 53 characters: longer than any orderId that is its own key.
  return `${readable.padEnd(36, '_')}_${sha256(checked).slice(0, 16)}`;
}

function withPath<T>(name: string, parsed: Parsed<T>): Parsed<T> {
  if ('value' in parsed) return parsed;
  return { issues: parsed.issues.map((issue) => ({ ...issue, path: [name, ...issue.path] })) };
}

/** The key in a reference; undefined for one that this package has not made. */
export function keyInReference(referenceId: string): string | undefined {
  return referenceShape.exec(referenceId)?.[1];
}

export interface StoredPayment {
  readonly request: CheckedPaymentRequest;
  readonly additionalFields?: Readonly<Record<string, unknown>>;
}

/** A checked and complete request, of which any payment of its order can be made. */
export interface Draft {
  readonly content: string;
  readonly lifetimeMs: number | undefined;
  readonly payment: (number: number, mayExist: boolean) => NewPayment;
}

/** @throws ValidationError with every broken rule */
export function draftOf(
  key: string,
  request: Omit<PaymentRequest, 'referenceId'>,
  additional: unknown,
  { merchantId, storeId, platformId }: ClientSettings,
): Draft {
  const defaults = { merchantId, storeId, platformId };
  const complete = { ...(isRecord(request) ? request : {}), referenceId: `${key}-1` };
  const own = readProperty(request, 'referenceId') !== undefined;
  const [checked, { additionalFields }] = allOrThrow(
    { operation: 'initiatePayment' },
    {},
    parseRequest(
      paymentRequestSchema,
      isRecord(request) ? complete : request,
      defaults,
      additionalFieldsHint,
    ),
    parseInput(() =>
      parseWith(z.object({ additionalFields: z.optional(additionalPaymentFields) }), {
        additionalFields: additional,
      }),
    ),
    requireFields(request, defaults),
    own ? refusedAt(['referenceId'], 'is made of the orderId: leave it out') : { value: undefined },
  );
  const written = (number: number) => {
    const stored: StoredPayment = {
      request: { ...checked, referenceId: `${key}-${number}` },
      ...(additionalFields && { additionalFields }),
    };
    return JSON.stringify(stored);
  };
  const content = sha256(written(0)).slice(0, 32);
  const lifetimeMs = checked.transExpiredTime;
  return {
    content,
    lifetimeMs,
    payment: (number, mayExist) => {
      const stored = written(number);
      return {
        referenceId: `${key}-${number}`,
        request: stored,
        // Of all that is stored: the same order has it again, even in a database that has forgotten it.
        idempotencyKey: sha256(stored),
        content,
        asked: {
          value: checked.amount.value,
          currency: checked.amount.currency,
          merchantId: checked.merchantId ?? '',
        },
        ...(lifetimeMs !== undefined && { lifetimeMs }),
        mayExist,
      };
    },
  };
}

/** An invoice of an order: its upload without what the order knows, and its file by a name for `loadFile`. */
export type OrderInvoice = Omit<InvoiceUpload, 'referenceId' | 'file'> & { file?: string | undefined };

export interface StoredInvoice {
  readonly upload: Omit<InvoiceUpload, 'referenceId' | 'file'>;
  readonly file?: string;
}

/** @throws ValidationError with every broken rule */
export function invoiceText(
  key: string,
  given: OrderInvoice,
  canLoad: boolean,
): { upload: string; content: string } {
  const file: unknown = readProperty(given, 'file');
  const isNamed = typeof file === 'string' && file !== '' && file.isWellFormed();
  const problem = !isNamed
    ? 'must be the name of the file for loadFile, such as invoices/1.pdf'
    : 'needs the option loadFile of createOrderPayments';
  const refused =
    file !== undefined && !(isNamed && canLoad) ? refusedAt(['file'], problem) : { value: undefined };
  // Satisfies the rule that there is a file or a fileUrl. It is never read.
  const complete = isRecord(given)
    ? { ...given, referenceId: `${key}-1`, file: file === undefined ? undefined : { path: 'for loadFile' } }
    : given;
  const [checked] = allOrThrow(
    { operation: 'uploadInvoice' },
    {},
    parseRequest(invoiceUploadSchema, complete, {}),
    refused,
  );
  const { referenceId: _referenceId, file: _file, ...upload } = checked;
  const stored: StoredInvoice = { upload, ...(typeof file === 'string' && { file }) };
  const written = JSON.stringify(stored);
  return { upload: written, content: sha256(written).slice(0, 32) };
}
