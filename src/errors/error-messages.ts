import { maxInvoices } from '../protocol/limits.js';
import { printable } from '../protocol/issues.js';
import type { CallMetadata, CallName, CallSubject } from './call-metadata.js';
import type { ErrorInit } from './errors.js';

/** The advice of an error after an unknown outcome. */
interface UnknownAdvice {
  /** If the error is retryable. An upload or allocation never is. */
  readonly retryable?: string;
  readonly final: string;
}

const noOtherPayment = 'Do not create another payment for this order before the outcome is known.';

const whenUnknown: Record<CallName, UnknownAdvice> = {
  initiatePayment: {
    retryable:
      'Send the same request again, with mayHaveBeenSent: true; it carries the same idempotency key (what the service ' +
      'does with a repeated key is not documented). If the outcome is still unknown after a few repeats, look the ' +
      `payment up or ask the service. ${noOtherPayment}`,
    final: `Look the payment up, or ask the service. ${noOtherPayment}`,
  },
  uploadInvoice: {
    final: `Look the invoice up before you upload it again: a referenceId takes at most ${maxInvoices} invoices.`,
  },
  paymentReceipt: {
    retryable:
      'Send the same notification again, with mayHaveBeenSent: true; lenderTransactionCode is its idempotency key. If ' +
      'the outcome is still unknown after a few repeats, ask the service.',
    final: 'Ask the service whether it has this receipt before you send it again.',
  },
  repaymentAllocation: {
    final: 'Ask the service before you send the allocation again: no idempotency key is documented for it.',
  },
  post: {
    retryable:
      'Send the same request again, with mayHaveBeenSent: true. If the outcome is still unknown after a few repeats, ' +
      'ask the service.',
    final: 'Check whether it did before you send the request again.',
  },
};

type Known = Pick<ErrorInit, 'outcome' | 'retryable' | 'mayHaveActedBefore'>;

export function adviceFor(operation: CallName, { outcome, retryable, mayHaveActedBefore }: Known): string {
  switch (outcome) {
    case 'unknown': {
      const fact = `The service may have acted${mayHaveActedBefore ? ' on an earlier attempt' : ''}.`;
      const advice = whenUnknown[operation];
      return `${fact} ${(retryable ? advice.retryable : undefined) ?? advice.final}`;
    }
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

/** A whole message: the call, the problem, and the next step. */
export function messageOf(problem: string, init: Known & Pick<ErrorInit, 'metadata'>): string {
  const { metadata } = init;
  if (!metadata) return problem;
  const attempts = metadata.attempts.length > 1 ? ` after ${metadata.attempts.length} attempts` : '';
  return `${subjectText(metadata)}: ${problem}${attempts}. ${adviceFor(metadata.operation, init)}`;
}
