import type { Attributes } from '@opentelemetry/api';
import type { CallMetadata } from '../errors/call-metadata.js';
import { InstallmentError } from '../errors/installment-error.js';
import type { AttemptMessage, CallMessage } from '../http/diagnostics.js';
import { isResultStatus, type Outcome } from '../protocol/result-statuses.js';
import { omitUndefined } from '../values/untrusted-values.js';

/** The replacement for a value that is not documented, as in OpenTelemetry's conventions. */
const other = '_OTHER';

/** The documented status of a response. An undocumented status can be any text, so it is replaced. */
function documentedOrOther(resultStatus: string | undefined): string | undefined {
  return resultStatus === undefined || isResultStatus(resultStatus) ? resultStatus : other;
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
  const withStatus = metadataOf(message)?.attempts.findLast(({ resultStatus }) => resultStatus !== undefined);
  const errorType = message.error instanceof InstallmentError ? message.error.code : other;
  return omitUndefined({
    'installment.outcome': outcomeOf(message),
    'installment.result_status': documentedOrOther(withStatus?.resultStatus),
    'error.type': 'error' in message ? errorType : undefined,
  });
}

/** The identifiers of a call, which the merchant or the lender knows. */
export function referenceAttributes(message: CallMessage): Attributes {
  const metadata = metadataOf(message);
  return omitUndefined({
    'installment.reference_id': metadata?.referenceId,
    'installment.lender_transaction_code': metadata?.lenderTransactionCode,
    'installment.request_id': metadata?.requestId,
  });
}

/** The attributes of one attempt, as in OpenTelemetry's semantic conventions for HTTP client spans. */
export function attemptAttributes(message: AttemptMessage): Attributes {
  const { number, attempt, code, subject, origin, request } = message;
  const { protocol, hostname, port } = new URL(origin);
  return omitUndefined({
    'http.request.method': request.method,
    'server.address': hostname.replace(/^\[(.*)\]$/, '$1'),
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
    // The path of `post` can contain anything.
    'url.full': subject.operation === 'post' ? undefined : `${origin}${request.path}`,
    'http.response.status_code': attempt.httpStatus,
    'http.request.resend_count': number > 1 ? number - 1 : undefined,
    'error.type': code,
    'installment.operation': subject.operation,
    'installment.outcome': attempt.outcome,
    'installment.result_status': documentedOrOther(attempt.resultStatus),
  });
}
