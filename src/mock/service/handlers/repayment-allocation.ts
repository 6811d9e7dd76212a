import { repaymentAllocationWireSchema } from '../../../protocol/lender-notification.js';
import { refusal } from '../refusal.js';
import { notificationHandler } from './lender.js';

const messages = {
  stored: 'The allocation was recorded.',
  repeated: 'The allocation was recorded before.',
} as const;

/** Takes in how received amounts were allocated (specification: Repayment allocation notification). */
export const repaymentAllocation = notificationHandler({
  schema: repaymentAllocationWireSchema,
  record(allocation, { parts }) {
    const recorded = parts.allocations.record(allocation);
    return recorded === 'conflict'
      ? refusal('INVALID_REQUEST', 'The requestId was used for another allocation.')
      : { resultMsg: messages[recorded], replay: recorded === 'repeated' };
  },
});
