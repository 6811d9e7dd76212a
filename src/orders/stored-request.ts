import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { ClientSettings } from '../client.js';
import { allOrThrow, parseInput, parseRequest, requireFields } from '../operations/parse-input.js';
import { additionalFieldsHint, additionalPaymentFields } from '../protocol/additional-fields.js';
import { text } from '../validation/rules.js';
import { invoiceUploadSchema } from '../protocol/invoice-schema.js';
import type { InvoiceUpload } from '../protocol/invoice-types.js';
import { parseWith, refusedAt, type Parsed } from '../protocol/issues.js';
import { paymentRequestSchema } from '../protocol/payment-schema.js';
import type { CheckedPaymentRequest } from '../protocol/payment-types.js';
import { isRecord, readProperty } from '../values/untrusted-values.js';
import type { NewPayment } from './order.js';
import type { OrderRequest } from './types.js';

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

const longestId = 180;
const plainOrderId = /^[0-9a-zA-Z_:-]{1,50}$/;
const referenceShape = /^([0-9a-zA-Z_:-]{1,53})-([1-9][0-9]{0,5})$/;

const orderIdRules = z.object({
  orderId: text.check(
    z.minLength(1, 'must not be empty'),
    z.maxLength(longestId, `must have ${longestId} characters at most`),
    z.refine((id) => !id.includes('\0'), 'must not contain NUL, which databases cannot store in a text'),
  ),
});

/** The key of an order, which identifies the row. Each `referenceId` of the order begins with this key. */
export function keyOf(orderId: string): string {
  const [checked] = allOrThrow({ operation: 'initiatePayment' }, {}, parseWith(orderIdRules, { orderId }));
  if (plainOrderId.test(checked.orderId)) return checked.orderId;
  const readable = checked.orderId.replaceAll(/[^0-9a-zA-Z_:-]/g, '').slice(0, 36);
  // This key has 53 characters, so it differs from every key that is the orderId itself (50 characters at most).
  return `${readable.padEnd(36, '_')}_${sha256(checked.orderId).slice(0, 16)}`;
}

/** The key of the order in a `referenceId`; undefined if the order module does not make such a `referenceId`. */
export function keyInReference(referenceId: string): string | undefined {
  return referenceShape.exec(referenceId)?.[1];
}

const noIssue: Parsed<undefined> = { value: undefined };
const additionalRules = z.object({ additionalFields: z.optional(additionalPaymentFields) });

/** The stored request of a payment, with everything that is sent. */
export interface StoredPayment {
  readonly request: CheckedPaymentRequest;
  readonly additionalFields?: Readonly<Record<string, unknown>>;
}

/**
 * Checks a request, adds the defaults of the client (`merchantId` and so on), and makes a payment from the request.
 * `number` is the number of the payment in its order, from 1.
 *
 * @throws ValidationError with every broken rule
 */
export function newPayment(
  key: string,
  number: number,
  request: OrderRequest | undefined,
  additional: unknown,
  { merchantId, storeId, platformId }: ClientSettings = {},
): NewPayment {
  const defaults = { merchantId, storeId, platformId };
  // The check needs a valid referenceId, which is replaced below. The number at its end does not matter.
  const complete = isRecord(request) ? { ...request, referenceId: `${key}-1` } : request;
  const hasReference = readProperty(request, 'referenceId') !== undefined;
  const [checked, { additionalFields }] = allOrThrow(
    { operation: 'initiatePayment' },
    {},
    parseRequest(paymentRequestSchema, complete, defaults, additionalFieldsHint),
    parseInput(() => parseWith(additionalRules, { additionalFields: additional })),
    requireFields(request, defaults),
    hasReference ? refusedAt(['referenceId'], 'is generated from the orderId: leave it out') : noIssue,
  );
  const textFor = (referenceId: string) => {
    const stored: StoredPayment = {
      request: { ...checked, referenceId },
      ...(additionalFields && { additionalFields }),
    };
    return JSON.stringify(stored);
  };
  const referenceId = `${key}-${number}`;
  const stored = textFor(referenceId);
  const { amount, transExpiredTime: lifetimeMs } = checked;
  return {
    referenceId,
    request: stored,
    // The idempotency key is a digest of the request, not a random value. So if a payment is missing from a restored
    // database and its request is sent again, the second request has the same key as the first.
    idempotencyKey: sha256(stored),
    // The number 0 replaces the number of the payment, so that payments with the same content have the same hash.
    contentHash: sha256(textFor(`${key}-0`)).slice(0, 32),
    expected: {
      value: amount.value,
      currency: amount.currency,
      merchantId: checked.merchantId ?? '',
      ...(checked.storeId !== undefined && { storeId: checked.storeId }),
    },
    ...(lifetimeMs !== undefined && { lifetimeMs }),
  };
}

/** An invoice of an order: an upload without `referenceId`. `file` is a name for `loadFile`. */
export type OrderInvoice = Omit<InvoiceUpload, 'referenceId' | 'file'> & { file?: string | undefined };

/** The stored upload of an invoice. */
export interface StoredInvoice {
  readonly upload: Omit<InvoiceUpload, 'referenceId' | 'file'>;
  readonly file?: string;
}

/**
 * Checks an invoice. Returns its upload as JSON text, and a digest that shows whether the invoice was added before. An
 * upload with an `invoiceNumber` has the digest of this number, because a shop can create the same invoice again with a
 * different date. An upload without a number has the digest of the whole upload.
 *
 * @throws ValidationError with every broken rule
 */
export function invoiceText(
  key: string,
  given: OrderInvoice,
  canLoad: boolean,
): { upload: string; contentHash: string } {
  const file: unknown = readProperty(given, 'file');
  const isFileName = typeof file === 'string' && file !== '' && file.isWellFormed();
  const problem = isFileName
    ? 'needs the option loadFile of createOrderPayments'
    : 'must be the name of the file for loadFile, such as invoices/1.pdf';
  // The schema requires a file or a fileUrl. `standIn` takes the place of the file, and is never read.
  const standIn = file === undefined ? undefined : { path: 'for loadFile' };
  const [checked] = allOrThrow(
    { operation: 'uploadInvoice' },
    {},
    parseRequest(
      invoiceUploadSchema,
      // The check needs a valid referenceId, which is not stored. The number at its end does not matter.
      isRecord(given) ? { ...given, referenceId: `${key}-1`, file: standIn } : given,
      {},
    ),
    file === undefined || (isFileName && canLoad) ? noIssue : refusedAt(['file'], problem),
  );
  const { referenceId: _referenceId, file: _file, ...upload } = checked;
  const stored: StoredInvoice = { upload, ...(typeof file === 'string' && { file }) };
  const written = JSON.stringify(stored);
  const contentHash = sha256(upload.invoiceNumber ?? written).slice(0, 32);
  return { upload: written, contentHash };
}
