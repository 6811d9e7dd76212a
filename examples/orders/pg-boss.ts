/**
 * Payments that a worker of pg-boss sends. Order, payment and job are stored in one transaction, so no job is lost. You
 * can start this program several times at once. It places the orders that its arguments name.
 *
 * Install `pg-boss@10`. With pg-boss 12, which needs Node 22.12, write `import { PgBoss } from 'pg-boss'`: it has no
 * default export.
 *
 *   DATABASE_URL=postgres://127.0.0.1/shop npx tsx examples/orders/pg-boss.ts ORDER-1 ORDER-2
 */
import PgBoss from 'pg-boss';
import { createTables, databaseUrl, payments, placeOrder, sweepUntilSigterm } from './postgres.js';

await createTables();
const boss = new PgBoss(databaseUrl);
boss.on('error', console.error);
await boss.start();
await boss.createQueue('orders');

sweepUntilSigterm(() => boss.stop());

// A second job for the same order returns the existing payment. If the worker is killed, or `start` fails, the sweep
// continues the payment.
await boss.work<{ orderId: string }>('orders', { pollingIntervalSeconds: 1 }, async (jobs) => {
  for (const { data } of jobs) {
    const { state, paymentUrl = '' } = await payments.start(data.orderId);
    console.log(data.orderId, state, paymentUrl);
  }
});

for (const orderId of process.argv.slice(2)) {
  await placeOrder(orderId, (tx) =>
    boss.send('orders', { orderId }, { db: { executeSql: (sql, values) => tx.query(sql, values) } }),
  );
}
