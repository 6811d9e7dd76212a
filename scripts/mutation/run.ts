// npm run test:mutation [-- MODULE ...]: changes the code of the modules, one place at a time, and lists the changes
// that no test notices. MODULE:FILE checks one file of a module, such as orders/shell:engine.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { filesOf, modules, type Module } from './modules.js';

const leastOverall = 92;
const leastPerModule = 90;
const leastPerFile = 85;

const named = process.argv.slice(2).map((each) => each.split(':') as [module: string, file?: string]);
const names = named.length > 0 ? named.map(([module]) => module) : Object.keys(modules);
const unknown = names.filter((name) => !Object.hasOwn(modules, name));
if (unknown.length > 0) {
  console.error(`No such module: ${unknown.join(', ')}. The modules are ${Object.keys(modules).join(', ')}.`);
  process.exit(2);
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** One change at one place, and whether a test noticed it. */
interface Mutant {
  readonly file: string;
  /** The line that it begins in. */
  readonly code: string;
  readonly location: { readonly start: Position; readonly end: Position };
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly status: string;
}

/** The fields of Stryker's report that are read. */
interface Report {
  readonly files: Readonly<
    Record<string, { readonly source: string; readonly mutants: readonly Omit<Mutant, 'file' | 'code'>[] }>
  >;
}

const isNoticed = ({ status }: Mutant) => status === 'Killed' || status === 'Timeout';
const isMissed = ({ status }: Mutant) => status === 'Survived' || status === 'NoCoverage';
/** True for code that runs while a module loads. The step `calls` does not check it. */
const runsAtLoad = ({ status }: Mutant) => status === 'Ignored';

type Step = 'calls' | 'modules' | 'callers' | 'callers-modules';

/** Checks the code at these places with the tests of a module, or of its callers. */
function judge(name: string, step: Step, places: readonly string[]): Mutant[] {
  if (places.length === 0) return [];
  const report = `coverage/mutation/${[...name.split('/'), step].join('-')}.json`;
  rmSync(report, { force: true });
  const args = ['run', 'scripts/mutation/stryker.config.mjs', '--mutate', places.join(',')];
  const env = { ...process.env, MUTATION_STEP: step, MUTATION_MODULE: name, MUTATION_REPORT: report };
  const { status } = spawnSync('stryker', args, { env, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  return Object.entries(files).flatMap(([file, { source, mutants }]) => {
    const lines = source.split('\n');
    return mutants.map((mutant) => {
      const code = lines[mutant.location.start.line - 1]?.trim() ?? '';
      return { ...mutant, file, code };
    });
  });
}

/** Writes a place in the form of Stryker's option `mutate`. Its columns start at 0, and those of the report at 1. */
function placeOf({ file, location: { start, end } }: Mutant): string {
  return `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
}

function keyOf(mutant: Mutant): string {
  return [placeOf(mutant), mutant.mutatorName, mutant.replacement].join(' ');
}

/** Merges the results of a later step. */
function update(mutants: readonly Mutant[], later: readonly Mutant[]): Mutant[] {
  const judged = new Map(
    later.filter((mutant) => !runsAtLoad(mutant)).map((mutant) => [keyOf(mutant), mutant]),
  );
  return mutants.map((mutant) => (isNoticed(mutant) ? mutant : (judged.get(keyOf(mutant)) ?? mutant)));
}

/** The requested files of a module. By default, all of them. */
function wantedFiles(name: string, module: Module): string[] {
  const wanted = named.flatMap(([each, file]) => (each === name && file !== undefined ? [file] : []));
  const isNamed = (path: string, file: string) => path.replace(/\.tsx?$/, '').endsWith(`/${file}`);
  const files = filesOf(module);
  const missing = wanted.filter((file) => !files.some((path) => isNamed(path, file)));
  if (missing.length > 0) {
    console.error(`${name} has no such file: ${missing.join(', ')}. Its files are ${files.join(', ')}.`);
    process.exit(2);
  }
  return wanted.length === 0 ? files : files.filter((path) => wanted.some((file) => isNamed(path, file)));
}

function judgeModule(name: string, module: Module): Mutant[] {
  // All tests run in one context, in which a mutant needs little time.
  const calls = judge(name, 'calls', wantedFiles(name, module));
  // Each test file loads its modules again, so that code which runs while they load is checked too.
  const modules = judge(name, 'modules', calls.filter(runsAtLoad).map(placeOf));
  const own = update(calls, modules);
  if (!module.callers) return own;
  // The module's own tests notice most changes of code that runs in a call. The tests of its callers check the
  // remaining changes.
  const callers = judge(name, 'callers', calls.filter(isMissed).map(placeOf));
  return update(
    update(own, callers),
    judge(name, 'callers-modules', callers.filter(runsAtLoad).map(placeOf)),
  );
}

function groupedByFile(mutants: readonly Mutant[]): ReadonlyMap<string, readonly Mutant[]> {
  const groups = new Map<string, Mutant[]>();
  for (const mutant of mutants) {
    const group = groups.get(mutant.file) ?? [];
    group.push(mutant);
    groups.set(mutant.file, group);
  }
  return groups;
}

function countsOf(mutants: readonly Mutant[]) {
  const killed = mutants.filter(isNoticed).length;
  const survived = mutants.filter(isMissed).length;
  const judged = killed + survived;
  return { killed, survived, percent: judged === 0 ? 100 : (100 * killed) / judged };
}

function row(name: string, mutants: readonly Mutant[]): string {
  const { killed, survived, percent } = countsOf(mutants);
  return `${name.padEnd(50)} ${String(killed + survived).padStart(6)} ${percent.toFixed(1).padStart(7)} %`;
}

function textOf({ file, location: { start }, code, mutatorName, replacement = '' }: Mutant): string {
  const [whole = '', swapped = whole] = replacement.replaceAll(/\s+/g, ' ').split('/*earlier*/');
  const changed = swapped === whole ? whole : `earlier:${swapped.slice(0, 80)}`;
  return `${file}:${start.line}:${start.column} ${mutatorName}: ${code} -> ${changed}`;
}

const byModule = Object.entries(modules)
  .filter(([name]) => names.includes(name))
  .map(([name, module]) => [name, judgeModule(name, module)] as const);
const all = byModule.flatMap(([, mutants]) => mutants);
const byFile = [...groupedByFile(all)];
const missed = all.filter(isMissed);

console.log(`\nNo test notices these ${missed.length} changes:`);
for (const mutant of missed) console.log(textOf(mutant));
console.log(`\n${'code'.padEnd(50)} changes noticed`);
for (const [name, mutants] of byModule) {
  console.log(row(`${name}/`, mutants));
  for (const [file, own] of groupedByFile(mutants)) console.log(row(`  ${file}`, own));
}
console.log(row('all', all));

const below = (least: number, groups: readonly (readonly [string, readonly Mutant[]])[]) =>
  groups.flatMap(([name, mutants]) =>
    countsOf(mutants).percent < least ? [`${name} is below ${least} %.`] : [],
  );
const weak = [
  ...below(leastPerFile, byFile),
  ...below(leastPerModule, byModule),
  ...below(leastOverall, [['All of it', all]]),
];
for (const line of weak) console.error(line);
process.exitCode = weak.length > 0 ? 1 : 0;
