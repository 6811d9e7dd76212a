import * as z from 'zod/mini';
import { checkOptions } from '../../errors/check-options.js';
import { ConfigurationError } from '../../errors/errors.js';
import { callback, objectError, oneOf } from '../../validation/rules.js';
import { createMockService } from '../create-mock-service.js';
import { MockUsageError } from '../../errors/usage-error.js';
import { judge, type Finding } from '../findings/rules.js';
import type { MockOptions } from '../../mock/observation.js';
import { scenarios, type NamedScenario, type ScenarioName } from '../../mock/scenarios/named-scenarios.js';
import { resolveScenario } from '../../mock/scenarios/resolve-scenario.js';
import { customers, type RehearsedCustomer } from './customers.js';
import { KnownReferences, type LateRequests } from './known-references.js';
import { isUnread, reasonNotJudged, reasonNotToRun, wordsOf, type NotJudged } from './not-judged.js';
import { PageChecks } from './page-checks.js';
import { comparableRun, reviewBaseline } from './review-baseline.js';
import { runScenario, type Rehearsal, type RehearsedMerchant, type ScenarioRun } from './run-scenario.js';
import { partnerOf, sharedRun, type CleanRun } from './shared-run.js';

/** Options of {@link rehearse}. All are optional. */
export interface RehearsalOptions {
  /** The scenarios besides `baseline`, by name. @default those of `scenarios` whose `isDefault` is true */
  readonly scenarios?: readonly ScenarioName[] | undefined;
  /**
   * How customers end payments: once the merchant has the paymentUrl, or has not asked for it for `settleMs`. In the
   * scenarios `settled-late` and `reordered` they decline first, then pay. `'none'` leaves it to the test: `mock.settle`.
   * @default 'none'
   */
  readonly customer?: RehearsedCustomer | undefined;
  /** How long nothing may arrive before a run counts as ended, in milliseconds. @default 500 */
  readonly settleMs?: number | undefined;
  /**
   * Whether the merchant counts an order as paid; it has 5 seconds to answer. It is asked after each run for each reference,
   * and in the baseline also before the payment ends, when it must be false.
   * @default not asked
   */
  readonly paid?: ((referenceId: string) => boolean | Promise<boolean>) | undefined;
  /**
   * How often the merchant has acted on a paid order, such as the number of its parcels. It is asked with `paid`, and must
   * not be higher than in the baseline.
   * @default not asked
   */
  readonly once?: ((referenceId: string) => number | Promise<number>) | undefined;
  /** Options of the mock, such as `webhook`. @default the defaults of `createMockService` */
  readonly mock?: Omit<MockOptions, 'scenario'> | undefined;
}

/** The result of one scenario. */
export interface ScenarioReport {
  /** Such as `lost-response`. */
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
   * Why the absence of findings proves nothing here; absent if it does. `flag`: the point of the scenario cannot arise
   * without this, a flag of the command line such as `--webhook`, or an upload.
   */
  readonly notJudged?: NotJudged;
  /** References of earlier scenarios whose requests came only now, and count nowhere, and the `settleMs` that waits for them. */
  readonly lateRequests?: LateRequests;
  /** The scenario in whose run this one was judged: it was in both scenarios at once. */
  readonly sameRunAs?: string;
  /** In the baseline: the amount of each payment, in đồng. */
  readonly amounts?: readonly number[];
  /** The most expensive first. */
  readonly findings: readonly Finding[];
}

/** The result of a rehearsal. */
export interface RehearsalReport {
  /** True if no finding is an error, every scenario was judged, those aside that want a flag, and no request came late. */
  readonly ok: boolean;
  /** In the order of the runs; `baseline` is the first. */
  readonly scenarios: readonly ScenarioReport[];
  /** The findings of all scenarios. */
  readonly findings: readonly Finding[];
}

/** So large that the judge sees every request. */
export const rehearsalJournalLimit = 100_000;

/** The baseline, then those with a name. It throws for an unknown name. */
export function chooseScenarios(names: readonly string[] | undefined): readonly NamedScenario[] {
  for (const name of names ?? []) resolveScenario(name);
  return scenarios.filter(
    ({ name, isDefault }) => name === 'baseline' || (names?.includes(name) ?? isDefault),
  );
}

