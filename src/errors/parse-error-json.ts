import * as z from 'zod';
import type { CallName, Phase } from './call-metadata.js';
import { rebuildError } from './safe-words.js';
import { isKeyless } from '../protocol/endpoints.js';
import { issueText, issuesOf, plainMessage, type ValidationIssue } from '../protocol/issues.js';
import { errorStatusInfo, isErrorStatus, worseOf, type FailureOutcome } from '../protocol/result-statuses.js';

const text = z.string();
const number = z.number();
const trueOrFalse = z.boolean('must be true or false');
const outcome = z.enum(['accepted', 'not_sent', 'rejected', 'unknown']).catch('unknown');
// A newer version may know more operations and statuses than this one.
const word = <T extends string>() => z.custom<T>((value) => typeof value === 'string', 'must be a string');

const subject = z.object({
  operation: word<CallName>().exactOptional(),
  referenceId: text.exactOptional(),
  idempotencyKey: text.exactOptional(),
  lenderTransactionCode: text.exactOptional(),
  requestId: text.exactOptional(),
});

const attempt = z.object({
  startedAt: z
    .union([z.string(), z.date()])
    .transform((value) => new Date(value))
    .refine(
      (date) => !Number.isNaN(date.getTime()),
      'must be an ISO 8601 time, such as 2026-11-20T03:04:05.000Z',
    ),
  durationMs: number,
  requestTime: text,
  outcome: text.pipe(outcome),
  phase: word<Phase>().exactOptional(),
  httpStatus: number.exactOptional(),
  resultStatus: text.exactOptional(),
  error: text.exactOptional(),
});

const metadata = z.object({
  ...subject.shape,
  operation: word<CallName>(),
  request: z.object({ method: z.literal('POST'), host: text, path: text }).exactOptional(),
  httpStatus: number.exactOptional(),
  attempts: z.array(attempt).readonly(),
});

const errorSchema = z.object({
  message: text,
  code: text,
  outcome: text.pipe(outcome),
  retryable: trueOrFalse,
  ...subject.shape,
  retryAfterMs: number.exactOptional(),
  $metadata: metadata.exactOptional(),
  cause: z
    .object({ name: text, message: text, code: text.exactOptional(), syscall: text.exactOptional() })
    .exactOptional(),
  option: text.exactOptional(),
  issues: z
    .array(
      z.object({
        path: z.array(z.union([text, number])).readonly(),
        message: text,
        resultStatus: word<ValidationIssue['resultStatus']>(),
      }),
    )
    .readonly()
    .exactOptional(),
  resultStatus: text.exactOptional(),
  action: text.exactOptional(),
  probablyAccepted: trueOrFalse.exactOptional(),
  httpStatus: number.exactOptional(),
});

type ParsedError = z.output<typeof errorSchema>;

/** The best outcome that an error of this code can have. */
function bestOutcomeOf(code: string, operation: CallName | undefined): FailureOutcome {
  // The caller may have vouched that the reference was new.
  if (code === 'DUPLICATE_REFERENCE_ID' || code === 'UNEXPECTED_RESPONSE' || code === 'NOTIFICATION_REJECTED')
    return 'rejected';
  if (code === 'UNKNOWN_RESULT') return 'unknown';
  if (!isErrorStatus(code)) return 'not_sent';
  return errorStatusInfo(operation === 'uploadInvoice' ? operation : 'initiatePayment', code).outcome;
}

/** The worst of the outcome that is stated, the outcomes of the attempts, and the best one for the code. */
function outcomeOf(error: ParsedError, operation: CallName | undefined): FailureOutcome {
  const attempts = error.$metadata?.attempts ?? [];
  const outcomes = [error, ...attempts].map((each) => each.outcome);
  // An error that says 'accepted' contradicts itself.
  return [...outcomes, bestOutcomeOf(error.code, operation)]
    .map((each) => (each === 'accepted' ? 'unknown' : each))
    .reduce(worseOf);
}

/** The value of a field that the JSON lacks. */
const absent = { option: '', issues: [], action: '', httpStatus: 0, probablyAccepted: false } as const;

/** The fields that an error of a code always has. Those of a documented status have an `action`. */
const ownFields: Readonly<Partial<Record<string, readonly (keyof typeof absent)[]>>> = {
  CONFIGURATION: ['option'],
  VALIDATION: ['issues'],
  NOTIFICATION_REJECTED: ['httpStatus'],
  UNKNOWN_RESULT: ['action'],
  DUPLICATE_REFERENCE_ID: ['action', 'probablyAccepted'],
};

function fieldsOf(error: ParsedError): object {
  const { code } = error;
  const isDocumented = isErrorStatus(code);
  const names =
    (Object.hasOwn(ownFields, code) ? ownFields[code] : undefined) ??
    (isDocumented ? (['action'] as const) : []);
  const fields = names.map((name) => [name, error[name] ?? absent[name]] as const);
  return { ...(isDocumented && { resultStatus: code }), ...Object.fromEntries(fields) };
}

const mostProblems = 10;

/**
 * Reads the JSON of an error: what its constructor takes, and its own fields. Only known fields are taken.
 *
 * @throws TypeError if it is not the JSON of an error
 */
export function parseErrorJson(json: unknown) {
  const parsed = errorSchema.safeParse(json, { error: plainMessage });
  if (!parsed.success) {
    const issues = parsed.error.issues.slice(0, mostProblems);
    const problems = issuesOf({ issues }, json).map((issue) => issueText(issue, 'it'));
    throw new TypeError(
      `InstallmentError.fromJSON takes what toJSON() of an error returned, such as JSON.parse(line).error: ${problems.join('; ')}`,
    );
  }
  const error = parsed.data;
  const { code, message, $metadata, cause, retryAfterMs, retryable } = error;
  const operation = $metadata?.operation ?? error.operation;
  const worst = outcomeOf(error, operation);
  const couldActTwice = worst === 'unknown' && operation !== undefined && isKeyless(operation);
  return {
    code,
    message,
    init: {
      outcome: worst,
      retryable: retryable && !couldActTwice,
      ...($metadata && { metadata: Object.freeze($metadata) }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(cause && { cause: rebuildError(cause, cause.message) }),
    },
    fields: { code, ...(!$metadata && subject.parse(error)), ...fieldsOf(error) },
  };
}
