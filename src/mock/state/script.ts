import * as z from 'zod/mini';
import { operations, type Operation } from '../../protocol/endpoints.js';
import { objectError, text, oneOf } from '../../validation/rules.js';
import { isHeaderName, isHeaderValue } from '../../protocol/headers.js';
import { longestTimerMs } from '../../values/time-limit.js';
import { listed } from '../../values/texts.js';
import { didYouMean } from '../../values/nearest-word.js';
import { documentedStatuses } from '../../protocol/result-statuses.js';
import type { Changes } from './changes.js';
import type { JournalEntry } from './journal-types.js';
import { faultNames, type FaultPhase, type MockFault } from '../common/faults.js';
import type { ScriptedResponse } from '../common/scripted-response.js';
import { checked, checkedObject } from '../../errors/usage-error.js';

/** An operation of the service, or a path that `handle` registered. */
export type ScriptTarget = Operation | `/${string}`;

/** The requests to which a scripted response or a fault applies. */
export interface ScriptOptions {
  /** The number of requests. @default 1 */
  readonly times?: number | undefined;
  /**
   * The reference of the requests: the `referenceId` of a merchant's request, or the `lenderTransactionCode` or
   * `requestId` of a lender's request. @default any reference
   */
  readonly referenceId?: string | undefined;
}

/** The requests to which a fault applies, and whether the service acts on them. */
export interface FaultOptions extends ScriptOptions {
  /** Whether the fault comes before or after the service acts. @default 'before' */
  readonly phase?: FaultPhase | undefined;
}

const delayMs = z.number().check(z.gte(0), z.lte(longestTimerMs));
const faultRule = `must be { delayMs } (0 to ${longestTimerMs} milliseconds), ${listed(faultNames)}`;

const timesRule = 'must be an integer greater than 0, or Infinity';
const httpStatusRule = 'must be an integer from 200 to 599';
const headersRule = 'must be an object with header names and values';
const headerValueRule = 'must be a string of printable Latin-1 characters';
const answerRule = 'must contain at least one of resultStatus, resultMsg, httpStatus, headers and body';
const targetRule = `must be ${listed(operations)}, or a path that handle() serves`;

function statusRule(written: unknown): string {
  const nearest = typeof written === 'string' ? didYouMean(written, documentedStatuses) : '';
  return `must be ${listed(documentedStatuses)}; any other status belongs in body, as { body: { resultStatus } }${nearest}`;
}

/** The arguments of `respondWith` and `injectFault` that select requests. */
const ruleFields = {
  operation: z.union([z.enum(operations), z.templateLiteral(['/', z.string()])], targetRule),
  times: z._default(z.union([z.literal(Infinity), z.int().check(z.gte(1, timesRule))], timesRule), 1),
  referenceId: z.optional(text),
};

/** The arguments of `respondWith`, as one object. */
export const respondWithSchema = z.strictObject(
  {
    ...ruleFields,
    answer: z
      .strictObject(
        {
          resultStatus: z.optional(z.enum(documentedStatuses, { error: ({ input }) => statusRule(input) })),
          resultMsg: z.optional(text),
          httpStatus: z.optional(
            z.int(httpStatusRule).check(z.gte(200, httpStatusRule), z.lte(599, httpStatusRule)),
          ),
          headers: z.optional(
            z.record(
              z.string().check(z.refine(isHeaderName, headersRule)),
              z.string(headerValueRule).check(z.refine(isHeaderValue, headerValueRule)),
              headersRule,
            ),
          ),
          body: z.optional(
            z.unknown().check(z.refine((body) => !ArrayBuffer.isView(body), 'must be text or JSON')),
          ),
        },
        objectError("{ resultStatus: 'ERROR_GENERAL' }"),
      )
      .check(z.refine((answer) => Object.values(answer).some((value) => value !== undefined), answerRule)),
  },
  objectError(),
);

/** The arguments of `injectFault`, as one object. */
export const injectFaultSchema = z.strictObject(
  {
    ...ruleFields,
    fault: z.union([z.enum(faultNames), z.strictObject({ delayMs })], faultRule),
    phase: z._default(oneOf(['before', 'after']), 'before'),
  },
  objectError(),
);

type ResponseRule = z.output<typeof respondWithSchema>;
type FaultRule = z.output<typeof injectFaultSchema>;

/** A response or a fault that waits for its next `times` requests. */
export type ScriptRule = Readonly<ResponseRule | FaultRule>;

/** The responses and faults that a test has added. */
export class Script {
  #responses: ResponseRule[] = [];
  #faults: FaultRule[] = [];

  constructor(private readonly changes: Changes) {}

  /** Returns the responses and faults that wait, each kind in the order in which it is used. */
  rules(): readonly ScriptRule[] {
    return [...this.#faults, ...this.#responses];
  }

  respondWith(operation: ScriptTarget, answer: ScriptedResponse, options: ScriptOptions = {}): void {
    const when = checkedObject('respondWith', options);
    this.#responses.push(checked(respondWithSchema, 'respondWith', { operation, answer, ...when }));
    this.changes.emit({ kind: 'script' });
  }

  injectFault(operation: ScriptTarget, fault: MockFault, options: FaultOptions = {}): void {
    const when = checkedObject('injectFault', options);
    this.#faults.push(checked(injectFaultSchema, 'injectFault', { operation, fault, ...when }));
    this.changes.emit({ kind: 'script' });
  }

  takeResponse(entry: JournalEntry): ScriptedResponse | undefined {
    return take(this.#responses, entry)?.answer;
  }

  takeFault(entry: JournalEntry): FaultRule | undefined {
    return take(this.#faults, entry);
  }

  reset(): void {
    this.#responses = [];
    this.#faults = [];
  }
}

/** Returns the oldest rule that applies to a request, and removes the rule after its last use. */
function take<Rule extends ResponseRule | FaultRule>(
  rules: Rule[],
  { operation, path, referenceId, lenderTransactionCode, requestId }: JournalEntry,
): Rule | undefined {
  const target = operation ?? path;
  const references = [referenceId, lenderTransactionCode, requestId];
  const rule = rules.find(
    (each) =>
      each.operation === target && (each.referenceId === undefined || references.includes(each.referenceId)),
  );
  if (!rule) return undefined;
  rule.times -= 1;
  if (rule.times === 0) rules.splice(rules.indexOf(rule), 1);
  return rule;
}
