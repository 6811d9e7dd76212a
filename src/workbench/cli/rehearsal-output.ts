import { groupBy } from '../../values/collections.js';
import { reasonText } from '../rehearsal/inconclusive.js';
import { hasError, type RehearsalReport, type ScenarioReport } from '../rehearsal/scenario-report.js';
import type { LateRequests } from '../rehearsal/late-requests.js';
import { findingRules, type Finding } from '../findings/all-rules.js';
import { printable, table } from '../../values/texts.js';

const shownCases = 6;

function count(size: number, noun: string): string {
  return `${size} ${noun}${size === 1 ? '' : 's'}`;
}

/** Counts the findings, such as `2 errors, 1 warning`, and what was not judged. It is `ok` if there is neither. */
function verdict(findings: readonly Finding[], unjudged: readonly string[]): string {
  const parts = (['error', 'warning'] as const).flatMap((level) => {
    const { length } = findings.filter((finding) => finding.level === level);
    return length > 0 ? count(length, level) : [];
  });
  return [...parts, ...unjudged].join(', ') || 'ok';
}

/** Describes one scenario once it has ended. */
export function progressLine(report: ScenarioReport, place: string): string {
  const { name, findings, commandFailed, notJudged, lateRequests, sameRunAs } = report;
  const { requests, payments, durationMs, amounts } = report;
  const start = `${place} ${name.padEnd(27)}`;
  const why = notJudged && reasonText(notJudged);
  // The scenario was not run.
  if (why !== undefined && durationMs === 0) return `${start} not judged ${printable(why)}`;
  const result = verdict(findings, why === undefined || hasError(findings) ? [] : ['not judged']);
  if (sameRunAs !== undefined) return `${start} ${result.padEnd(20)} in the run of ${sameRunAs}`;
  const sums = amounts && amounts.length > 0 ? `, ${sumsOf(amounts)}` : '';
  const seen = `${count(requests, 'request')}, ${count(payments, 'payment')}${sums}, ${(durationMs / 1000).toFixed(1)} s`;
  const failure = commandFailed === why ? undefined : commandFailed;
  const failed = why === undefined ? failure && `not a finding in itself: ${failure}` : failure;
  const notes = [why ?? [], failed ?? [], lateRequests ? lateText(lateRequests) : []].flat();
  return [`${start} ${result.padEnd(20)} ${seen}`, ...notes.map((note) => `      ${printable(note)}`)].join(
    '\n',
  );
}

const inDong = new Intl.NumberFormat('en-US');

/** Describes the amounts of payments, such as `12,030,000 đồng each`, so that a wrong unit is noticed. */
function sumsOf(amounts: readonly number[]): string {
  const different = [...new Set(amounts)];
  const shown = different.slice(0, shownCases).map((amount) => inDong.format(amount));
  const more = different.length > shownCases ? ' and others' : '';
  const each = different.length === 1 && amounts.length > 1 ? ' each' : '';
  return `${shown.join(' and ')}${more} đồng${each}`;
}

function lateText({ references }: LateRequests): string {
  const more = references.length > shownCases ? ` and ${references.length - shownCases} more` : '';
  const shown = `${references.slice(0, shownCases).join(', ')}${more}`;
  return `requests for ${shown} of an earlier scenario arrived only now, and were not judged. The shop works longer than the run waits`;
}

export function findingsText(findings: readonly Finding[]): string[] {
  return [...groupBy(findings, ({ rule, level }) => `${level.toUpperCase()} ${rule}`)].flatMap(
    ([title, cases]) => [
      '',
      `${title}, in ${count(scenariosOf(cases).length, 'scenario')}`,
      ...cases.slice(0, shownCases).map(({ scenario, message }) => `  ${scenario}: ${printable(message)}`),
      ...(cases.length > shownCases ? [`  and ${cases.length - shownCases} more`] : []),
      `  Why: ${cases[0].why}`,
      ...Array.from(new Set(cases.map(({ fix }) => fix)), (fix) => `  Do:  ${fix}`),
    ],
  );
}

function scenariosOf(findings: readonly Finding[]): readonly string[] {
  return [...new Set(findings.map(({ scenario }) => scenario))];
}

/** Describes a whole rehearsal: its findings, a table of them, and what was not judged. */
export function reportText(report: RehearsalReport, hasOrderPage: boolean): string {
  const { scenarios } = report;
  const findings = report.findings.toSorted((one, other) => costRank(one) - costRank(other));
  const byRule = [...groupBy(findings, ({ rule }) => rule)].map(([rule, cases]) => [
    cases[0].level,
    rule,
    scenariosOf(cases).join(', '),
  ]);
  const byReason = [...groupBy(scenarios, ({ notJudged }) => notJudged && reasonText(notJudged))].map(
    ([why, some]) => `  ${some.map(({ name }) => name).join(', ')}: ${printable(why)}`,
  );
  const { length } = scenarios.filter(({ notJudged }) => notJudged !== undefined);
  const lateRequests = scenarios.flatMap((scenario) => scenario.lateRequests ?? []);
  return [
    ...findingsText(findings),
    '',
    ...(byRule.length > 0 ? [...table([['level', 'rule', 'scenarios'], ...byRule]), ''] : []),
    ...(length > 0 ? [`NOT JUDGED: ${count(length, 'scenario')}`, ...byReason, ''] : []),
    ...tooFast(lateRequests),
    `${count(scenarios.length, 'scenario')}: ${verdict(findings, [
      ...(report.ok && findings.length === 0 ? ['ok'] : []),
      ...(length > 0 ? [`${length} not judged`] : []),
      ...(lateRequests.length > 0 ? ['too fast'] : []),
    ])}`,
    ...(hasOrderPage ? [] : [withoutOrderPage]),
  ].join('\n');
}

const rulesByCost = Object.keys(findingRules);

/** The rank of the rule of a finding; 0 for the most expensive rule. */
function costRank({ rule }: Finding): number {
  return rulesByCost.indexOf(rule);
}

const withoutOrderPage = 'Without --order-url, rehearse cannot check which orders the shop counts as paid.';

/** The advice if requests arrived after the end of their own run. */
function tooFast(lateRequests: readonly LateRequests[]): string[] {
  if (lateRequests.length === 0) return [];
  const settleMs = Math.max(...lateRequests.map((each) => each.settleMs));
  return [
    `TOO FAST: in ${count(lateRequests.length, 'scenario')}, requests arrived after their own scenario had ended, and were not judged.`,
    `  Why: The shop might have done something wrong after the end of a scenario.`,
    `  Do:  Run again with --settle-ms ${settleMs}, or run the jobs of the shop more often here.`,
    `       Once a webhook has reported the end of a payment, the shop should send no request for it except uploads.`,
    '',
  ];
}
