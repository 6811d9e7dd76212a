import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { allOrThrow, parseInput, parseRequest, subjectOf } from '../operations/parse-input.js';
import {
  additionalFieldsHint,
  additionalPaymentFields,
  additionalUploadFields,
} from '../protocol/additional-fields.js';
import { checkOptions } from '../errors/check-options.js';
import { isKeyless, isMerchantOperation } from '../protocol/endpoints.js';
import { invoiceUploadSchema } from '../protocol/invoice-schema.js';
import { JsonProblem, jsonTextOf } from '../protocol/json-text.js';
import {
  paymentReceiptNotificationSchema,
  repaymentAllocationNotificationSchema,
} from '../protocol/lender-schemas.js';
import { trueOrFalse } from '../protocol/field-rules.js';
import { paymentRequestSchema } from '../protocol/payment-schema.js';
import { jsonIn, readProperty } from '../values/untrusted-values.js';
import { parseWith, refusedAt, type Parsed } from '../protocol/issues.js';
import { generatedFields, jobId } from './job-id.js';
import { jobOptions, type JobArguments, type JobData, type NewJob } from './job-types.js';

const schemas: Readonly<Record<NewJob['operation'], z.ZodMiniType<object>>> = {
  initiatePayment: paymentRequestSchema,
  uploadInvoice: invoiceUploadSchema,
  paymentReceipt: paymentReceiptNotificationSchema,
  repaymentAllocation: repaymentAllocationNotificationSchema,
};

const operations = Object.keys(schemas) as NewJob['operation'][];

const additionalRules: Readonly<Record<string, z.ZodMiniType<JobData['additionalFields']>>> = {
  initiatePayment: additionalPaymentFields,
  uploadInvoice: additionalUploadFields,
};
const noAdditionalFields = z.undefined('is for initiatePayment and uploadInvoice only');

/** The request with what must not change between runs, and without its file. */
function normalise(
  operation: NewJob['operation'],
  request: unknown,
  hasFile: boolean,
): Parsed<JobData['request']> {
  if (readProperty(request, 'file') !== undefined)
    return refusedAt(['file'], 'must not be in the request: beside it, pass what names it for loadFile');
  const isOfMerchant = isMerchantOperation(operation);
  const filledIn = {
    ...(!isOfMerchant && { requestId: randomUUID(), requestingDatetime: new Date() }),
    // Satisfies the rule that there is a file or a fileUrl, and is an unknown field elsewhere. It is never read.
    ...(hasFile && { file: { path: 'for loadFile' } }),
  };
  const hint = isOfMerchant ? additionalFieldsHint : undefined;
  const parsed = parseRequest(schemas[operation], request, filledIn, hint);
  if ('issues' in parsed) return parsed;
  return { value: Object.fromEntries(Object.entries(parsed.value).filter(([name]) => name !== 'file')) };
}

const jobRules = z.strictObject(
  {
    operation: z.enum(operations, `must be one of ${operations.join(', ')}`),
    request: z.unknown(),
    file: z.optional(z.unknown()),
    repeatUnknown: z.optional(trueOrFalse),
    account: z.optional(z.unknown()),
    mayHaveBeenSent: z._default(trueOrFalse, false),
    additionalFields: z.optional(z.unknown()),
  },
  'must be an object with an operation and a request',
);

/**
 * Makes a job of a request, as plain JSON; its `name`, `data` and `opts` are the arguments of BullMQ's `queue.add`. The
 * request is checked and normalised now; what must not change between runs (`requestId`, times) is filled in now. Fields
 * that the worker's client fills in may be left out: that client checks the complete request.
 *
 * The same request has the same ID, and adding it again adds nothing while the first job is kept. A corrected request is
 * another job. A job is sent only under its own ID: a copy has no history, and could be sent twice.
 *
 * @example
 * ```ts
 * import type { PaymentRequest } from 'installment-payments';
 * import { createJob } from 'installment-payments/queue';
 * import type { Pool } from 'pg';
 *
 * export async function placeOrder(database: Pool, order: PaymentRequest): Promise<void> {
 *   const { id, name, data } = createJob({ operation: 'initiatePayment', request: order });
 *   const sql = 'INSERT INTO jobs (id, name, data) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';
 *   await database.query(sql, [id, name, JSON.stringify(data)]);
 * }
 * ```
 * @param job - The operation, its request and, for an upload, what names its file.
 * @throws ValidationError for a request that breaks a rule, ConfigurationError for an unknown operation or option.
 */
export function createJob(job: NewJob): JobArguments {
  const { operation, request, repeatUnknown, mayHaveBeenSent, ...named } = checkOptions(jobRules, job);
  const additionalFields = z.optional(additionalRules[operation] ?? noAdditionalFields);
  const [normalised, file, account, additional] = allOrThrow(
    isMerchantOperation(operation) ? subjectOf(operation, request) : { operation },
    { mayHaveBeenSent },
    parseInput(() => normalise(operation, request, named.file !== undefined)),
    parseJson('file', named.file, "names the file for loadFile, such as 'invoices/1.pdf'"),
    parseJson('account', named.account, "names the merchant, such as 'shop-1'"),
    parseInput(() => parseWith(z.object({ additionalFields }), named)),
  );
  const data: JobData = {
    request: normalised,
    file,
    // Only where it differs from the default of the operation.
    ...(repeatUnknown === isKeyless(operation) && { repeatUnknown }),
    account,
    ...(mayHaveBeenSent && { mayHaveBeenSent }),
    ...additional,
  };
  const generated = generatedFields.filter((name) => readProperty(request, name) === undefined);
  const id = jobId(operation, data, generated);
  return { id, name: operation, data, opts: { jobId: id, ...structuredClone(jobOptions) } };
}

/** A copy: the caller may change its own before the job is added, and the ID of the job would be of something else. */
function parseJson(field: string, value: unknown, purpose: string): Parsed<unknown> {
  const json = jsonTextOf({ [field]: value });
  if (!(json instanceof JsonProblem)) return { value: readProperty(jsonIn(json), field) };
  return refusedAt([field], `must be JSON that ${purpose}: it ${json.message}`);
}
