/* A Redis and its replica, whose replication is held back, and which takes over. */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterEach, expect, test } from 'vitest';
import { createProcessor, enqueue, jobOutcome, workerOptions, type NewJob } from '../../src/bullmq/index.js';
import { InstallmentClient, type Fetch } from '../../src/index.js';
import { createMockService, samplePaymentRequest } from '../../src/mock/index.js';
import { files } from '../helpers/samples.js';
import { versions } from './bullmq-versions.js';
import { startRedis } from './redis-server.js';

const payment: NewJob = {
  operation: 'initiatePayment',
  request: samplePaymentRequest({ referenceId: 'ORDER-2' }),
};
const upload: NewJob = { operation: 'uploadInvoice', request: { referenceId: 'ORDER-1' }, file: 'a.pdf' };
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close().catch(() => undefined);
});

const quick = { ...workerOptions, lockDuration: 1_000, stalledInterval: 200 };

/** A service, a Redis and its replica. */
async function surroundings() {
  const mock = createMockService({ uploads: 'any', world: { repeat: 'invalid' } });
  const client = new InstallmentClient(mock.clientOptions());
  await client.initiatePayment(samplePaymentRequest({ referenceId: 'ORDER-1' }));
  const master = await startRedis();
  closing.push(async () => master[Symbol.asyncDispose]());
  const replica = await startRedis({ replicaof: `127.0.0.1 ${String(master.port)}` });
  closing.push(async () => replica[Symbol.asyncDispose]());
  const control = new Redis(replica.port);
  closing.push(() => control.quit());
  const isInSync = async () => (await control.info('replication')).includes('master_link_status:up');
  await expect.poll(isInSync, { timeout: 20_000 }).toBe(true);
  return { mock, client, master, replica, control };
}

const made = ({ payments, invoices }: ReturnType<typeof createMockService>) => ({
  payments: payments.all().filter(({ referenceId }) => referenceId === 'ORDER-2').length,
  invoices: invoices.all().length,
});

test.each(versions)(
  'while no replica takes the marker nothing is sent, and the job is tried again: $version',
  async ({ bullmq: { Queue, Worker } }) => {
    const { mock, client, master, replica } = await surroundings();
    const connection = { host: '127.0.0.1', port: master.port };
    const queue = new Queue('payments', { connection });
    closing.push(() => queue.close());
    const processor = createProcessor({ client, loadFile: () => files.pdf, replicas: 1 });
    replica.signal('SIGSTOP');
    const worker = new Worker('payments', processor, {
      connection,
      ...quick,
      settings: { backoffStrategy: () => 200 },
    });
    worker.on('error', () => undefined);
    closing.push(() => worker.close());
    const [failed] = (await Promise.all([once(worker, 'failed'), enqueue(queue, upload)]))[0] as [
      { failedReason: string },
    ];
    expect(failed.failedReason).toMatch(/^not_sent NOT_REPLICATED: /);
    expect(made(mock).invoices).toBe(0);

    replica.signal('SIGCONT');
    await once(worker, 'completed');
    expect(made(mock).invoices).toBe(1);
  },
);

test.each<[string, NewJob, string, number | undefined, boolean]>([
  ['an upload', upload, 'unknown MAY_HAVE_BEEN_SENT', 1, false],
  ['a payment', payment, 'unknown INVALID_REQUEST', 1, false],
  ['an upload without replicas whose marker was held back: sent twice', upload, '', undefined, true],
  [
    'a payment without replicas whose marker was held back: falsely rejected',
    payment,
    'rejected INVALID_REQUEST',
    undefined,
    true,
  ],
])('a replica that takes over after a request was sent: %s', async (_, job, reason, replicas, isHeldBack) => {
  const { mock, client, master, replica, control } = await surroundings();
  const [{ Queue, Worker }] = [versions[0].bullmq];
  const at = (port: number) => ({ host: '127.0.0.1', port });
  const before = new Queue('payments', { connection: at(master.port) });
  before.on('error', () => undefined);
  let acted: () => void = () => undefined;
  const hasActed = new Promise<void>((resolve) => (acted = resolve));
  // The service acts, and its answer is on the way for ever.
  const silent: Fetch = async (input, init) => {
    await mock.fetch(input, init);
    acted();
    return new Promise<never>(() => undefined);
  };
  const loadFile = async () => {
    // The job is on the replica, and nothing that follows will be.
    if (isHeldBack) await control.replicaof('NO', 'ONE');
    return files.pdf;
  };
  const sending = new InstallmentClient({ ...mock.clientOptions(), fetch: silent });
  const find = async () => {
    await loadFile();
    return sending;
  };
  const { id } = await enqueue(before, job);
  await expect.poll(() => control.exists(before.toKey(id)), { timeout: 10_000 }).toBe(1);
  const first = createProcessor({ client: find, loadFile, ...(replicas && { replicas }) });
  const dying = new Worker('payments', first, { connection: at(master.port), ...quick });
  dying.on('error', () => undefined);
  await once(dying, 'active');
  await hasActed;
  master.signal('SIGKILL');
  await control.replicaof('NO', 'ONE');
  void dying.close(true).catch(() => undefined);
  void before.close().catch(() => undefined);

  const queue = new Queue('payments', { connection: at(replica.port) });
  closing.push(() => queue.close());
  const second = createProcessor({ client, loadFile: () => files.pdf });
  const worker = new Worker('payments', second, { connection: at(replica.port), ...quick });
  worker.on('error', () => undefined);
  closing.push(() => worker.close());
  let ended = await queue.getJob(id);
  while (!ended || jobOutcome(ended) === 'pending') {
    await wait(50);
    ended = await queue.getJob(id);
  }

  // A job that was completed has no reason, whatever its type says.
  const { failedReason } = ended as { failedReason?: string };
  expect(failedReason ?? '').toMatch(new RegExp(`^${reason}`));
  const sent = job === upload ? made(mock).invoices : made(mock).payments;
  expect(sent).toBe(job === upload && isHeldBack ? 2 : 1);
});
