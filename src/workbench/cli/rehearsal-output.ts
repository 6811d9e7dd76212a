import { groupBy } from '../../mock/common/group-by.js';
import { hasError, isFlag, type RehearsalReport, type WorldReport } from '../rehearsal/rehearse.js';
import type { Finding } from '../findings/rules.js';
import { visible } from './io.js';

const shownCases = 6;

function count(size: number, noun: string): string {
  return `${size} ${noun}${size === 1 ? '' : 's'}`;
}

/** Such as `2 errors, 1 warning`. */
function verdict(findings: readonly Finding[], unjudged: readonly string[]): string {
  const parts = (['error', 'warning'] as const).flatMap((level) => {
    const { length } = findings.filter((finding) => finding.level === level);
    return length > 0 ? count(length, level) : [];
  });
  return [...parts, ...unjudged].join(', ') || 'ok';
}

/** The line of one world, once it has ended. */
export function progressLine(report: WorldReport, place: string): string {
  const { name, findings, commandFailed, notJudged, late, requests, payments, durationMs } = report;
  const start = `${place} ${name.padEnd(27)}`;
  if (notJudged !== undefined && isFlag(notJudged)) return `${start} not judged without ${notJudged}`;
  const said = verdict(findings, notJudged === undefined || hasError(findings) ? [] : ['not judged']);
  const seen = `${count(requests, 'request')}, ${count(payments, 'payment')}, ${(durationMs / 1000).toFixed(1)} s`;
  const failed = commandFailed && `${commandFailed}; that alone is not a finding`;
  const advice =
    'if the shop waits longer between tries, give a longer --settle-ms; if it was told how the order ended, it should not ask again';
  const notes = [
    notJudged ?? failed ?? [],
    late ? `late requests for ${late.join(', ')} were not counted: ${advice}` : [],
  ].flat();
  return [`${start} ${said.padEnd(20)} ${seen}`, ...notes.map((note) => `      ${visible(note)}`)].join('\n');
}

export function findingsText(findings: readonly Finding[]): string[] {
  return [...groupBy(findings, ({ rule, level }) => `${level.toUpperCase()} ${rule}`)].flatMap(
    ([title, cases]) => [
      '',
      `${title}, in ${count(worldsOf(cases).length, 'world')}`,
      ...cases.slice(0, shownCases).map(({ world, message }) => `  ${world}: ${visible(message)}`),
      ...(cases.length > shownCases ? [`  and ${cases.length - shownCases} more`] : []),
      `  Why: ${cases[0].why}`,
      ...Array.from(new Set(cases.map(({ fix }) => fix)), (fix) => `  Do:  ${fix}`),
    ],
  );
}

function worldsOf(findings: readonly Finding[]): readonly string[] {
  return [...new Set(findings.map(({ world }) => world))];
}

/** The findings of a whole rehearsal, a table of them, and what was not judged. */
export function reportText({ worlds, findings }: RehearsalReport, isProbed: boolean): string {
  const row = (level: string, rule: string, inWorlds: string) =>
    `  ${level.padEnd(8)} ${rule.padEnd(28)} ${inWorlds}`;
  const table = [...groupBy(findings, ({ rule }) => rule)].map(([rule, cases]) =>
    row(cases[0].level, rule, worldsOf(cases).join(', ')),
  );
  const byReason = [...groupBy(worlds, ({ notJudged }) => notJudged)].map(([reason, some]) => {
    const why = isFlag(reason) ? `without ${reason}` : visible(reason);
    return `  ${some.map(({ name }) => name).join(', ')}: ${why}`;
  });
  const { length } = worlds.filter(({ notJudged }) => notJudged !== undefined);
  return [
    ...findingsText(findings),
    '',
    ...(table.length > 0 ? [row('level', 'rule', 'worlds'), ...table, ''] : []),
    ...(length > 0 ? [`NOT JUDGED: ${count(length, 'world')}`, ...byReason, ''] : []),
    `${count(worlds.length, 'world')}: ${verdict(findings, length > 0 ? [`${length} not judged`] : [])}`,
    ...(isProbed ? [] : [unprobed]),
  ].join('\n');
}

const unprobed =
  'Without --order-url, the orders that the merchant counts as paid are not known, and were not judged.';
