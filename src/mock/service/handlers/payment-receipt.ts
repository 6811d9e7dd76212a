import { paymentReceiptWireSchema } from '../../../protocol/lender-notification.js';
import { refusal } from '../refusal.js';
import { notificationHandler } from './lender.js';

const messages = {
  stored: 'The receipt was recorded.',
  reversed: 'The receipt was reversed.',
  repeated: 'The receipt was recorded before.',
} as const;

/** Takes in a customer's payment to the lender, or its reversal (specification: Payment receipt notification). */
export const paymentReceipt = notificationHandler({
  schema: paymentReceiptWireSchema,
  record(receipt, { parts }) {
    const recorded = parts.receipts.record(receipt);
    return recorded === 'conflict'
      ? refusal('INVALID_REQUEST', 'The lenderTransactionCode was used for another event.')
      : { resultMsg: messages[recorded], replay: recorded === 'repeated' };
  },
});
