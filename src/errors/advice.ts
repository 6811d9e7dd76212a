import type { Operation } from '../protocol/endpoints.js';
import type { FailureOutcome } from '../protocol/result-status.js';

const whenUnknown: Record<Operation, string> = {
  initiatePayment:
    'The service may have acted: repeat the same request, which carries the same idempotency key, to learn how it ended; ' +
    'do not start another payment for the order before that.',
  uploadInvoice:
    'The service may have stored the invoice: look it up before uploading again, since each order holds only 3.',
  paymentReceipt:
    'The service may have acted: send the same notification again; its lenderTransactionCode makes that safe.',
  repaymentAllocation:
    'The service may have acted: ask it before sending the allocation again, since no repeat is documented.',
};

/** What to do next, for the end of a message. */
export function adviceFor(operation: Operation, outcome: FailureOutcome): string {
  switch (outcome) {
    case 'unknown':
      return whenUnknown[operation];
    case 'rejected':
      return 'The service refused, and nothing was created.';
    case 'not_sent':
      return 'Nothing reached the service: it is safe to call again.';
  }
}
