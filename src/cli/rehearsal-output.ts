import { isFlag, type Finding, type RehearsalReport, type WorldReport } from '../mock/face.js';
import { groupBy } from '../values/group-by.js';
import { visible } from './io.js';

const shownSightings = 6;

function count(size: number, noun: string): string {
  return `${size} ${noun}${size === 1 ? '' : 's'}`;
}

function countOf(findings: readonly Finding[], level: Finding['level']): number {
  return findings.filter((finding) => finding.level === level).length;
}

function verdict(findings: readonly Finding[], unjudged: string | undefined): string {
  const parts = (['error', 'warning'] as const).flatMap((level) => {
    const size = countOf(findings, level);
    return size > 0 ? [count(size, level)] : [];
  });
  return [...parts, unjudged ?? []].flat().join(', ') || 'ok';
}

const lateAdvice =
  'if the shop waits longer between tries, give a longer --settle-ms; if it was told how the order ended, it should not ask again';

/** The line of one world, once it has ended. */
export function progressLine(report: WorldReport, place: string): string {
  const { name, findings, commandFailed, notJudged, late, requests, payments, durationMs } = report;
  const start = `${place} ${name.padEnd(27)}`;
  if (notJudged !== undefined && isFlag(notJudged)) return `${start} not judged without ${notJudged}`;
  const isOpen = notJudged !== undefined && countOf(findings, 'error') === 0;
  const unjudged = isOpen ? 'not judged' : undefined;
  const seen = `${count(requests, 'request')}, ${count(payments, 'payment')}, ${(durationMs / 1000).toFixed(1)} s`;
  const notes = [
    ...(notJudged === undefined ? [] : [visible(notJudged)]),
    ...(commandFailed !== undefined && notJudged === undefined
      ? [`the command ${visible(commandFailed)}; that alone is not a finding`]
      : []),
    ...(late ? [`late requests for ${late.join(', ')} were not counted: ${lateAdvice}`] : []),
  ];
  return [
    `${start} ${verdict(findings, unjudged).padEnd(20)} ${seen}`,
    ...notes.map((note) => `      ${note}`),
  ].join('\n');
}

/** Findings by rule, each with its cases and what to do. */
export function findingsText(findings: readonly Finding[]): string[] {
  return [...groupBy(findings, ({ rule, level }) => `${level.toUpperCase()} ${rule}`)].flatMap(
    ([title, cases]) => {
      const fixes = [...new Set(cases.map(({ fix }) => fix))];
      return [
        '',
        `${title}, in ${count(worldsOf(cases).length, 'world')}`,
        ...cases.slice(0, shownSightings).map(({ world, message }) => `  ${world}: ${visible(message)}`),
        ...(cases.length > shownSightings ? [`  and ${cases.length - shownSightings} more`] : []),
        `  Why: ${cases[0]?.why}`,
        ...fixes.map((fix) => `  Do:  ${fix}`),
      ];
    },
  );
}

function worldsOf(findings: readonly Finding[]): readonly string[] {
  return [...new Set(findings.map(({ world }) => world))];
}

/** The table and the findings of a whole rehearsal. */
export function reportText({ worlds, findings }: RehearsalReport, isProbed: boolean): string {
  const unjudged = worlds.filter(({ notJudged }) => notJudged !== undefined);
  const row = (level: string, rule: string, inWorlds: string) =>
    `  ${level.padEnd(8)} ${rule.padEnd(28)} ${inWorlds}`;
  const table = [...groupBy(findings, ({ rule }) => rule)].map(([rule, cases]) =>
    row(cases[0]?.level ?? '', rule, worldsOf(cases).join(', ')),
  );
  return [
    ...findingsText(findings),
    '',
    ...(table.length > 0 ? [row('level', 'rule', 'worlds'), ...table, ''] : []),
    ...notJudgedText(unjudged),
    `${count(worlds.length, 'world')}: ${verdict(findings, unjudged.length > 0 ? `${unjudged.length} not judged` : undefined)}`,
    ...(isProbed
      ? []
      : [
          'Without --order-url, the orders that the merchant counts as paid are not known, and were not judged.',
        ]),
  ].join('\n');
}

function notJudgedText(worlds: readonly WorldReport[]): string[] {
  const byFlag = groupBy(worlds, ({ notJudged = '' }) => (isFlag(notJudged) ? notJudged : undefined));
  const others = worlds.filter(({ notJudged = '' }) => !isFlag(notJudged));
  const advice = [
    '  Why: A mistake cannot be seen in orders that were not placed.',
    '  Do:  Place the same orders in each world, and continue when one stays open.',
  ];
  return [
    ...(worlds.length > 0 ? [`NOT JUDGED: ${count(worlds.length, 'world')}`] : []),
    ...[...byFlag].map(([flag, some]) => `  without ${flag}: ${some.map(({ name }) => name).join(', ')}`),
    ...others.map(({ name, notJudged = '' }) => `  ${name}: ${visible(notJudged)}`),
    ...(others.length > 0 ? advice : []),
    ...(worlds.length > 0 ? [''] : []),
  ];
}
