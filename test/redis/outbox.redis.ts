import { once } from 'node:events';
import type { Job } from 'bullmq';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { expect, test } from 'vitest';
import { createTable, storeEnd, storeOrder } from '../../examples/outbox/orders.js';
import { placeOrder } from '../../examples/outbox/place-order.js';
import { orderProcessor } from '../../examples/outbox/process-order.js';
import { sweep } from '../../examples/outbox/sweep.js';
import { createProcessor, jobOutcome, workerOptions } from '../../src/bullmq/index.js';
import { InstallmentClient } from '../../src/index.js';
import { createMockService, samplePaymentRequest } from '../../src/mock/index.js';
import { paymentRequest } from '../helpers/samples.js';
import { seed } from '../helpers/seed.js';
import { versions } from './bullmq-versions.js';
import { childProgram, onLines, startFleet, until } from './fleet.js';
import { startPostgres } from './postgres-server.js';
import { startRedis } from './redis-server.js';
import { seededRandom } from './seeded-random.js';

// Beyond the simulation: BullMQ, Redis and PostgreSQL themselves, whose statements and locks the simulation only plays.
const boundaries = {
  shop: ['insert:before', 'insert:after', 'add:before', 'add:after'],
  worker: [
    'marker:before',
    'marker:after',
    'lock:after',
    'request:before',
    'request:under way',
    'request:after',
    'answer:before',
    'answer:after',
    'update:before',
    'update:after',
    'end:before',
    'end:after',
  ],
  sweeper: ['select:after', 'add:before', 'add:after'],
} as const;

type Role = keyof typeof boundaries;

const everyBoundary = Object.entries(boundaries).flatMap(([role, names]) =>
  names.map((name) => `${role} ${name}`),
);

/** How often Redis forgets everything. */
const flushes = 3;

