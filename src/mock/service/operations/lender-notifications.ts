import type * as z from 'zod/mini';
import { issuesOf } from '../../../protocol/issues.js';
import { paymentReceiptWireSchema, repaymentAllocationWireSchema } from '../../../protocol/lender-schemas.js';
import { isRecord } from '../../../values/untrusted-values.js';
import type { LenderStore, Recorded } from '../../state/lender-store.js';
import { readJsonMessage, type JsonMessage } from '../messages.js';
import type { MockLenderOptions } from '../../common/lender-options.js';
import type { OperationResult, OperationRow, RequestContext } from '../operation-row.js';
import { describeIssues, refusal } from '../refusals.js';

/** The name in the specification, which masks the name that is used on the wire. */
const maskedField = 'serviceApplicationId';

/** Records a customer's payment to the lender, or its reversal (specification: Payment receipt notification). */
export const paymentReceipt = notificationRow(
  paymentReceiptWireSchema,
  (receipt, store) => store.recordReceipt(receipt),
  {
    stored: 'The receipt was recorded.',
    reversed: 'The receipt was reversed.',
    repeated: 'The receipt was recorded before.',
    conflict: 'The lenderTransactionCode was used for another event.',
  },
);

/** Records how received amounts were allocated (specification: Repayment allocation notification). */
export const repaymentAllocation = notificationRow(
  repaymentAllocationWireSchema,
  (allocation, store) => store.recordAllocation(allocation),
  {
    stored: 'The allocation was recorded.',
    reversed: '',
    repeated: 'The allocation was recorded before.',
    conflict: 'The requestId was used for another allocation.',
  },
);

function notificationRow<Wire>(
  schema: z.ZodMiniType<Wire>,
  record: (notification: Wire, store: LenderStore) => Recorded,
  messages: Readonly<Record<Recorded, string>>,
): OperationRow<JsonMessage, 'lender'> {
  return {
    read: (bytes, request) =>
      readJsonMessage(bytes, request, [
        'requestId',
        'lenderTransactionCode',
        'contractNumber',
        'receivedStatus',
      ]),
    async authenticate(message, context) {
      if (await isAuthentic(message, context)) return { sender: 'lender' };
      return { refused: refusal('ACCESS_DENIED', 'The request is not authenticated.') };
    },
    async act({ problem, value }, _lender, { faults, mock }) {
      await faults.delayBeforeActing();
      if (problem !== undefined) return refusal('INVALID_REQUEST', problem);
      const parsed = parseNotification(schema, value, mock.lender);
      if ('problem' in parsed) return refusal('INVALID_REQUEST', parsed.problem);
      const recorded = record(parsed.notification, mock.notifications);
      return recordedResult(recorded, messages[recorded]);
    },
  };
}

/** A notification by the names of the specification, or what is wrong with it by the names of the wire. */
function parseNotification<Wire>(
  schema: z.ZodMiniType<Wire>,
  value: unknown,
  { applicationIdField = maskedField }: MockLenderOptions,
): { readonly notification: Wire } | { readonly problem: string } {
  const { [applicationIdField]: applicationId, ...others } = isRecord(value) ? value : {};
  const specified = isRecord(value) ? { ...others, [maskedField]: applicationId } : value;
  const parsed = schema.safeParse(specified);
  if (parsed.success) return { notification: parsed.data };
  const issues = issuesOf(parsed.error, specified).map(({ path: [first, ...rest], ...issue }) => ({
    ...issue,
    path: first === undefined ? [] : [first === maskedField ? applicationIdField : first, ...rest],
  }));
  return { problem: describeIssues(issues) };
}

function recordedResult(recorded: Recorded, resultMsg: string): OperationResult {
  if (recorded === 'conflict') return refusal('INVALID_REQUEST', resultMsg);
  const replay = recorded === 'repeated';
  return { resultStatus: 'APPROVED', resultMsg, replay, acted: replay ? undefined : 'lender-notification' };
}

async function isAuthentic(
  { bytes }: JsonMessage,
  { mock, request, ended }: RequestContext,
): Promise<boolean> {
  const { authenticate } = mock.lender;
  if (!authenticate) return true;
  const authentic = await authenticate(request.toRequest(Uint8Array.from(bytes)));
  ended.throwIfAborted();
  return authentic;
}
