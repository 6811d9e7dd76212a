import type { FailureOutcome } from '../protocol/result-statuses.js';
import { maxInvoices } from '../protocol/limits.js';
import { printable } from '../protocol/issues.js';
import type { CallMetadata, CallName, CallSubject } from './call-metadata.js';

const whenUnknown: Record<CallName, string> = {
  initiatePayment:
    'The service may have acted. Send the same request again: it carries the same idempotency key (what the service ' +
    'does with a repeated key is not documented). Do not create another payment for this order before the outcome is ' +
    'known.',
  uploadInvoice:
    'The service may have stored the invoice. Look it up before you upload it again: an order takes at most ' +
    `${maxInvoices} invoices.`,
  paymentReceipt:
    'The service may have acted. Send the same notification again: lenderTransactionCode is its idempotency key.',
  repaymentAllocation:
    'The service may have acted. Ask the service before you send the allocation again: no idempotency key is ' +
    'documented for it.',
  post: 'The service may have acted. Check whether it did before you send the request again.',
};

export function adviceFor(operation: CallName, outcome: FailureOutcome): string {
  switch (outcome) {
    case 'unknown':
      return whenUnknown[operation];
    case 'rejected':
      return 'The service refused the request.';
    case 'not_sent':
      return 'Nothing was sent, so it is safe to call again.';
  }
}

/** The start of a message: the operation, the reference, and where the request went. */
export function subjectText(subject: CallSubject & Pick<CallMetadata, 'request'>): string {
  const { operation, referenceId, lenderTransactionCode, requestId, request } = subject;
  const reference = referenceId ?? lenderTransactionCode ?? requestId;
  const target = request && `(${request.method} ${request.host}${request.path})`;
  return printable([operation, reference, target].filter(Boolean).join(' '));
}

/** A whole message: the call, what happened, and what to do next. */
export function messageOf(
  problem: string,
  { metadata, outcome }: { readonly metadata?: CallMetadata; readonly outcome: FailureOutcome },
): string {
  if (!metadata) return problem;
  const attempts = metadata.attempts.length > 1 ? ` after ${metadata.attempts.length} attempts` : '';
  return `${subjectText(metadata)}: ${problem}${attempts}. ${adviceFor(metadata.operation, outcome)}`;
}
