import { mockFetch, mockServers, sendOrder } from './contenders/mock.js';
import { fromFarAway, ownWork, overNetwork } from './contenders/initiate.js';
import { uploads } from './contenders/upload.js';
import type { Contender, Suite } from './contenders/contender.js';
import type { WorkerMessage, WorkerTask } from './processes.js';
import { startAnswering, startFarAway } from './server.js';

const suites: Readonly<Record<string, Suite>> = {
  overNetwork,
  fromFarAway,
  ownWork5: ownWork(5),
  ownWork200: ownWork(200),
  uploads,
  mockFetch,
  loader: { loader: (url) => ({ call: () => sendOrder(url) }) },
};

function send(message: WorkerMessage): void {
  process.send?.(message);
}

async function timed({ call, prepare }: Contender, calls: number, inFlight: number): Promise<void> {
  await prepare?.(calls);
  const cpu = process.cpuUsage();
  const started = performance.now();
  let left = calls;
  const work = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  const { user, system } = process.cpuUsage(cpu);
  send({ cpuUs: (user + system) / calls, wallUs: ((performance.now() - started) * 1000) / calls });
}

/** Makes concurrent calls, and measures the peak memory of the process above its memory before. */
async function burst({ call }: Contender, calls: number): Promise<void> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  const look = () => {
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 1);
  await Promise.all(Array.from({ length: calls }, call));
  look();
  clearInterval(timer);
  send({ peakBytes: peak - before });
}

let cpuAtLast = process.cpuUsage();

/** The CPU time of a server for each call since the last measurement. */
function since(calls: number): void {
  const { user, system } = process.cpuUsage(cpuAtLast);
  cpuAtLast = process.cpuUsage();
  send({ cpuUs: (user + system) / calls });
}

async function runTask(contender: Contender, { kind, calls, inFlight = 1 }: WorkerTask): Promise<void> {
  if (kind === 'calls') await timed(contender, calls, inFlight);
  else await burst(contender, calls);
}

const [role = '', name = '', url = ''] = process.argv.slice(2);
process.on('disconnect', () => process.exit());
if (role === 'answers') {
  send(await startAnswering());
} else if (role === 'answersFarAway') {
  send(await startFarAway(25));
} else if (role === 'mockServer') {
  send({ url: (await mockServers[name]?.()) ?? '' });
  process.on('message', ({ calls }: WorkerTask) => since(calls));
} else {
  const contender = await suites[role]?.[name]?.(url);
  if (!contender) throw new Error(`no contender ${role} ${name}`);
  process.on('message', (task: WorkerTask) => void runTask(contender, task));
  send({ ready: true });
}
