import { createMockService } from '../create-mock-service.js';
import { MockUsageError } from '../../mock/common/usage-error.js';
import { judge, type Finding } from '../findings/rules.js';
import type { MockOptions } from '../../mock/types.js';
import { worlds, type NamedWorld, type WorldName } from '../../mock/worlds/named-worlds.js';
import { resolveWorld } from '../../mock/worlds/resolve-world.js';
import type { RehearsedCustomer } from './customers.js';
import { KnownReferences } from './known-references.js';
import { isUnread, notJudged, notRun } from './not-judged.js';
import { runWorld, type Rehearsal, type RehearsedMerchant, type WorldRun } from './run-world.js';

/** Options of {@link rehearse}. All are optional. */
export interface RehearsalOptions {
  /** The worlds besides `plain`, by name. @default those of `worlds` whose `isDefault` is true */
  readonly worlds?: readonly WorldName[] | undefined;
  /**
   * How customers end payments: once the merchant has the paymentUrl, or has not asked for it for `settleMs`. In the
   * worlds `settled-late` and `reordered` they decline first, then pay. `'none'` leaves it to the test: `mock.settle`.
   * @default 'none'
   */
  readonly customer?: RehearsedCustomer | undefined;
  /** How long nothing may arrive before a run counts as ended, in milliseconds. @default 500 */
  readonly settleMs?: number | undefined;
  /**
   * Whether the merchant counts an order as paid; it has 5 seconds to answer. It is asked after each run for each reference,
   * and in the plain world also before the payment ends, when it must be false.
   * @default not asked
   */
  readonly paid?: ((referenceId: string) => boolean | Promise<boolean>) | undefined;
  /**
   * How often the merchant has acted on a paid order, such as the number of its parcels. It is asked with `paid`, and must
   * not be higher than in the plain world.
   * @default not asked
   */
  readonly once?: ((referenceId: string) => number | Promise<number>) | undefined;
  /** Options of the mock, such as `webhook`. @default the defaults of `createMockService` */
  readonly mock?: Omit<MockOptions, 'world'> | undefined;
}

/** The result of one world. */
export interface WorldReport {
  /** Such as `lost-answer`. */
  readonly name: string;
  /** Number of requests to the service. */
  readonly requests: number;
  /** Number of payments that were created. */
  readonly payments: number;
  /** How long the run took, in milliseconds, the wait at its end included. */
  readonly durationMs: number;
  /** Why the merchant's code failed or was ended; absent if it ended by itself without an error. */
  readonly commandFailed?: string;
  /**
   * Why the absence of findings proves nothing here; absent if it does. A flag of the command line, such as `--webhook`: the
   * world was not run, because its point cannot arise without it.
   */
  readonly notJudged?: string;
  /** References of an earlier world whose requests came only now. They count nowhere: a longer `settleMs` waits for them. */
  readonly late?: readonly string[];
  /** The most expensive first. */
  readonly findings: readonly Finding[];
}

/** The result of a rehearsal. */
export interface RehearsalReport {
  /** True if no finding is an error, and every world was judged, those aside that want a flag. */
  readonly ok: boolean;
  /** In the order of the runs; `plain` is the first. */
  readonly worlds: readonly WorldReport[];
  /** The findings of all worlds. */
  readonly findings: readonly Finding[];
}

/** So large that the judge sees every request. */
export const rehearsalJournalLimit = 100_000;

/** The plain world, then those with a name. It throws for an unknown name. */
export function chooseWorlds(names: readonly string[] | undefined): readonly NamedWorld[] {
  for (const name of names ?? []) resolveWorld(name);
  return worlds.filter(({ name, isDefault }) => name === 'plain' || (names?.includes(name) ?? isDefault));
}

