import * as z from 'zod/mini';
import { checkFile, wrongFile, type CheckedFile } from './file-rules.js';
import { fileRule, fileSourceOf } from './file-source.js';
import { urlExtensions, urlPathFits } from './file-types.js';
import type { CheckedInvoiceUpload, InvoiceFileInput, InvoiceUpload } from './invoice-types.js';
import { isJson, jsonTextOf } from '../validation/json-text.js';
import { isRecord } from '../values/untrusted-values.js';
import { transformed, identifier, objectError, optional, text, wrongOptional } from '../validation/rules.js';
import { issuedId, inputTimestamp, referenceId, wireTimestamp } from './field-rules.js';
import { parseUrl } from './urls.js';
import { utcForm } from './timestamps.js';

const extraDataRule = 'must be a string that parses as JSON, or an object, such as { till: 4 }';

const extraDataText = text.check(z.refine(isJson, 'must be a string that parses as JSON'));

const extraData = transformed(z.custom<string | object>(), (value, refuse): string => {
  if (typeof value === 'string') return value.isWellFormed() && isJson(value) ? value : refuse(extraDataRule);
  if (Object(value) !== value) return refuse(wrongOptional(extraDataRule, value));
  const json = jsonTextOf(value);
  return json.ok ? json.value : refuse(json.problem);
});

function isFetchable(url: string): boolean {
  return /^https:\/\//i.test(url) && parseUrl(url) !== undefined;
}

const fields = {
  merchantId: optional(issuedId),
  referenceId,
  paymentTransId: optional(text),
  storeId: optional(issuedId),
  invoiceNumber: optional(text),
  description: optional(text),
  fileUrl: optional(text),
};

/** The condition `when` of the rules that compare fields: these rules also run if other fields are invalid. */
const when = ({ value }: { readonly value: unknown }) => isRecord(value);

interface FileFields {
  readonly file?: unknown;
  /** The URL, which can be invalid. */
  readonly fileUrl?: unknown;
}

/** A rule for the `fileUrl`. It does not apply to an upload with a file, because the service then ignores the URL. */
function urlRule(fits: (url: string) => boolean, message: string, params = {}) {
  const isRight = ({ file, fileUrl }: FileFields) =>
    file !== undefined || typeof fileUrl !== 'string' || fits(fileUrl);
  return z.refine<FileFields>(isRight, { path: ['fileUrl'], message, params, when });
}

const urlRules = [
  urlRule(isFetchable, 'must be an absolute https URL, such as https://files.example/invoice.pdf'),
  urlRule(
    (url) => !isFetchable(url) || urlPathFits(new URL(url).pathname),
    `must end in ${urlExtensions.join(', ')}, or have no extension`,
    { resultStatus: 'INVALID_FILE_TYPE' },
  ),
];

/** The text fields of an upload without a file, as they are sent. */
export const invoiceUploadWireSchema = z
  .strictObject(
    {
      ...fields,
      merchantId: identifier,
      storeId: optional(text),
      invoiceDate: optional(wireTimestamp(utcForm)),
      extraData: optional(extraDataText),
    },
    objectError(),
  )
  .check(...urlRules);

/** Checks a file before it is read: completely if it is bytes in memory, and only its kind in all other cases. */
function checkUnread(value: unknown): CheckedFile<unknown> {
  const source = fileSourceOf(value);
  if (!source.ok) return wrongFile(value === null ? wrongOptional(fileRule, value) : source.problem);
  return source.value.kind === 'bytes' ? checkFile(source.value, [source.value.bytes]) : source;
}

const file = transformed(z.custom<InvoiceFileInput>(), (value, refuse): InvoiceFileInput => {
  const checked = checkUnread(value);
  if (checked.ok) return value;
  const { message, resultStatus } = checked.problem;
  return refuse(message, { params: { resultStatus } });
});

/**
 * Checks an upload as the client does: converts dates and objects, checks every rule and refuses unknown fields. A file
 * in memory is checked; the client reads and checks any other file. The file is returned as it was passed. The
 * `merchantId` can be missing, because the client can have a default.
 *
 * @example
 * ```ts
 * import { invoiceUploadSchema } from 'installment-payments';
 * import * as z from 'zod/mini';
 *
 * const job = z.object({ attempts: z.number(), upload: invoiceUploadSchema });
 * ```
 * @see specification, Invoice upload request
 */
export const invoiceUploadSchema: z.ZodMiniType<CheckedInvoiceUpload, InvoiceUpload> = z
  .strictObject(
    {
      ...fields,
      invoiceDate: z.optional(inputTimestamp(utcForm, wrongOptional)),
      extraData: z.optional(extraData),
      file: z.optional(file),
    },
    objectError(),
  )
  .check(
    z.refine<FileFields>((upload) => upload.file !== undefined || upload.fileUrl !== undefined, {
      path: ['file'],
      message: 'is required if there is no fileUrl',
      when,
    }),
    ...urlRules,
  );
