import { isMap, isSet } from 'node:util/types';
import * as z from 'zod';
import { fileSourceOf } from './file-source.js';
import { extensionOf, isUrlExtension } from './file-types.js';
import type { CompleteInvoiceUpload, InvoiceFileInput, InvoiceUploadWire } from './invoice-types.js';
import { referenceId } from './payment.js';
import {
  identifier,
  identifierOrDefault,
  parseUrl,
  record,
  shapedText,
  text,
  timestampFrom,
} from './text.js';
import { isUtcTimestamp, utcTimestamp } from './timestamps.js';
import type { OwnStatus } from './validation.js';

/** At most this many invoices for one order (specification: Limits). */
export const maxInvoices = 3;

const jsonRule = 'must be text that parses as JSON, or an object that can be written as JSON';

/** True for a value that JSON writes as it is: no half surrogate pair, no NaN turned null, no Map turned {}. */
function survivesJson(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number') return Number.isFinite(value);
  return !(isMap(value) || isSet(value));
}

/** The JSON text of an object, or undefined where there is none: a cycle, a BigInt, nesting without end. */
function jsonTextOf(value: object): string | undefined {
  try {
    // A replacer sees every text before JSON would hide half a surrogate pair behind an escape.
    return JSON.stringify(value, (key, inner: unknown) => {
      if (!key.isWellFormed() || !survivesJson(inner)) throw new TypeError();
      return inner;
    });
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

const jsonText = shapedText(isJson, jsonRule);

const extraData = z.custom<string | object>().transform((value, context): string => {
  const json = isObject(value) ? (jsonTextOf(value) ?? '') : value;
  const parsed = jsonText.safeParse(json);
  if (parsed.success) return parsed.data;
  context.addIssue({ code: 'custom', message: parsed.error.issues[0]?.message ?? jsonRule, input: value });
  return z.NEVER;
});

const file = z.custom<InvoiceFileInput>().transform((value, context): InvoiceFileInput => {
  const source = fileSourceOf(value);
  if (typeof source !== 'string') return value;
  context.addIssue({ code: 'custom', message: source, input: value });
  return z.NEVER;
});

/** A `fileUrl` that the service would fetch: https. */
function isFetchable(value: string): boolean {
  return parseUrl(value)?.protocol === 'https:';
}

/** A `fileUrl` whose path does not end in the extension of another type. */
function hasAcceptedExtension(value: string): boolean {
  const extension = extensionOf(parseUrl(value)?.pathname ?? '');
  return extension === undefined || isUrlExtension(extension);
}

const fileUrl = text
  .refine(isFetchable, { message: 'must be an absolute https URL', abort: true })
  .refine(hasAcceptedExtension, {
    message: 'must end in jpg, jpeg, png or pdf, or have no extension',
    params: { resultStatus: 'INVALID_FILE_TYPE' },
  });

/** Asked of an upload with other mistakes too: every broken rule is named at once. */
function hasFile(upload: { file?: unknown; fileUrl?: unknown }): boolean {
  return upload.file !== undefined || upload.fileUrl !== undefined;
}

const needsFile = {
  path: ['file'],
  message: 'is required when there is no fileUrl: give one of the two',
  when: ({ value }: { readonly value: unknown }) =>
    typeof value === 'object' && value !== null && !Array.isArray(value),
};

const fields = {
  merchantId: identifierOrDefault,
  referenceId,
  paymentTransId: text.optional(),
  storeId: text.optional(),
  invoiceNumber: text.optional(),
  description: text.optional(),
  fileUrl: fileUrl.optional(),
};

/** The textual fields of an upload as they must stand on the wire. */
export const invoiceUploadWireSchema = z.strictObject(
  {
    ...fields,
    merchantId: identifier,
    invoiceDate: shapedText(
      isUtcTimestamp,
      'must be a real moment written as yyyy-MM-ddTHH:mm:ssZ',
    ).optional(),
    extraData: shapedText(isJson, 'must be a string that parses as JSON').optional(),
  },
  record,
);

/**
 * What a developer types for an upload, turned into what goes over the wire: dates and objects written out, every
 * rule checked, unknown fields refused. The file is recognised here and read by the client.
 *
 * @example
 * ```ts
 * import { invoiceUploadSchema } from 'installment-payments';
 * import * as z from 'zod';
 *
 * const job = z.object({ attempts: z.number(), upload: invoiceUploadSchema });
 * ```
 * @see specification, Invoice upload request
 */
export const invoiceUploadSchema: z.ZodType<InvoiceUploadWire, CompleteInvoiceUpload> = z
  .strictObject(
    {
      ...fields,
      invoiceDate: timestampFrom(utcTimestamp, isUtcTimestamp, 'yyyy-MM-ddTHH:mm:ssZ').optional(),
      extraData: extraData.optional(),
      file: file.optional(),
    },
    record,
  )
  .refine(hasFile, needsFile);

/** Fields whose broken rule the service answers with a status of its own, provided the value has the right type. */
export const invoiceOwnStatuses: readonly OwnStatus[] = [
  { path: 'referenceId', type: 'string', resultStatus: 'INVALID_REFERENCE_ID' },
  { path: 'storeId', type: 'string', resultStatus: 'INVALID_STORE_ID' },
];
