import { judge, type Finding } from '../findings/all-rules.js';
import type { NamedScenario } from '../../mock/scenarios/named-scenarios.js';
import { inconclusiveReason, reasonText, type NotJudged } from './inconclusive.js';
import type { LateRequests } from './late-requests.js';
import { isNeverReadable } from './order-page-checks.js';
import type { Rehearsal } from './rehearsal-settings.js';
import type { FinishedRun } from './run-scenario.js';

/** The result of one scenario. */
export interface ScenarioReport {
  /** The name of the scenario, such as `lost-response`. */
  readonly name: string;
  /** The number of requests to the service. */
  readonly requests: number;
  /** The number of payments that were created. */
  readonly payments: number;
  /**
   * The duration of the run in milliseconds, including the final `settleMs`. 0 if the scenario was not run, or if it has
   * `sameRunAs`.
   */
  readonly durationMs: number;
  /** The reason why the merchant's code failed or was stopped; absent if neither happened. */
  readonly commandFailed?: string;
  /**
   * The reason why the scenario was not judged; absent if it was judged. `flag` names what the scenario needs and
   * lacks: a flag of the command line such as `--webhook`, or an upload. `reason` says why the scenario is
   * inconclusive; the report is then not `ok`. If such a scenario was run, the rules are applied to its run too, so it
   * can have findings. If it has no findings, the merchant's code can still be wrong.
   */
  readonly notJudged?: NotJudged;
  /**
   * The requests for orders of earlier scenarios that arrived in this scenario and were ignored, with the `settleMs`
   * that would have been long enough for them; absent if there were none, or if a longer time would not help.
   */
  readonly lateRequests?: LateRequests;
  /** The earlier scenario in whose run this scenario also applied; absent if this scenario had its own run. */
  readonly sameRunAs?: string;
  /** The amount of each payment, in đồng; absent except in the baseline. */
  readonly amounts?: readonly number[];
  /**
   * The findings in the order of their rules: first the rules whose level is error, then the rules whose level is
   * warning. The rule `notification-refused` has the level warning, but some of its findings have the level error.
   * These findings keep their place among the warnings.
   */
  readonly findings: readonly Finding[];
}

/** The result of a rehearsal. */
export interface RehearsalReport {
  /**
   * True if no finding is an error, no scenario has `lateRequests`, and every scenario was judged, except scenarios
   * whose `notJudged` has a `flag`. False if the rehearsal was interrupted.
   */
  readonly ok: boolean;
  /** The scenarios in the order of their runs; `baseline` is the first. */
  readonly scenarios: readonly ScenarioReport[];
  /** The findings of all scenarios. */
  readonly findings: readonly Finding[];
}

/** The report of a scenario that was not run. */
export function reportWithoutRun({ name }: NamedScenario, notJudged: NotJudged): ScenarioReport {
  return { name, requests: 0, payments: 0, durationMs: 0, notJudged, findings: [] };
}

/** Judges a run, and reports on one of its scenarios. */
export function reportOnRun(
  named: NamedScenario,
  run: FinishedRun,
  rehearsal: Rehearsal,
  baseline?: FinishedRun,
): ScenarioReport {
  const { requests, payments, durationMs, failure, lateRequests } = run;
  const reason = inconclusiveReason(named, run, rehearsal, baseline);
  // Late requests are reported only if a longer `settleMs` would help. After a run that was stopped, requests can be
  // late whatever `settleMs` is.
  const wouldLongerSettleMsHelp = lateRequests !== undefined && lateRequests.settleMs > rehearsal.settleMs;
  // A page that could not be read in the baseline does not show whether the shop is wrong.
  const pageChecks = baseline === undefined && isNeverReadable(run.pageChecks) ? [] : run.pageChecks;
  return {
    name: named.name,
    requests: requests.length,
    payments: payments.length,
    durationMs: Math.round(durationMs),
    ...(baseline === undefined && { amounts: payments.map(({ request }) => request.amount.value) }),
    ...(failure !== undefined && { commandFailed: failure }),
    ...(reason !== undefined && { notJudged: reason }),
    ...(wouldLongerSettleMsHelp && { lateRequests }),
    findings: judge(named.name, { ...run, pageChecks }, baseline),
  };
}

/** True if a run has no finding, was judged and had no late requests. Two scenarios can share such a run. */
export function isClean({ findings, notJudged, lateRequests }: ScenarioReport): boolean {
  return findings.length === 0 && notJudged === undefined && lateRequests === undefined;
}

/** True if the scenario has no `lateRequests`, and was judged or lacks what it needs. */
export function allowsOk({ notJudged, lateRequests }: ScenarioReport): boolean {
  return lateRequests === undefined && (notJudged === undefined || 'flag' in notJudged);
}

export function hasError(findings: readonly Finding[]): boolean {
  return findings.some(({ level }) => level === 'error');
}

/**
 * Returns the reason why a rehearsal ends after the baseline, namely why the baseline is inconclusive. Returns
 * undefined, so that the other scenarios are run, in two cases:
 *
 * - The baseline was judged.
 * - The merchant's code did not fail, and a finding of the baseline is an error. The other scenarios can show more
 *   mistakes.
 */
export function problemOfBaseline([baseline]: readonly ScenarioReport[]): string | undefined {
  if (baseline?.notJudged === undefined) return undefined;
  if (baseline.commandFailed === undefined && hasError(baseline.findings)) return undefined;
  return reasonText(baseline.notJudged);
}
