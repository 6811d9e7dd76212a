/*
 * A process claims a payment or an upload and is suspended right before it sends. Somebody concludes that the service has
 * nothing, and starts again. Then it wakes.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Queue, Worker } from 'bullmq';
import { Pool } from 'pg';
import { expect, test } from 'vitest';
import { statements } from '../../examples/postgres/attempts.js';
import { ShopDatabase } from '../../examples/shop/database.js';
import { createShop } from '../../examples/shop/shop.js';
import { merchant, placeOrder, secretKey } from '../../examples/shop/test-support.js';
import { newAttempt, startPayment } from '../../examples/start-payment.js';
import { createJob, createProcessor, workerOptions, type NewJob } from '../../src/bullmq/index.js';
import { InstallmentClient } from '../../src/index.js';
import { createMockService, samplePaymentRequest, type MockService } from '../../src/mock/index.js';
import { files } from '../helpers/samples.js';
import { startPostgres } from './postgres-server.js';
import { startRedis } from './redis-server.js';

/** Longer than a claim by the clocks of a sleeper, which run 60 times as fast, and than a lock. */
const stoppedMs = 1_500;
const lockMs = 1_000;
const root = fileURLToPath(new URL('../..', import.meta.url));

interface Sleeper extends Disposable {
  /** Resolves once it has claimed and is stopped. */
  readonly asleep: Promise<void>;
  /** Wakes it. Resolves to how its call ended. */
  readonly wake: () => Promise<string>;
}

