import type { Attributes } from '@opentelemetry/api';
import type { CallMetadata } from '../errors/call-metadata.js';
import { InstallmentError } from '../errors/errors.js';
import type { AttemptMessage, CallMessage } from '../http/diagnostics.js';
import { isResultStatus, type Outcome } from '../protocol/result-statuses.js';

/** Stands for any unknown value, as in OpenTelemetry's own conventions. */
const other = '_OTHER';

/** The attribute of a result status. An undocumented one may be anything. */
function resultStatusAttribute(resultStatus: string | undefined): Attributes {
  if (resultStatus === undefined) return {};
  return { 'installment.result_status': isResultStatus(resultStatus) ? resultStatus : other };
}

function metadataOf({ result, error }: CallMessage): CallMetadata | undefined {
  return error instanceof InstallmentError ? error.$metadata : result;
}

export function outcomeOf(message: CallMessage): Outcome {
  if (!('error' in message)) return 'accepted';
  return message.error instanceof InstallmentError ? message.error.outcome : 'unknown';
}

export function attemptsOf(message: CallMessage): number {
  return metadataOf(message)?.attempts.length ?? 0;
}

export function callAttributes(message: CallMessage): Attributes {
  const { error } = message;
  const answered = metadataOf(message)?.attempts.findLast(({ resultStatus }) => resultStatus !== undefined);
  return {
    'installment.outcome': outcomeOf(message),
    ...resultStatusAttribute(answered?.resultStatus),
    ...('error' in message && { 'error.type': error instanceof InstallmentError ? error.code : other }),
  };
}

/** The identifiers of the merchant or the lender. */
export function referenceAttributes(message: CallMessage): Attributes {
  const { referenceId, lenderTransactionCode, requestId } = metadataOf(message) ?? {};
  return {
    ...(referenceId !== undefined && { 'installment.reference_id': referenceId }),
    ...(lenderTransactionCode !== undefined && {
      'installment.lender_transaction_code': lenderTransactionCode,
    }),
    ...(requestId !== undefined && { 'installment.request_id': requestId }),
  };
}

/** One attempt, by OpenTelemetry's semantic conventions for HTTP client spans. */
export function attemptAttributes({ number, attempt, code, subject, origin, request }: AttemptMessage) {
  const { protocol, hostname, port } = new URL(origin);
  const { httpStatus, outcome, resultStatus } = attempt;
  return {
    'http.request.method': request.method,
    'server.address': hostname.replace(/^\[(.*)\]$/, '$1'),
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
    // The path of `post` may contain anything.
    ...(subject.operation !== 'post' && { 'url.full': `${origin}${request.path}` }),
    ...(httpStatus !== undefined && { 'http.response.status_code': httpStatus }),
    ...(number > 1 && { 'http.request.resend_count': number - 1 }),
    ...(code !== undefined && { 'error.type': code }),
    'installment.operation': subject.operation,
    'installment.outcome': outcome,
    ...resultStatusAttribute(resultStatus),
  } satisfies Attributes;
}
