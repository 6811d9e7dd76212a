import { NotificationRejectedError } from '../errors/errors.js';
import {
  isTransientHttpStatus,
  messageOf,
  outcomeOfHttpStatus,
  parseBody,
  screen,
  unexpected,
} from '../http/judge.js';
import type { Answer, Exchange } from '../http/transport.js';
import type { Verdict } from '../http/verdict.js';

/** What the service answered a notification with. The common response is not documented, so it is kept as it came. */
export interface AcknowledgementContent {
  /** HTTP status of the acknowledgement, 2xx. */
  httpStatus: number;
  /** Parsed when it is JSON, else its text; undefined when it is empty. */
  body: unknown;
}

/** The body as JSON, else as text. */
function contentOf(answer: Answer): unknown {
  const parsed = parseBody(answer);
  if ('json' in parsed) return parsed.json;
  return answer.body.length === 0 ? undefined : new TextDecoder().decode(answer.body);
}

/** Judges one exchange of a lender's notification, by its HTTP status: there is nothing else to go by. */
export function judgeAcknowledgement(exchange: Exchange): Verdict<AcknowledgementContent> {
  const screened = screen(exchange);
  if ('outcome' in screened) return screened;
  const { answer } = screened;
  const { httpStatus, retryAfter } = answer;
  const body = contentOf(answer);
  if (httpStatus >= 200 && httpStatus < 300)
    return { outcome: 'accepted', value: { httpStatus, body }, httpStatus };
  const outcome = outcomeOfHttpStatus(httpStatus);
  const transient = isTransientHttpStatus(httpStatus);
  if (outcome === 'rejected' && !transient) {
    const description = `refused with HTTP ${httpStatus}`;
    return {
      outcome,
      transient,
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
  return unexpected(answer, 'the service did not acknowledge the notification', { outcome, transient });
}
