/** The demo shop in each scenario of the mock. No customer pays twice. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '@hono/node-server';
import { createMockService, scenarios } from 'installment-payments/mock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { shopAt } from '../../examples/shop/test-support.js';
import { freePort } from '../helpers/free-port.js';

const ends: (() => unknown)[] = [];
beforeEach(() => {
  for (const level of ['error', 'warn'] as const) vi.spyOn(console, level).mockReturnValue(undefined); // of forged and early webhooks
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  vi.restoreAllMocks();
});

const defaultScenarios = scenarios.filter(({ isDefault }) => isDefault);

test.each(defaultScenarios)(
  'no customer pays twice in the scenario $name, and a page says paid only if the order is paid',
  async ({ scenario }) => {
    const port = await freePort();
    const shopUrl = `http://127.0.0.1:${port}`;
    const webhook = { url: `${shopUrl}/webhooks/installments` };
    const mock = createMockService({ scenario, webhook, delay: () => sleep(20) });
    let clock = Date.now();
    const { app, database, payments, checkOut, read } = shopAt(mock, { shopUrl, now: () => new Date(clock) });
    const listener = serve({ fetch: app.fetch, port, hostname: '127.0.0.1', overrideGlobalObjects: false });
    ends.push(
      () => {
        database.close();
      },
      () => listener.close(),
    );
    const sweepAfter = async (milliseconds: number) => {
      clock += milliseconds;
      await payments.sweep();
    };
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    await Promise.all(ids.map((id) => checkOut(id)));
    await sweepAfter(60_000);

    // The customers pay, even if the shop does not have the link. The second customer is declined, and tries again.
    const settle = (id: string, status: 'paid' | 'declined') => {
      try {
        mock.settle(`${id}-1`, status);
      } catch {
        // Most services accept no payment after that.
      }
    };
    for (const [index, id] of ids.entries()) {
      if (index === 1) settle(id, 'declined');
      settle(id, 'paid');
    }
    await expect
      .poll(() => mock.webhooks.all().filter(({ status }) => status === 'pending'), { timeout: 20_000 })
      .toEqual([]);
    for (let minutes = 0; minutes < 30; minutes++) await sweepAfter(60_000);

    // A redirect is not followed, but the redirecting server might have acted: staff check it once the time to pay is
    // over.
    const isRedirected = scenario.network === 'redirect';
    const references = mock.payments.all().map(({ referenceId }) => referenceId);
    expect(references.sort()).toEqual(isRedirected ? [] : ids.map((id) => `${id}-1`).sort());
    const reviews = (await payments.forReview()).filter(({ number }) => number === undefined);
    // In that scenario a webhook has a different amount.
    const mismatches = scenario.events === 'decoys' ? ['mismatch'] : [];
    expect(reviews.map(({ reason }) => reason)).toEqual(isRedirected ? ids.map(() => 'overdue') : mismatches);
    for (const { referenceId, status } of mock.payments.all()) {
      expect(/\bpaid\b/i.test(await read(`/orders/${referenceId}`))).toBe(status === 'paid');
      const sent = mock.journal.filter({ operation: 'initiatePayment', referenceId });
      expect(sent.length).toBeLessThan(12);
      expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
      const uploads = mock.journal.filter({ operation: 'uploadInvoice', referenceId });
      expect(uploads.length).toBe(status === 'paid' ? 1 : 0);
    }
  },
);
