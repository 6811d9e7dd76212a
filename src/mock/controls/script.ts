import * as z from 'zod';
import { endpoints, type Operation } from '../../protocol/endpoints.js';
import { isHeaderName, isHeaderValue } from '../../protocol/headers.js';
import type { AnyResultStatus } from '../../protocol/result-status.js';
import { faultNames, type FaultPhase, type MockFault } from './faults.js';
import { MockUsageError } from './usage-error.js';

/** An answer that stands in for the service's own judgement. */
export interface ScriptedAnswer {
  /** Any text, documented or not. */
  readonly resultStatus?: AnyResultStatus | undefined;
  /** @default a text of the mock's own */
  readonly resultMsg?: string | undefined;
  /** @default 200; 400 for a lender operation unless `resultStatus` is `APPROVED` */
  readonly httpStatus?: number | undefined;
  /** More headers of the answer. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Stands for the whole body: text and bytes as they are, anything else as JSON. @default the operation's shape */
  readonly body?: unknown;
}

/** Which requests a scripted answer or a fault is for. */
export interface ScriptOptions {
  /** How many requests it is for. @default 1 */
  readonly times?: number | undefined;
  /**
   * Only requests with this reference: the `referenceId` of a merchant's request, the `lenderTransactionCode` or
   * `requestId` of a lender's.
   */
  readonly referenceId?: string | undefined;
}

/** Which requests a fault is for, and whether the service acts on them. */
export interface FaultOptions extends ScriptOptions {
  /** @default 'before' */
  readonly phase?: FaultPhase | undefined;
}

/** A fault that was drawn for one request. */
export interface DrawnFault {
  readonly fault: MockFault;
  readonly phase: FaultPhase;
}

// A timer further away than this fires at once.
const longestDelayMs = 2 ** 31 - 1;
const mostRules = 1000;

const operation = z.enum(Object.keys(endpoints) as [Operation, ...Operation[]]);
const times = z.literal(Infinity).or(z.int().min(1)).default(1);
const headers = z.record(z.string().refine(isHeaderName), z.string().refine(isHeaderValue));

/** What `respondWith` takes, as one object. */
export const respondWithSchema = z.strictObject({
  operation,
  answer: z
    .strictObject({
      resultStatus: z.string().optional(),
      resultMsg: z.string().optional(),
      httpStatus: z.int().min(200).max(599).optional(),
      headers: headers.optional(),
      body: z.unknown().optional(),
    })
    .refine((answer) => Object.values(answer).some((value) => value !== undefined), 'must say something'),
  times,
  referenceId: z.string().optional(),
});

/** What `injectFault` takes, as one object. */
export const injectFaultSchema = z.strictObject({
  operation,
  fault: z.enum(faultNames).or(z.strictObject({ delayMs: z.number().min(0).max(longestDelayMs) })),
  times,
  referenceId: z.string().optional(),
  phase: z.enum(['before', 'after']).default('before'),
});

interface Rule<Effect> {
  readonly operation: Operation;
  readonly referenceId: string | undefined;
  readonly effect: Effect;
  left: number;
}

/** Rules that wait for the requests they are for; the oldest that fits is drawn first. */
class Rules<Effect> {
  #rules: Rule<Effect>[] = [];

  add(rule: { operation: Operation; times: number; referenceId?: string | undefined }, effect: Effect): void {
    if (this.#rules.length >= mostRules) {
      throw new MockUsageError(`There are ${String(mostRules)} rules already: reset the mock.`);
    }
    const { operation, referenceId, times } = rule;
    this.#rules.push({ operation, referenceId, effect, left: times });
  }

  draw(operation: Operation, references: readonly (string | undefined)[]): Effect | undefined {
    if (this.#rules.length === 0) return undefined;
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

/** A value that a schema accepts, as the schema has it. @throws MockUsageError for any other */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  what: string,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new MockUsageError(`${what} was used with a wrong argument. ${z.prettifyError(parsed.error)}`);
}

/** The answers and faults that a test has lined up. */
export class Script {
  readonly #answers = new Rules<ScriptedAnswer>();
  readonly #faults = new Rules<DrawnFault>();

  respondWith(operation: Operation, answer: ScriptedAnswer, options: ScriptOptions = {}): void {
    const rule = checked(respondWithSchema, 'respondWith', { operation, answer, ...options });
    this.#answers.add(rule, rule.answer);
  }

  injectFault(operation: Operation, fault: MockFault, options: FaultOptions = {}): void {
    const rule = checked(injectFaultSchema, 'injectFault', { operation, fault, ...options });
    this.#faults.add(rule, { fault: rule.fault, phase: rule.phase });
  }

  drawAnswer(operation: Operation, references: readonly (string | undefined)[]): ScriptedAnswer | undefined {
    return this.#answers.draw(operation, references);
  }

  drawFault(operation: Operation, references: readonly (string | undefined)[]): DrawnFault | undefined {
    return this.#faults.draw(operation, references);
  }

  reset(): void {
    this.#answers.clear();
    this.#faults.clear();
  }
}
