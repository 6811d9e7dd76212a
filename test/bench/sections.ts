import { ownWork, overNetwork } from './contenders/initiate.js';
import { mockFetch, mockServers } from './contenders/mock.js';
import { fileBytes, uploads } from './contenders/upload.js';
import type { Suite } from './contenders/contender.js';
import { start, type Order, type Told, type Worker } from './processes.js';
import { alternate, type Measured, type Standing } from './rounds.js';
import { importTimes, installedSizes } from './startup.js';

/** One table: everybody's figure, and its ratio to the first one's. */
export interface Section {
  readonly key: string;
  readonly title: string;
  readonly unit: string;
  readonly standings: readonly Standing[];
}

interface Plan {
  readonly role: string;
  readonly suite: Suite;
  readonly order: Order;
  readonly rounds: number;
  readonly warmUp: number;
  readonly figure: (told: Told) => number | undefined;
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

/** Lets the contenders of a suite work in turns, each in its own process, against one server in another. */
function run({ role, suite, order, rounds, warmUp, figure }: Plan): Promise<Standing[]> {
  return withWorkers([start('answers')], ([server]) =>
    withWorkers(
      Object.keys(suite).map((name) => start(role, name, server?.url)),
      async (workers) => {
        for (const worker of workers) await worker.ask({ task: 'calls', calls: warmUp });
        const measured = Object.keys(suite).flatMap((name, index): Measured[] => {
          const worker = workers[index];
          return worker ? [{ name, measure: () => worker.ask(order) }] : [];
        });
        return alternate(measured, rounds, figure);
      },
    ),
  );
}

const cpu = (told: Told) => told.cpuUs;

function cpuOf(role: string, suite: Suite, calls: number, rounds: number): Promise<Standing[]> {
  return run({ role, suite, order: { task: 'calls', calls }, rounds, warmUp: calls * 3, figure: cpu });
}

const burstOf = 50;

/** Each burst has a process of its own: one that had its peak before keeps the memory. */
function uploadMemory(rounds: number): Promise<Standing[]> {
  return withWorkers([start('answers')], ([server]) => {
    const measured = Object.keys(uploads).map((name) => ({
      name,
      measure: () =>
        withWorkers([start('uploads', name, server?.url)], async ([worker]) => {
          await worker?.ask({ task: 'calls', calls: 1 });
          return (await worker?.ask({ task: 'burst', calls: burstOf })) ?? {};
        }),
    }));
    return alternate(measured, rounds, ({ peakBytes }) => (peakBytes ?? Number.NaN) / (burstOf * fileBytes));
  });
}

/** CPU that the servers use for one order, sent by the same process to each in turns. */
async function mockOverSockets(calls: number, rounds: number): Promise<Standing[]> {
  const names = Object.keys(mockServers);
  return withWorkers(
    names.map((name) => start('mockServer', name)),
    (servers) =>
      withWorkers(
        servers.map(({ url }) => start('loader', 'loader', url)),
        async (loaders) => {
          const measured = names.map((name, index) => ({
            name,
            measure: async () => {
              await loaders[index]?.ask({ task: 'calls', calls });
              return (await servers[index]?.ask({ task: 'since', calls })) ?? {};
            },
          }));
          for (let i = 0; i < 3; i++) for (const { measure } of measured) await measure();
          return alternate(measured, rounds, cpu);
        },
      ),
  );
}

/** What is measured, in the order of the report. */
export const sections: readonly (Omit<Section, 'standings'> & { measure: () => Promise<Standing[]> })[] = [
  {
    key: 'call',
    title: 'One payment of 5 lines over loopback, CPU of the caller',
    unit: 'µs',
    measure: () => cpuOf('overNetwork', overNetwork, 150, 21),
  },
  {
    key: 'own5',
    title: 'The same without a network: own work, 5 lines',
    unit: 'µs',
    measure: () => cpuOf('ownWork5', ownWork(5), 400, 31),
  },
  {
    key: 'own200',
    title: 'Own work, 200 lines',
    unit: 'µs',
    measure: () => cpuOf('ownWork200', ownWork(200), 60, 31),
  },
  {
    key: 'upload',
    title: 'One invoice of 5 MB over loopback, time',
    unit: 'µs',
    measure: () =>
      run({
        role: 'uploads',
        suite: uploads,
        order: { task: 'calls', calls: 4 },
        rounds: 15,
        warmUp: 8,
        figure: (told) => told.wallUs,
      }),
  },
  {
    key: 'uploadCpu',
    title: 'One invoice of 5 MB over loopback, CPU of the caller',
    unit: 'µs',
    measure: () => cpuOf('uploads', uploads, 4, 11),
  },
  {
    key: 'uploadMemory',
    title: `${burstOf} invoices of 5 MB at once, peak memory over their bytes`,
    unit: 'x',
    measure: () => uploadMemory(3),
  },
  {
    key: 'import',
    title: 'Importing, CPU',
    unit: 'ms',
    measure: () => importTimes(11),
  },
  { key: 'size', title: 'Installed, with all that it needs', unit: 'kB', measure: installedSizes },
  {
    key: 'mockFetch',
    title: 'The mock as a fetch, CPU for one payment',
    unit: 'µs',
    measure: () => cpuOf('mockFetch', mockFetch, 200, 21),
  },
  {
    key: 'mockServer',
    title: 'The mock as a server, CPU for one payment',
    unit: 'µs',
    measure: () => mockOverSockets(200, 15),
  },
];
