import type { WithMetadata } from '../errors/call-metadata.js';
import { ValidationError } from '../errors/errors.js';
import { ignoreErrors } from '../errors/ignore-errors.js';
import { describe, wordsOf } from '../errors/safe-words.js';
import { callerCause } from '../errors/redact.js';
import { withinTerms } from '../http/ask-caller.js';
import type { Call } from '../http/call.js';
import type { Runtime } from '../http/runtime.js';
import { uploadInvoiceOptionRules, type UploadInvoiceOptions } from '../options/call-options.js';
import { invoiceCanonicalString, signedInvoiceFields } from '../protocol/canonical-string.js';
import { endpoints } from '../protocol/endpoints.js';
import { checkFile, FileProblem, type InvoiceFile } from '../protocol/file-rules.js';
import type { UnreadSource } from '../protocol/file-source.js';
import type { Invoice, InvoiceUpload } from '../protocol/invoice-types.js';
import { parsedInvoiceUploadSchema, type ParsedInvoiceUpload } from '../protocol/invoice-schema.js';
import { ownCopy } from '../values/untrusted-values.js';
import type { ResultStatus } from '../protocol/result-statuses.js';
import { closingStreams } from './closing-streams.js';
import { allOrThrow, parseCallOptions, parseRequest, subjectOf } from './parse-input.js';
import { readSource } from './read-file.js';
import { buildMultipart } from './multipart.js';
import { processResult, type ExpectedResult } from './process-result.js';
import { runCall } from './run-call.js';
import {
  personalTexts,
  signedCall,
  startCall,
  type UnsentCall,
  type MerchantContext,
} from './signed-call.js';

/** The result of `uploadInvoice`: the service's answer as plain data, and `$metadata`, which is not enumerable. */
export type InvoiceResult = Invoice & WithMetadata;

/** Reads the file of an upload within the terms of the call. */
async function readFile(source: UnreadSource, call: UnsentCall, runtime: Runtime): Promise<InvoiceFile> {
  const refusal = (message: string, resultStatus: ResultStatus, cause?: Error) =>
    new ValidationError([{ path: ['file'], message, resultStatus }], call.subject, cause);
  const unreadable = (error: unknown) => {
    const cause = callerCause(error, call.sensitive());
    // A disk's error names the path. A stream's error comes from the caller's code and stays in the cause.
    const reason = source.kind === 'path' ? cause.message : `${describe(wordsOf(cause))}; see the cause`;
    return refusal(`cannot be read: ${reason}`, 'INVALID_REQUEST', cause);
  };
  const bytes = await withinTerms((signal) => readSource(source, signal), call, runtime, unreadable);
  const file = bytes instanceof FileProblem ? bytes : checkFile(source, bytes);
  if (file instanceof FileProblem) throw refusal(file.message, file.resultStatus);
  return file;
}

function textFields(wire: ParsedInvoiceUpload): [name: string, value: string][] {
  return [...signedInvoiceFields, 'fileUrl' as const].flatMap((name) =>
    wire[name] === undefined ? [] : [[name, wire[name]]],
  );
}

const read: ExpectedResult<Invoice>['read'] = (approved) => ({
  value: approved as Record<string, unknown> & Invoice,
});

const operation = 'uploadInvoice';

/** parse -> read the file -> freeze -> send -> process the response (specification: Upload invoice). */
export function uploadInvoice(
  request: InvoiceUpload,
  options: UploadInvoiceOptions,
  merchant: MerchantContext,
): Promise<InvoiceResult> {
  return runCall(operation, merchant.shared, () =>
    closingStreams(request, () => prepare(request, options, merchant)),
  );
}

async function prepare(
  request: InvoiceUpload,
  options: UploadInvoiceOptions,
  merchant: MerchantContext,
): Promise<Call<Invoice>> {
  const { merchantId, storeId } = merchant;
  // Nothing is awaited before a file in memory has been copied: the caller may change its buffer after the call.
  const [parsed, callOptions] = allOrThrow(
    subjectOf(operation, request),
    parseRequest(parsedInvoiceUploadSchema, request, { merchantId, storeId }),
    parseCallOptions(uploadInvoiceOptionRules, options),
  );
  // Without fields of a polluted Object.prototype.
  const wire = ownCopy(parsed);
  const { runtime } = merchant.shared;
  const { referenceId } = wire;
  const { mayHaveBeenSent, onUploadProgress } = callOptions;
  const about = { subject: { operation, referenceId } as const, ...endpoints[operation] };
  const call = startCall(merchant, about, callOptions, () => personalTexts(wire));
  const file = wire.file && 'kind' in wire.file ? await readFile(wire.file, call, runtime) : wire.file;
  const { contentType, body } = buildMultipart(textFields(wire), file, runtime.boundary());

  const canonical = invoiceCanonicalString(wire, { absentFields: merchant.wire.absentFields });
  // Documented as hex, whatever the switch for initiate says.
  const signature = merchant.signer.sign(canonical, 'hex');
  const totalBytes = body.length;
  const onProgress =
    onUploadProgress &&
    ((transferredBytes: number) => {
      const percent = (transferredBytes / totalBytes) * 100;
      void ignoreErrors(() => onUploadProgress({ transferredBytes, totalBytes, percent }));
    });
  return signedCall(merchant, call, { contentType, body, onProgress }, signature, (response) =>
    processResult(response, { operation, referenceId, merchantId: undefined, mayHaveBeenSent, read }),
  );
}
