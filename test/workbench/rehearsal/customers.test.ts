import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { InstallmentClient } from '../../../src/entries/index.js';
import { rehearse, samplePaymentRequest, type MockPayment } from '../../../src/entries/mock.js';
import { visitStart, Visit } from '../../../src/workbench/rehearsal/customers.js';

describe('the start of a visit', () => {
  const approved = { completed: true, resultStatus: 'APPROVED', answer: 'sent' } as const;
  const lost = { completed: true, resultStatus: 'APPROVED', answer: 'lost' } as const;
  const open = { completed: false, answer: 'sent' } as const;
  const times = { isWebhookBeforeResponse: false, withoutLinkMs: 3500 };

  test.each([
    ['is soon after the merchant was given the link', [approved], 100],
    ['is soon, if the link came with a repeated request', [lost, approved], 100],
    ['is later, if the response with the link was lost', [lost], 3500],
    ['is not yet known while a request has no response', [approved, open], 'not-yet'],
  ] as const)('%s', (_title, requests, start) => {
    expect(visitStart(requests, times)).toBe(start);
  });

  test('is now, if the webhook comes before the response', () => {
    expect(visitStart([open], { ...times, isWebhookBeforeResponse: true })).toBe('now');
  });
});

describe('a visit', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Plans visits with timers that the test moves. */
  function visit(untilShown: () => Promise<void> | undefined = () => undefined) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const act = vi.fn(() => Promise.resolve());
    const end = vi.fn();
    return { act, end, visit: new Visit(act, untilShown, end) };
  }

  test('begins once, with its last plan', async () => {
    const { act, end, visit: planned } = visit();
    planned.plan(100);
    planned.plan(3500);
    await vi.advanceTimersByTimeAsync(3499);
    expect(act).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    planned.plan('now');
    await vi.advanceTimersByTimeAsync(5000);
    expect(act).toHaveBeenCalledOnce();
    expect(end).toHaveBeenCalledOnce();
  });

  test('does not begin while the merchant waits for a response', async () => {
    const { act, visit: planned } = visit();
    planned.plan(100);
    planned.plan('not-yet');
    await vi.advanceTimersByTimeAsync(5000);
    expect(act).not.toHaveBeenCalled();
  });

  test('waits until the checkout has returned the link, and is replaced by a new plan until then', async () => {
    let show: () => void = () => undefined;
    const shown = new Promise<void>((resolve) => (show = resolve));
    const { act, visit: planned } = visit(() => shown);
    planned.plan(100);
    await vi.advanceTimersByTimeAsync(200);
    planned.plan('not-yet');
    show();
    await vi.advanceTimersByTimeAsync(200);
    expect(act).not.toHaveBeenCalled();
    planned.plan(100);
    await vi.advanceTimersByTimeAsync(200);
    expect(act).toHaveBeenCalledOnce();
  });
});

test('customers do not pay while the merchant waits for the response', async () => {
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
