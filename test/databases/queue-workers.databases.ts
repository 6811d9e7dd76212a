/** The queue workers of examples/orders, with a real Redis and PostgreSQL. */
import { once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { InstallmentClient } from '../../src/entries/index.js';
import { createMockService, samplePaymentRequest } from '../../src/entries/mock.js';
import { createOrderPayments } from '../../src/entries/orders.js';
import { startExample } from '../examples/run-example.js';
import { shopEnvironment } from '../workbench/rehearsal/rehearse-command.js';
import { freePort } from '../helpers/free-port.js';
import { startRedis } from './redis-server.js';

// A database of their own: the examples have the tables of a shop.
const databaseUrl = new URL('/queue_workers', inject('postgresUrl')).href;
let redis: Awaited<ReturnType<typeof startRedis>>;
beforeAll(async () => {
  const pool = new pg.Pool({ connectionString: inject('postgresUrl') });
  await pool.query('CREATE DATABASE queue_workers');
  await pool.end();
  redis = await startRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

/** Stores a payment as a process did two minutes ago that was killed before it made the job. */
async function loseJob(orderId: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl });
  const { referenceId: _referenceId, ...request } = samplePaymentRequest();
  const payments = createOrderPayments({
    onPaid: 'firstPaid',
    client: new InstallmentClient(createMockService().clientOptions()),
    dialect: 'postgres',
    query: async (sql, values) => (await pool.query<object>(sql, [...values])).rows,
    now: () => new Date(Date.now() - 120_000),
  });
  for (const statement of payments.schema) await pool.query(statement);
  await payments.add(orderId, request);
  await pool.end();
}

describe.each(['bullmq', 'pg-boss'])('the worker of %s', (name) => {
  it('sends each order once, however many jobs it has, and the sweep one whose job was lost', async () => {
    const mock = createMockService();
    const port = await freePort();
    const server = await mock.listen({ port });
    const orders = ['TWICE', 'OTHER'].map((order) => `${name}-${order}`);
    await loseJob(`${name}-LOST`);
    const environment = {
      ...shopEnvironment(port, await freePort()),
      DATABASE_URL: databaseUrl,
      REDIS_URL: `redis://127.0.0.1:${redis.port}`,
      SWEEP_EVERY_MS: '500',
    };
    const start = async () => {
      const worker = await startExample(`examples/orders/${name}.ts`, [...orders, ...orders], environment);
      onTestFinished(() => void worker.kill('SIGKILL'));
      return worker;
    };
    const end = async (worker: Awaited<ReturnType<typeof start>>) => {
      const ended = once(worker, 'exit');
      worker.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    };
    const first = await start();
    let output = '';
    first.stderr?.on('data', (data: Buffer) => (output += data.toString()));
    const references = () => mock.payments.all().map(({ referenceId }) => referenceId);
    onTestFinished(() => server.close());

    const expected = [...orders, `${name}-LOST`].map((orderId) => `${orderId}-1`).sort();
    await expect.poll(() => references().sort(), { timeout: 40_000 }).toEqual(expected);
    await end(first);
    // Another one, with the same orders: there is nothing to send. It does the jobs alone, so it prints something.
    const second = await start();
    await once(second.stdout ?? second, 'data');
    await end(second);
    expect(output).toBe('');
    expect(mock.journal.filter({ operation: 'initiatePayment' })).toHaveLength(expected.length);
  });
});