/** Runs each scenario in turn. Only the baseline is in the report if nothing can be compared with it. */
export async function runScenarios(
  settings: Omit<Rehearsal, 'known'>,
  chosen: readonly NamedScenario[],
  onReport: (report: ScenarioReport, done: number) => void = () => undefined,
): Promise<RehearsalReport> {
  const { signal } = settings;
  const comparison = new Comparison({ ...settings, known: new KnownReferences() }, chosen);
  const reports: ScenarioReport[] = [];
  for (const named of chosen) {
    const report = await comparison.reportOn(named);
    if (signal.aborted) break;
    onReport(report, reports.push(report));
    if (problemOfBaseline(reports) !== undefined) break;
  }
  const findings = reports.flatMap((report) => report.findings);
  const isWhole = !signal.aborted && reports.every(isWholeReport);
  return { ok: isWhole && !hasError(findings), scenarios: reports, findings };
}

/** True if everything was judged that can be with these flags. What came late was not, be it right or wrong. */
function isWholeReport({ notJudged: why, lateRequests }: ScenarioReport): boolean {
  return lateRequests === undefined && (why === undefined || 'flag' in why);
}

/** Runs scenarios, and compares each with the baseline, which is the first. */
class Comparison {
  #baseline: ScenarioRun | undefined;
  readonly #clean: CleanRun[] = [];

  constructor(
    private readonly rehearsal: Rehearsal,
    private readonly chosen: readonly NamedScenario[],
  ) {}

