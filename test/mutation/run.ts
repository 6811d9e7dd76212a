// npm run test:mutation [-- ROOM ...]: changes the code of the rooms, one place at a time, and lists what no test notices.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';

const allRooms = ['errors', 'http', 'lender', 'operations', 'protocol', 'mock/service', 'mock/state'];
const leastOverall = 92;
const leastPerFile = 85;

const rooms = process.argv.length > 2 ? process.argv.slice(2) : allRooms;
const unknown = rooms.filter((room) => !allRooms.includes(room));
if (unknown.length > 0) {
  console.error(`No such room: ${unknown.join(', ')}. The rooms are ${allRooms.join(', ')}.`);
  process.exit(2);
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** One change of one place, and whether a test noticed it. */
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
/** Not judged by the step for calls: it runs while a module loads. */
const isLoaded = ({ status }: Mutant) => status === 'Ignored';

/** Judges the code at these places by the tests of a room, or by all quick tests. */
function judge(step: 'calls' | 'modules' | 'rest', places: readonly string[], testRoom = ''): Mutant[] {
  if (places.length === 0) return [];
  const report = `coverage/mutation/${step}.json`;
  rmSync(report, { force: true });
  const args = ['run', 'test/mutation/stryker.config.mjs', '--mutate', places.join(',')];
  const env = { ...process.env, MUTATION_STEP: step, MUTATION_ROOM: testRoom };
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

/** As Stryker's option `mutate` takes it: its columns count from 0, the report's from 1. */
function placeOf({ file, location: { start, end } }: Mutant): string {
  return `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
}

function keyOf(mutant: Mutant): string {
  return [placeOf(mutant), mutant.mutatorName, mutant.replacement].join(' ');
}

/** Takes over what a later step judged. */
function update(mutants: readonly Mutant[], later: readonly Mutant[]): Mutant[] {
  const judged = new Map(
    later.filter((mutant) => !isLoaded(mutant)).map((mutant) => [keyOf(mutant), mutant]),
  );
  return mutants.map((mutant) => (isNoticed(mutant) ? mutant : (judged.get(keyOf(mutant)) ?? mutant)));
}

function judgeRoom(room: string): Mutant[] {
  // In one context, where a mutant takes a moment.
  const calls = judge('calls', [`src/${room}/**/*.ts`], room);
  // Each test file loads its modules again, so that code which runs while they load is judged too.
  const loads = judge('modules', calls.filter(isLoaded).map(placeOf), room);
  // The room's own tests notice most of what runs in a call. All quick tests judge what is left of that.
  const rest = judge('rest', calls.filter(isMissed).map(placeOf));
  return update(update(calls, loads), rest);
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
  const noticed = mutants.filter(isNoticed).length;
  const judged = noticed + mutants.filter(isMissed).length;
  return { judged, percent: judged === 0 ? 100 : (100 * noticed) / judged };
}

function row(name: string, mutants: readonly Mutant[]): string {
  const { judged, percent } = countsOf(mutants);
  return `${name.padEnd(50)} ${String(judged).padStart(6)} ${percent.toFixed(1).padStart(7)} %`;
}

function textOf({ file, location: { start }, code, mutatorName, replacement = '' }: Mutant): string {
  const changed = replacement.replaceAll(/\s+/g, ' ');
  return `${file}:${start.line}:${start.column} ${mutatorName}: ${code} -> ${changed}`;
}

const byRoom = rooms.map((room) => [room, judgeRoom(room)] as const);
const all = byRoom.flatMap(([, mutants]) => mutants);
const byFile = [...groupedByFile(all)];
const missed = all.filter(isMissed);

console.log(`\nNo test notices these ${missed.length} changes:`);
for (const mutant of missed) console.log(textOf(mutant));
console.log(`\n${'code'.padEnd(50)} changes noticed`);
for (const [room, mutants] of byRoom) {
  console.log(row(`src/${room}/`, mutants));
  for (const [file, own] of byFile) if (file.startsWith(`src/${room}/`)) console.log(row(`  ${file}`, own));
}
console.log(row('all', all));

const weak = byFile.filter(([, mutants]) => countsOf(mutants).percent < leastPerFile).map(([file]) => file);
const isWeak = countsOf(all).percent < leastOverall;
if (weak.length > 0) console.error(`Below ${leastPerFile} %: ${weak.join(', ')}.`);
if (isWeak) console.error(`All together are below ${leastOverall} %.`);
process.exitCode = weak.length > 0 || isWeak ? 1 : 0;
