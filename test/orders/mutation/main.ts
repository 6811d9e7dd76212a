// npx tsx test/orders/mutation/main.ts [FROM]: forces each condition of the rules to true and to false, one at a time, and lists
// those that neither the unit tests nor the small models notice. `explained.json` has the reason for each of them.
import { readFileSync } from 'node:fs';
import { createVitest } from 'vitest/node';
import { defects } from './defects.js';
import { mutantsOf, root, type Mutant } from './mutants.js';

const files = [
  'rules',
  'time-rules',
  'due',
  'invoice-rules',
  'payment-state',
  'order-parts',
  'reviews',
  'order-view',
].map((name) => `src/orders/${name}.ts`);
let mutant: Mutant | undefined;
const vitest = await createVitest(
  'test',
  {
    // Without the projects of vitest.config.ts, whose servers take no plugin from here.
    config: false,
    root,
    include: ['test/orders/{rules*,search/small-models}.test.ts', 'test/slow/orders/models.test.ts'],
    isolate: false,
    bail: 1,
    reporters: [{}],
    coverage: { enabled: false },
    watch: false,
  },
  {
    plugins: [
      {
        name: 'mutant',
        enforce: 'pre',
        load: (id) => (mutant && id === root + mutant.file ? mutant.source : null),
      },
    ],
  },
);
const unitTests = await vitest.globTestSpecifications(['test/orders/rules']);
const models = await vitest.globTestSpecifications(['test/orders/search/small-models']);
const larger = await vitest.globTestSpecifications(['test/slow/orders/models']);

async function isNoticed(specifications: typeof models): Promise<boolean> {
  // All of them: one may still be there as the mutant before this one had it.
  for (const file of files) vitest.invalidateFile(root + file);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  // It has the modules of earlier runs, too.
  const isAsked = new Set(specifications.map(({ moduleId }) => moduleId));
  const ran = testModules.filter(({ moduleId }) => isAsked.has(moduleId));
  if (ran.length !== specifications.length && unhandledErrors.length === 0)
    throw new Error('a test file did not run');
  return unhandledErrors.length > 0 || ran.some((module) => !module.ok());
}

// A run that notices everything, or nothing, says nothing.
for (const source of [undefined, 'throw new Error("mutant");', undefined])
  for (const file of files)
    for (const tests of [unitTests, models]) {
      mutant = source === undefined ? undefined : { file, line: 0, change: 'nothing works', source };
      if ((await isNoticed(tests)) !== (source !== undefined))
        throw new Error(source === undefined ? 'the tests fail without a mutant' : 'mutants are not loaded');
    }
const explained = JSON.parse(readFileSync(new URL('explained.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;
const counts = { unitTests: 0, models: 0, explained: 0 };
const all = files.flatMap(mutantsOf);
for (const [index, each] of all.entries()) {
  if (index < Number(process.argv[2] ?? 0)) continue;
  mutant = each;
  if (index % 50 === 0) process.stderr.write(`${index} of ${all.length}\n`);
  const where = `${index} ${each.file}:${each.line}: ${each.change}`;
  if (await isNoticed(unitTests)) counts.unitTests += 1;
  else if (await isNoticed(models)) counts.models += 1;
  else if (explained[`${each.file}: ${each.change}`]) counts.explained += 1;
  else {
    console.log(where);
    process.exitCode = 1;
  }
}
console.log(`${all.length} changes`, counts);
for (const { name, file, from, to } of defects) {
  const source = readFileSync(root + file, 'utf8');
  mutant = { file, line: 0, change: name, source: source.replace(from, () => to) };
  if (mutant.source !== source && ((await isNoticed(models)) || (await isNoticed(larger)))) continue;
  console.log(`no model finds the defect: ${name}`);
  process.exitCode = 1;
}
await vitest.close();
process.exit();
