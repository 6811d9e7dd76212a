import { beforeFirstByte, type WithMetadata } from '../http/call.js';
import type { CallLimits } from '../http/retry.js';
import type { CallSubject } from '../errors/call-metadata.js';
import { ValidationError } from '../errors/errors.js';
import { invoiceCanonicalString, signedInvoiceFields } from '../protocol/canonical-string.js';
import { checkFile, FileProblem, type InvoiceFile } from '../protocol/file-check.js';
import type { UnreadSource } from '../protocol/file-source.js';
import {
  invoiceOwnStatuses,
  parsedInvoiceUploadSchema,
  type ParsedInvoiceUpload,
} from '../protocol/invoice.js';
import type { Invoice, InvoiceUpload } from '../protocol/invoice-types.js';
import { hmacSha256 } from '../protocol/signature.js';
import { issuesOf, type Parsed } from '../protocol/validation.js';
import { quietly } from '../errors/ignore-errors.js';
import { callerCause } from '../errors/redact.js';
import {
  parseOptions,
  startLimits,
  uploadInvoiceOptionRules,
  type UploadInvoiceOptions,
} from '../options/call-options.js';
import { closingStreams } from './closing-streams.js';
import { readSource } from './invoice-file.js';
import { bothOrThrow, parseInput, subjectOf, withDefaults } from './input.js';
import { sendPrepared, type Merchant } from './merchant.js';
import type { Multipart } from './multipart.js';

/** What `uploadInvoice` gives back: the service's answer as plain data, and `$metadata`, which is not enumerable. */
export type InvoiceResult = Invoice & WithMetadata;

function parseUpload(
  request: unknown,
  { merchantId, storeId }: Merchant['defaults'],
): Parsed<ParsedInvoiceUpload> {
  const complete = withDefaults(request, { merchantId, storeId });
  const result = parsedInvoiceUploadSchema.safeParse(complete);
  return result.success
    ? { value: result.data }
    : { issues: issuesOf(result.error, complete, invoiceOwnStatuses) };
}

/** The file of an upload, read within the time of the call where it is not in memory yet. */
async function readFile(
  source: UnreadSource,
  subject: CallSubject,
  limits: CallLimits,
  merchant: Merchant,
): Promise<InvoiceFile> {
  const { shared, secretKey } = merchant;
  const read = await beforeFirstByte((signal) => readSource(source, signal), { subject, limits, shared });
  const file = read instanceof FileProblem ? read : checkFile(source, read);
  if (!(file instanceof FileProblem)) return file;
  const { message, resultStatus, origin } = file;
  const cause = origin === undefined ? undefined : callerCause(origin, [secretKey.export().toString()]);
  // The error of a disk names the path; that of a stream is the caller's own and stays in the cause.
  const shown = cause && source.kind === 'path' ? `cannot be read: ${cause.message}` : message;
  throw new ValidationError([{ path: ['file'], message: shown, resultStatus }], subject, cause);
}

// form-data takes longer to load than the rest of the package together; the first upload loads it.
const loadMultipart = () => import('./multipart.js');
let multipart: Awaited<ReturnType<typeof loadMultipart>> | undefined;

/** The body of an upload. It keeps nothing of the caller's buffer, not even while form-data loads. */
async function freeze(
  wire: ParsedInvoiceUpload,
  file: InvoiceFile | undefined,
  boundary: string,
): Promise<Multipart> {
  if (multipart) return multipart.buildMultipart(textFields(wire), file, boundary);
  const kept = file && { ...file, bytes: new Uint8Array(file.bytes) };
  multipart = await loadMultipart();
  return multipart.buildMultipart(textFields(wire), kept, boundary);
}

function textFields(wire: ParsedInvoiceUpload): [name: string, value: string][] {
  return [...signedInvoiceFields, 'fileUrl' as const].flatMap((name): [string, string][] => {
    const value = wire[name];
    return value === undefined ? [] : [[name, value]];
  });
}

function progressReporter(
  report: UploadInvoiceOptions['onUploadProgress'],
  totalBytes: number,
): ((transferredBytes: number) => void) | undefined {
  if (!report) return undefined;
  return (transferredBytes) => {
    const percent = (transferredBytes / totalBytes) * 100;
    void quietly(() => report({ transferredBytes, totalBytes, percent }));
  };
}

function isInvoice(body: Record<string, unknown>): body is Record<string, unknown> & Invoice {
  return body['resultStatus'] === 'APPROVED';
}

/** parse -> read the file -> freeze -> send -> judge (specification: Upload invoice). */
export async function uploadInvoice(
  request: InvoiceUpload,
  options: UploadInvoiceOptions,
  merchant: Merchant,
): Promise<InvoiceResult> {
  return closingStreams(request, () => upload(request, options, merchant));
}

async function upload(
  request: InvoiceUpload,
  options: UploadInvoiceOptions,
  merchant: Merchant,
): Promise<InvoiceResult> {
  const operation = 'uploadInvoice';
  // Nothing is awaited before a file in memory has been copied: the caller may change its buffer after the call.
  const [wire, callOptions] = bothOrThrow(
    parseInput(() => parseUpload(request, merchant.defaults)),
    parseInput(() => parseOptions(uploadInvoiceOptionRules, options), ['options']),
    subjectOf(operation, request),
  );
  const { runtime } = merchant.shared;
  const limits = startLimits(callOptions, merchant.limits, runtime);
  const subject = Object.freeze({ operation, referenceId: wire.referenceId });
  const file =
    wire.file && 'kind' in wire.file ? await readFile(wire.file, subject, limits, merchant) : wire.file;
  const frozen = await freeze(wire, file, runtime.boundary());

  const canonical = invoiceCanonicalString(wire, { absentFields: merchant.absentFields });
  return sendPrepared<Invoice>(
    {
      subject,
      policy: 'once',
      ...frozen,
      signature: hmacSha256(canonical, merchant.secretKey, merchant.signatureEncoding),
      limits,
      mayHaveBeenSent: callOptions.mayHaveBeenSent ?? false,
      isResult: isInvoice,
      onProgress: progressReporter(callOptions.onUploadProgress, frozen.body.length),
    },
    merchant,
    wire,
  );
}
