import type { Finding, RehearsalReport, WorldReport } from '../mock/face.js';
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
export function progressLine(
  { name, findings, commandFailed, notJudged, late, requests, payments, durationMs }: WorldReport,
  place: string,
): string {
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
    `${place} ${name.padEnd(20)} ${verdict(findings, unjudged).padEnd(20)} ${seen}`,
    ...notes.map((note) => `      ${note}`),
  ].join('\n');
}

/** The table and the findings of a whole rehearsal. */
export function reportText({ worlds, findings }: RehearsalReport, isProbed: boolean): string {
  const rules = [...groupBy(findings, ({ rule }) => rule).values()].flatMap((cases) => {
    const [first] = cases;
    return first ? [{ first, cases, inWorlds: [...new Set(cases.map(({ world }) => world))] }] : [];
  });
  const lines = rules.flatMap(({ first, cases, inWorlds }) => [
    '',
    `${first.level.toUpperCase()} ${first.rule}, in ${count(inWorlds.length, 'world')}`,
    ...cases.slice(0, shownSightings).map(({ world, message }) => `  ${world}: ${visible(message)}`),
    ...(cases.length > shownSightings ? [`  and ${cases.length - shownSightings} more`] : []),
    `  Why: ${first.why}`,
    `  Do:  ${first.fix}`,
  ]);
  const unjudged = worlds.filter(({ notJudged }) => notJudged !== undefined);
  const row = (level: string, rule: string, inWorlds: string) =>
    `  ${level.padEnd(8)} ${rule.padEnd(28)} ${inWorlds}`;
  const table = rules.map(({ first, inWorlds }) => row(first.level, first.rule, inWorlds.join(', ')));
  return [
    ...lines,
    '',
    ...(table.length > 0 ? [row('level', 'rule', 'worlds'), ...table, ''] : []),
    ...notJudgedText(unjudged),
    `${count(worlds.length, 'world')}: ${verdict(findings, unjudged.length > 0 ? `${unjudged.length} not judged` : undefined)}`,
    ...(isProbed
      ? []
      : [
          'Without --order-url it is not known which orders the merchant counts as paid: that was not judged.',
        ]),
  ].join('\n');
}

function notJudgedText(worlds: readonly WorldReport[]): string[] {
  if (worlds.length === 0) return [];
  return [
    `NOT JUDGED: ${count(worlds.length, 'world')}`,
    ...worlds.map(({ name, notJudged = '' }) => `  ${name}: ${visible(notJudged)}`),
    '  Why: A mistake cannot be seen in orders that were not taken.',
    '  Do:  Let the command take the same orders in each world, and go on where one stays open.',
    '',
  ];
}

function xml(text: string): string {
  // XML 1.0 has no control characters.
  return visible(text).replaceAll(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The report as JUnit XML: a test case for each world, which fails with an error and where it was not judged. */
export function junit({ worlds }: RehearsalReport): string {
  const cases = worlds.map(({ name, findings, notJudged }) => {
    const describe = ({ rule, message, why, fix }: Finding) => `${rule}: ${message} ${why} ${fix}`;
    const errors = findings.filter(({ level }) => level === 'error');
    const warnings = findings.filter(({ level }) => level === 'warning').map(describe);
    return [
      `  <testcase classname="rehearsal" name="${xml(name)}">`,
      ...errors.map(
        (error) =>
          `    <failure type="${error.rule}" message="${xml(error.message)}">${xml(describe(error))}</failure>`,
      ),
      ...(notJudged === undefined ? [] : [`    <failure type="not-judged" message="${xml(notJudged)}"/>`]),
      ...(warnings.length > 0 ? [`    <system-out>${warnings.map(xml).join('\n')}</system-out>`] : []),
      '  </testcase>',
    ].join('\n');
  });
  const failed = worlds.filter(({ findings, notJudged }) => {
    return notJudged !== undefined || countOf(findings, 'error') > 0;
  }).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="installment-payments rehearsal" tests="${worlds.length}" failures="${failed}">`,
    ...cases,
    '</testsuite>',
    '',
  ].join('\n');
}
