import type * as z from 'zod';
import { knownHeaders } from '../../../protocol/headers.js';
import { issuesOf } from '../../../protocol/issues.js';
import { paymentReceiptWireSchema, repaymentAllocationWireSchema } from '../../../protocol/lender-schemas.js';
import { isRecord, readProperty } from '../../../values/untrusted-values.js';
import type { LenderStore } from '../../state/lender-store.js';
import { readJson, recordJson, shortTextAt, type JsonMessage } from '../messages.js';
import { describeIssues, refusal } from '../refusals.js';
import type { Handler, HandlerResult, MockContext, RequestContext } from '../request-context.js';
import { scriptedResult } from '../responses.js';

/** The name in the specification, which masks the name that is used on the wire. */
const maskedField = 'serviceApplicationId';

/** Records a customer's payment to the lender, or its reversal (specification: Payment receipt notification). */
export const paymentReceipt = notificationHandler(
  paymentReceiptWireSchema,
  (receipt, notifications) => notifications.recordReceipt(receipt),
  {
    stored: 'The receipt was recorded.',
    reversed: 'The receipt was reversed.',
    repeated: 'The receipt was recorded before.',
    conflict: 'The lenderTransactionCode was used for another event.',
  },
);

/** Records how received amounts were allocated (specification: Repayment allocation notification). */
export const repaymentAllocation = notificationHandler(
  repaymentAllocationWireSchema,
  (allocation, notifications) => notifications.recordAllocation(allocation),
  {
    stored: 'The allocation was recorded.',
    repeated: 'The allocation was recorded before.',
    conflict: 'The requestId was used for another allocation.',
  },
);

/** Checks a notification and passes it to `record`, which tells what became of it. */
function notificationHandler<Wire, Recorded extends string>(
  schema: z.ZodType<Wire>,
  record: (notification: Wire, notifications: LenderStore) => Recorded,
  messages: Readonly<Record<Recorded, string>>,
): Handler {
  return (bytes, request) => {
    const message = readJson(bytes, request.header(knownHeaders.contentType.name));
    return {
      identifiers: {
        requestId: shortTextAt(message.value, 'requestId'),
        lenderTransactionCode: shortTextAt(message.value, 'lenderTransactionCode'),
      },
      recorded: recordJson(message),
      async handle(context) {
        if (!(await isAuthentic(message, context))) {
          return refusal('ACCESS_DENIED', 'The request is not authenticated.');
        }
        const scripted = scriptedResult(context);
        if (scripted) return scripted;
        await context.beforeActing();
        return take(message, context.mock);
      },
    };
  };

  function take({ problem, value }: JsonMessage, mock: MockContext): HandlerResult {
    if (problem !== undefined) return refusal('INVALID_REQUEST', problem);
    const field = mock.lender.applicationIdField ?? maskedField;
    // The two names change places, so that the specification's own name becomes the unknown one.
    const swapped = (name: string) => (name === field ? maskedField : name === maskedField ? field : name);
    const specified = isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [swapped(name), inner]))
      : value;
    const parsed = parseInParts(schema, specified);
    if (parsed.success) {
      const recorded = record(parsed.data, mock.notifications);
      return recordedResult(recorded, messages[recorded]);
    }
    const issues = issuesOf(parsed.error, specified).map(({ path, ...issue }) => ({
      ...issue,
      path: path.map((name, index) => (index === 0 && typeof name === 'string' ? swapped(name) : name)),
    }));
    return refusal('INVALID_REQUEST', describeIssues(issues));
  }
}

/**
 * Parses a notification, a long one up to its first thousand transactions, then two thousand and so on, until one is
 * wrong: a body of 1 MiB has room for 300,000 wrong ones, each with several problems.
 */
function parseInParts<Wire>(
  schema: z.ZodType<Wire>,
  notification: unknown,
  most = 1000,
): z.ZodSafeParseResult<Wire> {
  const all = readProperty(notification, 'repaymentTransactions');
  if (!Array.isArray(all) || all.length <= most) return schema.safeParse(notification);
  const part = schema.safeParse({ ...(notification as object), repaymentTransactions: all.slice(0, most) });
  return part.success ? parseInParts(schema, notification, 2 * most) : part;
}

function recordedResult(recorded: string, resultMsg: string): HandlerResult {
  if (recorded === 'conflict') return refusal('INVALID_REQUEST', resultMsg);
  const replay = recorded === 'repeated';
  return { resultStatus: 'APPROVED', resultMsg, replay, acted: replay ? undefined : 'lender-notification' };
}

async function isAuthentic(message: JsonMessage, { mock, request, ended }: RequestContext): Promise<boolean> {
  const { authenticate } = mock.lender;
  if (!authenticate) return true;
  const authentic = await authenticate(request.toRequest(Uint8Array.from(message.bytes)));
  ended.throwIfAborted();
  return authentic;
}
