import type { WithMetadata } from '../errors/call-metadata.js';
import type { Call } from '../http/call.js';
import { uploadInvoiceOptionRules, type UploadInvoiceOptions } from '../options/call-options.js';
import { additionalFieldsHint, type AdditionalTexts } from '../protocol/additional-fields.js';
import { invoiceCanonicalString, signedInvoiceFields } from '../protocol/canonical-string.js';
import { endpoints } from '../protocol/endpoints.js';
import type { InvoiceFile } from '../protocol/file-rules.js';
import type { CheckedInvoiceUpload, Invoice, InvoiceUpload } from '../protocol/invoice-types.js';
import { invoiceUploadSchema } from '../protocol/invoice-schema.js';
import { uploadEncoding } from '../protocol/signature.js';
import { ignoreErrors, readProperty } from '../values/untrusted-values.js';
import { makeSignedCall, type MerchantContext } from './make-call.js';
import { buildMultipart } from './multipart.js';
import { allOrThrow, parseCallOptions, parseRequest, requireFields, subjectOf } from './parse-input.js';
import { judgeResult } from './judge-result.js';
import { closeUnread, readUploadFile } from './read-file.js';

/** The result of `uploadInvoice`: the service's response as plain data, and `$metadata`, which is not enumerable. */
export type InvoiceResult = Invoice & WithMetadata;

/** The text fields in the order in which they are sent: the signed fields, the additional fields, and `fileUrl`. */
function textFields(checked: CheckedInvoiceUpload, additional: AdditionalTexts = {}): [string, string][] {
  const entryOf = (name: (typeof signedInvoiceFields)[number] | 'fileUrl'): [string, string][] =>
    checked[name] === undefined ? [] : [[name, checked[name]]];
  return [...signedInvoiceFields.flatMap(entryOf), ...Object.entries(additional), ...entryOf('fileUrl')];
}

const operation = 'uploadInvoice';

/** Prepares a call of `uploadInvoice`. The file is read before anything is sent (specification: Upload invoice). */
export function prepareInvoice(
  request: InvoiceUpload,
  options: UploadInvoiceOptions,
  merchant: MerchantContext,
): Call<Invoice> {
  try {
    return prepareCall(request, options, merchant);
  } catch (error) {
    closeUnread(readProperty(request, 'file'));
    throw error;
  }
}

function prepareCall(
  request: InvoiceUpload,
  options: UploadInvoiceOptions,
  merchant: MerchantContext,
): Call<Invoice> {
  const { merchantId, storeId, sign, shared } = merchant;
  const [checked, callOptions] = allOrThrow(
    subjectOf(operation, request),
    options,
    parseRequest(invoiceUploadSchema, request, { merchantId, storeId }, additionalFieldsHint),
    parseCallOptions(uploadInvoiceOptionRules, options),
    requireFields(request, { merchantId }),
  );
  const { referenceId, file } = checked;
  const { additionalFields, onUploadProgress, mayHaveBeenSent = false } = callOptions;
  const subject = { operation, referenceId } as const;
  const errorContext = { subject, mayHaveBeenSent };
  const { absentFields, signatureEncoding } = merchant.wire;
  const boundary = shared.runtime.boundary();
  const texts = textFields(checked, additionalFields);
  const buildBody = (content?: InvoiceFile) => buildMultipart(texts, content, boundary);
  return makeSignedCall(
    {
      ...endpoints[operation],
      subject,
      contentType: `multipart/form-data; boundary=${boundary}`,
      body: file ? (runner) => readUploadFile(file, runner, errorContext, buildBody) : buildBody(),
      onProgress: onUploadProgress && progressReporter(onUploadProgress),
      signature: sign(invoiceCanonicalString(checked, { absentFields }), uploadEncoding(signatureEncoding)),
      judge: (response) => judgeResult(response, { operation, referenceId }),
    },
    callOptions,
    merchant,
  );
}

function progressReporter(onUploadProgress: NonNullable<UploadInvoiceOptions['onUploadProgress']>) {
  return (transferredBytes: number, totalBytes: number): void => {
    const percent = (transferredBytes / totalBytes) * 100;
    void ignoreErrors(() => onUploadProgress({ transferredBytes, totalBytes, percent }));
  };
}
