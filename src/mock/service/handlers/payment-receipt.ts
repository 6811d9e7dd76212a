import { paymentReceiptWireSchema } from '../../../protocol/lender-schemas.js';
import { refusal } from '../refusals.js';
import { notificationHandler, recordedResult } from './lender-notification.js';

const messages = {
  stored: 'The receipt was recorded.',
  reversed: 'The receipt was reversed.',
  repeated: 'The receipt was recorded before.',
} as const;

/** Records a customer's payment to the lender, or its reversal (specification: Payment receipt notification). */
export const paymentReceipt = notificationHandler(paymentReceiptWireSchema, (receipt, { notifications }) => {
  const recorded = notifications.recordReceipt(receipt);
  return recorded === 'conflict'
    ? refusal('INVALID_REQUEST', 'The lenderTransactionCode was used for another event.')
    : recordedResult(messages[recorded], recorded === 'repeated');
});
