/**
 * Payments and invoices with PostgreSQL alone: no Redis. Needs a PostgreSQL, and pg-boss.
 *
 *   DATABASE_URL=postgres://127.0.0.1:5432/shop npx tsx examples/postgres/main.ts
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createMockService, DEMO_MERCHANT, samplePaymentRequest } from 'installment-payments/mock';
import { createWebhookHandler } from 'installment-payments/webhooks';
import { Pool } from 'pg';
import { statements } from './attempts.js';
import { startBoss } from './boss.js';
import { variablesOf } from './demo-merchant.js';
import { addJob, createTables, inTransaction, placeOrder } from './place-order.js';

// Prerequisites: the database, a shop that is told what is paid, a service, and a worker.
const connectionString = process.env['DATABASE_URL'] ?? '';
const database = new Pool({ connectionString });
database.on('error', console.error);
await createTables(database);
const boss = await startBoss(connectionString);
const webhook = createWebhookHandler({
  secretKey: DEMO_MERCHANT.secretKey,
  onEvent: async (event) => {
    const { referenceId, status } = event as { referenceId: string; status: string };
    await inTransaction(database, async (client) => {
      if (status === 'paid') await client.query(statements.paid, [referenceId]);
      const { rowCount } = await client.query(statements.notified, [referenceId, status]);
      const due = `SELECT FROM payment_attempts WHERE reference_id = $1 AND invoice = 'due'`;
      if (rowCount !== 1 || (await client.query(due, [referenceId])).rowCount !== 1) return;
      await addJob(client, boss, referenceId, {
        operation: 'uploadInvoice',
        request: { referenceId },
        file: referenceId,
      });
    });
  },
});
const shop = createServer((request, response) => void webhook.node(request, response)).listen(0, '127.0.0.1');
await once(shop, 'listening');
const mock = createMockService({
  webhook: { url: `http://127.0.0.1:${(shop.address() as AddressInfo).port}/` },
});
const service = await mock.listen();
const startWorker = () =>
  spawn(process.execPath, [...process.execArgv, fileURLToPath(new URL('worker.ts', import.meta.url))], {
    env: { ...process.env, CLAIM_MS: '2000', ...variablesOf(service.url) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
const stateOf = async (reference: string) => {
  const { rows } = await database.query<{ state: string; invoice: string }>(
    'SELECT state, invoice FROM payment_attempts WHERE reference_id = $1',
    [reference],
  );
  return rows[0];
};

// The flow: an order whose worker is killed while the service works on it; another worker goes on; the customer pays.
mock.injectFault('initiatePayment', { delayMs: 1_000 });
await placeOrder(database, boss, samplePaymentRequest({ referenceId: 'ORDER-1' }));
const killed = startWorker();
await mock.journal.waitFor({ operation: 'initiatePayment' }, { timeoutMs: 60_000 });
killed.kill('SIGKILL');
const worker = startWorker();
while ((await stateOf('ORDER-1-1'))?.state !== 'started') await wait(100);
mock.settle('ORDER-1-1', 'paid');
while ((await stateOf('ORDER-1-1'))?.invoice !== 'stored') await wait(100);
console.log('ORDER-1', await stateOf('ORDER-1-1'));
console.log(`payments: ${mock.payments.all().length}, invoices: ${mock.invoices.all().length}`);

worker.kill('SIGTERM');
await once(worker, 'exit');
await boss.stop();
await database.query('DROP TABLE payment_jobs, payment_attempts, orders');
await database.end();
shop.close();
await service.close();