/** The state of a shop in the end, after its processes were killed at each boundary and Redis was flushed. */
async function run(bullmq: (typeof versions)[number], orders: number) {
  const random = seededRandom(seed);
  const startedMs = Date.now();
  await using redis = await startRedis();
  await using postgres = await startPostgres();
  await using program = await childProgram('outbox', bullmq.alias);
  const mock = createMockService({ journalLimit: 20_000 });
  await using server = await mock.listen();
  const database = new Pool({ connectionString: postgres.url });
  // Of a connection that PostgreSQL ends before the pool does.
  database.on('error', () => undefined);
  await createTable(database);
  const connection = { host: '127.0.0.1', port: redis.port };
  const [queue, client] = [new bullmq.bullmq.Queue('orders', { connection }), new Redis(redis.port)];
  const environment = {
    DATABASE_URL: postgres.url,
    REDIS_PORT: String(redis.port),
    SERVICE_URL: server.url,
    TO: String(orders),
  };

  let placed = 0;
  let isStopped = false;
  const diedAt = new Set<string>();
  /** Starts processes of a role again and again, so that one dies at each of its boundaries, then they go on. */
  const startRole = (role: Role, killAt: readonly string[]) => {
    const plan = [...killAt, ...(role === 'sweeper' ? killAt : [])];
    const start = () => {
      if (role === 'shop' && placed >= orders) return undefined;
      const boundary = plan.shift() ?? '';
      const child = program.start({
        ...environment,
        ROLE: role,
        KILL_AT: boundary,
        KILL_COUNT: String(1 + Math.floor(random() * (role === 'sweeper' ? 2 : 4))),
        FROM: String(placed + 1),
      });
      child.once('exit', (_, signal) => {
        if (signal === 'SIGKILL' && boundary !== '' && !isStopped) diedAt.add(`${role} ${boundary}`);
      });
      onLines(child, (line) => (placed = Math.max(placed, Number(line))));
      return child;
    };
    // Two workers, so that one works while another starts.
    return startFleet(role === 'worker' ? 2 : 1, start, () => new Promise(() => undefined));
  };
  const fleets = Object.entries(boundaries).map(([role, killAt]) => startRole(role as Role, killAt));
  let [flushed, lost] = [0, 0];
  const isOver = async () => {
    const counts = await queue.getJobCounts('wait', 'active', 'delayed');
    const pending = Object.values(counts).reduce((a, b) => a + b, 0);
    const isDue = flushed < flushes && placed > ((flushed + 1) * orders) / (flushes + 1);
    if (isDue && (pending > 0 || placed >= orders)) {
      [flushed, lost] = [flushed + 1, lost + pending];
      await client.flushall();
    }
    if (placed < orders) return false;
    const { rows } = await database.query<{ open: number }>(
      'SELECT count(*)::int AS open FROM orders WHERE payment_end IS NULL',
    );
    if (flushed < flushes || rows[0]?.open !== 0 || pending > 0) return false;
    if (diedAt.size === everyBoundary.length) return true;
    // One more for the processes that have still to die: only the sweeper enqueues it.
    placed += 1;
    await storeOrder(database, paymentRequest({ referenceId: `ORDER-${String(placed)}` }));
    return false;
  };
  try {
    await until(isOver, 150_000, () => queue.getJobCounts());
  } finally {
    isStopped = true;
    await Promise.all(fleets.map((fleet) => fleet.stop()));
  }
  const kills = fleets.reduce((sum, fleet) => sum + fleet.kills, 0);

  const { rows } = await database.query<{ reference: string; payment_end: string | null }>(
    'SELECT reference, payment_end FROM orders',
  );
  const stored = new Map(rows.map((row) => [row.reference, row.payment_end]));
  const payments = mock.payments.all();
  const keys = new Map<string | undefined, Set<string | undefined>>();
  for (const { referenceId, idempotencyKey } of mock.journal.all()) {
    keys.set(referenceId, (keys.get(referenceId) ?? new Set()).add(idempotencyKey));
  }
  const paid = new Set(payments.map(({ referenceId }) => referenceId));
  const found = {
    orders: stored.size,
    payments: payments.length,
    'orders without a payment': [...stored.keys()].filter((reference) => !paid.has(reference)).length,
    'orders without an end': rows.filter((row) => row.payment_end === null).length,
    'orders not accepted': rows.filter((row) => row.payment_end !== null && row.payment_end !== 'accepted')
      .length,
    'payments without an order': payments.filter(({ referenceId }) => !stored.has(referenceId)).length,
    'orders under two keys': [...keys.values()].filter(({ size }) => size > 1).length,
  };
  const seconds = (Date.now() - startedMs) / 1000;
  console.log(JSON.stringify({ version: bullmq.version, seed, kills, flushed, lost, seconds, ...found }));
  await Promise.all([queue.close(), client.quit(), database.end()]);
  return { placed, diedAt: [...diedAt], lost, ...found };
}

// OUTBOX_ORDERS=1000 npm run test:redis -- outbox
const most = Number(process.env['OUTBOX_ORDERS'] ?? 100);
const [newest] = versions;
test.each(
  versions.map((bullmq, index) => ({
    bullmq,
    version: bullmq.version,
    orders: [most, 0.5 * most][index] ?? 0,
  })),
)(
  'no order is lost or paid twice with an outbox and a sweeper, whatever dies and whatever Redis forgets: $version',
  { timeout: 180_000 },
  async ({ bullmq, orders }) => {
    const found = await run(bullmq, orders);

    expect(found.placed).toBeGreaterThanOrEqual(orders);
    expect(found).toMatchObject({
      orders: found.placed,
      payments: found.placed,
      'orders without a payment': 0,
      'orders without an end': 0,
      'orders not accepted': 0,
      'payments without an order': 0,
      'orders under two keys': 0,
    });
    expect(found.diedAt.sort()).toEqual(everyBoundary.toSorted());
    expect(found.lost).toBeGreaterThan(0);
  },
);

