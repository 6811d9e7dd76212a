import { invoiceCanonicalString } from '../../../protocol/canonical-string.js';
import { declaredTypeFits, detectFileType, nameFits } from '../../../protocol/file-types.js';
import { knownHeaders } from '../../../protocol/headers.js';
import { invoiceUploadWireSchema } from '../../../protocol/invoice-schema.js';
import type { ValidationIssue } from '../../../protocol/issues.js';
import { maxFileBytes, maxFileMegabytes, maxInvoices } from '../../../protocol/limits.js';
import { hmacSha256 } from '../../../protocol/signature.js';
import { utcTimestamp } from '../../../protocol/timestamps.js';
import { diagnoseForm } from '../../diagnosis/diagnose.js';
import type { MockInvoice } from '../../state/invoices.js';
import type { PaymentRecord } from '../../state/payment-record.js';
import { authenticateMerchant, type Signed } from '../authenticate-merchant.js';
import { checkMerchant, checkRequestTime, checkStore } from '../merchant-checks.js';
import type { RegisteredMerchant } from '../merchants.js';
import { describeFile, readForm, type FormFile, type FormMessage } from '../messages.js';
import type { MockContext } from '../mock-context.js';
import type { OperationResult, OperationRow, RequestContext } from '../operation-row.js';
import { checkFields, refusal, refusalFor, refusalUnless, type CheckResult } from '../refusals.js';

/** Uploads an invoice for a payment (specification: Endpoints, Upload invoice). */
export const uploadInvoice: OperationRow<FormMessage, RegisteredMerchant> = {
  read: (bytes, request) => readForm(bytes, request.header(knownHeaders.contentType.name)),
  authenticate: ({ bytes, fields, problem }, context) => {
    const { wire } = context.mock;
    const mediaType = context.request.header(knownHeaders.contentType.name);
    const signed = {
      problem,
      size: bytes.length,
      // Documented as a hex string; its case is not.
      anyCase: true,
      signatureWith: (key) => hmacSha256(invoiceCanonicalString(fields, wire), key),
      diagnose: (refused) => diagnoseForm(readForm(bytes, mediaType), refused),
    } satisfies Signed;
    return authenticateMerchant(signed, context);
  },
  async act(message, merchant, context) {
    await context.faults.delayBeforeActing();
    return storeInvoice(message, merchant, context);
  },
};

function storeInvoice(
  message: FormMessage,
  merchant: RegisteredMerchant,
  { request, entry, mock }: RequestContext,
): OperationResult {
  const { fields, files } = message;
  // When both are sent, the file is used: the fileUrl beside it is not checked.
  const { fileUrl, ...besideFile } = fields;
  const checked = files.length > 0 ? besideFile : fields;
  const { issues, unknownFields } = checkFields(invoiceUploadWireSchema, checked);
  if (unknownFields.length > 0) entry.unknownFields = unknownFields;
  const refused =
    checkRequestTime(request) ??
    refusalFor(issues, 'INVALID_REQUEST') ??
    checkParts(message) ??
    checkMerchant(fields['merchantId'] ?? '', merchant) ??
    refusalFor(issues, 'INVALID_STORE_ID') ??
    (fields['storeId'] === undefined ? undefined : checkStore(fields['storeId'], merchant)) ??
    refusalFor(issues, 'INVALID_REFERENCE_ID');
  if (refused) return refused;
  const payment = mock.payments.record(fields['referenceId'] ?? '', merchant.merchantId);
  if (!payment) return refusal('INVALID_REFERENCE_ID', 'No payment has this referenceId.');
  const [file] = files;
  const refusedLater =
    checkStatus(payment, mock) ?? checkPaymentStore(payment, fields['storeId']) ?? checkFile(file, issues);
  if (refusedLater) return refusedLater;

  const paymentTransId = fields['paymentTransId'] ?? mock.payments.transIdOf(payment);
  const invoice = {
    ...(paymentTransId !== undefined && { paymentTransId }),
    fields: { ...fields },
    ...(file ? { file: describeFile(file) } : fileUrl !== undefined && { fileUrl }),
  };
  const earlier = mock.invoices.sameAs(payment, invoice);
  if (earlier && mock.world().uploads === 'recognised') return { ...storedResult(earlier), replay: true };
  if (payment.invoices.length >= maxInvoices) {
    return refusal('LIMIT_EXCEEDED', `The referenceId already has ${maxInvoices} invoices.`);
  }
  const acted = earlier ? 'file-again' : 'file';
  return { ...storedResult(mock.invoices.create(payment, invoice)), acted };
}

function storedResult({ invoiceId, paymentTransId, uploadedAt }: MockInvoice): OperationResult {
  return {
    resultStatus: 'APPROVED',
    resultMsg: 'The invoice was stored.',
    fields: { invoiceId, paymentTransId, uploadedAt: utcTimestamp(uploadedAt) },
  };
}

/** Either file or fileUrl must be provided, and no file besides. */
function checkParts({ fields, files: [file, ...others] }: FormMessage): CheckResult {
  const isOnly = others.length === 0 && (!file || file.field === 'file');
  const isPresent = file !== undefined || fields['fileUrl'] !== undefined;
  return (
    refusalUnless(isOnly, 'INVALID_REQUEST', 'The only file of the form must be in the field file.') ??
    refusalUnless(file?.size !== 0, 'INVALID_REQUEST', 'The file is empty.') ??
    refusalUnless(isPresent, 'INVALID_REQUEST', 'Either file or fileUrl is required.')
  );
}

/** The specification has merchants upload after the confirmation only; which status refuses others is ours. */
function checkStatus(payment: PaymentRecord, { payments, uploads }: MockContext): CheckResult {
  const status = payments.statusOf(payment);
  if (status === 'paid' || (status === 'pending' && uploads === 'any')) return undefined;
  const hint = status === 'pending' ? ' In the mock, settle the payment first.' : '';
  return refusal('INVALID_REFERENCE_ID', `The payment is ${status}: an invoice needs a paid payment.${hint}`);
}

/** The store of an in-store payment is the one that processed it. */
function checkPaymentStore(payment: PaymentRecord, storeId: string | undefined): CheckResult {
  if (!payment.inStore || storeId === payment.storeId) return undefined;
  return storeId === undefined
    ? refusal('INVALID_REQUEST', 'storeId is required for an in-store payment.')
    : refusal('INVALID_STORE_ID', 'The storeId is not the store of the in-store payment.');
}

function checkFile(file: FormFile | undefined, issues: readonly ValidationIssue[]): CheckResult {
  if (!file) return refusalFor(issues, 'INVALID_FILE_TYPE');
  const type = detectFileType(file.bytes);
  return (
    refusalUnless(
      file.size <= maxFileBytes,
      'FILE_TOO_LARGE',
      `The file is larger than ${maxFileMegabytes} MB.`,
    ) ??
    refusalUnless(
      type !== undefined && nameFits(file.name, type) && declaredTypeFits(file.type, type),
      'INVALID_FILE_TYPE',
      'The content of the file must be jpg, png, pdf or xml, and its name and declared type must match.',
    )
  );
}
