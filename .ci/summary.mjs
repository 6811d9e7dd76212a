/**
 * Adds up the reports of the steps of a run; the last line says `N passed, N failed`.
 *
 *   node .ci/summary.mjs REPORTS STEP...
 *
 * REPORTS is the folder of the reports. A STEP is `CODE:NAMES:COMMAND`: the exit code of a command, and the reports
 * that it must leave, separated by commas. A report that is missing or has no test counts as failed, and so does a
 * command that failed though its reports have no failure.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, ...steps] = process.argv.slice(2);
let passed = 0;
const failed = [];

function readReport(name) {
  try {
    const report = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
    if (report.passed === 0 && report.failed.length === 0) return { passed: 0, failed: ['no test ran'] };
    return report;
  } catch {
    return { passed: 0, failed: ['left no report'] };
  }
}

for (const step of steps) {
  const [, code, names, command] = /^(\d+):([^:]*):(.+)$/s.exec(step) ?? [];
  if (command === undefined)
    throw new Error(`expected CODE:NAMES:COMMAND, such as 0:unit:npm test, not ${step}`);
  const failures = [];
  for (const name of names.split(',').filter(Boolean)) {
    const report = readReport(name);
    passed += report.passed;
    failures.push(...report.failed.map((failure) => `${name}: ${failure}`));
  }
  if (code !== '0' && failures.length === 0) failures.push(`${command} ended with code ${code}`);
  failed.push(...failures);
}
for (const failure of failed) console.log(`failed  ${failure}`);
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 || passed === 0 ? 1 : 0;
