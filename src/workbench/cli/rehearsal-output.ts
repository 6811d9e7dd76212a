import { groupBy } from '../../values/collections.js';
import { reasonText } from '../rehearsal/inconclusive.js';
import { hasError, type RehearsalReport, type ScenarioReport } from '../rehearsal/scenario-report.js';
import type { LateRequests } from '../rehearsal/late-requests.js';
import { findingRules, type Finding } from '../findings/all-rules.js';
import { printable, table } from '../../values/texts.js';

/** The maximum number of findings, references or amounts in a list. If there are more, the list says so. */
const maxListed = 6;

function quantity(size: number, noun: string): string {
  return `${size} ${noun}${size === 1 ? '' : 's'}`;
}

/** Summarizes findings, such as `2 errors, 1 warning`, followed by other remarks; `ok` without findings and remarks. */
function verdict(findings: readonly Finding[], remarks: readonly string[]): string {
  const counts = (['error', 'warning'] as const).flatMap((level) => {
    const { length } = findings.filter((finding) => finding.level === level);
    return length > 0 ? quantity(length, level) : [];
  });
  return [...counts, ...remarks].join(', ') || 'ok';
}

/** Describes a scenario that has ended. `progress` is the number of the scenario and the total, such as `[ 2/33]`. */
export function progressLine(report: ScenarioReport, progress: string): string {
  const { name, findings, commandFailed, notJudged, lateRequests, sameRunAs } = report;
  const { requests, payments, durationMs, amounts } = report;
  const start = `${progress} ${name.padEnd(27)}`;
  const reason = notJudged && reasonText(notJudged);
  const label = isInconclusive(report) ? 'inconclusive' : 'not judged';
  const wasRun = durationMs > 0 || sameRunAs !== undefined;
  if (reason !== undefined && !wasRun) return `${start} ${label}: ${printable(reason)}`;
  const result = verdict(findings, reason === undefined || hasError(findings) ? [] : [label]);
  if (sameRunAs !== undefined) return `${start} ${result.padEnd(20)} shared the run of ${sameRunAs}`;
  const allAmounts = amounts && amounts.length > 0 ? `, ${amountsText(amounts)}` : '';
  const seconds = (durationMs / 1000).toFixed(1);
  const numbers = `${quantity(requests, 'request')}, ${quantity(payments, 'payment')}${allAmounts}, ${seconds} s`;
  const isFailureAlone = reason === undefined && commandFailed !== undefined;
  const failure = isFailureAlone ? `not a finding by itself: ${commandFailed}` : commandFailed;
  const late = lateRequests && lateNote(lateRequests);
  // The failure is often the reason itself. The set then contains the text once.
  const notes = new Set([reason, failure, late].filter((note) => note !== undefined));
  return [
    `${start} ${result.padEnd(20)} ${numbers}`,
    ...Array.from(notes, (note) => `      ${printable(note)}`),
  ].join('\n');
}

const inDong = new Intl.NumberFormat('en-US');

/** Describes the amounts of payments, such as `12,030,000 đồng each`, so that a wrong unit is noticed. */
function amountsText(amounts: readonly number[]): string {
  const different = [...new Set(amounts)];
  const shown = different.slice(0, maxListed).map((amount) => inDong.format(amount));
  const more = different.length > maxListed ? ' and others' : '';
  const each = different.length === 1 && amounts.length > 1 ? ' each' : '';
  return `${shown.join(' and ')}${more} đồng${each}`;
}

function lateNote({ references }: LateRequests): string {
  const more = references.length > maxListed ? ` and ${references.length - maxListed} more` : '';
  const shown = `${references.slice(0, maxListed).join(', ')}${more}`;
  return `requests for ${shown} arrived after their own scenario had ended, and were not judged`;
}

export function findingsText(findings: readonly Finding[]): string[] {
  return [...groupBy(findings, ({ rule, level }) => `${level.toUpperCase()} ${rule}`)].flatMap(
    ([title, cases]) => [
      '',
      `${title}, in ${quantity(scenariosOf(cases).length, 'scenario')}`,
      ...cases.slice(0, maxListed).map(({ scenario, message }) => `  ${scenario}: ${printable(message)}`),
      ...(cases.length > maxListed ? [`  and ${cases.length - maxListed} more`] : []),
      `  Why: ${cases[0].why}`,
      ...Array.from(new Set(cases.map(({ fix }) => fix)), (fix) => `  Do:  ${fix}`),
    ],
  );
}

