// npx tsx test/orders/mutation/main.ts [NAME ...]: replaces each condition of the rules by true and by false, one at a
// time, and lists the changes that neither the unit tests nor the models of CI notice. `explained.json` explains the
// rest. After that it plants the defects, which the models must find alone. NAME is a file of the rules without `.ts`,
// or `defects`; the default is all.
import { readFileSync } from 'node:fs';
import { createVitest } from 'vitest/node';
import { defects } from './defects.js';
import { mutantsOf, root, type Mutant } from './mutants.js';

const names = [
  'order',
  'rules',
  'payment-rules',
  'webhook-rules',
  'staff-rules',
  'time-rules',
  'due',
  'invoice-rules',
  'payment-state',
  'order-parts',
  'reviews',
  'conclusions',
  'order-view',
  'history',
];
const pathOf = (name: string) => `src/orders/${name}.ts`;
const files = names.map(pathOf);
const named = process.argv.slice(2);
const unknown = named.filter((name) => name !== 'defects' && !names.includes(name));
if (unknown.length > 0)
  throw new Error(`unknown: ${unknown.join(', ')}; known: ${[...names, 'defects'].join(', ')}`);
const isAsked = (name: string) => named.length === 0 || named.includes(name);

let mutant: Pick<Mutant, 'file' | 'source'> | undefined;
const vitest = await createVitest(
  'test',
  {
    // The projects of vitest.config.ts do not use the plugins given here.
    config: false,
    root,
    include: [
      'test/orders/{rules*,history,conclusions,review*,order-view,stored-orders}.test.ts',
      'test/orders/search/small-models.slow.test.ts',
      'test/slow/orders/models.test.ts',
    ],
    isolate: false,
    bail: 1,
    testTimeout: 600_000,
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
const all = await vitest.globTestSpecifications();
const models = all.filter(({ moduleId }) => /models\.(?:slow\.)?test\.ts$/.test(moduleId));
const unitTests = all.filter((each) => !models.includes(each));

async function isNoticed(specifications: typeof models): Promise<boolean> {
  // All of them, because a module of the mutant before can still be loaded.
  for (const file of files) vitest.invalidateFile(root + file);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  // The result includes the modules of earlier runs.
  const ids = new Set(specifications.map(({ moduleId }) => moduleId));
  const ran = testModules.filter(({ moduleId }) => ids.has(moduleId));
  if (ran.length !== specifications.length && unhandledErrors.length === 0)
    throw new Error('a test file did not run');
  return unhandledErrors.length > 0 || ran.some((module) => !module.ok());
}

// The run is worthless if it notices everything or nothing. The models do not load every file.
for (const source of [undefined, 'throw new Error("mutant");', undefined])
  for (const [file, tests] of [
    ...files.map((each) => [each, unitTests] as const),
    [pathOf('rules'), models] as const,
  ]) {
    mutant = source === undefined ? undefined : { file, source };
    if ((await isNoticed(tests)) === (source !== undefined)) continue;
    throw new Error(
      source === undefined ? 'the tests fail without a mutant' : `the mutants of ${file} are not loaded`,
    );
  }
const explained = JSON.parse(readFileSync(new URL('explained.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;
let missed = 0;
const counts = { unitTests: 0, models: 0, explained: 0 };
const used = new Set<string>();
const mutants = names.filter(isAsked).flatMap((name) => mutantsOf(pathOf(name)));
for (const [index, each] of mutants.entries()) {
  mutant = each;
  if (index % 50 === 0) process.stderr.write(`${index} of ${mutants.length}\n`);
  const key = `${each.file} ${each.within}: ${each.change}`;
  if (await isNoticed(unitTests)) counts.unitTests += 1;
  else if (await isNoticed(models)) counts.models += 1;
  else if (explained[key]) {
    counts.explained += 1;
    used.add(key);
  } else {
    console.log(`not noticed, line ${each.line}: ${key}`);
    missed += 1;
  }
}
console.log(`${mutants.length} changes`, counts);
for (const key of Object.keys(explained)) {
  const isJudged = mutants.some(({ file }) => key.startsWith(`${file} `));
  if (!isJudged || used.has(key)) continue;
  console.log(`explained, but noticed or gone: ${key}`);
  missed += 1;
}
if (isAsked('defects')) {
  let found = 0;
  for (const { name, file, from, to } of defects) {
    const source = readFileSync(root + file, 'utf8');
    mutant = { file, source: source.replace(from, () => to) };
    if (mutant.source === source) throw new Error(`the defect cannot be planted: ${name}`);
    if (await isNoticed(models)) found += 1;
    else {
      console.log(`no model finds the defect: ${name}`);
      missed += 1;
    }
  }
  console.log(`${found} of ${defects.length} defects are found`);
}
await vitest.close();
// Vitest itself has set a code, because tests failed.
process.exit(missed > 0 ? 1 : 0);
