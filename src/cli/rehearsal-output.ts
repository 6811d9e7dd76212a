import { groupBy } from '../mock/findings/evidence.js';
import type { Finding } from '../mock/findings/finding.js';
import type { RehearsalReport, WorldReport } from '../mock/rehearsal/rehearse.js';
import { visible } from './io.js';

const shownSightings = 6;

function count(size: number, noun: string): string {
  return `${size} ${noun}${size === 1 ? '' : 's'}`;
}

function countOf(findings: readonly Finding[], level: Finding['level']): number {
  return findings.filter((finding) => finding.level === level).length;
}

function verdict(findings: readonly Finding[]): string {
  const parts = (['error', 'warning'] as const).flatMap((level) => {
    const size = countOf(findings, level);
    return size > 0 ? [count(size, level)] : [];
  });
  return parts.join(', ') || 'ok';
}

/** Worlds whose run shows nothing, with the reason: the command failed, or created fewer payments than in the plain world. */
function unproven([plain, ...others]: readonly WorldReport[]): string[] {
  return others.flatMap(({ name, commandFailed, payments }) => {
    if (commandFailed !== undefined) return [`${name} (the command failed)`];
    return plain && payments < plain.payments
      ? [`${name} (${count(payments, 'payment')}, ${count(plain.payments, 'payment')} in the plain world)`]
      : [];
  });
}

/** The line of one world, once it has ended. */
export function progressLine(
  { name, findings, commandFailed, late, requests, payments, durationMs }: WorldReport,
  place: string,
): string {
  const seen = `${count(requests, 'request')}, ${count(payments, 'payment')}, ${(durationMs / 1000).toFixed(1)} s`;
  const judgement = commandFailed === undefined || findings.length > 0 ? verdict(findings) : 'command failed';
  const notes = [
    ...(commandFailed === undefined ? [] : [`the command ${visible(commandFailed)}`]),
    ...(late ? [`late requests for ${late.join(', ')} were not counted; try a longer --settle-ms`] : []),
  ];
  return [
    `${place} ${name.padEnd(20)} ${judgement.padEnd(20)} ${seen}`,
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
  const row = (level: string, rule: string, inWorlds: string) =>
    `  ${level.padEnd(8)} ${rule.padEnd(28)} ${inWorlds}`;
  const table = rules.map(({ first, inWorlds }) => row(first.level, first.rule, inWorlds.join(', ')));
  return [
    ...lines,
    '',
    ...(table.length > 0 ? [row('level', 'rule', 'worlds'), ...table, ''] : []),
    `${count(worlds.length, 'world')}: ${verdict(findings)}`,
    ...(unproven(worlds).length > 0
      ? [`Not shown to be right, see why: ${unproven(worlds).join(', ')}`]
      : []),
    ...(isProbed
      ? []
      : [
          'Without --order-url it is not known which orders the merchant counts as paid: that was not judged.',
        ]),
  ].join('\n');
}

function xml(text: string): string {
  // XML 1.0 has no control characters.
  return visible(text).replaceAll(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The report as JUnit XML: a test case for each world, which fails with an error. */
export function junit({ worlds }: RehearsalReport): string {
  const cases = worlds.map(({ name, findings, commandFailed }) => {
    const describe = ({ rule, message, why, fix }: Finding) => `${rule}: ${message} ${why} ${fix}`;
    const errors = findings.filter(({ level }) => level === 'error');
    const warnings = findings.filter(({ level }) => level === 'warning').map(describe);
    const notes = [...(commandFailed === undefined ? [] : [`The command ${commandFailed}`]), ...warnings];
    return [
      `  <testcase classname="rehearsal" name="${xml(name)}">`,
      ...errors.map(
        (error) =>
          `    <failure type="${error.rule}" message="${xml(error.message)}">${xml(describe(error))}</failure>`,
      ),
      ...(notes.length > 0 ? [`    <system-out>${notes.map(xml).join('\n')}</system-out>`] : []),
      '  </testcase>',
    ].join('\n');
  });
  const failed = worlds.filter(({ findings }) => countOf(findings, 'error') > 0).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="installment-payments rehearsal" tests="${worlds.length}" failures="${failed}">`,
    ...cases,
    '</testsuite>',
    '',
  ].join('\n');
}
