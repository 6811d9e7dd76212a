import { repaymentAllocationWireSchema } from '../../../protocol/lender-schemas.js';
import { refusal } from '../refusals.js';
import { notificationHandler, recordedResult } from './lender-notification.js';

const messages = {
  stored: 'The allocation was recorded.',
  repeated: 'The allocation was recorded before.',
} as const;

/** Records how received amounts were allocated (specification: Repayment allocation notification). */
export const repaymentAllocation = notificationHandler(
  repaymentAllocationWireSchema,
  (allocation, { notifications }) => {
    const recorded = notifications.recordAllocation(allocation);
    return recorded === 'conflict'
      ? refusal('INVALID_REQUEST', 'The requestId was used for another allocation.')
      : recordedResult(messages[recorded], recorded === 'repeated');
  },
);
