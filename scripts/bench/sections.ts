import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fromFarAway, ownWork, overNetwork } from './contenders/initiate.js';
import { mockFetch, mockServers } from './contenders/mock.js';
import { fileBytes, uploads } from './contenders/upload.js';
import type { Suite } from './contenders/contender.js';
import { start, type WorkerMessage, type WorkerTask, type Worker } from './processes.js';
import { ordersAtScale, ordersClicks, ordersMachines, ordersSweep } from './orders.js';
import { alternate, type Measured, type Standing } from './rounds.js';
import { firstCalls, importTimes, installedSizes } from './startup.js';

/** One table: the figure of each contender, and this package's ratio to it. */
export interface Section {
  readonly key: string;
  readonly title: string;
  readonly unit: string;
  readonly standings: readonly Standing[];
}

interface Plan {
  readonly node: string;
  readonly role: string;
  readonly suite: Suite;
  readonly task: WorkerTask;
  readonly rounds: number;
  readonly warmUp: number;
  readonly figure: (message: WorkerMessage) => number | undefined;
}

async function withWorkers<T>(workers: readonly Promise<Worker>[], use: (started: Worker[]) => Promise<T>) {
  const started: Worker[] = [];
  try {
    for (const worker of workers) started.push(await worker);
    return await use(started);
  } finally {
    for (const worker of started) worker.stop();
  }
}

/** Runs the contenders of a suite in turns, each in its own process, against a server in another process. */
function run({ node, role, suite, task, rounds, warmUp, figure }: Plan): Promise<Standing[]> {
  return withWorkers([start({ node: process.execPath, role: 'answers' })], ([server]) =>
    withWorkers(
      Object.keys(suite).map((name) => start({ node, role, name, url: server?.url })),
      async (workers) => {
        for (const worker of workers) await worker.ask({ ...task, kind: 'calls', calls: warmUp });
        const measured = Object.keys(suite).flatMap((name, index): Measured[] => {
          const worker = workers[index];
          return worker ? [{ name, measure: () => worker.ask(task) }] : [];
        });
        return alternate(measured, rounds, figure);
      },
    ),
  );
}

const cpu = (message: WorkerMessage) => message.cpuUs;

function cpuOf(
  { node, role, suite }: Pick<Plan, 'node' | 'role' | 'suite'>,
  calls: number,
  rounds: number,
): Promise<Standing[]> {
  return run({ node, role, suite, task: { kind: 'calls', calls }, rounds, warmUp: calls * 3, figure: cpu });
}

const busyNames = ['bare node:http', 'installment-payments', 'stripe (node:http)'];
/** The contenders that share a transport. With several calls in flight, the work around the transport decides. */
const busy: Suite = Object.fromEntries(
  Object.entries(overNetwork).filter(([name]) => busyNames.includes(name)),
);

const pauseMs = 6_000;

/** Single calls of a shop with few customers. The connections that its clients keep open decide. */
function quietShop(node: string, rounds: number): Promise<Standing[]> {
  return withWorkers([start({ node: process.execPath, role: 'answersFarAway' })], async ([server]) => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-'));
    const ca = join(folder, 'ca.pem');
    writeFileSync(ca, server?.ca ?? '');
    const names = Object.keys(fromFarAway);
    const env = { NODE_EXTRA_CA_CERTS: ca };
    const contenders = names.map((name) => start({ node, role: 'fromFarAway', name, url: server?.url, env }));
    const standings = await withWorkers(contenders, async (workers) => {
      for (const worker of workers) await worker.ask({ kind: 'calls', calls: 1 });
      const measured = workers.map((worker, index) => ({
        name: names[index] ?? '',
        measure: async () => {
          await pause(pauseMs / workers.length);
          return worker.ask({ kind: 'calls', calls: 1 });
        },
      }));
      return alternate(measured, rounds, ({ wallUs = Number.NaN }) => wallUs / 1_000);
    });
    rmSync(folder, { recursive: true });
    return standings;
  });
}

const burstOf = 50;

/** Each burst runs in its own process, because a process keeps the memory of an earlier peak. */
function uploadMemory(node: string, rounds: number): Promise<Standing[]> {
  return withWorkers([start({ node: process.execPath, role: 'answers' })], ([server]) => {
    const measured = Object.keys(uploads).map((name) => ({
      name,
      measure: () =>
        withWorkers([start({ node, role: 'uploads', name, url: server?.url })], async ([worker]) => {
          await worker?.ask({ kind: 'calls', calls: 1 });
          return (await worker?.ask({ kind: 'burst', calls: burstOf })) ?? {};
        }),
    }));
    return alternate(measured, rounds, ({ peakBytes }) => (peakBytes ?? Number.NaN) / (burstOf * fileBytes));
  });
}

