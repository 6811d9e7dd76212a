import { declaredTypeFits, detectFileType, maxFileBytes, nameFits } from '../../../protocol/file-types.js';
import { invoiceOwnStatuses, invoiceUploadWireSchema, maxInvoices } from '../../../protocol/invoice.js';
import { utcTimestamp } from '../../../protocol/timestamps.js';
import { issuesOf, type ValidationIssue } from '../../../protocol/validation.js';
import { refused, resultAnswer, scriptedVerdict } from '../responses.js';
import type { Exchange, Verdict } from '../exchange.js';
import { bodyLimits } from '../delivery.js';
import { keptFields } from '../../state/journal.js';
import type { Merchant } from '../merchants.js';
import { describeFile, readForm, shortTextAt, type FormFile, type FormMessage } from '../messages.js';
import type { Parts } from '../parts.js';
import { refusal, refusalFor, type Refusal } from '../refusal.js';
import type { PaymentRecord } from '../../state/payments.js';
import { verifyClient, verifyForm } from '../verify-request.js';
import { checkMerchant, checkRequestTime, checkStore } from './checks.js';
import { handlerOf } from './handler.js';

/** Uploads an invoice for a payment (specification: Endpoints, Upload invoice). */
export const uploadInvoice = handlerOf<FormMessage>({
  bodyLimit: bodyLimits.multipart,
  tooLarge: refusal('FILE_TOO_LARGE', 'The body is larger than 6 MiB.'),
  read: readForm,

  subjectOf: ({ fields }) => ({
    merchantId: shortTextAt(fields, 'merchantId'),
    referenceId: shortTextAt(fields, 'referenceId'),
  }),

  note({ bytes, fields, files }, entry) {
    entry.bodyBytes = bytes.length;
    entry.fields = keptFields(fields);
    entry.files = files.map(describeFile);
  },

  async handle(message, exchange) {
    const { incoming, parts } = exchange;
    const merchant = verifyClient(incoming, parts.merchants);
    if ('resultStatus' in merchant) return refused(exchange, merchant);
    // Without a readable form there is no text whose signature could be checked.
    if (message.problem !== undefined) return refused(exchange, refusal('INVALID_REQUEST', message.problem));
    const unsigned = verifyForm(message, incoming, merchant, parts.merchants);
    if (unsigned) return refused(exchange, unsigned);
    const scripted = scriptedVerdict(exchange);
    if (scripted) return scripted;
    await exchange.pauseBeforeActing();
    return judge(message, merchant, exchange);
  },
});

const approved = { resultStatus: 'APPROVED', resultMsg: 'The invoice was stored.' };

function judge(message: FormMessage, merchant: Merchant, exchange: Exchange): Verdict {
  const { fields, files } = message;
  const { parts } = exchange;
  // When both are sent, the file is used: the fileUrl beside it is not judged.
  const { fileUrl: _fileUrl, ...besideFile } = fields;
  const judged = files.length > 0 ? besideFile : fields;
  const parsed = invoiceUploadWireSchema.safeParse(judged);
  const issues = parsed.success ? [] : issuesOf(parsed.error, judged, invoiceOwnStatuses);
  const early =
    checkRequestTime(exchange.incoming) ??
    refusalFor(issues, 'INVALID_REQUEST') ??
    checkParts(message) ??
    checkMerchant(fields['merchantId'] ?? '', merchant) ??
    refusalFor(issues, 'INVALID_STORE_ID') ??
    (fields['storeId'] === undefined ? undefined : checkStore(fields['storeId'], merchant)) ??
    refusalFor(issues, 'INVALID_REFERENCE_ID');
  if (early) return refused(exchange, early);
  const payment = parts.payments.record(fields['referenceId'] ?? '', merchant.merchantId);
  if (!payment) {
    return refused(exchange, refusal('INVALID_REFERENCE_ID', 'There is no payment with this referenceId.'));
  }
  const late =
    checkPayment(payment, fields['storeId'], parts) ??
    checkFile(files[0], issues) ??
    checkCount(payment, parts);
  return late ? refused(exchange, late) : store(message, payment, exchange);
}

/** Either file or fileUrl must be there; of files there may be that one only. */
function checkParts({ fields, files }: FormMessage): Refusal | undefined {
  const [file, ...others] = files;
  if (others.length > 0 || (file && file.field !== 'file')) {
    return refusal('INVALID_REQUEST', 'The form has a file in another field than file.');
  }
  if (file?.size === 0) return refusal('INVALID_REQUEST', 'The file is empty.');
  return file === undefined && fields['fileUrl'] === undefined
    ? refusal('INVALID_REQUEST', 'The form has neither a file nor a fileUrl.')
    : undefined;
}

/**
 * An invoice is for a payment that can still be paid, or was. The specification has merchants upload after the
 * confirmation, but no status for those who do not: a pending payment is let through. The store of an in-store
 * payment is the one that processed it.
 */
function checkPayment(
  payment: PaymentRecord,
  storeId: string | undefined,
  { payments }: Parts,
): Refusal | undefined {
  const status = payments.statusOf(payment);
  if (status === 'declined' || status === 'expired') {
    return refusal('INVALID_REQUEST', `The payment is ${status}: it has no invoice.`);
  }
  if (!payment.inStore || storeId === payment.storeId) return undefined;
  return storeId === undefined
    ? refusal('INVALID_REQUEST', 'storeId is required for an in-store payment.')
    : refusal('INVALID_STORE_ID', 'The storeId is not that of the in-store payment.');
}

/** The file where there is one; only without it does the fileUrl count. */
function checkFile(file: FormFile | undefined, issues: readonly ValidationIssue[]): Refusal | undefined {
  const wrongUrl = refusalFor(issues, 'INVALID_FILE_TYPE');
  if (!file || wrongUrl) return wrongUrl;
  if (file.size > maxFileBytes) return refusal('FILE_TOO_LARGE', 'The file is larger than 5 MB.');
  const type = detectFileType(file.bytes);
  return type !== undefined && nameFits(file.name, type) && declaredTypeFits(file.type, type)
    ? undefined
    : refusal(
        'INVALID_FILE_TYPE',
        'The file is not a jpg, png, pdf or xml, or its name or type says otherwise.',
      );
}

function checkCount(payment: PaymentRecord, { invoices }: Parts): Refusal | undefined {
  return invoices.countOf(payment) >= maxInvoices
    ? refusal('LIMIT_EXCEEDED', `The order has ${String(maxInvoices)} invoices already.`)
    : undefined;
}

function store({ fields, files }: FormMessage, payment: PaymentRecord, exchange: Exchange): Verdict {
  const { parts } = exchange;
  const file = files[0];
  const fileUrl = fields['fileUrl'];
  const paymentTransId = fields['paymentTransId'] ?? parts.payments.transIdOf(payment);
  const invoice = parts.invoices.create(payment, {
    referenceId: payment.referenceId,
    merchantId: payment.merchantId,
    ...(paymentTransId !== undefined && { paymentTransId }),
    fields: { ...fields },
    ...(file && { file: describeFile(file) }),
    ...(!file && fileUrl !== undefined && { fileUrl }),
  });
  const { invoiceId } = invoice;
  const uploadedAt = utcTimestamp(invoice.uploadedAt);
  return { answer: resultAnswer(exchange, approved, { invoiceId, paymentTransId, uploadedAt }), ...approved };
}