/** Runs each world in turn. Only the plain world is in the report if nothing can be compared with it. */
export async function runWorlds(
  settings: Omit<Rehearsal, 'known'>,
  chosen: readonly NamedWorld[],
  tell: (report: WorldReport, done: number) => void = () => undefined,
): Promise<RehearsalReport> {
  const rehearsal = { ...settings, known: new KnownReferences() };
  const { mock, signal } = settings;
  const reports: WorldReport[] = [];
  let plain: WorldRun | undefined;
  const reportOn = async (named: NamedWorld): Promise<WorldReport> => {
    const { name, world } = named;
    const missing = plain && notRun(named, rehearsal, plain);
    if (missing !== undefined)
      return { name, requests: 0, payments: 0, durationMs: 0, notJudged: missing, findings: [] };
    mock.reset({ world });
    const run = await runWorld(rehearsal, name, plain);
    const { requests, payments, durationMs, failure, late } = run;
    const problem = notJudged(run, plain);
    // Where the address of the page is wrong, it shows nothing about the orders.
    const looks = plain === undefined && isUnread(run.looks) ? [] : run.looks;
    const findings = judge(name, { ...run, looks }, plain);
    plain ??= run;
    return {
      ...{ name, requests: requests.length, payments: payments.length, durationMs: Math.round(durationMs) },
      ...(failure !== undefined && { commandFailed: failure }),
      ...(problem !== undefined && { notJudged: problem }),
      ...(late.length > 0 && { late }),
      findings,
    };
  };
  for (const named of chosen) {
    const report = await reportOn(named);
    if (signal.aborted) break;
    tell(report, reports.push(report));
    if (problemOfPlain(reports) !== undefined) break;
  }
  const findings = reports.flatMap((report) => report.findings);
  const isWhole = !signal.aborted && reports.every(({ notJudged: why }) => why === undefined || isFlag(why));
  return { ok: isWhole && !hasError(findings), worlds: reports, findings };
}

/** True for a reason that is a flag: the world was not run for want of it. */
export function isFlag(reason: string): boolean {
  return reason.startsWith('--');
}

export function hasError(findings: readonly Finding[]): boolean {
  return findings.some(({ level }) => level === 'error');
}

/** Why nothing can be compared with the plain world; undefined if it can, or if it has errors of its own. */
export function problemOfPlain([plain]: readonly WorldReport[]): string | undefined {
  const isWrong = plain?.commandFailed === undefined && hasError(plain?.findings ?? []);
  return isWrong ? undefined : plain?.notJudged;
}

/**
 * Runs a merchant's own test against the mock in each world, compares the runs, and reports what a merchant should not do:
 * `installment-payments rehearse` as a function. A world is a way in which a service may answer where the specification is
 * silent, or falls short of it: something that it might do, not something that it is known to do.
 *
 * A backend that stays up should take new references in each world: a request for one of an earlier world is late and
 * counts nowhere. A test that takes the same references in each world is recognised by that.
 *
 * @example
 * ```ts
 * import { InstallmentClient } from 'installment-payments';
 * import { rehearse, samplePaymentRequest } from 'installment-payments/mock';
 *
 * const report = await rehearse(
 *   async ({ mock, world }) => {
 *     const client = new InstallmentClient(mock.clientOptions());
 *     await client.initiatePayment(samplePaymentRequest({ referenceId: `${world}-1` }));
 *   },
 *   { worlds: ['lost-answer', 'rate-limited'] },
 * );
 * console.log(report.ok); // true
 * ```
 * @param merchant - Takes orders with its own code. A failure in another world than the plain one is reported, and is not
 *   an error; a world in which it creates fewer payments is not judged.
 * @throws MockUsageError if the code fails in the plain world, or sends nothing there: nothing can be compared.
 * @throws ConfigurationError for an invalid option.
 */
export async function rehearse(
  merchant: RehearsedMerchant,
  options: RehearsalOptions = {},
): Promise<RehearsalReport> {
  const { worlds: names, customer = 'none', settleMs = 500, paid, once, mock: mockOptions = {} } = options;
  const mock = createMockService({ journalLimit: rehearsalJournalLimit, ...mockOptions });
  const { webhook } = mockOptions;
  const settings = {
    ...{ merchant, mock, mockOptions, customer, settleMs, signal: new AbortController().signal },
    page: paid && (async (ref: string) => ({ paid: await paid(ref), count: await once?.(ref) })),
    origins: webhook ? [new URL(webhook.url).origin] : [],
  };
  try {
    const report = await runWorlds(settings, chooseWorlds(names));
    const problem = problemOfPlain(report.worlds);
    if (problem === undefined) return report;
    throw new MockUsageError(`rehearse: nothing can be compared with the plain world: ${problem}.`);
  } finally {
    mock.reset();
  }
}
