import { setTimeout as pause } from 'node:timers/promises';
import Database from 'libsql';
import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import { InstallmentClient } from '../../src/entries/index.js';
import { rehearse, samplePaymentRequest } from '../../src/entries/mock.js';
import { createOrderPayments } from '../../src/entries/orders.js';
import { expectClean } from './expect-clean.js';

const settleMs = 400;
beforeAll(() => {
  vi.spyOn(console, 'error').mockReturnValue(undefined); // of forged and early webhooks
});
afterAll(() => {
  vi.restoreAllMocks();
});

const order = (referenceId: string) => samplePaymentRequest({ referenceId });

// The tests wait most of the time, so all of them run in parallel.
describe.concurrent('the rehearsal finds no error in any scenario of', { timeout: 300_000 }, () => {
  it('a client with its defaults', async ({ expect }) => {
    expectClean(
      expect,
      await rehearse(
        async ({ mock, scenario }) => {
          const client = new InstallmentClient(mock.clientOptions());
          await Promise.all([1, 2].map((n) => client.initiatePayment(order(`${scenario}-${n}`))));
        },
        { settleMs, customer: 'pays' },
      ),
    );
  });

  it('orders, with a client that does not retry', async ({ expect }) => {
    expectClean(
      expect,
      await rehearse(
        async ({ mock, scenario }) => {
          const database = new Database(':memory:');
          const payments = createOrderPayments({
            client: new InstallmentClient({ ...mock.clientOptions(), maxRetries: 0 }),
            dialect: 'sqlite',
            onPaid: 'firstPaid',
            query: (sql, values) => {
              const statement = database.prepare(sql);
              return Promise.resolve(statement.reader ? statement.all(values) : statement.run(values));
            },
            repeatAfterMs: 100,
            mostSends: 4,
            waitMs: 1000,
          });
          for (const statement of payments.schema) database.exec(statement);
          const { referenceId: orderId, ...request } = order(`${scenario}-1`);
          for (let run = 0; run < 12; run++) {
            // The customer submits twice, and the job repeats open payments.
            const [{ state }] = await Promise.all([
              payments.start(orderId, request),
              payments.start(orderId, request),
              payments.sweep(),
            ]);
            if (state === 'started' || (await payments.forReview()).length > 0) break;
            await pause(250);
          }
        },
        { settleMs, customer: 'pays' },
      ),
    );
  });
});
