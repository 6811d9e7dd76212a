import { scenarios, type NamedScenario } from '../../mock/scenarios/named-scenarios.js';
import { resolveScenario } from '../../mock/scenarios/resolve-scenario.js';
import { reasonNotToRun, type NotJudged } from './inconclusive.js';
import { LateRequestTracker } from './late-requests.js';
import { PageChecks } from './order-page-checks.js';
import type { Rehearsal } from './rehearsal-settings.js';
import { withoutExtraOrder, reviseBaseline } from './revise-baseline.js';
import { runScenario, type FinishedRun } from './run-scenario.js';
import {
  allowsOk,
  hasError,
  isClean,
  problemOfBaseline,
  reportOnRun,
  reportWithoutRun,
  type RehearsalReport,
  type ScenarioReport,
} from './scenario-report.js';
import { partnerOf, sharedRun, type CleanRun } from './shared-scenarios.js';

/** The number of requests that the journal keeps. The number is so large that the rules see every request. */
export const rehearsalJournalLimit = 100_000;

/**
 * Returns the baseline, followed by the scenarios with these names. Without names, the default scenarios follow.
 * @throws ConfigurationError for an unknown name
 */
export function chooseScenarios(names: readonly string[] | undefined): readonly NamedScenario[] {
  for (const name of names ?? []) resolveScenario(name);
  return scenarios.filter(
    ({ name, isDefault }) => name === 'baseline' || (names?.includes(name) ?? isDefault),
  );
}

/** Runs each scenario in turn. If nothing can be compared with the baseline, the other scenarios are not run. */
export async function runScenarios(
  settings: Omit<Rehearsal, 'lateTracker'>,
  chosen: readonly NamedScenario[],
  onReport: (report: ScenarioReport, reportCount: number) => void = () => undefined,
): Promise<RehearsalReport> {
  const { signal } = settings;
  const comparison = new Comparison({ ...settings, lateTracker: new LateRequestTracker() }, chosen);
  const reports: ScenarioReport[] = [];
  for (const named of chosen) {
    const report = await comparison.reportOn(named);
    if (signal.aborted) break;
    reports.push(report);
    onReport(report, reports.length);
    if (problemOfBaseline(reports) !== undefined) break;
  }
  const findings = reports.flatMap((report) => report.findings);
  const ok = !signal.aborted && reports.every(allowsOk) && !hasError(findings);
  return { ok, scenarios: reports, findings };
}

/** Runs scenarios one by one. The first scenario must be the baseline: the later runs are compared with its run. */
class Comparison {
  #baseline: FinishedRun | undefined;
  readonly #cleanRuns: CleanRun[] = [];

  constructor(
    private readonly rehearsal: Rehearsal,
    private readonly chosen: readonly NamedScenario[],
  ) {}

  async reportOn(named: NamedScenario): Promise<ScenarioReport> {
    const reason = this.#reasonNotToRun(named);
    if (reason !== undefined) return reportWithoutRun(named, reason);
    const shared = sharedRun(named, this.#cleanRuns);
    if (shared) {
      const [sameRunAs = ''] = shared.names;
      return { ...this.#judge(named, shared.run), durationMs: 0, sameRunAs };
    }
    return (await this.#runWithPartner(named)) ?? this.#runAlone(named);
  }

  #reasonNotToRun(named: NamedScenario): NotJudged | undefined {
    return this.#baseline && reasonNotToRun(named, this.rehearsal, this.#baseline);
  }

  async #runAlone(named: NamedScenario): Promise<ScenarioReport> {
    const run = await this.#run(named);
    const report = this.#judge(named, run);
    // The first run is the baseline. It is kept without the order of `--checkout-changed`, which no other run has.
    this.#baseline ??= withoutExtraOrder(run);
    return report;
  }

  /**
   * Runs a scenario and its partner together in one run. Returns undefined if the scenario cannot share a run, or if
   * the shared run was not clean. The scenario then needs its own run.
   */
  async #runWithPartner(named: NamedScenario): Promise<ScenarioReport | undefined> {
    const partner = partnerOf(named, this.chosen);
    // A command can use the name of the scenario in its orders, so the command is run in each scenario separately.
    const isCommand = typeof this.rehearsal.merchant === 'function';
    if (!partner || isCommand || this.#reasonNotToRun(partner)) return undefined;
    const scenario = { ...named.scenario, ...partner.scenario };
    const run = await this.#run({ ...named, scenario });
    const reports = [named, partner].map((each) => this.#judge(each, run));
    if (!reports.every(isClean)) return undefined;
    this.#cleanRuns.push({ names: [named.name, partner.name], run });
    return reports[0];
  }

  async #run({ name, scenario }: NamedScenario): Promise<FinishedRun> {
    const { mock, mockOptions, page } = this.rehearsal;
    // With `--service`, `mockOptions.scenario` contains the values of the baseline. A scenario replaces some of them.
    mock.reset({ scenario: { ...resolveScenario(mockOptions.scenario), ...scenario } });
    const run = await runScenario(this.rehearsal, name, this.#baseline);
    this.#baseline &&= await reviseBaseline(this.#baseline, run, new PageChecks(mock, page));
    return run;
  }

  #judge(named: NamedScenario, run: FinishedRun): ScenarioReport {
    return reportOnRun(named, run, this.rehearsal, this.#baseline);
  }
}
