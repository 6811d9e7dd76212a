import { judge, type Finding } from '../findings/all-rules.js';
import type { NamedScenario } from '../../mock/scenarios/named-scenarios.js';
import { inconclusiveReason, reasonText, type NotJudged } from './inconclusive.js';
import type { LateRequests } from './late-requests.js';
import { isUnread } from './order-page-checks.js';
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
  /** The duration of the run in milliseconds, including the wait at its end. */
  readonly durationMs: number;
  /** The reason why the merchant's code failed or was stopped; absent if it ended without an error. */
  readonly commandFailed?: string;
  /**
   * The reason why the absence of findings proves nothing here; absent if it proves something. `flag` means that the
   * scenario cannot happen without this: a flag of the command line such as `--webhook`, or an upload.
   */
  readonly notJudged?: NotJudged;
  /**
   * The requests of earlier scenarios that arrived only now and are not counted, with the `settleMs` that would wait
   * for them.
   */
  readonly lateRequests?: LateRequests;
  /** The scenario with which the run was shared: both scenarios applied at once. */
  readonly sameRunAs?: string;
  /** The amount of each payment in the baseline, in đồng. */
  readonly amounts?: readonly number[];
  /** The findings, the most expensive first. */
  readonly findings: readonly Finding[];
}

/** The result of a rehearsal. */
export interface RehearsalReport {
  /**
   * True if no finding is an error, no request was late, and every scenario was judged, except scenarios that need a
   * missing flag.
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
  // If `settleMs` was long enough for the late requests, their run was stopped: a longer wait would not help.
  const isTooFast = lateRequests !== undefined && lateRequests.settleMs > rehearsal.settleMs;
  // If the address of the page is wrong, it shows nothing about the orders.
  const pageChecks = baseline === undefined && isUnread(run.pageChecks) ? [] : run.pageChecks;
  return {
    name: named.name,
    requests: requests.length,
    payments: payments.length,
    durationMs: Math.round(durationMs),
    ...(baseline === undefined && { amounts: payments.map(({ request }) => request.amount.value) }),
    ...(failure !== undefined && { commandFailed: failure }),
    ...(reason !== undefined && { notJudged: reason }),
    ...(isTooFast && { lateRequests }),
    findings: judge(named.name, { ...run, pageChecks }, baseline),
  };
}

/** True if nothing in the report needs another check. Then two scenarios can share the run. */
export function isClean({ findings, notJudged, lateRequests }: ScenarioReport): boolean {
  return findings.length === 0 && notJudged === undefined && lateRequests === undefined;
}

/**
 * True if everything was judged that can be judged with these flags. A run with late requests is not whole, because
 * they were not judged.
 */
export function isWhole({ notJudged, lateRequests }: ScenarioReport): boolean {
  return lateRequests === undefined && (notJudged === undefined || 'flag' in notJudged);
}

export function hasError(findings: readonly Finding[]): boolean {
  return findings.some(({ level }) => level === 'error');
}

/**
 * The reason why nothing can be compared with the baseline. Undefined if it can be compared, or if the baseline
 * itself has errors.
 */
export function problemOfBaseline([baseline]: readonly ScenarioReport[]): string | undefined {
  const isWrong = baseline?.commandFailed === undefined && hasError(baseline?.findings ?? []);
  return isWrong || baseline?.notJudged === undefined ? undefined : reasonText(baseline.notJudged);
}
