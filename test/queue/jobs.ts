import type { NewJob } from '../../src/queue/index.js';
import { samplePaymentRequest } from '../../src/mock/index.js';
import { receipt, transaction } from '../helpers/lender-samples.js';

/** The four operations, and those that may be repeated on request. */
export const kinds = [
  'initiatePayment',
  'uploadInvoice',
  'paymentReceipt',
  'repaymentAllocation',
  'uploadInvoice, repeatUnknown',
  'repaymentAllocation, repeatUnknown',
] as const;

export type Kind = (typeof kinds)[number];

export const isRepeated = (kind: Kind) => kind.endsWith('repeatUnknown');

export function newJob(kind: Kind, reference: string): NewJob {
  const repeatUnknown = isRepeated(kind);
  switch (kind) {
    case 'initiatePayment':
      return { operation: 'initiatePayment', request: samplePaymentRequest({ referenceId: reference }) };
    case 'uploadInvoice':
    case 'uploadInvoice, repeatUnknown':
      return {
        operation: 'uploadInvoice',
        request: { referenceId: reference },
        file: 'invoice.pdf',
        repeatUnknown,
      };
    case 'paymentReceipt':
      return {
        operation: 'paymentReceipt',
        request: { ...receipt({ lenderTransactionCode: reference }), requestId: undefined },
      };
    case 'repaymentAllocation':
    case 'repaymentAllocation, repeatUnknown':
      return {
        operation: 'repaymentAllocation',
        request: { contractNumber: reference, repaymentTransactions: [transaction()] },
        repeatUnknown,
      };
  }
}
