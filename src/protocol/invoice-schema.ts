import * as z from 'zod';
import { checkFile, FileProblem, type InvoiceFile } from './file-rules.js';
import { fileSourceOf, type UnreadSource } from './file-source.js';
import { urlExtensions, urlPathFits } from './file-types.js';
import type { CompleteInvoiceUpload, InvoiceFileInput, InvoiceUploadWire } from './invoice-types.js';
import { isJson, JsonProblem, jsonTextOf } from './json-text.js';
import { referenceId } from './reference-id.js';
import { isRecord } from './untrusted-values.js';
import {
  fromCaller,
  identifier,
  identifierOrDefault,
  inputTimestamp,
  object,
  text,
  wireTimestamp,
} from './field-rules.js';
import { parseUrl } from './urls.js';
import { utcForm } from './timestamps.js';
import type { OwnStatus } from './issues.js';

const extraDataRule = 'must be a string that parses as JSON, or an object, such as { till: 4 }';

const extraDataText = text.refine(isJson, 'must be a string that parses as JSON');

const extraData = z.custom<string | object>().transform((value, context): string => {
  const json = Object(value) === value ? jsonTextOf(value as object) : value;
  if (json instanceof JsonProblem) {
    context.addIssue(json.message);
    return z.NEVER;
  }
  const parsed = extraDataText.safeParse(json);
  if (parsed.success) return parsed.data;
  context.addIssue(extraDataRule);
  return z.NEVER;
});

function isFetchable(value: string): boolean {
  return /^https:\/\//i.test(value) && parseUrl(value) !== undefined;
}

function hasAcceptedExtension(value: string): boolean {
  return urlPathFits(parseUrl(value)?.pathname ?? '');
}

const urlRule = 'must be an absolute https URL, such as https://files.example/invoice.pdf';
const extensionRule = {
  message: `must end in ${urlExtensions.join(', ')}, or have no extension`,
  params: { resultStatus: 'INVALID_FILE_TYPE' },
};

const fields = {
  merchantId: identifierOrDefault,
  referenceId,
  paymentTransId: text.optional(),
  storeId: text.optional(),
  invoiceNumber: text.optional(),
  description: text.optional(),
};

/** The textual fields on the wire of an upload without a file. */
export const invoiceUploadWireSchema = z.strictObject(
  {
    ...fields,
    merchantId: identifier,
    fileUrl: text
      .refine(isFetchable, { message: urlRule, abort: true })
      .refine(hasAcceptedExtension, extensionRule)
      .optional(),
    invoiceDate: wireTimestamp(utcForm).optional(),
    extraData: extraDataText.optional(),
  },
  object(),
);

/** For rules between fields: they also run if other fields are wrong, so that every broken rule is reported. */
const whenFields = (applies: (upload: Record<string, unknown>) => boolean) => ({
  when: ({ value }: { readonly value: unknown }) => isRecord(value) && applies(value),
});

interface FileFields {
  readonly file?: unknown;
  readonly fileUrl?: string | undefined;
}

function uploadSchema<File extends z.ZodType>(file: File) {
  const path = ['fileUrl'];
  return fromCaller(
    z
      .strictObject(
        {
          ...fields,
          fileUrl: text.optional(),
          invoiceDate: inputTimestamp(utcForm).optional(),
          extraData: extraData.optional(),
          file: file.optional(),
        },
        object(),
      )
      .refine((upload: FileFields) => upload.file !== undefined || upload.fileUrl !== undefined, {
        path: ['file'],
        message: 'is required if there is no fileUrl',
        ...whenFields(() => true),
      })
      // The service ignores the URL of an upload with a file.
      .refine(({ fileUrl = '' }: FileFields) => isFetchable(fileUrl), {
        path,
        message: urlRule,
        ...whenFields((upload) => upload['file'] === undefined && typeof upload['fileUrl'] === 'string'),
      })
      .refine(({ fileUrl = '' }: FileFields) => hasAcceptedExtension(fileUrl), {
        path,
        ...extensionRule,
        ...whenFields(
          ({ file: given, fileUrl }) =>
            given === undefined && typeof fileUrl === 'string' && isFetchable(fileUrl),
        ),
      }),
  );
}

/** Classifies a file, and checks it if it is in memory. A file is parsed only here. */
function parseFile(value: unknown): InvoiceFile | UnreadSource | FileProblem {
  const source = fileSourceOf(value);
  if (typeof source === 'string') return new FileProblem(source);
  return source.kind === 'bytes' ? checkFile(source, source.bytes) : source;
}

function fileSchema<T>(resultOf: (given: InvoiceFileInput, parsed: InvoiceFile | UnreadSource) => T) {
  return z.custom<InvoiceFileInput>().transform((value, context): T => {
    const parsed = parseFile(value);
    if (!(parsed instanceof FileProblem)) return resultOf(value, parsed);
    const { message, resultStatus } = parsed;
    context.addIssue({ code: 'custom', message, params: { resultStatus } });
    return z.NEVER;
  });
}

/** The fields of an upload as they are sent, and its file, ready to be sent or read. */
export type ParsedInvoiceUpload = Omit<InvoiceUploadWire, 'file'> & {
  file?: InvoiceFile | UnreadSource | undefined;
};

/** {@link invoiceUploadSchema} for the client: the file comes out classified. */
export const parsedInvoiceUploadSchema: z.ZodType<ParsedInvoiceUpload, CompleteInvoiceUpload> = uploadSchema(
  fileSchema((_given, parsed) => parsed),
);

/**
 * Checks an upload and turns it into the fields that are sent: writes dates and objects, and refuses unknown fields. A
 * file in memory is checked; any other is read by the client. The file comes out as it was given.
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
export const invoiceUploadSchema: z.ZodType<InvoiceUploadWire, CompleteInvoiceUpload> = uploadSchema(
  fileSchema((given) => given),
);

/** Fields with a result status of their own, for a value of the right type. */
export const invoiceOwnStatuses: readonly OwnStatus[] = [
  { path: 'referenceId', type: 'string', resultStatus: 'INVALID_REFERENCE_ID' },
  { path: 'storeId', type: 'string', resultStatus: 'INVALID_STORE_ID' },
];
