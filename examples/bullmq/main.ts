/**
 * Payments through a queue: a producer, two workers, and what is left for a person. Needs a Redis.
 *
 *   REDIS_URL=redis://127.0.0.1:6379 npx tsx examples/bullmq/main.ts
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Queue, QueueEvents } from 'bullmq';
import { createMockService, samplePaymentRequest } from 'installment-payments/mock';
import { printDeadLetters } from './dead-letters.js';
import { pay, sendInvoice } from './producer.js';
import { connection, queueName } from './queue.js';

// Prerequisites: a service, and two workers.
const mock = createMockService({ uploads: 'any' });
const server = await mock.listen();
const { clientId, secretKey, merchantId, storeId = '', platformId } = mock.clientOptions();
const environment = {
  INSTALLMENT_BASE_URL: server.url,
  INSTALLMENT_CLIENT_ID: clientId,
  INSTALLMENT_SECRET_KEY: secretKey,
  INSTALLMENT_MERCHANT_ID: merchantId,
  INSTALLMENT_STORE_ID: storeId,
  INSTALLMENT_PLATFORM_ID: platformId,
};
const workers = [1, 2].map(() =>
  spawn(process.execPath, [...process.execArgv, fileURLToPath(new URL('worker.ts', import.meta.url))], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit'],
  }),
);
const queue = new Queue(queueName, { connection });
const events = new QueueEvents(queueName, { connection });
await events.waitUntilReady();

// The flow: the answer to the first order is lost, the second is refused, and the answer to the invoice is lost.
mock.injectFault('initiatePayment', 'connection-reset', { referenceId: 'ORDER-1', phase: 'after' });
mock.respondWith('initiatePayment', { resultStatus: 'INVALID_AMOUNT' }, { referenceId: 'ORDER-2' });
mock.injectFault('uploadInvoice', 'connection-reset', { phase: 'after' });
const finished = async (id: string | undefined) => {
  const job = await queue.getJob(id ?? '');
  await job?.waitUntilFinished(events).catch(() => undefined);
};
for (const referenceId of ['ORDER-1', 'ORDER-1', 'ORDER-2']) {
  await finished(await pay(queue, samplePaymentRequest({ referenceId })));
}
await finished(await sendInvoice(queue, 'ORDER-1', 'invoice.pdf'));
console.log(`payments at the service: ${mock.payments.all().length}`);
await printDeadLetters(queue);

for (const worker of workers) worker.kill('SIGTERM');
await Promise.all(workers.map((worker) => once(worker, 'exit')));
await queue.obliterate({ force: true });
await Promise.all([events.close(), queue.close(), server.close()]);
