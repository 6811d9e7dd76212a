import * as z from 'zod/mini';
import { checkFile, FileProblem, type InvoiceFile } from './file-rules.js';
import { fileRule, fileSourceOf, type UnreadSource } from './file-source.js';
import { urlExtensions, urlPathFits } from './file-types.js';
import type { CheckedInvoiceUpload, InvoiceFileInput, InvoiceUpload } from './invoice-types.js';
import { isJson, jsonTextOf } from './json-text.js';
import { isRecord } from '../values/untrusted-values.js';
import {
  converted,
  identifier,
  inputTimestamp,
  object,
  optional,
  referenceId,
  text,
  wireTimestamp,
  wrongOptional,
} from './field-rules.js';
import { parseUrl } from './urls.js';
import { utcForm } from './timestamps.js';

const extraDataRule = 'must be a string that parses as JSON, or an object, such as { till: 4 }';

const extraDataText = text.check(z.refine(isJson, 'must be a string that parses as JSON'));

const extraData = converted(z.custom<string | object>(), (value, refuse): string => {
  if (typeof value === 'string') return value.isWellFormed() && isJson(value) ? value : refuse(extraDataRule);
  if (Object(value) !== value) return refuse(wrongOptional(extraDataRule, value));
  const json = jsonTextOf(value);
  return typeof json === 'string' ? json : refuse(json.message);
});

function isFetchable(url: string): boolean {
  return /^https:\/\//i.test(url) && parseUrl(url) !== undefined;
}

function hasAcceptedExtension(url: string): boolean {
  return urlPathFits(new URL(url).pathname);
}

const urlRule = 'must be an absolute https URL, such as https://files.example/invoice.pdf';
const extensionRule = {
  message: `must end in ${urlExtensions.join(', ')}, or have no extension`,
  params: { resultStatus: 'INVALID_FILE_TYPE' },
};

const fields = {
  merchantId: optional(identifier),
  referenceId,
  paymentTransId: optional(text),
  storeId: optional(text),
  invoiceNumber: optional(text),
  description: optional(text),
};

/** The textual fields on the wire of an upload without a file. */
export const invoiceUploadWireSchema = z.strictObject(
  {
    ...fields,
    merchantId: identifier,
    fileUrl: optional(
      text.check(
        z.refine(isFetchable, { message: urlRule, abort: true }),
        z.refine(hasAcceptedExtension, extensionRule),
      ),
    ),
    invoiceDate: optional(wireTimestamp(utcForm)),
    extraData: optional(extraDataText),
  },
  object(),
);

/** Rules between fields also run if other fields are wrong, so that every broken rule is reported. */
const when = ({ value }: { readonly value: unknown }) => isRecord(value);

interface FileFields {
  readonly file?: unknown;
  /** May still be wrong. */
  readonly fileUrl?: unknown;
}

/** True unless the service fetches a URL that breaks the rule. It ignores the URL of an upload with a file. */
function urlFits({ file, fileUrl }: FileFields, rule: (url: string) => boolean): boolean {
  return file !== undefined || typeof fileUrl !== 'string' || rule(fileUrl);
}

function uploadSchema<File extends z.ZodMiniType>(file: File) {
  const path = ['fileUrl'];
  return z
    .strictObject(
      {
        ...fields,
        fileUrl: optional(text),
        invoiceDate: z.optional(inputTimestamp(utcForm, wrongOptional)),
        extraData: z.optional(extraData),
        file: z.optional(file),
      },
      object(),
    )
    .check(
      z.refine<FileFields>(({ file, fileUrl }) => file !== undefined || fileUrl !== undefined, {
        path: ['file'],
        message: 'is required if there is no fileUrl',
        when,
      }),
      z.refine<FileFields>((upload) => urlFits(upload, isFetchable), { path, message: urlRule, when }),
      z.refine<FileFields>(
        (upload) => urlFits(upload, (url) => !isFetchable(url) || hasAcceptedExtension(url)),
        { path, ...extensionRule, when },
      ),
    );
}

/** Classifies a file, and checks it if it is in memory. A file is parsed only here. */
function parseFile(value: unknown): InvoiceFile | UnreadSource | FileProblem {
  const source = fileSourceOf(value);
  if (typeof source === 'string')
    return new FileProblem(value === null ? wrongOptional(fileRule, value) : source);
  return source.kind === 'bytes' ? checkFile(source, source.bytes) : source;
}

function fileSchema<T>(resultOf: (given: InvoiceFileInput, parsed: InvoiceFile | UnreadSource) => T) {
  return converted(z.custom<InvoiceFileInput>(), (value, refuse): T => {
    const parsed = parseFile(value);
    if (!(parsed instanceof FileProblem)) return resultOf(value, parsed);
    const { message, resultStatus } = parsed;
    return refuse(message, { params: { resultStatus } });
  });
}

/** The fields of an upload as they are sent, and its file, ready to be sent or read. */
export type ParsedInvoiceUpload = Omit<CheckedInvoiceUpload, 'file'> & {
  file?: InvoiceFile | UnreadSource | undefined;
};

/** {@link invoiceUploadSchema} for the client: the file comes out classified. */
export const parsedInvoiceUploadSchema: z.ZodMiniType<ParsedInvoiceUpload> = uploadSchema(
  fileSchema((_given, parsed) => parsed),
);

/**
 * Checks an upload as the client does: writes dates and objects, checks every rule and refuses unknown fields. A file in
 * memory is checked; any other is read by the client. The file comes out as it was given. The `merchantId` may be missing,
 * if the client has a default for it.
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
export const invoiceUploadSchema: z.ZodMiniType<CheckedInvoiceUpload, InvoiceUpload> = uploadSchema(
  fileSchema((given) => given),
);
