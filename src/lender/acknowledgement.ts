import { messageOf } from '../errors/error-messages.js';
import { NotificationRejectedError } from '../errors/errors.js';
import type { AttemptResult, Failed } from '../http/attempts.js';
import {
  isSuccessStatus,
  isTransientHttpStatus,
  outcomeOfHttpStatus,
  parseBody,
  redirected,
  unexpectedResponse,
} from '../http/response.js';
import type { WireResponse } from '../http/transport.js';

/** The answer to a notification. The common response is not documented, so the body is kept as received. */
export interface AcknowledgementContent {
  /** HTTP status of the acknowledgement, 2xx. */
  httpStatus: number;
  /** Parsed if it is JSON, else its text; undefined if it is empty. */
  body: unknown;
}

/** Returns whether a 2xx answer acknowledges a notification, for a lender that knows the common response. */
export type Acknowledged = (answer: AcknowledgementContent) => boolean;

function contentOf(response: WireResponse): unknown {
  const parsed = parseBody(response);
  if ('json' in parsed) return parsed.json;
  return response.body.length === 0 ? undefined : new TextDecoder().decode(response.body);
}

function rejected(content: AcknowledgementContent, retryAfter: string | undefined): Failed {
  const { httpStatus, body } = content;
  const description = `refused with HTTP ${httpStatus}`;
  return {
    outcome: 'rejected',
    transient: false,
    description,
    httpStatus,
    retryAfter,
    toError: (init) =>
      new NotificationRejectedError(
        messageOf(`the notification was ${description}`, init),
        init,
        httpStatus,
        body,
      ),
  };
}

/** What a response says about a notification, by its HTTP status: the common response is not documented. */
export function processAcknowledgement(
  response: WireResponse,
  acknowledged: Acknowledged = () => true,
): AttemptResult<AcknowledgementContent> {
  if (response.isRedirect) return redirected(response);
  const { httpStatus, retryAfter, bodyState } = response;
  const content = { httpStatus, body: contentOf(response) };
  if (isSuccessStatus(httpStatus)) {
    try {
      return acknowledged(content)
        ? { outcome: 'accepted', value: content, httpStatus }
        : rejected(content, retryAfter);
    } catch {
      const problem = 'acknowledged() threw for the response';
      return unexpectedResponse(response, problem, { outcome: 'unknown', transient: false });
    }
  }
  const parsed = parseBody(response);
  const isWhole = 'json' in parsed || !parsed.isLost;
  const outcome = isWhole ? outcomeOfHttpStatus(httpStatus) : 'unknown';
  const transient = isTransientHttpStatus(httpStatus) || !isWhole;
  if (outcome === 'rejected' && !transient) return rejected(content, retryAfter);
  const problem = isWhole || bodyState === 'ended' ? 'the notification was not acknowledged' : parsed.problem;
  return unexpectedResponse(response, problem, { outcome, transient });
}