  async reportOn(named: NamedScenario): Promise<ScenarioReport> {
    const missing = this.#missing(named);
    if (missing !== undefined)
      return { name: named.name, requests: 0, payments: 0, durationMs: 0, notJudged: missing, findings: [] };
    const shared = sharedRun(named, this.#clean);
    if (shared) {
      const [sameRunAs = ''] = shared.names;
      return { ...this.#judge(named, shared.run), durationMs: 0, sameRunAs };
    }
    return (await this.#runWithPartner(named)) ?? this.#runAlone(named);
  }

  #missing(named: NamedScenario): NotJudged | undefined {
    return this.#baseline && reasonNotToRun(named, this.rehearsal, this.#baseline);
  }

  async #runAlone(named: NamedScenario): Promise<ScenarioReport> {
    const run = await this.#run(named);
    const report = this.#judge(named, run);
    this.#baseline ??= comparableRun(run);
    return report;
  }

  /** Undefined if the scenario has no partner, or one of both has a finding. */
  async #runWithPartner(named: NamedScenario): Promise<ScenarioReport | undefined> {
    const partner = partnerOf(named, this.chosen);
    // A command may name its orders after the scenario, so it takes each only once.
    const isCommand = typeof this.rehearsal.merchant === 'function';
    if (!partner || isCommand || this.#missing(partner)) return undefined;
    const scenario = { ...named.scenario, ...partner.scenario };
    const run = await this.#run({ ...named, scenario });
    const reports = [named, partner].map((each) => this.#judge(each, run));
    if (!reports.every(isClean)) return undefined;
    this.#clean.push({ names: [named.name, partner.name], run });
    return reports[0];
  }

  async #run({ name, scenario }: NamedScenario): Promise<ScenarioRun> {
    const { mock, mockOptions, page } = this.rehearsal;
    // Over what `probe` has seen, if it has: that is the baseline then.
    mock.reset({ scenario: { ...resolveScenario(mockOptions.scenario), ...scenario } });
    const run = await runScenario(this.rehearsal, name, this.#baseline);
    this.#baseline &&= await reviewBaseline(this.#baseline, run, new PageChecks(mock, page));
    return run;
  }

  #judge(named: NamedScenario, run: ScenarioRun): ScenarioReport {
    return judgeRun(named, run, this.rehearsal, this.#baseline);
  }
}

function isClean({ findings, notJudged: why, lateRequests }: ScenarioReport): boolean {
  return findings.length === 0 && why === undefined && lateRequests === undefined;
}

function judgeRun(
  named: NamedScenario,
  run: ScenarioRun,
  rehearsal: Rehearsal,
  baseline?: ScenarioRun,
): ScenarioReport {
  const { requests, payments, durationMs, failure, lateRequests } = run;
  const problem = reasonNotJudged(named, run, rehearsal, baseline);
  // A run that was stopped may go on sending: then a longer wait does not help.
  const isTooFast = lateRequests !== undefined && lateRequests.settleMs > rehearsal.settleMs;
  // Where the address of the page is wrong, it shows nothing about the orders.
  const pageChecks = baseline === undefined && isUnread(run.pageChecks) ? [] : run.pageChecks;
  return {
    name: named.name,
    requests: requests.length,
    payments: payments.length,
    durationMs: Math.round(durationMs),
    ...(baseline === undefined && { amounts: payments.map(({ request }) => request.amount.value) }),
    ...(failure !== undefined && { commandFailed: failure }),
    ...(problem !== undefined && { notJudged: problem }),
    ...(isTooFast && { lateRequests }),
    findings: judge(named.name, { ...run, pageChecks }, baseline),
  };
}

export function hasError(findings: readonly Finding[]): boolean {
  return findings.some(({ level }) => level === 'error');
}

/** Why nothing can be compared with the baseline; undefined if it can, or if it has errors of its own. */
export function problemOfBaseline([baseline]: readonly ScenarioReport[]): string | undefined {
  const isWrong = baseline?.commandFailed === undefined && hasError(baseline?.findings ?? []);
  return isWrong || baseline?.notJudged === undefined ? undefined : wordsOf(baseline.notJudged);
}

const optionsSchema = z.strictObject(
  {
    scenarios: z.optional(z.readonly(z.array(z.string(), 'must be an array of names of scenarios'))),
    customer: z.optional(oneOf(customers)),
    settleMs: z.optional(
      z.int('must be an integer of 0 or more').check(z.gte(0, 'must be an integer of 0 or more')),
    ),
    paid: z.optional(callback()),
    once: z.optional(callback()),
    // Checked by `createMockService`.
    mock: z.optional(z.unknown()),
  },
  objectError('{ scenarios, customer }'),
);

/** @throws ConfigurationError for an invalid option */
function checked(options: RehearsalOptions): RehearsalOptions {
  checkOptions(optionsSchema, options);
  if (options.once && !options.paid)
    throw new ConfigurationError('once', 'needs paid: it is asked of orders that count as paid');
  return options;
}

/**
 * Runs a merchant's own test against the mock in each scenario, compares the runs, and reports what a merchant should not
 * do:
 * `installment-payments rehearse` as a function. A scenario is a way in which a service may answer where the specification
 * is silent, or falls short of it: something that it might do, not something that it is known to do.
 *
 * A backend that stays up should take new references in each scenario: a request for one of an earlier scenario is late and
 * counts nowhere. A test that takes the same references in each scenario is recognised by that.
 *
 * @example
 * ```ts
 * import { InstallmentClient } from 'installment-payments';
 * import { rehearse, samplePaymentRequest } from 'installment-payments/mock';
 *
 * const report = await rehearse(
 *   async ({ mock, scenario }) => {
 *     const client = new InstallmentClient(mock.clientOptions());
 *     await client.initiatePayment(samplePaymentRequest({ referenceId: `${scenario}-1` }));
 *   },
 *   { scenarios: ['lost-response', 'rate-limited'] },
 * );
 * console.log(report.ok); // true
 * ```
 * @param merchant - Takes orders with its own code. A failure in another scenario than the baseline is reported, and is not
 *   an error; a scenario in which it creates fewer payments is not judged.
 * @throws MockUsageError if the code fails in the baseline, or sends nothing there: nothing can be compared.
 * @throws ConfigurationError for an invalid option.
 */
export async function rehearse(
  merchant: RehearsedMerchant,
  options: RehearsalOptions = {},
): Promise<RehearsalReport> {
  if (typeof merchant !== 'function')
    throw new ConfigurationError('rehearse', 'must be given a function that takes orders');
  const {
    scenarios: names,
    customer = 'none',
    settleMs = 500,
    paid,
    once,
    mock: mockOptions = {},
  } = checked(options);
  const mock = createMockService({ journalLimit: rehearsalJournalLimit, ...mockOptions });
  const { webhook } = mockOptions;
  const settings = {
    merchant,
    mock,
    mockOptions,
    customer,
    settleMs,
    signal: new AbortController().signal,
    page: paid && (async (ref: string) => ({ paid: await paid(ref), count: await once?.(ref) })),
    origins: webhook ? [new URL(webhook.url).origin] : [],
    headers: {},
  };
  try {
    const report = await runScenarios(settings, chooseScenarios(names));
    const problem = problemOfBaseline(report.scenarios);
    if (problem === undefined) return report;
    throw new MockUsageError(`rehearse: nothing can be compared with the baseline: ${problem}.`);
  } finally {
    mock.reset();
  }
}
