import { expect, test } from 'vitest';
import { runWithTsx } from '../examples/run-example.js';
import { startPostgres } from './postgres-server.js';
import { startRedis } from './redis-server.js';

test('the example pays once for each of two merchants, and shows what is left for a person', async () => {
  await using redis = await startRedis();
  const { code, stdout, stderr } = await runWithTsx('examples/bullmq/main.ts', [], {
    REDIS_URL: `redis://127.0.0.1:${String(redis.port)}`,
  });

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.match(/completed initiatePayment\.ORDER-1\./g)).toHaveLength(1);
  expect(stdout).toContain('shop-1 ORDER-1: payment created');
  expect(stdout).toContain('shop-2 ORDER-3: payment created');
  expect(stdout).toContain('payments at the service: 2');
  expect(stdout).toMatch(/^initiatePayment\.ORDER-2\.\w+\n {2}rejected INVALID_AMOUNT, runs: 1$/m);
  expect(stdout).toMatch(/^uploadInvoice\.ORDER-1\.\w+\n {2}unknown CONNECTION, runs: 1$/m);
});

test('the example with a database loses neither an order nor a payment', async () => {
  await using redis = await startRedis();
  await using postgres = await startPostgres();
  const { code, stdout, stderr } = await runWithTsx('examples/outbox/main.ts', [], {
    REDIS_URL: `redis://127.0.0.1:${String(redis.port)}`,
    DATABASE_URL: postgres.url,
  });

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.split('\n').filter(Boolean)).toEqual([
    'ORDER-1 added',
    'ORDER-1 again: 202',
    'ORDER-1 accepted',
    'ORDER-2 accepted',
    'ORDER-3 accepted',
    'payments at the service: 3',
  ]);
});

test('the example with PostgreSQL alone pays an order and uploads its invoice, though its worker is killed', async () => {
  await using postgres = await startPostgres();
  const { code, stdout, stderr } = await runWithTsx('examples/postgres/main.ts', [], {
    DATABASE_URL: postgres.url,
  });

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.split('\n').filter(Boolean)).toEqual([
    'a worker takes jobs',
    'a worker takes jobs',
    "ORDER-1 { state: 'paid', invoice: 'stored' }",
    'payments: 1, invoices: 1',
  ]);
});