function scenariosOf(findings: readonly Finding[]): readonly string[] {
  return [...new Set(findings.map(({ scenario }) => scenario))];
}

/** True if a scenario was not judged although it has everything that it needs. The exit code is then not 0. */
function isInconclusive({ notJudged }: ScenarioReport): boolean {
  return notJudged !== undefined && 'reason' in notJudged;
}

/** Lists scenarios that were not judged, by the reason; empty if there are none. */
function reasonsText(title: string, scenarios: readonly ScenarioReport[]): string[] {
  if (scenarios.length === 0) return [];
  const byReason = groupBy(scenarios, ({ notJudged }) => notJudged && reasonText(notJudged));
  return [
    `${title}: ${quantity(scenarios.length, 'scenario')}`,
    ...Array.from(
      byReason,
      ([reason, some]) => `  ${some.map(({ name }) => name).join(', ')}: ${printable(reason)}`,
    ),
    '',
  ];
}

/** Describes a whole rehearsal: each finding, a table of the rules, the scenarios that were not judged, a summary. */
export function reportText(report: RehearsalReport, hasOrderPage: boolean): string {
  const { scenarios } = report;
  const findings = report.findings.toSorted((one, other) => severityRank(one) - severityRank(other));
  const byRule = [...groupBy(findings, ({ rule }) => rule)].map(([rule, cases]) => [
    cases[0].level,
    rule,
    scenariosOf(cases).join(', '),
  ]);
  const inconclusive = scenarios.filter(isInconclusive);
  const notJudged = scenarios.filter((each) => each.notJudged !== undefined && !isInconclusive(each));
  const withLateRequests = scenarios.filter(({ lateRequests }) => lateRequests !== undefined).length;
  return [
    ...findingsText(findings),
    '',
    ...(byRule.length > 0 ? [...table([['level', 'rule', 'scenarios'], ...byRule]), ''] : []),
    ...reasonsText('INCONCLUSIVE', inconclusive),
    ...reasonsText('NOT JUDGED, without effect on the exit code', notJudged),
    ...lateRequestsText(scenarios),
    `${quantity(scenarios.length, 'scenario')}: ${verdict(findings, [
      ...(report.ok && findings.length === 0 ? ['ok'] : []),
      ...(inconclusive.length > 0 ? [`${inconclusive.length} inconclusive`] : []),
      ...(notJudged.length > 0 ? [`${notJudged.length} not judged`] : []),
      ...(withLateRequests > 0 ? [`${withLateRequests} with late requests`] : []),
    ])}`,
    ...(hasOrderPage ? [] : [withoutOrderPage]),
  ].join('\n');
}

const rulesBySeverity = Object.keys(findingRules);

/** The rank of the rule of a finding; 0 for the first rule of `findingRules`. */
function severityRank({ rule }: Finding): number {
  return rulesBySeverity.indexOf(rule);
}

const withoutOrderPage = 'Without --order-url, rehearse cannot check which orders the shop counts as paid.';

/** Names the scenarios in which late requests arrived, and a `--settle-ms` with which no request would be late. */
function lateRequestsText(scenarios: readonly ScenarioReport[]): string[] {
  const late = scenarios.flatMap(({ name, lateRequests }) => (lateRequests ? { name, ...lateRequests } : []));
  if (late.length === 0) return [];
  const settleMs = Math.max(...late.map((each) => each.settleMs));
  return [
    `LATE REQUESTS arrived in ${quantity(late.length, 'scenario')}: ${late.map(({ name }) => name).join(', ')}`,
    '  Why: These requests are for orders of earlier scenarios that had already ended, so the requests were not judged.',
    `  Do:  Run again with --settle-ms ${settleMs}, or run the jobs of the shop more often in the rehearsal.`,
    '       After a webhook has said that a payment is paid, declined or expired, the shop should send no more',
    '       requests for that payment, except uploads.',
    '',
  ];
}
