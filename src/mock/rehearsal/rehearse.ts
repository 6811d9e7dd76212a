import { ConfigurationError } from '../../errors/errors.js';
import { createMockService } from '../create-mock.js';
import { parseMockOptions } from '../mock-options.js';
import { evidenceOf, setupOf } from '../findings/evidence.js';
import { judge } from '../findings/judge.js';
import type { Finding } from '../findings/finding.js';
import type { MockOptions, MockService } from '../types.js';
import { MockUsageError } from '../common/usage-error.js';
import type { WorldName } from '../worlds/named-worlds.js';
import { chooseWorlds, type RehearsedWorld } from './choose-worlds.js';
import type { RehearsedCustomer } from './customer.js';
import { KnownReferences } from './late-requests.js';
import { notJudged, unreadPage } from './not-judged.js';
import { pageOf } from './probe.js';
import { messageOf, runWorld, type RehearsedMerchant, type WorldRun, type RunSettings } from './run-world.js';

/** Options of {@link rehearse}. All are optional. */
export interface RehearsalOptions {
  /** The worlds besides `plain`, by name. @default every world but `notification-never` */
  readonly worlds?: readonly WorldName[] | undefined;
  /**
   * Each pair of values that are not the mock's own, in place of the named worlds. It takes about nine times as long. A
   * merchant that learns of payments by notifications alone fails where none comes (`notification=never`).
   * @default false
   */
  readonly pairs?: boolean | undefined;
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
  /** Why the absence of findings proves nothing here, such as fewer payments than in the plain world; absent if it does. */
  readonly notJudged?: string;
  /** References of an earlier world whose requests came only now. They count nowhere: a longer `settleMs` waits for them. */
  readonly late?: readonly string[];
  /** The most expensive first. */
  readonly findings: readonly Finding[];
}

/** The result of a rehearsal. */
export interface RehearsalReport {
  /** True if every world was judged, and no finding is an error. */
  readonly ok: boolean;
  /** In the order of the runs; `plain` is the first. */
  readonly worlds: readonly WorldReport[];
  /** The findings of all worlds. */
  readonly findings: readonly Finding[];
}

/** So large that the judge sees every request. */
export const rehearsalJournalLimit = 100_000;
const plainLimitMs = 10 * 60_000;
const shortestLimitMs = 60_000;

/** A rehearsal against one mock. */
export interface Rehearsal {
  readonly mock: MockService;
  readonly mockOptions: MockOptions;
  readonly worlds: readonly RehearsedWorld[];
  readonly settings: Omit<RunSettings, 'limitMs'>;
}

/** Runs each world in turn. Only the plain world is in the report if nothing can be compared with it. */
export async function runWorlds(
  merchant: RehearsedMerchant,
  { mock, mockOptions, worlds, settings }: Rehearsal,
  ended: (report: WorldReport) => void = () => undefined,
): Promise<RehearsalReport> {
  const setup = setupOf(parseMockOptions(mockOptions));
  const known = new KnownReferences();
  const reports: WorldReport[] = [];
  let plain: WorldRun | undefined;
  for (const world of worlds) {
    mock.reset({ world: world.world });
    const limitMs = plain ? Math.max(shortestLimitMs, 10 * plain.durationMs) : plainLimitMs;
    const paysLate = mock.world().settlement !== 'final';
    const about = { mock, world: world.name, paysLate, isPlain: plain === undefined };
    const all = await runWorld(merchant, about, { ...settings, limitMs }, () => evidenceOf(mock, setup));
    if (settings.signal?.aborted) break;
    const { run, late } = known.without(all);
    const problem = notJudged(run, plain, paysLate);
    const isUnread = plain === undefined && unreadPage(run) !== undefined;
    const report: WorldReport = {
      name: world.name,
      requests: run.requests.length,
      payments: run.payments.length,
      durationMs: Math.round(run.durationMs),
      ...(run.failure !== undefined && { commandFailed: run.failure }),
      ...(problem !== undefined && { notJudged: problem }),
      ...(late.length > 0 && { late }),
      findings: judge(world.name, isUnread ? { ...run, probes: [] } : run, plain),
    };
    reports.push(report);
    ended(report);
    plain ??= run;
    if (problemOfPlain({ worlds: reports }) !== undefined) break;
  }
  const findings = reports.flatMap((report) => report.findings);
  const ok = reports.every((report) => report.notJudged === undefined) && !hasError(findings);
  return { ok, worlds: reports, findings };
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
 * @param merchant - Takes orders with its own code. A failure in another world than the plain one is told, and is not
 *   an error; a world in which it creates fewer payments is not judged.
 * @throws MockUsageError if the code fails in the plain world, or sends nothing there: nothing can be compared.
 * @throws ConfigurationError for an invalid option.
 */
export async function rehearse(
  merchant: RehearsedMerchant,
  options: RehearsalOptions = {},
): Promise<RehearsalReport> {
  const { worlds, pairs = false, customer = 'none', settleMs = 500, paid, mock: mockOptions = {} } = options;
  if (worlds && pairs) throw new ConfigurationError('pairs', 'cannot be used together with worlds');
  const mock = createMockService({ journalLimit: rehearsalJournalLimit, ...mockOptions });
  const rehearsal = {
    mock,
    mockOptions,
    worlds: chooseWorlds(worlds, pairs),
    settings: { customer, settleMs, page: paid && pageOf(paid), now: mockOptions.now },
  };
  try {
    const report = await runWorlds(failing(merchant), rehearsal);
    const problem = problemOfPlain(report);
    if (problem !== undefined)
      throw new MockUsageError(`rehearse: in the plain world ${problem}. Nothing can be compared with it.`);
    return report;
  } finally {
    mock.reset();
  }
}

/** Words an error so that it tells what the code did. */
function failing(merchant: RehearsedMerchant): RehearsedMerchant {
  return async (context) => {
    try {
      await merchant(context);
    } catch (error) {
      throw new Error(`failed: ${messageOf(error)}`, { cause: error });
    }
  };
}

export function hasError(findings: readonly Finding[]): boolean {
  return findings.some(({ level }) => level === 'error');
}

/** Why nothing can be compared with the plain world; undefined if it can, or if it has errors of its own. */
export function problemOfPlain({ worlds: [plain] }: Pick<RehearsalReport, 'worlds'>): string | undefined {
  const isWrong = plain?.commandFailed === undefined && hasError(plain?.findings ?? []);
  return isWrong ? undefined : plain?.notJudged;
}
