import type { Failure } from '../errors/failure.js';
import type { AttemptResult } from '../http/failures.js';
import {
  isCompleteJson,
  isSuccessStatus,
  incompleteResponse,
  parseBody,
  redirected,
  unexpectedResponse,
  unknownAndFinal,
  type ParsedBody,
} from '../http/response.js';
import type { WireResponse } from '../http/transport.js';
import { decodeText } from '../values/encodings.js';
import { ignoreErrors, orUndefined } from '../values/untrusted-values.js';

/**
 * The response to a notification. The specification refers to a "common response" and does not show it, so nothing is
 * required of the body.
 */
export interface AcknowledgementContent {
  /** The HTTP status of the acknowledgement: 2xx. */
  httpStatus: number;
  /** The body: parsed if it is JSON, or else its text; undefined if it is empty. */
  body: unknown;
}

/**
 * Returns whether a 2xx response acknowledges a notification, for a lender that knows the common response. The function
 * is called for complete responses only. It must return `true` or `false`, not a promise.
 */
export type Acknowledged = (response: AcknowledgementContent) => boolean;

function contentOf({ httpStatus, body }: WireResponse, parsed: ParsedBody): AcknowledgementContent {
  if (parsed.ok) return { httpStatus, body: parsed.value };
  return { httpStatus, body: body.length === 0 ? undefined : decodeText(body) };
}

function rejected({ httpStatus, body }: AcknowledgementContent): Failure {
  const summary = `refused with HTTP ${httpStatus}`;
  return {
    code: 'NOTIFICATION_REJECTED',
    outcome: 'rejected',
    transient: false,
    problem: `the notification was ${summary}`,
    facts: { summary, body },
  };
}

function judgeSuccess(
  response: WireResponse,
  parsed: ParsedBody,
  acknowledged: Acknowledged | undefined,
): AttemptResult<AcknowledgementContent> {
  const content = contentOf(response, parsed);
  // Without `acknowledged`, only the HTTP status counts, so nothing has to prove that the body is complete.
  const mayBeCut =
    !isCompleteJson(response, content.body) && (acknowledged !== undefined || response.bodyState === 'cut');
  if (mayBeCut) return incompleteResponse(response);
  if (acknowledged) {
    const judgement: unknown = orUndefined(() => acknowledged({ ...content }));
    if (judgement === false) return rejected(content);
    if (judgement !== true) {
      // A returned promise is caught, because an unhandled rejection would end the process.
      void ignoreErrors(() => judgement);
      const problem = 'acknowledged() threw, or did not return true or false: it must not be async';
      return unexpectedResponse(response, problem, unknownAndFinal);
    }
  }
  return { outcome: 'accepted', value: content };
}

/**
 * Judges the response to a notification by its HTTP status, because the specification does not show its "common
 * response".
 */
export function judgeAcknowledgement(
  response: WireResponse,
  acknowledged?: Acknowledged,
): AttemptResult<AcknowledgementContent> {
  if (response.isRedirect) return redirected(response);
  const parsed = parseBody(response);
  if (isSuccessStatus(response.httpStatus)) return judgeSuccess(response, parsed, acknowledged);
  const isWhole = parsed.ok ? isCompleteJson(response, parsed.value) : !parsed.problem.mayBeIncomplete;
  if (!isWhole) return incompleteResponse(response);
  const failure = unexpectedResponse(response, 'the notification was not acknowledged');
  const isRefusal = failure.outcome === 'rejected' && !failure.transient;
  return isRefusal ? rejected(contentOf(response, parsed)) : failure;
}
