import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { allOrThrow, parseInput, parseRequest, subjectOf } from '../operations/parse-input.js';
import { checkOptions } from '../errors/check-options.js';
import { isKeyless, isMerchantOperation, operations, type Operation } from '../protocol/endpoints.js';
import { invoiceUploadSchema } from '../protocol/invoice-schema.js';
import { JsonProblem, jsonTextOf } from '../protocol/json-text.js';
import {
  paymentReceiptNotificationSchema,
  repaymentAllocationNotificationSchema,
} from '../protocol/lender-schemas.js';
import { trueOrFalse } from '../protocol/field-rules.js';
import { paymentRequestSchema } from '../protocol/payment-schema.js';
import { isRecord, jsonIn, readProperty } from '../values/untrusted-values.js';
import { refusedAt, type Parsed } from '../protocol/issues.js';
import type { JobArguments, NewJob } from './job-types.js';
import { backoffType, firstBackoffMs } from './worker-options.js';

/** How the request of an operation is checked and named. */
interface JobKind {
  readonly schema: z.ZodType<object>;
  /** Fields that the worker's client may fill in. */
  readonly clientDefaults: readonly string[];
  /** The field by which a person finds the job. */
  readonly reference: 'referenceId' | 'lenderTransactionCode' | 'contractNumber';
}

const kinds: Readonly<Record<Operation, JobKind>> = {
  initiatePayment: {
    schema: paymentRequestSchema,
    clientDefaults: ['merchantId', 'storeId', 'platformId'],
    reference: 'referenceId',
  },
  uploadInvoice: {
    schema: invoiceUploadSchema,
    clientDefaults: ['merchantId'],
    reference: 'referenceId',
  },
  paymentReceipt: {
    schema: paymentReceiptNotificationSchema,
    clientDefaults: ['lenderCode', 'serviceApplicationId'],
    reference: 'lenderTransactionCode',
  },
  repaymentAllocation: {
    schema: repaymentAllocationNotificationSchema,
    clientDefaults: ['lenderCode', 'serviceApplicationId'],
    reference: 'contractNumber',
  },
};

const placeholder = 'filled-in-by-the-client';

type Fields = Record<string, unknown>;

function without(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** The request with what must not change between runs; `given`, without it, is equal for equal requests. */
function normalise(
  operation: Operation,
  request: unknown,
  hasFile: boolean,
): Parsed<{ readonly given: Fields; readonly request: Fields }> {
  const { schema, clientDefaults } = kinds[operation];
  const isMissing = (name: string) => isRecord(request) && request[name] === undefined;
  if (operation === 'uploadInvoice' && !isMissing('file')) {
    return refusedAt(
      ['file'],
      'must not be in the request: pass what names it beside the request, for loadFile',
    );
  }
  const isMerchants = isMerchantOperation(operation);
  const generated = isMerchants ? {} : { requestId: randomUUID(), requestingDatetime: new Date() };
  const parsed = parseRequest(schema, request, {
    ...Object.fromEntries(clientDefaults.map((name) => [name, placeholder])),
    ...generated,
    // Satisfies the rule that there is a file or a fileUrl. It is never read.
    ...(hasFile && operation === 'uploadInvoice' && { file: { path: placeholder } }),
  });
  if ('issues' in parsed) return parsed;
  const sent = without({ ...parsed.value }, ['file', ...clientDefaults.filter(isMissing)]);
  return { value: { given: without(sent, Object.keys(generated).filter(isMissing)), request: sent } };
}

/** The same text for the same content, whatever the order of its names. */
function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

/** BullMQ refuses IDs with a colon, which a referenceId may have, and IDs that are whole numbers. */
function jobId(operation: Operation, given: Fields, file: unknown, account: unknown): string {
  const reference = encodeURIComponent(String(given[kinds[operation].reference])).slice(0, 100);
  const hash = createHash('sha256').update(canonicalText({ given, file, account })).digest('hex');
  return `${operation}.${reference}.${hash.slice(0, 32)}`;
}

const jobRules = z.strictObject(
  {
    operation: z.enum(operations, `must be one of ${operations.join(', ')}`),
    request: z.unknown(),
    file: z.unknown().optional(),
    repeatUnknown: trueOrFalse.optional(),
    account: z.unknown().optional(),
    mayHaveBeenSent: trueOrFalse.default(false),
  },
  'must be an object with an operation and a request',
);

/**
 * Makes a job of a request, as the arguments of BullMQ's `queue.add`. The request is checked and normalised now; what
 * must not change between runs (`requestId`, times) is filled in now. The same request is the same job: adding it again
 * adds nothing while the first one is kept. A corrected request is another job.
 *
 * Fields that the options of the worker's client fill in may be left out. That client checks the complete request.
 *
 * @example
 * ```ts
 * import type { PaymentRequest } from 'installment-payments';
 * import { createJob } from 'installment-payments/bullmq';
 * import type { Queue } from 'bullmq';
 *
 * export async function enqueue(queue: Queue, order: PaymentRequest): Promise<string | undefined> {
 *   const { name, data, opts } = createJob({ operation: 'initiatePayment', request: order });
 *   const job = await queue.add(name, data, opts);
 *   return job.id;
 * }
 * ```
 * @param job - The operation, its request and, for an upload, what names its file.
 * @throws ValidationError for a request that breaks a rule, ConfigurationError for an unknown operation or option.
 */
export function createJob(job: NewJob): JobArguments {
  const { operation, request, repeatUnknown, mayHaveBeenSent, ...named } = checkOptions(jobRules, job);
  const [{ given, request: sent }, file, account] = allOrThrow(
    isMerchantOperation(operation) ? subjectOf(operation, request) : { operation },
    { mayHaveBeenSent },
    parseInput(() => normalise(operation, request, named.file !== undefined)),
    named.file !== undefined && operation !== 'uploadInvoice'
      ? refusedAt(['file'], 'is for uploadInvoice only')
      : parseInput(() =>
          parseJson('file', named.file, "names the file for loadFile, such as 'invoices/1.pdf'"),
        ),
    parseInput(() => parseJson('account', named.account, "names the merchant, such as 'shop-1'")),
  );
  return {
    name: operation,
    data: {
      request: sent,
      file,
      // Only where it differs from the default of the operation.
      ...(repeatUnknown === isKeyless(operation) && { repeatUnknown }),
      account,
      ...(mayHaveBeenSent && { mayHaveBeenSent }),
    },
    opts: {
      jobId: jobId(operation, given, file, account),
      attempts: 12,
      backoff: { type: backoffType, delay: firstBackoffMs },
      removeOnComplete: { age: 7 * 24 * 60 * 60 },
      removeOnFail: false,
      stackTraceLimit: 3,
    },
  };
}

/** A copy: the caller may change its own before the job is added, and the ID of the job would be of something else. */
function parseJson(field: 'file' | 'account', value: unknown, purpose: string): Parsed<unknown> {
  const json = jsonTextOf({ [field]: value });
  if (!(json instanceof JsonProblem)) return { value: readProperty(jsonIn(json), field) };
  return refusedAt([field], `must be JSON that ${purpose}: it ${json.message}`);
}
