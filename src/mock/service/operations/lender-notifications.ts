import type * as z from 'zod/mini';
import { endpoints } from '../../../protocol/endpoints.js';
import { paymentReceiptWireSchema, repaymentAllocationWireSchema } from '../../../protocol/lender-schemas.js';
import { isRecord } from '../../../values/untrusted-values.js';
import type { LenderStore, Recorded } from '../../state/lender-store.js';
import { readJsonMessage, type JsonMessage } from '../messages.js';
import type { OperationRow, ReadMessage, RequestContext } from '../mock-context.js';
import { brokenRules, describeIssues, refuseUnless, refuseUnread } from '../refusals.js';
import { waitForNetwork } from '../request-faults.js';

/** The name that the specification shows instead of a field's real name. */
const maskedField = 'serviceApplicationId';

/** Records a customer's payment to the lender, or its reversal (specification: Payment receipt notification). */
export const paymentReceipt = notificationRow(
  'paymentReceipt',
  paymentReceiptWireSchema,
  (receipt, store) => store.recordReceipt(receipt),
  {
    stored: 'The receipt was recorded.',
    reversed: 'The receipt was reversed.',
    repeated: 'The receipt was recorded before.',
    conflict: 'The lenderTransactionCode was used for a different receipt or reversal.',
  },
);

/** Records how received amounts were allocated (specification: Repayment allocation notification). */
export const repaymentAllocation = notificationRow(
  'repaymentAllocation',
  repaymentAllocationWireSchema,
  (allocation, store) => store.recordAllocation(allocation),
  {
    stored: 'The allocation was recorded.',
    repeated: 'The allocation was recorded before.',
    conflict: 'The requestId was used for a different allocation.',
  },
);

/** Calls the option `authenticate`, if it is set. How lenders authenticate is not documented. */
export async function authenticateLender(
  { bytes }: ReadMessage,
  { mock, request, resetSignal }: RequestContext,
): Promise<void> {
  const { authenticate } = mock.lender;
  const isAuthentic = !authenticate || (await authenticate(request.toRequest(Uint8Array.from(bytes))));
  resetSignal.throwIfAborted();
  refuseUnless(isAuthentic, 'ACCESS_DENIED', 'The request is not authenticated.');
}

function notificationRow<Wire, Outcome extends Recorded>(
  operation: 'paymentReceipt' | 'repaymentAllocation',
  schema: z.ZodMiniType<Wire>,
  record: (notification: Wire, store: LenderStore) => Outcome,
  messages: Readonly<Record<Outcome, string>>,
): OperationRow<JsonMessage, void> {
  return {
    ...endpoints[operation],
    recorded: { operation },
    read: readJsonMessage,
    authenticate: authenticateLender,
    async act({ problem, value }, _lender, context) {
      await waitForNetwork(context, 'before');
      refuseUnread(problem);
      const recorded = record(parseNotification(schema, value, context), context.mock.lenderNotifications);
      const resultMsg = messages[recorded];
      refuseUnless(recorded !== 'conflict', 'INVALID_REQUEST', resultMsg);
      const replay = recorded === 'repeated';
      return {
        resultStatus: 'APPROVED',
        resultMsg,
        replay,
        act: replay ? undefined : 'lender-notification',
      };
    },
  };
}

/**
 * Checks a notification. The masked field can have a different name on the wire: the result has the name of the
 * specification, and the message of a refusal has the name on the wire.
 */
function parseNotification<Wire>(schema: z.ZodMiniType<Wire>, value: unknown, context: RequestContext): Wire {
  const { applicationIdField = maskedField } = context.mock.lender;
  const { [applicationIdField]: applicationId, ...others } = isRecord(value) ? value : {};
  const specified = isRecord(value) ? { ...others, [maskedField]: applicationId } : value;
  const issues = brokenRules(schema, specified, context).map(({ path: [first, ...rest], ...issue }) => ({
    ...issue,
    path: first === undefined ? [] : [first === maskedField ? applicationIdField : first, ...rest],
  }));
  refuseUnless(issues.length === 0, 'INVALID_REQUEST', describeIssues(issues));
  return specified as Wire;
}
