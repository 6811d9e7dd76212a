import fc from 'fast-check';
import type { Outcome } from '../../../src/entries/index.js';
import type { Operation } from '../../../src/protocol/endpoints.js';
import { approvalOf, HostileServer, type LiveCall } from './hostile-server.js';
import { kinds, ruleOf, type Strike } from './strikes.js';

/** A call, and what happens to its requests. */
interface PlannedCall {
  readonly operation: Operation;
  /** True if the server does not listen while the call is made; connections that it has stay. */
  readonly isDown: boolean;
  readonly strikes: readonly Strike[];
}

/** How a call ended. */
export interface Ending {
  readonly outcome: Outcome;
  /** The outcome of each attempt. */
  readonly attempts: readonly Outcome[];
  /** The result, if it resolved. */
  readonly result?: unknown;
}

/** Makes one call of an operation about one order. */
export type MakeCall = (call: {
  readonly operation: Operation;
  readonly referenceId: string;
  readonly baseUrl: string;
  /** Handed the functions that let time pass and abort the call. */
  readonly control: (elapse: () => void, abort: () => void) => void;
}) => Promise<Ending>;

const strike: fc.Arbitrary<Strike> = fc
  .record({
    kind: fc.constantFrom(...kinds),
    share: fc.nat(999).map((thousandths) => thousandths / 1000),
    acts: fc.boolean(),
  })
  .map((made) => {
    const { acts } = ruleOf(made.kind);
    return acts === 'either' ? made : { ...made, acts: acts === 'always' };
  });

const operations = ['initiatePayment', 'uploadInvoice', 'paymentReceipt', 'repaymentAllocation'] as const;
const onceOnly: ReadonlySet<Operation> = new Set(['uploadInvoice', 'repaymentAllocation']);
const lenders: ReadonlySet<Operation> = new Set(['paymentReceipt', 'repaymentAllocation']);

const longestHistory = 5;

/** Calls one after the other, because connections that are kept alive carry the faults of one to the next. */
const history: fc.Arbitrary<readonly PlannedCall[]> = fc.array(
  fc.record({
    operation: fc.constantFrom(...operations),
    isDown: fc.nat(9).map((one) => one === 0),
    strikes: fc.array(strike, { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: longestHistory },
);

/** The ways in which an ending claims more than is known. */
function problemsOf({ outcome, attempts, result }: Ending, call: LiveCall): readonly string[] {
  const { id, requests, acted, isOnce, different } = call;
  const sent = attempts.filter((attempt) => attempt !== 'not_sent').length;
  const approval = approvalOf(id);
  const isOwn = JSON.stringify(result ?? null).includes(`"${String(approval['invoiceId'])}"`);
  const rules: readonly (readonly [isBroken: boolean, problem: string])[] = [
    [outcome === 'not_sent' && requests > 0, 'not_sent, and it reached the server'],
    [outcome === 'rejected' && acted > 0, 'rejected, and the server acted'],
    [outcome === 'accepted' && (acted === 0 || !isOwn), "accepted by another call's answer"],
    [isOnce && acted > 1, 'acted on twice'],
    [requests > sent, `${String(requests)} requests in ${String(sent)} attempts that were sent`],
    [different.size > 1, 'its requests differ'],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, problem]) => problem);
}

export interface HistoryOptions {
  readonly makeCall: MakeCall;
  /** Waits until what the server has written was read. */
  readonly settle: () => Promise<unknown>;
}

/** The outcomes of many histories. */
export interface Report {
  /** One text for each claim that was not true: the call, and what happened up to it. */
  readonly problems: string[];
  readonly outcomes: Record<Outcome, number>;
}

async function runHistory(
  [index, calls]: readonly [index: number, calls: readonly PlannedCall[]],
  { makeCall, settle }: HistoryOptions,
  { problems, outcomes }: Report,
): Promise<void> {
  await using server = new HostileServer();
  for (const [position, { operation, isDown, strikes }] of calls.entries()) {
    const id = index * longestHistory + position;
    let elapse = (): void => undefined;
    let abort = (): void => undefined;
    const call: LiveCall = {
      id,
      isOnce: onceOnly.has(operation),
      isLender: lenders.has(operation),
      strikes: [...strikes],
      elapse: () => elapse(),
      abort: () => abort(),
      requests: 0,
      acted: 0,
      different: new Set(),
    };
    await server.expect(call, isDown);
    const ending = await makeCall({
      operation,
      referenceId: `ORDER-${String(id)}`,
      baseUrl: `${server.url}/${String(id)}`,
      control: (...controls) => ([elapse, abort] = controls),
    });
    await settle();
    outcomes[ending.outcome]++;
    const told = calls.slice(0, position + 1).map((each) => JSON.stringify(each));
    for (const problem of problemsOf(ending, call)) {
      problems.push([`${operation}: ${problem} [${ending.attempts.join()}]`, ...told].join('\n    '));
    }
  }
}

/** Runs random histories, some at a time, each against a server of its own. */
export async function runHistories({
  count,
  seed,
  ...options
}: HistoryOptions & { readonly count: number; readonly seed: number }): Promise<Report> {
  const histories = fc.sample(history, { seed, numRuns: count });
  const report: Report = { problems: [], outcomes: { accepted: 0, not_sent: 0, rejected: 0, unknown: 0 } };
  const queue = histories.entries();
  const work = async () => {
    for (const entry of queue) await runHistory(entry, options, report);
  };
  await Promise.all(Array.from({ length: 32 }, work));
  return report;
}