test.each(['as it was', 'with another cart'])(
  'an order that is placed again, %s, after Redis has lost its job is never refused, and is sent as it was stored',
  async (cart) => {
    await using redis = await startRedis();
    await using postgres = await startPostgres();
    const mock = createMockService({ world: { repeat: 'invalid' } });
    const client = new InstallmentClient(mock.clientOptions());
    const database = new Pool({ connectionString: postgres.url });
    database.on('error', () => undefined);
    const connection = { host: '127.0.0.1', port: redis.port };
    const queue = new newest.bullmq.Queue('orders', { connection });
    const worker = new newest.bullmq.Worker('orders', orderProcessor(database, createProcessor({ client })), {
      connection,
      ...workerOptions,
    });
    const { merchantId, storeId, platformId } = mock.clientOptions();
    const order = samplePaymentRequest({ referenceId: 'ORDER-1', merchantId, storeId, platformId });
    try {
      await createTable(database);
      // Of the process that died, and of the Redis that was flushed, nothing is left.
      await storeOrder(database, order);
      await client.initiatePayment(order);

      const failed = once(worker, 'failed') as Promise<[Job]>;
      const { state } = await placeOrder(database, queue, {
        ...order,
        ...(cart !== 'as it was' && { description: cart }),
      });
      const [job] = await failed;

      expect(state).toBe('added');
      expect(jobOutcome(job)).toBe('unknown');
      expect(job.failedReason).toContain('INVALID_REQUEST');
      const keys = mock.journal.all().map(({ idempotencyKey }) => idempotencyKey);
      expect(keys).toHaveLength(2);
      expect(new Set(keys).size).toBe(1);
      // A person has looked the payment up, and removed the job.
      await storeEnd(database, 'ORDER-1', 'accepted', 'https://pay.example/1');
      await job.remove();
      expect(await placeOrder(database, queue, order)).toEqual({ state: 'accepted' });
      expect(await queue.getJobCountByTypes('wait', 'active', 'delayed', 'failed', 'completed')).toBe(0);
    } finally {
      await worker.close();
      await Promise.all([queue.close(), database.end()]);
    }
  },
);

test('an order whose failed job a person retries has no end while its payment may have been sent', async () => {
  await using redis = await startRedis();
  await using postgres = await startPostgres();
  const database = new Pool({ connectionString: postgres.url });
  database.on('error', () => undefined);
  await createTable(database);
  const { Queue, Worker } = newest.bullmq;
  const connection = { host: '127.0.0.1', port: redis.port };
  const queue = new Queue('orders', { connection });
  const mock = createMockService();
  mock.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });
  const client = new InstallmentClient({ ...mock.clientOptions(), maxRetries: 0 });
  let isDeployed = false;
  const processor = orderProcessor(
    database,
    createProcessor({ client: () => (isDeployed ? client : undefined) }),
  );
  const worker = new Worker('orders', processor, { connection, ...workerOptions });
  const storedEnd = async () => {
    await sweep(database, queue, 0);
    const { rows } = await database.query<{ payment_end: string | null }>('SELECT payment_end FROM orders');
    return rows[0]?.payment_end;
  };
  const patience = { timeout: 10_000 };

  try {
    await placeOrder(database, queue, samplePaymentRequest());
    await expect.poll(storedEnd, patience).toBe('not_sent');
    isDeployed = true;
    const [failed] = await queue.getFailed();
    await failed?.retry('failed');
    await expect.poll(() => queue.getDelayedCount(), patience).toBe(1);
    expect(mock.payments.all()).toHaveLength(1);
    expect(await storedEnd()).toBeNull();

    const [delayed] = await queue.getDelayed();
    await delayed?.promote();
    await expect.poll(storedEnd, patience).toBe('accepted');
  } finally {
    await worker.close();
    await Promise.all([queue.close(), database.end()]);
  }
});
