import type * as z from 'zod';
import { issuesOf, type ValidationIssue } from '../../../protocol/validation.js';
import { refused, resultAnswer, scriptedVerdict } from '../responses.js';
import type { Exchange, Verdict } from '../exchange.js';
import { shortTextAt, type JsonMessage } from '../messages.js';
import { refusal, textOf, type Refusal } from '../refusal.js';
import { handlerOf, type Handler } from './handler.js';
import { jsonHandler } from './json-handler.js';

/** What a notification leads to. */
export interface Acceptance {
  readonly resultMsg: string;
  /** The same was notified before. */
  readonly replay: boolean;
}

/** The part of a lender's operation that is its own. */
export interface Notification<Wire> {
  readonly schema: z.ZodType<Wire>;
  readonly record: (notification: Wire, exchange: Exchange) => Acceptance | Refusal;
}

/**
 * Serves a lender's notification: 200 for one that was taken in, 400 for one that was refused. What stands in the
 * common response is not documented; this one has requestId, resultStatus and resultMsg.
 */
export function notificationHandler<Wire>({ schema, record }: Notification<Wire>): Handler {
  return handlerOf<JsonMessage>({
    ...jsonHandler,

    subjectOf: ({ value }) => ({
      requestId: shortTextAt(value, 'requestId'),
      lenderTransactionCode: shortTextAt(value, 'lenderTransactionCode'),
    }),

    async handle(message, exchange) {
      if (!(await isAuthentic(message, exchange))) {
        return refused(exchange, refusal('ACCESS_DENIED', 'The request is not authenticated.'));
      }
      const scripted = scriptedVerdict(exchange);
      if (scripted) return scripted;
      await exchange.pauseBeforeActing();
      return judge(message, exchange);
    },
  });

  function judge(message: JsonMessage, exchange: Exchange): Verdict {
    if (message.problem !== undefined) {
      return refused(exchange, refusal('INVALID_REQUEST', message.problem));
    }
    const field = exchange.parts.lender.applicationIdField ?? specifiedField;
    const value = asSpecified(message.value, field);
    const parsed = schema.safeParse(value);
    const outcome = parsed.success
      ? record(parsed.data, exchange)
      : refusal('INVALID_REQUEST', textOf(asDeployed(issuesOf(parsed.error, value), field)));
    if ('resultStatus' in outcome) return refused(exchange, outcome);
    const result = { resultStatus: 'APPROVED', resultMsg: outcome.resultMsg };
    return { answer: resultAnswer(exchange, result), ...result, replay: outcome.replay };
  }
}

async function isAuthentic(message: JsonMessage, { parts, incoming, ended }: Exchange): Promise<boolean> {
  const { authenticate } = parts.lender;
  if (!authenticate) return true;
  const authentic = await authenticate(incoming.toRequest(Uint8Array.from(message.bytes)));
  ended.throwIfAborted();
  return authentic;
}

/** The name in the specification; the deployment's own name stands in its place on the wire. */
const specifiedField = 'serviceApplicationId';

/** A notification whose masked field has the name that the schema knows. */
function asSpecified(value: unknown, field: string): unknown {
  if (field === specifiedField || typeof value !== 'object' || value === null || Array.isArray(value)) {
    return value;
  }
  const renamed = Object.entries(value).map(([name, inner]: [string, unknown]) => {
    // The two names change places, so that the specification's own is the one that nobody knows.
    const other = name === specifiedField ? field : name;
    return [name === field ? specifiedField : other, inner] as const;
  });
  return Object.fromEntries(renamed);
}

/** Issues that call the masked field by the name that the sender knows. */
function asDeployed(issues: readonly ValidationIssue[], field: string): ValidationIssue[] {
  return issues.map(({ path: [name, ...rest], ...issue }) => {
    const known = name === specifiedField ? field : name === field ? specifiedField : name;
    return { ...issue, path: known === undefined ? [] : [known, ...rest] };
  });
}
