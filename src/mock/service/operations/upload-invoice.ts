import { isDeepStrictEqual } from 'node:util';
import { invoiceCanonicalString } from '../../../protocol/canonical-string.js';
import { endpoints } from '../../../protocol/endpoints.js';
import { declaredTypeFits, detectFileType, nameFits } from '../../../protocol/file-types.js';
import { knownHeaders } from '../../../protocol/headers.js';
import { invoiceUploadWireSchema } from '../../../protocol/invoice-schema.js';
import { maxFileBytes, maxFileMegabytes, maxInvoices } from '../../../protocol/limits.js';
import { hmacSha256, uploadEncoding } from '../../../protocol/signature.js';
import { utcForm } from '../../../protocol/timestamps.js';
import type { MockInvoice, NewInvoice } from '../../state/invoices.js';
import type { MockPayment } from '../../state/payment-record.js';
import { authenticateMerchant, type Signed } from '../authenticate-merchant.js';
import type { RegisteredMerchant } from '../merchants.js';
import { describeFile, readForm, type FormFile, type FormMessage } from '../messages.js';
import type { MockContext, OperationResult, OperationRow, RequestContext } from '../mock-context.js';
import { checkIds, checkShape, refuseIssues, refuseUnless, refuseUnread } from '../refusals.js';
import { waitForNetwork } from '../request-faults.js';

/** Uploads an invoice for a payment (specification: Endpoints, Upload invoice). */
export const uploadInvoice: OperationRow<FormMessage, RegisteredMerchant> = {
  ...endpoints.uploadInvoice,
  recorded: { operation: 'uploadInvoice' },
  read: (bytes, request) => readForm(bytes, request.header(knownHeaders.contentType.name)),
  authenticate(message, context) {
    const { bytes, fields, problem } = message;
    const { wire, diagnose } = context.mock;
    const mediaType = context.request.header(knownHeaders.contentType.name);
    const signed: Signed = {
      // The specification says that the signature is a hex string, but not whether in upper or lower case.
      anyCase: true,
      signatureWith(key) {
        refuseUnread(problem);
        return hmacSha256(invoiceCanonicalString(fields, wire), key, uploadEncoding(wire.signatureEncoding));
      },
      diagnose: (refused) => diagnose.form(readForm(bytes, mediaType), refused),
    };
    return authenticateMerchant(message, signed, context);
  },
  async act(message, merchant, context) {
    await waitForNetwork(context, 'before');
    return storeInvoice(message, merchant, context);
  },
};

function storeInvoice(
  message: FormMessage,
  merchant: RegisteredMerchant,
  context: RequestContext,
): OperationResult {
  const { mock } = context;
  const { fields, files } = message;
  const [file] = files;
  // If a file and a fileUrl are sent, the file is used, and the fileUrl is not checked.
  const { fileUrl, ...withoutUrl } = fields;
  const { storeId, referenceId = '' } = fields;
  const issues = checkShape(invoiceUploadWireSchema, file ? withoutUrl : fields, context);
  checkParts(message);
  checkIds(fields, issues, merchant);
  const payment = mock.payments.get(referenceId, merchant.merchantId);
  refuseUnless(payment, 'INVALID_REFERENCE_ID', 'No payment has this referenceId.');
  checkStatus(payment, mock.uploads);
  // It is assumed that INVALID_REFERENCE_ID ("does not match") also applies to a wrong paymentTransId, because the
  // response contains the paymentTransId "if provided/matched".
  const isMatch = !fields['paymentTransId'] || fields['paymentTransId'] === payment.paymentTransId;
  refuseUnless(isMatch, 'INVALID_REFERENCE_ID', 'The paymentTransId does not belong to this payment.');
  checkPaymentStore(payment, storeId);
  refuseIssues(issues, 'INVALID_FILE_TYPE');
  if (file) checkFile(file);

  const { paymentTransId } = payment;
  const invoice = {
    ...(paymentTransId !== undefined && { paymentTransId }),
    fields: { ...fields },
    ...(file ? { file: describeFile(file) } : fileUrl !== undefined && { fileUrl }),
  };
  const stored = mock.payments.invoicesOf(payment);
  const content = ({ fields, file, fileUrl }: NewInvoice) => [fields, file, fileUrl];
  const earlier = stored.find((known) => isDeepStrictEqual(content(known), content(invoice)));
  if (earlier && mock.scenario().uploads === 'recognised') return { ...storedResult(earlier), replay: true };
  const isBelowLimit = stored.length < maxInvoices;
  refuseUnless(isBelowLimit, 'LIMIT_EXCEEDED', `The referenceId already has ${maxInvoices} invoices.`);
  const act = earlier ? 'file-again' : 'file';
  return { ...storedResult(mock.payments.addInvoice(payment, invoice)), act };
}

function storedResult({ invoiceId, paymentTransId, uploadedAt }: MockInvoice): OperationResult {
  return {
    resultStatus: 'APPROVED',
    resultMsg: 'The invoice was stored.',
    fields: { invoiceId, paymentTransId, uploadedAt: utcForm.write(uploadedAt) },
  };
}

/** Checks that the form contains a file or a fileUrl, and no other file. */
function checkParts({ fields, files: [file, ...others] }: FormMessage): void {
  const isOnly = others.length === 0 && (!file || file.field === 'file');
  refuseUnless(isOnly, 'INVALID_REQUEST', 'The form must contain at most one file, in the field named file.');
  refuseUnless(file?.size !== 0, 'INVALID_REQUEST', 'The file is empty.');
  const isPresent = file !== undefined || fields['fileUrl'] !== undefined;
  refuseUnless(isPresent, 'INVALID_REQUEST', 'Either file or fileUrl is required.');
}

/**
 * The specification lets merchants upload only after the payment is confirmed. The resultStatus for earlier uploads is
 * assumed.
 */
function checkStatus({ referenceId, status }: MockPayment, uploads: MockContext['uploads']): void {
  const isAccepted = status === 'paid' || (status === 'pending' && uploads === 'any');
  const hint = status === 'pending' ? ` In a test, call mock.settle('${referenceId}', 'paid') first.` : '';
  const message = `The payment is ${status}: invoices are accepted only after it is paid.${hint}`;
  refuseUnless(isAccepted, 'INVALID_REFERENCE_ID', message);
}

/** Checks that an upload for a POS payment names the store of the payment. */
function checkPaymentStore({ request }: MockPayment, storeId: string | undefined): void {
  if (request.paymentMethod !== 'POS') return;
  const required = 'storeId is required, because the paymentMethod of the payment is POS.';
  refuseUnless(storeId !== undefined, 'INVALID_REQUEST', required);
  const isRight = storeId === request.storeId;
  refuseUnless(isRight, 'INVALID_STORE_ID', 'The storeId differs from the storeId of the POS payment.');
}

function checkFile({ name, type: declared, size, bytes }: FormFile): void {
  const tooLarge = `The file is larger than ${maxFileMegabytes} MB.`;
  refuseUnless(size <= maxFileBytes, 'FILE_TOO_LARGE', tooLarge);
  const type = detectFileType(bytes);
  const fits = type !== undefined && nameFits(name, type) && declaredTypeFits(declared, type);
  const rule =
    'The content of the file must be jpg, png, pdf or xml, and the name and declared type must match the content.';
  refuseUnless(fits, 'INVALID_FILE_TYPE', rule);
}
