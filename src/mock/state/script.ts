import * as z from 'zod/mini';
import { operations, type Operation } from '../../protocol/endpoints.js';
import { isHeaderName, isHeaderValue } from '../../protocol/headers.js';
import { longestTimerMs } from '../../protocol/limits.js';
import { didYouMean } from '../../values/nearest-word.js';
import { documentedStatuses, type ResultStatus } from '../../protocol/result-statuses.js';
import type { Changes } from './changes.js';
import { faultNames, type FaultPhase, type MockFault } from '../common/faults.js';
import { checked, MockUsageError, wordFrom } from '../common/usage-error.js';

/** An operation of the service, or the path of one of your own that `handle` serves. */
export type ScriptTarget = Operation | `/${string}`;

/** A response that replaces the service's own. */
export interface ScriptedAnswer {
  /** A documented status, of either table. Any other goes into `body`: `{ body: { resultStatus: 'NEW' } }`. */
  readonly resultStatus?: ResultStatus | undefined;
  /** @default a text of the mock */
  readonly resultMsg?: string | undefined;
  /** @default 200; 400 for a lender operation unless `resultStatus` is `APPROVED` */
  readonly httpStatus?: number | undefined;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The whole body: strings and bytes are sent as they are, anything else as JSON. @default the operation's shape */
  readonly body?: unknown;
}

/** Which requests a scripted response or a fault applies to. */
export interface ScriptOptions {
  /** Number of requests. @default 1 */
  readonly times?: number | undefined;
  /**
   * Only requests with this reference: the `referenceId` of a merchant's request, the `lenderTransactionCode` or
   * `requestId` of a lender's.
   */
  readonly referenceId?: string | undefined;
}

/** Which requests a fault applies to, and whether the service acts on them. */
export interface FaultOptions extends ScriptOptions {
  /** @default 'before' */
  readonly phase?: FaultPhase | undefined;
}

/** A fault for one request. */
export interface InjectedFault {
  readonly fault: MockFault;
  readonly phase: FaultPhase;
}

const mostRules = 1000;
const delayMs = z.number().check(z.gte(0), z.lte(longestTimerMs));
const faultRule = `must be one of ${faultNames.join(', ')}, or { delayMs } with 0 to ${longestTimerMs} milliseconds`;

const targetRule = `must be one of ${operations.join(', ')}`;

function statusRule(written: unknown): string {
  const nearest = typeof written === 'string' ? didYouMean(written, documentedStatuses) : '';
  return `must be one of ${documentedStatuses.join(', ')}; any other goes into body, as { body: { resultStatus } }${nearest}`;
}

/** The arguments of both controls that say which requests they apply to. */
const ruleFields = {
  operation: z.union([z.enum(operations), z.templateLiteral(['/', z.string()])], targetRule),
  times: z._default(z.union([z.literal(Infinity), z.int().check(z.gte(1))]), 1),
  referenceId: z.optional(z.string()),
};

/** The arguments of `respondWith`, as one object. */
export const respondWithSchema = z.strictObject({
  ...ruleFields,
  answer: z
    .strictObject({
      resultStatus: z.optional(z.enum(documentedStatuses, { error: ({ input }) => statusRule(input) })),
      resultMsg: z.optional(z.string()),
      httpStatus: z.optional(z.int().check(z.gte(200), z.lte(599))),
      headers: z.optional(
        z.record(z.string().check(z.refine(isHeaderName)), z.string().check(z.refine(isHeaderValue))),
      ),
      body: z.optional(z.unknown()),
    })
    .check(
      z.refine((answer) => Object.values(answer).some((value) => value !== undefined), 'must not be empty'),
    ),
});

/** The arguments of `injectFault`, as one object. */
export const injectFaultSchema = z.strictObject({
  ...ruleFields,
  fault: z.union([z.enum(faultNames), z.strictObject({ delayMs })], faultRule),
  phase: z._default(wordFrom(['before', 'after']), 'before'),
});

interface Rule<Effect> {
  readonly operation: ScriptTarget;
  readonly referenceId?: string | undefined;
  readonly effect: Effect;
  left: number;
}

/** A rule that waits for its requests, of which there are `left`. */
export type LinedUp<Effect> = Readonly<Rule<Effect>>;

/** The names of a request that a rule's `referenceId` may be. */
type References = Readonly<
  Partial<Record<'referenceId' | 'lenderTransactionCode' | 'requestId', string | undefined>>
>;

/** Rules that wait for their requests; the oldest that applies is used first. */
class Rules<Effect> {
  #rules: Rule<Effect>[] = [];

  constructor(private readonly changes: Changes) {}

  add({ times, ...rule }: Omit<Rule<Effect>, 'left'> & { readonly times: number }): void {
    if (this.#rules.length >= mostRules) {
      throw new MockUsageError(`There are ${mostRules} rules already: reset the mock.`);
    }
    this.#rules.push({ ...rule, left: times });
    this.changes.emit({ kind: 'script' });
  }

  /** The rules in the order in which they are used. */
  all(): readonly LinedUp<Effect>[] {
    return this.#rules;
  }

  take(operation: ScriptTarget, names: References): Effect | undefined {
    const references = [names.referenceId, names.lenderTransactionCode, names.requestId];
    const rule = this.#rules.find(
      (candidate) =>
        candidate.operation === operation &&
        (candidate.referenceId === undefined || references.includes(candidate.referenceId)),
    );
    if (!rule) return undefined;
    rule.left -= 1;
    if (rule.left === 0) this.#rules = this.#rules.filter((other) => other !== rule);
    return rule.effect;
  }

  clear(): void {
    this.#rules = [];
  }
}

/** The responses and faults that a test has lined up. */
export class Script {
  readonly answers: Rules<ScriptedAnswer>;
  readonly faults: Rules<InjectedFault>;

  constructor(changes: Changes) {
    this.answers = new Rules(changes);
    this.faults = new Rules(changes);
  }

  respondWith(operation: ScriptTarget, answer: ScriptedAnswer, options: ScriptOptions = {}): void {
    const given = { operation, answer, ...options };
    const { answer: effect, ...rule } = checked(respondWithSchema, 'respondWith', given);
    this.answers.add({ ...rule, effect });
  }

  injectFault(operation: ScriptTarget, fault: MockFault, options: FaultOptions = {}): void {
    const given = { operation, fault, ...options };
    const { fault: kind, phase, ...rule } = checked(injectFaultSchema, 'injectFault', given);
    this.faults.add({ ...rule, effect: { fault: kind, phase } });
  }

  reset(): void {
    this.answers.clear();
    this.faults.clear();
  }
}