function startSleeper(name: string, environment: Readonly<Record<string, string>>): Sleeper {
  const program = fileURLToPath(new URL(`children/${name}.ts`, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', program], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!child.stdout) throw new Error('no output');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const line = async () => String((await lines.next()).value);
  let stoppedAt = 0;
  const asleep = line().then((text) => {
    expect(text).toBe('claimed');
    child.kill('SIGSTOP');
    stoppedAt = Date.now();
  });
  return {
    asleep,
    wake: async () => {
      await wait(stoppedAt + stoppedMs - Date.now());
      child.kill('SIGCONT');
      return line();
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
}

const paymentsOf = (mock: MockService) => mock.payments.all().map(({ referenceId }) => referenceId);

test('the statements of the guide: the sleeper sends nothing', async () => {
  await using postgres = await startPostgres();
  const mock = createMockService();
  await using server = await mock.listen();
  const database = new Pool({ connectionString: postgres.url });
  database.on('error', () => undefined);
  const run = async (name: keyof typeof statements, ...values: unknown[]) =>
    (await database.query(statements[name], values)).rowCount;
  for (const name of ['orders', 'attempts', 'openAttempt'] as const) await run(name);
  await database.query(`INSERT INTO orders VALUES ('ORDER-1')`);
  const request = (referenceId: string) => samplePaymentRequest({ referenceId });
  await run('add', 'ORDER-1-1', 'ORDER-1', JSON.stringify(request('ORDER-1-1')));

  using sleeper = startSleeper('sleeper', {
    CLAIM: 'sql',
    ORDER: 'ORDER-1-1',
    DATABASE: postgres.url,
    SERVICE_URL: server.url,
  });
  await sleeper.asleep;
  expect(await run('lookUp', 'ORDER-1-1')).toBe(1);
  await database.query(`UPDATE payment_attempts SET looked_up_at = looked_up_at - interval '4 minutes'`);
  expect(await run('conclude', 'ORDER-1-1')).toBe(1);
  expect(await run('add', 'ORDER-1-2', 'ORDER-1', JSON.stringify(request('ORDER-1-2')))).toBe(1);
  await new InstallmentClient(mock.clientOptions()).initiatePayment(request('ORDER-1-2'));

  expect(await sleeper.wake()).toBe('not_sent TIMEOUT');
  expect(paymentsOf(mock)).toEqual(['ORDER-1-2']);
  await database.end();
});

test('start-payment.ts: the sleeper sends nothing', async () => {
  const mock = createMockService();
  await using server = await mock.listen();
  using sleeper = startSleeper('sleeper', {
    CLAIM: 'start-payment',
    ORDER: 'ORDER-1-1',
    SERVICE_URL: server.url,
  });
  await sleeper.asleep;
  const client = new InstallmentClient(mock.clientOptions());
  await startPayment(client, newAttempt(samplePaymentRequest({ referenceId: 'ORDER-1-2' })));

  expect(await sleeper.wake()).toBe('new');
  expect(paymentsOf(mock)).toEqual(['ORDER-1-2']);
});

test.each(['payment', 'upload'] as const)('the shop, %s: the sleeper sends nothing', async (what) => {
  const folder = await mkdtemp(join(tmpdir(), 'shop-'));
  const path = join(folder, 'shop.db');
  const database = await ShopDatabase.open(path);
  const mock = createMockService();
  await using server = await mock.listen();
  const client = new InstallmentClient({ ...mock.clientOptions(), storeId: merchant.storeId });
  const shop = createShop({ ...merchant, client, database, secretKey, staffPassword: 's' });
  const headers = { origin: merchant.shopUrl };
  const order = await placeOrder(database, new Date());
  const pay = () => shop.app.request(`${merchant.shopUrl}/orders/${order}/pay`, { method: 'POST', headers });
  if (what === 'upload') {
    await pay();
    mock.settle(`${order}-1`, 'paid');
    await database.settle(`${order}-1`, 'paid');
  }
  using sleeper = startSleeper('sleeper', {
    CLAIM: `shop, ${what}`,
    ORDER: order,
    DATABASE: path,
    SERVICE_URL: server.url,
  });
  await sleeper.asleep;
  // The sleeper took the time of its claim from its fast clock, which may be minutes ahead on a busy machine.
  const muchLater = new Date(Date.now() + 86_400_000);
  if (what === 'payment') {
    await database.stopSending(`${order}-1`, new Date());
    expect(await database.conclude(`${order}-1`, muchLater)).toBe(true);
    await pay();
    expect(await sleeper.wake()).toBe('declined');
    expect(paymentsOf(mock)).toEqual([`${order}-2`]);
  } else {
    await database.readyInvoices([]);
    expect(await database.sendInvoiceAgain(order, muchLater)).toBe(true);
    await shop.resume();
    expect(await sleeper.wake()).toBe('stored');
    expect(mock.invoices.all()).toHaveLength(1);
  }
  database.close();
  await rm(folder, { recursive: true });
});

test.each<[string, NewJob]>([
  ['payment', { operation: 'initiatePayment', request: samplePaymentRequest({ referenceId: 'ORDER-1' }) }],
  ['upload', { operation: 'uploadInvoice', request: { referenceId: 'ORDER-1' }, file: 'a.pdf' }],
])('BullMQ, %s: the sleeper sends nothing', async (what, job) => {
  await using redis = await startRedis();
  const mock = createMockService({ uploads: 'any' });
  await using server = await mock.listen();
  const client = new InstallmentClient(mock.clientOptions());
  if (what === 'upload') await client.initiatePayment(samplePaymentRequest({ referenceId: 'ORDER-1' }));
  const connection = { host: '127.0.0.1', port: redis.port };
  const queue = new Queue('payments', { connection });
  const { id, name, data, opts } = createJob(job);
  await queue.add(name, data, opts);

  using sleeper = startSleeper('sleeping-worker', {
    REDIS_PORT: String(redis.port),
    SERVICE_URL: server.url,
    LOCK_MS: String(lockMs),
  });
  await sleeper.asleep;
  const processor = createProcessor({ client, loadFile: () => files.pdf });
  const options = { connection, ...workerOptions, stalledInterval: 200 };
  if (what === 'upload') {
    const worker = new Worker('payments', processor, options);
    const [failed] = (await once(worker, 'failed')) as [{ failedReason: string }];
    expect(failed.failedReason).toMatch(/^unknown MAY_HAVE_BEEN_SENT: /);
    // A person has looked it up, as the guide says.
    await (await queue.getJob(id))?.remove();
    const ended = once(worker, 'completed');
    await queue.add(name, data, opts);
    await ended;
    await worker.close();
  } else {
    // A person has concluded that there is no payment, and the customer begins another.
    await wait(lockMs);
    await (await queue.getJob(id))?.remove();
    await client.initiatePayment(samplePaymentRequest({ referenceId: 'ORDER-2' }));
  }

  expect(await sleeper.wake()).toMatch(/: not_sent TIMEOUT: /);
  if (what === 'upload') expect(mock.invoices.all()).toHaveLength(1);
  else expect(paymentsOf(mock)).toEqual(['ORDER-2']);
  await queue.close();
});
