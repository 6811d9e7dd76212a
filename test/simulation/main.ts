/** `npm run simulate`: see the usage below. */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { defects, type Defect } from './defects.js';
import { ordersOfEpisode, runEpisode } from './episode.js';
import { hashOf, planOf, type PlannedEpisode } from './plan.js';
import { Program, shrunk } from './program.js';

const usage = `npm run simulate -- [--seed N] [--orders N] [--threads N] [--journal] [--defects [NAME...]]

Simulates orders from the first click to the last notification: clients, shops, queues and the mock service on one
virtual clock, under faults and kills that the seed chooses, and checks that nobody pays twice and nothing is lost.

  --seed N     decides everything; printed, and random if left out
  --orders N   how many orders, in episodes of 20 (default 1000; with --defects 10000)
  --threads N  how many threads (default: one for each core)
  --journal    prints what happens in the first episode, and runs no other
  --defects    plants each of ${String(defects.length)} defects in turn, or those named, simulates until it is found, and
               fails unless each is found within --orders orders
`;

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    orders: { type: 'string' },
    threads: { type: 'string', default: String(availableParallelism()) },
    journal: { type: 'boolean', default: false },
    defects: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function wholeNumber(name: 'seed' | 'orders' | 'threads', text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number < 2 ** 32 && (name === 'seed' || number > 0)) return number;
  console.error(`--${name} must be a whole number, such as 7`);
  return process.exit(2);
}

const seed = wholeNumber('seed', values.seed ?? String(Math.floor(Math.random() * 2 ** 32)));
const orders = wholeNumber('orders', values.orders ?? (values.defects ? '10000' : '1000'));
const threads = wholeNumber('threads', values.threads);

async function simulate(): Promise<void> {
  const startedMs = performance.now();
  const failed: PlannedEpisode[] = [];
  let violations = 0;
  await using program = await Program.start({ threads });
  const episodes = await program.run(planOf(seed, orders), (episode, planned) => {
    if (episode.violations.length === 0) return true;
    violations += episode.violations.length;
    failed.push(planned);
    if (failed.length < 10) console.log(`seed ${String(planned.seed)}: ${episode.violations.join('\n  ')}`);
    return true;
  });
  const seconds = (performance.now() - startedMs) / 1000;
  const { user, system } = process.cpuUsage();
  const [first] = failed;
  if (first) {
    const { seed: again, orders: fewest } = await shrunk(program, first);
    console.log(
      `npm run simulate -- --seed ${String(again)} --orders ${String(fewest)} shows the first one again`,
    );
  }
  const speed = Math.round((orders * 1e6) / (user + system));
  console.log(`${seconds.toFixed(1)} s, ${String(speed)} orders in each second of a core`);
  console.log(
    `simulated ${String(orders)} orders, seed ${String(seed)}, ${String(violations)} violations, hash ${hashOf(episodes)}`,
  );
  process.exitCode = violations > 0 ? 1 : 0;
}

/** The planted defects with these names, or all. */
function defectsNamed(): readonly Defect[] {
  const unknown = names.filter((name) => !values.defects || !defects.some((defect) => defect.name === name));
  if (unknown.length === 0) return defects.filter(({ name }) => names.length === 0 || names.includes(name));
  console.error(
    `unknown: ${unknown.join(', ')}. The defects are: ${defects.map(({ name }) => name).join(', ')}`,
  );
  return process.exit(2);
}

async function findDefects(planted: readonly Defect[]): Promise<void> {
  let found = 0;
  for (const defect of planted) {
    const startedMs = performance.now();
    const startedCpu = process.cpuUsage();
    await using program = await Program.start({ threads, defect });
    // The episodes before the one that shows it end too, so that the count is the same with any number of threads.
    const episodes = await program.run(planOf(seed, orders), ({ violations }) => violations.length === 0);
    const index = episodes.findIndex(({ violations }) => violations.length > 0);
    const [violation] = episodes[index]?.violations ?? [];
    const isFound = violation !== undefined;
    if (isFound) found += 1;
    const simulated = isFound ? Math.min(orders, (index + 1) * ordersOfEpisode) : orders;
    const { user, system } = process.cpuUsage(startedCpu);
    const [seconds, ofCore] = [(performance.now() - startedMs) / 1e3, (user + system) / 1e6];
    console.log(`${isFound ? 'found' : 'MISSED'} ${defect.name}: ${defect.what}`);
    console.log(
      `  ${String(simulated)} orders, ${seconds.toFixed(1)} s, ${ofCore.toFixed(1)} s of a core: ${violation ?? 'no violation'}`,
    );
  }
  console.log(`found ${String(found)} of ${String(planted.length)} defects, seed ${String(seed)}`);
  process.exitCode = found < planted.length ? 1 : 0;
}

const planted = defectsNamed();
if (values.help) console.log(usage);
else if (values.journal) {
  console.error = () => undefined;
  const [first] = planOf(seed, orders);
  if (first) await runEpisode(first.seed, first.orders, (line) => process.stdout.write(line));
} else await (values.defects ? findDefects(planted) : simulate());
