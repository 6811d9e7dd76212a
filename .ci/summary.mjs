/**
 * Adds up the steps of a run; the last line says `N passed, N failed`.
 *
 *   node .ci/summary.mjs STEP...
 *
 * A STEP is `CODE:REPORT:COMMAND`: the exit code of a command, the file to which it must write a report of vitest, if
 * any, and the command. These count as failed: a skipped test, a report that is missing or empty, and a command that
 * failed although no test of its report failed.
 */
import { readFileSync } from 'node:fs';

let passed = 0;
const failed = [];

for (const step of process.argv.slice(2)) {
  const [, code, path, command] = /^(\d+):([^:]*):(.+)$/s.exec(step);
  const before = failed.length;
  if (path !== '') {
    try {
      const { numPassedTests, testResults } = JSON.parse(readFileSync(path, 'utf8'));
      passed += numPassedTests;
      if (numPassedTests === 0) failed.push(`${command}: no test passed`);
      for (const { name, assertionResults } of testResults)
        for (const { fullName, status } of assertionResults)
          if (status !== 'passed') failed.push(`${name} > ${fullName}: ${status}`);
    } catch (error) {
      failed.push(`${command}: ${error.message}`);
    }
  }
  if (code !== '0' && failed.length === before) failed.push(`${command} ended with code ${code}`);
}
for (const failure of failed) console.log(`failed  ${failure}`);
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length > 0 || passed === 0 ? 1 : 0;
