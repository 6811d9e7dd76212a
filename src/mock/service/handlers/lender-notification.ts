import type * as z from 'zod';
import { issuesOf } from '../../../protocol/issues.js';
import { isRecord } from '../../../protocol/records.js';
import { readJson, recordJson, shortTextAt, type JsonMessage } from '../messages.js';
import { describeIssues, refusal } from '../refusals.js';
import type { Handler, HandlerResult, MockContext, RequestContext } from '../request-context.js';
import { scriptedResult } from '../responses.js';

/** The name in the specification, which masks the name that is used on the wire. */
const maskedField = 'serviceApplicationId';

/** The handler of a lender's notification: checks it and passes it to `record`. */
export function notificationHandler<Wire>(
  schema: z.ZodType<Wire>,
  record: (notification: Wire, mock: MockContext) => HandlerResult,
): Handler {
  return (bytes, request) => {
    const message = readJson(bytes, request.header('content-type'));
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
    const parsed = schema.safeParse(specified);
    if (parsed.success) return record(parsed.data, mock);
    const issues = issuesOf(parsed.error, specified).map(({ path, ...issue }) => ({
      ...issue,
      path: path.map((name, index) => (index === 0 && typeof name === 'string' ? swapped(name) : name)),
    }));
    return refusal('INVALID_REQUEST', describeIssues(issues));
  }
}

export function recordedResult(resultMsg: string, replay: boolean): HandlerResult {
  return { resultStatus: 'APPROVED', resultMsg, replay, acted: replay ? undefined : 'notification' };
}

async function isAuthentic(message: JsonMessage, { mock, request, ended }: RequestContext): Promise<boolean> {
  const { authenticate } = mock.lender;
  if (!authenticate) return true;
  const authentic = await authenticate(request.toRequest(Uint8Array.from(message.bytes)));
  ended.throwIfAborted();
  return authentic;
}
