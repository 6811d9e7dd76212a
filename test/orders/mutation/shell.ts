// npx tsx test/orders/mutation/shell.ts: plants one defect after the other in what reads, writes, calls and waits, and
// lists those that their test does not notice.
import { readFileSync } from 'node:fs';
import { createVitest } from 'vitest/node';
import { root } from './mutants.js';
import { shellDefects, type ShellDefect } from './shell-defects.js';

let planted: ShellDefect | undefined;

function withDefect({ file, from, to }: ShellDefect): string {
  const source = readFileSync(root + file, 'utf8');
  const parts = source.split(from);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${from}`);
  return parts.join(to);
}

const vitest = await createVitest(
  'test',
  {
    // Without the projects of vitest.config.ts, whose servers take no plugin from here.
    config: false,
    root,
    include: ['test/orders/*.test.ts'],
    isolate: false,
    maxWorkers: 1,
    testTimeout: 60_000,
    reporters: [{}],
    coverage: { enabled: false },
    watch: false,
  },
  {
    plugins: [
      {
        name: 'defect',
        enforce: 'pre',
        load: (id) => (planted && id === root + planted.file ? withDefect(planted) : null),
      },
    ],
  },
);

/** The titles of the tests that fail. */
async function failing(tests: string): Promise<string[]> {
  for (const { file } of shellDefects) vitest.invalidateFile(root + file);
  const specifications = await vitest.globTestSpecifications([`test/orders/${tests}.test.ts`]);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  if (unhandledErrors.length > 0) throw new Error(`${tests} does not run`, { cause: unhandledErrors[0] });
  return testModules
    .filter(({ moduleId }) => specifications.some((each) => each.moduleId === moduleId))
    .flatMap(({ children }) => [...children.allTests('failed')].map(({ fullName }) => fullName));
}

// A defect that cannot be planted would fail whole files, without the title of a test.
for (const defect of shellDefects) withDefect(defect);
for (const tests of new Set(shellDefects.map((defect) => defect.tests))) {
  const titles = await failing(tests);
  if (titles.length > 0) throw new Error(`without a defect fails: ${titles.join(', ')}`);
}
let missed = 0;
for (const defect of shellDefects) {
  planted = defect;
  const titles = await failing(defect.tests);
  const isNoticed = titles.some((title) => title.includes(defect.title));
  if (!isNoticed) missed += 1;
  console.log(`${isNoticed ? `${titles.length} red` : 'NOT NOTICED'}  ${defect.name}: ${defect.title}`);
}
await vitest.close();
// Vitest itself has set a code, because tests failed.
process.exit(missed > 0 ? 1 : 0);
