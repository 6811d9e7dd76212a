import { maxInvoices } from '../protocol/limits.js';
import { printable } from '../values/texts.js';
import { isMerchantOperation } from '../protocol/endpoints.js';
import { errorStatusInfo, isErrorStatus, resultStatuses } from '../protocol/result-statuses.js';
import type { CallMetadata, CallName } from './call-metadata.js';
import { errorTable, type FailureCode } from './error-codes.js';
import type { Failure } from './failure.js';
import type { InstallmentError } from './installment-error.js';

const noOtherPayment = 'Do not create another payment for this order before the outcome is known.';
const repeat =
  'Send the same request again, with mayHaveBeenSent: true. If the outcome is still unknown after a few retries, ' +
  'ask the provider. The specification does not say what the service does with a repeated idempotency key.';

/**
 * The advice after an unknown outcome. An operation without `repeat` has no documented key that identifies a repeated
 * request.
 */
const unknownOutcomeAdvice: Record<CallName, { readonly repeat?: string; readonly lookUp: string }> = {
  initiatePayment: {
    repeat: `${repeat} ${noOtherPayment}`,
    lookUp: `Look the payment up, or ask the provider. ${noOtherPayment}`,
  },
  uploadInvoice: {
    lookUp: `Look the invoice up before you upload it again: a referenceId can have ${maxInvoices} invoices at most.`,
  },
  paymentReceipt: {
    repeat,
    lookUp: 'Ask the provider whether this receipt has arrived before you send it again.',
  },
  repaymentAllocation: {
    lookUp: 'Ask the provider before you send the allocation again: no idempotency key is documented for it.',
  },
  post: { repeat, lookUp: 'Before you send the request again, find out whether the service has acted.' },
};

/** The facts of an error that decide its advice. */
type ErrorState = Pick<InstallmentError, 'outcome' | 'retryable' | 'nextStep' | 'retryAfterMs'> & {
  readonly code: FailureCode;
};

/** The advice for a status; undefined for other codes, or if the advice would be wrong for the whole call. */
function documentedAction(
  { code, ...state }: ErrorState,
  operation: CallName,
  mayHaveActedBefore: boolean,
): string | undefined {
  if (code === 'UNKNOWN_RESULT') {
    return 'Ask the provider what this status means before you continue or cancel the order.';
  }
  if (!isErrorStatus(code)) return undefined;
  const tableName = isMerchantOperation(operation) ? operation : 'initiatePayment';
  const { action, outcome, retryable } = errorStatusInfo(tableName, code);
  const isOutcomeOfCall = state.outcome === outcome && state.retryable === retryable;
  // The action for a retryable status is to retry, so an earlier attempt changes nothing.
  const isOverruledByEarlierAttempt = mayHaveActedBefore && !retryable;
  // If the table of the operation lacks the status, `errorStatusInfo` falls back to the table of the other operation.
  // The action in that table fits this operation only if the status is a refusal.
  const isForOperation = outcome === 'rejected' || Object.hasOwn(resultStatuses[tableName], code);
  return isOutcomeOfCall && !isOverruledByEarlierAttempt && isForOperation ? action : undefined;
}

export function actionFor(state: ErrorState, operation: CallName, mayHaveActedBefore: boolean): string {
  const documented = documentedAction(state, operation, mayHaveActedBefore);
  if (documented !== undefined) return documented;
  const { code, outcome, retryAfterMs, nextStep } = state;
  const advice = unknownOutcomeAdvice[operation];
  switch (nextStep) {
    case 'repeat':
    case 'look_up': {
      const onEarlierAttempt = mayHaveActedBefore ? ' on an earlier attempt' : '';
      // The outcome here is `unknown`, or `not_sent` with mayHaveBeenSent: true. The outcome is never `rejected`.
      const fact =
        outcome === 'unknown'
          ? `The service may have acted${onEarlierAttempt}.`
          : 'This call sent nothing, but the service may have acted on an earlier call.';
      const step = nextStep === 'repeat' ? (advice.repeat ?? advice.lookUp) : advice.lookUp;
      return `${fact} ${step}`;
    }
    case 'refused':
      return errorTable[code].fix ?? 'The request was refused.';
    case 'fix':
      return `This call sent nothing. ${errorTable[code].fix ?? 'Correct the cause, then call again.'}`;
    case 'call_again': {
      const when = retryAfterMs === undefined ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s or later`;
      if (outcome === 'rejected') return `The request was refused for now: call again ${when}.`;
      // The caller did not pass mayHaveBeenSent here, so `outcome` says nothing about an earlier call.
      const earlier = 'the outcome of an earlier call is unknown';
      const condition = advice.repeat ? `; pass mayHaveBeenSent: true if ${earlier}` : `, unless ${earlier}`;
      return `This call sent nothing, so it is safe to call again${condition}.`;
    }
  }
}

/** The beginning of a message: the operation, the identifier, and the target of the request. */
function subjectText({ operation, request, ...subject }: CallMetadata): string {
  const reference = subject.referenceId ?? subject.lenderTransactionCode ?? subject.requestId;
  const target = request && `(${request.method} ${request.host}${request.path})`;
  return printable([operation, reference, target].filter(Boolean).join(' '));
}

/** The whole message: the call, the problem, and the next step. Texts of the service are not quoted. */
export function messageOf(
  { problem, meaning, facts }: Failure,
  action: string,
  { code, nextStep }: ErrorState,
  metadata: CallMetadata,
): string {
  if (code === 'VALIDATION') {
    // The broken rules say what to do.
    return `${metadata.operation}: ${problem}${nextStep === 'fix' ? '' : `. ${action}`}`;
  }
  const { attempts } = metadata;
  const failed = attempts.length > 1 ? ` failed after ${attempts.length} attempts` : '';
  const textHint = facts.resultMsg ? "error.resultMsg contains the service's own text." : undefined;
  const sentences = [`${subjectText(metadata)}${failed}: ${problem}.`, meaning, action, textHint];
  return sentences.filter((sentence) => sentence !== undefined).join(' ');
}
