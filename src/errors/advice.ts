import { maxInvoices } from '../protocol/limits.js';
import { printable } from '../protocol/issues.js';
import { isMerchantOperation } from '../protocol/endpoints.js';
import { errorStatusInfo, isErrorStatus, resultStatuses } from '../protocol/result-statuses.js';
import type { CallMetadata, CallName, CallSubject } from './call-metadata.js';
import { errorTable, type FailedCall, type FailureCode } from './error-table.js';
import type { NextStep } from './next-step.js';

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

/** The facts about a call that has failed. */
interface Situation extends Pick<FailedCall, 'metadata' | 'mayHaveActedBefore' | 'outcome'> {
  readonly code: FailureCode;
  readonly retryable: boolean;
  readonly nextStep: NextStep;
  readonly retryAfterMs?: number | undefined;
}

/** The documented advice for a status, where it is right for the whole call. */
function documentedAction({ code, metadata, ...known }: Situation): string | undefined {
  const { operation } = metadata;
  if (code === 'UNKNOWN_RESULT') return askFirst;
  if (!isErrorStatus(code)) return undefined;
  const table = isMerchantOperation(operation) ? operation : 'initiatePayment';
  const { action, outcome, retried } = errorStatusInfo(table, code);
  const isOutcomeOfCall = known.outcome === outcome && known.retryable === retried;
  // The action of a status that is retried is to retry it, so an earlier attempt changes nothing.
  const isAboutEarlierAttempt = known.mayHaveActedBefore && !retried;
  // While the outcome is open, the action for one operation can be wrong for the other.
  const isForOperation = outcome === 'rejected' || Object.hasOwn(resultStatuses[table], code);
  return isOutcomeOfCall && !isAboutEarlierAttempt && isForOperation ? action : undefined;
}

const askFirst = 'Ask the service what this status means before you continue or cancel the order.';

/** The advice of an error. */
export function actionFor(situation: Situation): string {
  const documented = documentedAction(situation);
  if (documented !== undefined) return documented;
  const { code, metadata, outcome, retryAfterMs, nextStep } = situation;
  const advice = advices[metadata.operation];
  const isAfterEarlier = situation.mayHaveActedBefore ? ' on an earlier attempt' : '';
  const fact =
    outcome === 'unknown'
      ? `The service may have acted${isAfterEarlier}.`
      : 'Nothing was sent by this call, and the service may have acted on an earlier one.';
  switch (nextStep) {
    case 'repeat':
      return `${fact} ${advice.retryable ?? advice.final}`;
    case 'look_up':
      return `${fact} ${advice.final}`;
    case 'refused':
      return 'The request was refused.';
    case 'fix':
      return `Nothing was sent by this call. ${errorTable[code].fix ?? 'Correct the cause, then call again.'}`;
    case 'call_again': {
      const when = retryAfterMs === undefined ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s or later`;
      return outcome === 'rejected'
        ? `The request was refused for now: call again ${when}.`
        : `Nothing was sent by this call, so it is safe to call again${advice.notSent}.`;
    }
  }
}

/** The start of a message: the operation, the reference, and where the request went. */
function subjectText(subject: CallSubject & Pick<CallMetadata, 'request'>): string {
  const { operation, referenceId, lenderTransactionCode, requestId, request } = subject;
  const reference = referenceId ?? lenderTransactionCode ?? requestId;
  const target = request && `(${request.method} ${request.host}${request.path})`;
  return printable([operation, reference, target].filter(Boolean).join(' '));
}

/** A whole message: the call, the problem, and the next step. */
export function messageOf(problem: string, action: string, { code, metadata, nextStep }: Situation): string {
  if (code === 'VALIDATION') {
    // The rules that are broken say what to do.
    return `${metadata.operation}: ${problem}${nextStep === 'fix' ? '' : `. ${action}`}`;
  }
  const attempts = metadata.attempts.length > 1 ? ` after ${metadata.attempts.length} attempts` : '';
  const sentence = problem.endsWith('.') ? problem : `${problem}${attempts}.`;
  return `${subjectText(metadata)}: ${sentence} ${action}`;
}
