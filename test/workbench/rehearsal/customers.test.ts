import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { InstallmentClient } from '../../../src/index.js';
import { rehearse, samplePaymentRequest, type MockPayment } from '../../../src/entries/mock.js';
import { stepsOf } from '../../../src/workbench/rehearsal/customers.js';
import { baselineScenario } from '../../../src/mock/scenarios/dimensions.js';

test('customers of the reordered scenario pay at once, so that the held notification arrives last', () => {
  const acts = stepsOf({ ...baselineScenario, settlement: 'reordered' }, 'pays', false);
  expect(acts).toEqual(['declined', 'paid']);
});

test('customers of the settled-late scenario wait before they pay, so that the first notification arrives first', () => {
  const acts = stepsOf({ ...baselineScenario, settlement: 'late' }, 'pays', false);
  expect(acts).toEqual(['declined', 'wait', 'paid']);
});

test('customers do not pay while the merchant still waits for the response', async () => {
  const seen: (MockPayment['status'] | undefined)[] = [];
  const { findings } = await rehearse(
    async ({ mock, scenario }) => {
      const client = new InstallmentClient({ ...mock.clientOptions(), maxRetries: 0 });
      const order = samplePaymentRequest({ referenceId: `${scenario}-1` });
      await client.initiatePayment(order).catch(() => {
        seen.push(mock.payments.get(order.referenceId)?.status);
        return client.initiatePayment(order, { mayHaveBeenSent: true });
      });
      await expect.poll(() => mock.payments.get(order.referenceId)?.status).toBe('paid');
    },
    {
      ...{ settleMs: 30, customer: 'pays', scenarios: ['hang'] },
      // The patience of a customer is 100 ms here.
      mock: { delay: (_milliseconds, signal) => pause(400, undefined, { signal }) },
    },
  );
  expect(seen).toEqual(['pending']);
  expect(findings).toEqual([]);
});
