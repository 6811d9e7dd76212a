import { maxInvoices } from '../protocol/limits.js';
import { printable } from '../protocol/issues.js';
import type { CallMetadata, CallName, CallSubject } from './call-metadata.js';
import type { ErrorInit } from './installment-error.js';

/** The advice of an error after an unknown outcome, and what an earlier one means for a call that was not sent. */
interface Advice {
  /** If the error is retryable. An upload or allocation never is. */
  readonly retryable?: string;
  readonly final: string;
  /** Goes on after "it is safe to call again". */
  readonly notSent: string;
}

const noOtherPayment = 'Do not create another payment for this order before the outcome is known.';

// An outcome is of one call. The one before it may have created a payment.
const repeatIsSafe = '; pass mayHaveBeenSent: true if an earlier call of this request ended unknown';

const advices: Record<CallName, Advice> = {
  initiatePayment: {
    retryable:
      'Send the same request again, with mayHaveBeenSent: true; it carries the same idempotency key (what the service ' +
      'does with a repeated key is not documented). If the outcome is still unknown after a few repeats, look the ' +
      `payment up or ask the service. ${noOtherPayment}`,
    final: `Look the payment up, or ask the service. ${noOtherPayment}`,
    notSent: repeatIsSafe,
  },
  uploadInvoice: {
    final: `Look the invoice up before you upload it again: a referenceId takes at most ${maxInvoices} invoices.`,
    notSent: ', unless an earlier upload of this file ended unknown',
  },
  paymentReceipt: {
    retryable:
      'Send the same notification again, with mayHaveBeenSent: true; lenderTransactionCode is its idempotency key. If ' +
      'the outcome is still unknown after a few repeats, ask the service.',
    final: 'Ask the service whether it has this receipt before you send it again.',
    notSent: repeatIsSafe,
  },
  repaymentAllocation: {
    final: 'Ask the service before you send the allocation again: no idempotency key is documented for it.',
    notSent: ', unless an earlier call of this allocation ended unknown',
  },
  post: {
    retryable:
      'Send the same request again, with mayHaveBeenSent: true. If the outcome is still unknown after a few repeats, ' +
      'ask the service.',
    final: 'Check whether it did before you send the request again.',
    notSent: repeatIsSafe,
  },
};

type Known = Pick<ErrorInit, 'outcome' | 'retryable' | 'mayHaveActedBefore' | 'retryAfterMs'>;

export function adviceFor(
  operation: CallName,
  { outcome, retryable, mayHaveActedBefore, retryAfterMs }: Known,
): string {
  const advice = advices[operation];
  switch (outcome) {
    case 'unknown': {
      const fact = `The service may have acted${mayHaveActedBefore ? ' on an earlier attempt' : ''}.`;
      return `${fact} ${(retryable ? advice.retryable : undefined) ?? advice.final}`;
    }
    case 'rejected': {
      const when = retryAfterMs === undefined ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s or later`;
      return `The request was refused${retryable ? ` for now: call again ${when}` : ''}.`;
    }
    case 'not_sent':
      return retryable
        ? `Nothing was sent by this call, so it is safe to call again${advice.notSent}.`
        : 'Nothing was sent by this call. It fails again until the cause is removed: a certificate, TLS or a proxy.';
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
