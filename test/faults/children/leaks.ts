/**
 * Makes many calls that meet every kind of fault, and writes what they left behind. It ends by itself when nothing is
 * left that would keep a process alive.
 */
import { getEventListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { InstallmentClient, type Fetch } from '../../../src/entries/index.js';
import { systemRuntime } from '../../../src/http/runtime.js';
import { approvedPayment, demo, files, paymentRequest } from '../../helpers/samples.js';
import { FaultServer, type Step } from '../fault-server.js';
import * as steps from '../steps.js';
import { systemError } from '../detours.js';

const calls = Number(process.env['CALLS']);
const parallel = 20;

const approval = { ...approvedPayment(), invoiceId: 'INVOICE-1' };
const text = JSON.stringify(approval);

// Real timers, a thousand times faster: one that is left behind would still be seen.
const runtime = {
  ...systemRuntime,
  after: (ms: number, work: () => void) => systemRuntime.after(Math.max(1, ms / 1_000), work),
};
// One signal for many calls at once: Node warns from the eleventh listener on, unless the client raises that limit.
const { signal } = new AbortController();
const warnings: string[] = [];
process.on('warning', ({ name, message }) => warnings.push(`${name}: ${message}`));

const onSocket: readonly Step[] = [
  steps.json(approval),
  steps.reset,
  steps.close,
  steps.cutByLength(text.slice(0, 40)),
  steps.html(503),
  steps.stall(() => undefined),
  steps.stall(() => undefined, 'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{'),
  steps.answer({ body: 'x' }),
  steps.html(429),
];

/** The same faults without a socket, so that there can be many of them. */
const inMemory: readonly Fetch[] = [
  () => Promise.resolve(Response.json(approval)),
  () => Promise.reject(new TypeError('fetch failed', { cause: systemError('ECONNRESET', 'read') })),
  () => Promise.reject(new TypeError('fetch failed', { cause: systemError('ECONNREFUSED', 'connect') })),
  () => new Promise(() => undefined),
  () => Promise.resolve(new Response('<html></html>', { status: 502 })),
  () => Promise.resolve(new Response('', { status: 429, headers: { 'Retry-After': '1' } })),
  () => Promise.resolve(new Response(new ReadableStream({ pull: () => new Promise(() => undefined) }))),
  (_input, init) =>
    new Promise((_resolve, reject) => {
      init.signal.addEventListener('abort', () => {
        reject(new Error('aborted'));
      });
    }),
];

/** Makes calls in parallel; one in seven is aborted by a signal of its own, the rest share one. */
async function makeCalls(client: InstallmentClient, count: number): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (left > 0) {
        const number = left--;
        const options = { signal: number % 7 === 0 ? AbortSignal.timeout(2) : signal };
        const call =
          number % 3 === 0
            ? client.uploadInvoice({ referenceId: 'ORDER:2026-0001', file: files.pdf }, options)
            : client.initiatePayment(paymentRequest(), options);
        await call.catch(() => undefined);
      }
    }),
  );
}

/** The memory in use after several turns of the collector: some things go only after a finaliser ran. */
async function heapUsed(): Promise<number> {
  let least = Infinity;
  for (let turn = 0; turn < 8; turn++) {
    await pause(25);
    globalThis.gc?.();
    least = Math.min(least, process.memoryUsage().heapUsed);
  }
  return least;
}

/** A step that takes the next of many each time. */
function cycling(all: readonly Step[]): Step {
  let next = 0;
  return { at: 'end', act: (socket, request) => all[next++ % all.length]?.act(socket, request) };
}

let turn = 0;
const memoryFetch: Fetch = (input, init) => {
  const answer = inMemory[turn++ % inMemory.length];
  return answer ? answer(input, init) : Promise.reject(new Error('never'));
};
const server = await FaultServer.start([cycling(onSocket)], { keep: 0 });
const withoutSocket = new InstallmentClient({ ...demo, fetch: memoryFetch }, runtime);
const onSockets = new InstallmentClient({ ...demo, baseUrl: server.url }, runtime);

// The first part warms up what is compiled and filled once; the rest must not add to it.
const heap: number[] = [];
const parts = 5;
for (let part = 0; part < parts; part++) {
  await makeCalls(onSockets, calls / parts / 10);
  await makeCalls(withoutSocket, (calls / parts) * 0.9);
  heap.push(await heapUsed());
}

// Nothing that a call held may outlive it: the body and the signal of each attempt are followed to their end.
const held: WeakRef<object>[] = [];
const bodies: WeakRef<object>[] = [];
const watching: Fetch = (input, init) => {
  if (init.body instanceof ReadableStream) bodies.push(new WeakRef(init.body));
  held.push(new WeakRef(init.signal));
  return memoryFetch(input, init);
};
await makeCalls(new InstallmentClient({ ...demo, fetch: watching }, runtime), calls / 20);
await heapUsed();
const survivorsOf = (references: readonly WeakRef<object>[]) =>
  references.filter((reference) => reference.deref() !== undefined).length;

// Bombs: what is read of them is bounded, and so is the memory that they take.
const bombed = await FaultServer.start([steps.gzipBomb], { keep: 0 });
const bombs = new InstallmentClient({ ...demo, baseUrl: bombed.url, maxRetries: 0 });
const residentBefore = process.memoryUsage().rss;
let residentMost = residentBefore;
for (let bomb = 0; bomb < 20; bomb++) {
  await bombs.initiatePayment(paymentRequest()).catch(() => undefined);
  residentMost = Math.max(residentMost, process.memoryUsage().rss);
}
await Promise.all([server.close(), bombed.close()]);

// An idle connection whose server has gone may stay in the pool of `fetch` for the few seconds of its keep-alive.
const still = () =>
  process.getActiveResourcesInfo().filter((name) => /Timeout|Immediate|TCP|TLS|Server/.test(name));
for (let wait = 0; wait < 500 && still().length > 0; wait++) await pause(20);

process.stdout.write(
  JSON.stringify({
    heap,
    warnings,
    held: held.length,
    survivors: survivorsOf(held),
    bodies: bodies.length,
    survivingBodies: survivorsOf(bodies),
    residentGrowth: residentMost - residentBefore,
    listeners: getEventListeners(signal, 'abort').length,
    resources: still(),
  }),
);
