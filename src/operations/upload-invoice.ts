import type { CallSubject, WithMetadata } from '../errors/call-metadata.js';
import { ValidationError } from '../errors/errors.js';
import { endpoints } from '../protocol/endpoints.js';
import { invoiceCanonicalString, signedInvoiceFields } from '../protocol/canonical-string.js';
import { fileSourceOf, type FileSource } from '../protocol/file-source.js';
import { invoiceOwnStatuses, invoiceUploadSchema } from '../protocol/invoice.js';
import type { Invoice, InvoiceUpload, InvoiceUploadWire } from '../protocol/invoice-types.js';
import { hmacSha256 } from '../protocol/signature.js';
import { issuesOf, type Parsed, type ValidationIssue } from '../protocol/validation.js';
import { ignoreErrors } from '../errors/ignore-errors.js';
import { callerCause } from '../errors/redact.js';
import { beforeFirstByte } from '../http/call.js';
import { startLimits, type CallLimits } from '../http/limits.js';
import { targetOf } from '../http/transport.js';
import {
  parseOptions,
  uploadInvoiceOptionRules,
  type UploadInvoiceOptions,
} from '../options/call-options.js';
import { checkFile, FileProblem, readSource, type InvoiceFile } from './invoice-file.js';
import { bothOrThrow, parseInput, subjectOf, withDefaults } from './input.js';
import { processResult, type ExpectedResult } from './result.js';
import { personalTexts, secretsOf, sendSigned, urlOf, type MerchantContext } from './send-signed.js';
import type { Multipart } from './multipart.js';

/** What `uploadInvoice` gives back: the service's answer as plain data, and `$metadata`, which is not enumerable. */
export type InvoiceResult = Invoice & WithMetadata;

/** An upload whose fields are checked; a file that is in memory already is checked with them. */
interface ParsedUpload {
  readonly wire: InvoiceUploadWire;
  readonly source: FileSource | undefined;
  readonly file: InvoiceFile | undefined;
}

function sourceOf(request: unknown): FileSource | undefined {
  const file: unknown = Object(request) === request ? Reflect.get(request as object, 'file') : undefined;
  const source = file === undefined ? undefined : fileSourceOf(file);
  return typeof source === 'string' ? undefined : source;
}

function release(source: FileSource | undefined): void {
  if (source?.kind === 'stream') source.release();
}

function issueOf({ message, resultStatus }: FileProblem): ValidationIssue {
  return { path: ['file'], message, resultStatus };
}

function parseUpload(
  request: unknown,
  { merchantId, storeId }: MerchantContext['defaults'],
): Parsed<ParsedUpload> {
  const complete = withDefaults(request, { merchantId, storeId });
  const result = invoiceUploadSchema.safeParse(complete);
  const issues = result.success ? [] : issuesOf(result.error, complete, invoiceOwnStatuses);
  const source = sourceOf(complete);
  let file: InvoiceFile | undefined;
  if (source?.kind === 'bytes') {
    const checked = checkFile(source, source.bytes);
    if (checked instanceof FileProblem) issues.push(issueOf(checked));
    else file = checked;
  }
  return result.success && issues.length === 0 ? { value: { wire: result.data, source, file } } : { issues };
}

/** The file of an upload, read within the time of the call where it is not in memory yet. */
async function readFile(
  source: Exclude<FileSource, { kind: 'bytes' }>,
  subject: CallSubject,
  limits: CallLimits,
  merchant: MerchantContext,
): Promise<InvoiceFile> {
  const call = {
    subject,
    target: targetOf(urlOf(merchant, endpoints.uploadInvoice.path)),
    policy: 'once',
    limits,
  } as const;
  let read: Uint8Array | FileProblem;
  try {
    const result = await beforeFirstByte((signal) => readSource(source, signal), call, merchant.shared);
    if ('error' in result) throw result.error;
    read = result.value;
  } finally {
    // Whatever ended the reading: a stream that was handed over is not left open.
    release(source);
  }
  const file = read instanceof FileProblem ? read : checkFile(source, read);
  if (!(file instanceof FileProblem)) return file;
  const { origin } = file;
  const cause = origin === undefined ? undefined : callerCause(origin, secretsOf(merchant));
  throw new ValidationError([issueOf(file)], subject, cause);
}

// form-data takes longer to load than the rest of the package together; the first upload loads it.
const loadMultipart = () => import('./multipart.js');
let multipart: Awaited<ReturnType<typeof loadMultipart>> | undefined;

/** The body of an upload. It keeps nothing of the caller's buffer, not even while form-data loads. */
async function freeze(
  wire: InvoiceUploadWire,
  file: InvoiceFile | undefined,
  boundary: string,
): Promise<Multipart> {
  if (multipart) return multipart.buildMultipart(textFields(wire), file, boundary);
  const kept = file && { ...file, bytes: new Uint8Array(file.bytes) };
  multipart = await loadMultipart();
  return multipart.buildMultipart(textFields(wire), kept, boundary);
}

function textFields(wire: InvoiceUploadWire): [name: string, value: string][] {
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
    void ignoreErrors(() => report({ transferredBytes, totalBytes, percent }));
  };
}

const readInvoice: ExpectedResult<Invoice>['read'] = (approved) => ({
  value: approved as Record<string, unknown> & Invoice,
});

/** Both parts of the input. A stream that was handed over is not left open where the rest is refused. */
function parseCall(
  request: unknown,
  options: unknown,
  merchant: MerchantContext,
): [upload: ParsedUpload, options: UploadInvoiceOptions] {
  try {
    return bothOrThrow(
      parseInput(() => parseUpload(request, merchant.defaults)),
      parseInput(() => parseOptions(uploadInvoiceOptionRules, options), ['options']),
      subjectOf('uploadInvoice', request),
    );
  } catch (error) {
    void ignoreErrors(() => {
      release(sourceOf(request));
    });
    throw error;
  }
}

/** parse -> read the file -> freeze -> send -> process the response (specification: Upload invoice). */
export async function uploadInvoice(
  request: InvoiceUpload,
  options: UploadInvoiceOptions,
  merchant: MerchantContext,
): Promise<InvoiceResult> {
  const operation = 'uploadInvoice';
  // Nothing is awaited before a file in memory has been copied: the caller may change its buffer after the call.
  const [{ wire, source, file: inMemory }, callOptions] = parseCall(request, options, merchant);
  const { runtime } = merchant.shared;
  const limits = startLimits(callOptions, merchant.limits, runtime);
  const { referenceId } = wire;
  const subject = Object.freeze({ operation, referenceId });
  const file =
    source === undefined || source.kind === 'bytes'
      ? inMemory
      : await readFile(source, subject, limits, merchant);
  const { contentType, body } = await freeze(wire, file, runtime.boundary());

  const canonical = invoiceCanonicalString(wire, { absentFields: merchant.absentFields });
  const { mayHaveBeenSent = false, onUploadProgress } = callOptions;
  return sendSigned(
    {
      subject,
      path: endpoints[operation].path,
      policy: 'once',
      contentType,
      body,
      // Documented as hex, whatever the switch for initiate says.
      signature: hmacSha256(canonical, merchant.secretKey, 'hex'),
      limits,
      processResponse: (response) =>
        processResult(response, { operation, referenceId, mayHaveBeenSent, read: readInvoice }),
      onProgress: progressReporter(onUploadProgress, body.length),
      personal: () => personalTexts(wire),
    },
    merchant,
  );
}