/** The CPU time of the servers for one order. The same process sends orders to each in turns. */
async function mockOverSockets(node: string, calls: number, rounds: number): Promise<Standing[]> {
  const names = Object.keys(mockServers);
  return withWorkers(
    names.map((name) => start({ node, role: 'mockServer', name })),
    (servers) =>
      withWorkers(
        servers.map(({ url }) => start({ node, role: 'loader', name: 'loader', url })),
        async (loaders) => {
          const measured = names.map((name, index) => ({
            name,
            measure: async () => {
              await loaders[index]?.ask({ kind: 'calls', calls });
              return (await servers[index]?.ask({ kind: 'since', calls })) ?? {};
            },
          }));
          for (let i = 0; i < 3; i++) for (const { measure } of measured) await measure();
          return alternate(measured, rounds, cpu);
        },
      ),
  );
}

/** The measurements, in the order of the report. The argument of `measure` is the path of a Node. */
export const sections: readonly (Omit<Section, 'standings'> & {
  readonly measure: (node: string) => Promise<Standing[]>;
  /** True if it is measured in this process, whatever other Node there is. */
  readonly isHere?: true;
})[] = [
  {
    key: 'call',
    title: 'One payment of 5 lines over loopback, CPU of the caller',
    unit: 'µs',
    measure: (node) => cpuOf({ node, role: 'overNetwork', suite: overNetwork }, 100, 41),
  },
  {
    key: 'eight',
    title: 'The same with eight calls in flight',
    unit: 'µs',
    measure: (node) =>
      run({
        node,
        role: 'overNetwork',
        suite: busy,
        task: { kind: 'calls', calls: 400, inFlight: 8 },
        rounds: 21,
        warmUp: 2_000,
        figure: cpu,
      }),
  },
  {
    key: 'own5',
    title: 'Own work, 5 lines: the same with a fetch that answers at once',
    unit: 'µs',
    measure: (node) => cpuOf({ node, role: 'ownWork5', suite: ownWork(5) }, 400, 31),
  },
  {
    key: 'own200',
    title: 'Own work, 200 lines',
    unit: 'µs',
    measure: (node) => cpuOf({ node, role: 'ownWork200', suite: ownWork(200) }, 60, 31),
  },
  {
    key: 'upload',
    title: 'One invoice of 5 MB over loopback, time',
    unit: 'µs',
    measure: (node) =>
      run({
        node,
        role: 'uploads',
        suite: uploads,
        task: { kind: 'calls', calls: 4 },
        rounds: 15,
        warmUp: 8,
        figure: (message) => message.wallUs,
      }),
  },
  {
    key: 'uploadCpu',
    title: 'One invoice of 5 MB over loopback, CPU of the caller',
    unit: 'µs',
    measure: (node) => cpuOf({ node, role: 'uploads', suite: uploads }, 4, 11),
  },
  {
    key: 'uploadMemory',
    title: `${burstOf} invoices of 5 MB at once, peak memory over their bytes`,
    unit: 'x',
    measure: (node) => uploadMemory(node, 3),
  },
  {
    key: 'import',
    title: 'Importing, CPU',
    unit: 'ms',
    measure: (node) => importTimes(node, 11),
  },
  {
    key: 'firstCall',
    title: 'First call of a fresh process: importing, connecting, answer, CPU',
    unit: 'ms',
    measure: (node) =>
      withWorkers([start({ node: process.execPath, role: 'answers' })], ([server]) =>
        firstCalls(node, server?.url ?? '', 15),
      ),
  },
  {
    key: 'quiet',
    title: 'One payment of 5 lines, 6 s after the last, over TLS and 25 ms away in each direction',
    unit: 'ms',
    measure: (node) => quietShop(node, 12),
  },
  { key: 'size', title: 'Installed, with all that it needs', unit: 'kB', measure: installedSizes },
  {
    key: 'mockFetch',
    title: 'The mock as a fetch, CPU for one payment',
    unit: 'µs',
    measure: (node) => cpuOf({ node, role: 'mockFetch', suite: mockFetch }, 200, 21),
  },
  {
    key: 'mockServer',
    title: 'The mock as a server, CPU for one payment',
    unit: 'µs',
    measure: (node) => mockOverSockets(node, 200, 15),
  },
  {
    key: 'ordersClicks',
    title: 'Orders on PostgreSQL: clicks',
    unit: '',
    measure: ordersClicks,
    isHere: true,
  },
  {
    key: 'ordersSweep',
    title: 'Orders on PostgreSQL: sweep({ limit: 1000 })',
    unit: '',
    measure: () => ordersSweep(),
    isHere: true,
  },
  {
    key: 'ordersAtScale',
    title: 'Orders on PostgreSQL: 10,000 and 1,000,000 rows',
    unit: '',
    measure: ordersAtScale,
    isHere: true,
  },
  {
    key: 'ordersMachines',
    title: 'Orders on PostgreSQL: 10,000 due orders, by one machine and by four',
    unit: '',
    measure: () => ordersMachines(),
    isHere: true,
  },
];
