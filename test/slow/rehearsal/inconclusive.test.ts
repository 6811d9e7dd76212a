import { describe, expect, test } from 'vitest';
import { InstallmentClient, isInstallmentError } from '../../../src/entries/index.js';
import {
  createMockService,
  rehearse,
  samplePaymentRequest,
  type MockOptions,
  type ScenarioName,
} from '../../../src/entries/mock.js';
import { receiver } from '../../helpers/receiver.js';

import { PageChecks } from '../../../src/workbench/rehearsal/order-page-checks.js';
import type { RehearsedMerchant } from '../../../src/workbench/rehearsal/rehearsal-settings.js';

const settleMs = 30;

/** Sends two orders, one after another, and continues whatever their outcomes are. */
const shop =
  (pay: (client: InstallmentClient, referenceId: string) => Promise<unknown>): RehearsedMerchant =>
  async ({ mock, scenario }) => {
    const client = new InstallmentClient({ ...mock.clientOptions(), maxRetries: 0 });
    for (const referenceId of [`${scenario}-1`, `${scenario}-2`]) {
      await pay(client, referenceId).catch(() => undefined);
    }
  };
const initiate = (client: InstallmentClient, referenceId: string) =>
  client.initiatePayment(samplePaymentRequest({ referenceId }));
const once = shop(initiate);

/** A scenario after the baseline. */
async function scenarioOf(
  merchant: RehearsedMerchant,
  scenario: ScenarioName,
  customer?: 'pays' | 'declines',
  mock: MockOptions = {},
) {
  const { ok, scenarios } = await rehearse(merchant, { settleMs, scenarios: [scenario], customer, mock });
  const { notJudged, findings = [], payments } = scenarios[1] ?? {};
  return { ok, notJudged, payments, rules: findings.map(({ rule }) => rule) };
}

describe('a scenario is not judged', () => {
  const withRedirectTo = (successRedirectUrl: string) =>
    shop((client, referenceId) =>
      client.initiatePayment(samplePaymentRequest({ referenceId, successRedirectUrl })),
    );
  const redirectOpened = async (merchant: RehearsedMerchant) => {
    const options = { settleMs, scenarios: ['redirect-opened'], paid: () => false } as const;
    const { ok, scenarios } = await rehearse(merchant, options);
    return { ok, notJudged: scenarios[1]?.notJudged };
  };
  const refused: RehearsedMerchant = (context) => {
    context.mock.respondWith('initiatePayment', { resultStatus: 'INVALID_AMOUNT' }, { times: 2 });
    return once(context);
  };
  test.each([
    ['names the origin', withRedirectTo('https://a.example/paid'), 'https://a.example'],
    ['names the scheme of an app', withRedirectTo('myapp://paid'), 'myapp:'],
  ])('if no redirect URL has the origin of the order page: the report %s', async (_what, merchant, shown) => {
    expect(await redirectOpened(merchant)).toEqual({
      ok: true,
      notJudged: { flag: `--order-url with the same origin as the successRedirectUrl (${shown})` },
    });
  });

  test('if redirect URLs are to be opened, and the baseline has no payment', async () => {
    expect(await redirectOpened(refused)).toEqual({
      ok: true,
      notJudged: { flag: 'a payment in the baseline' },
    });
  });

  test('if the shop has accepted no webhook in the baseline, although it also refuses forgeries', async () => {
    const { url } = await receiver({ status: 404 });
    const { ok, scenarios } = await rehearse(once, {
      ...{
        settleMs,
        scenarios: ['forged', 'notification-twice'],
        customer: 'pays',
        mock: { webhook: { url } },
      },
    });
    const reason = 'the shop accepted no webhook in the baseline';
    expect(scenarios.slice(1).map(({ notJudged }) => notJudged)).toEqual([{ reason }, { reason }]);
    expect(ok).toBe(false);
  });

  test('if the backend has died and accepts no more orders', async () => {
    const dead: RehearsedMerchant = (context) =>
      context.scenario === 'baseline' ? once(context) : undefined;
    expect(await scenarioOf(dead, 'slow')).toEqual({
      ok: false,
      notJudged: { reason: 'fewer payments (0) were created than in the baseline (2)' },
      payments: 0,
      rules: [],
    });
  });

  test('if no payment ends, so that no webhook is sent, with the flag that ends payments', async () => {
    const server = await receiver({ status: 204 });
    const mock = { webhook: { url: server.url } };
    expect(await scenarioOf(once, 'notification-twice', undefined, mock)).toMatchObject({
      ok: true,
      notJudged: { flag: '--customer' },
    });
  });

  test('if the test has ended its payments itself before any decoy could come', async () => {
    const server = await receiver({ status: 204 });
    const hasty = shop(async (client, referenceId) => {
      await initiate(client, referenceId);
      settleNow(referenceId);
    });
    let settleNow: (referenceId: string) => void = () => undefined;
    const merchant: RehearsedMerchant = (context) => {
      settleNow = (referenceId) => void context.mock.settle(referenceId, 'paid');
      return hasty(context);
    };
    const mock = { webhook: { url: server.url } };
    expect(await scenarioOf(merchant, 'decoys', undefined, mock)).toMatchObject({
      ok: true,
      notJudged: { flag: '--customer' },
    });
  });

  test('if the shop is not restarted', async () => {
    const { scenarios } = await rehearse(once, { settleMs, scenarios: ['restarted'] });
    expect(scenarios[1]).toMatchObject({ requests: 0, notJudged: { flag: '--restart' } });
  });

  test('if a response stops the shop at its first order', async () => {
    const strict: RehearsedMerchant = async ({ mock, scenario }) => {
      const client = new InstallmentClient(mock.clientOptions());
      for (const number of [1, 2]) {
        const { responseTime } = await initiate(client, `${scenario}-${number}`);
        if (responseTime === undefined) return;
      }
    };
    expect(await scenarioOf(strict, 'sparse-responses')).toMatchObject({ ok: false, payments: 1 });
  });

  test('if a payment begins each time that the order page is read', async () => {
    let begin = (): Promise<unknown> => Promise.resolve();
    let begun = 0;
    const asked = new Set<string>();
    const merchant: RehearsedMerchant = async ({ mock }) => {
      const client = new InstallmentClient(mock.clientOptions());
      begin = () => initiate(client, `ORDER-${(begun += 1)}`);
      await begin();
    };
    const rehearsal = rehearse(merchant, {
      ...{ settleMs, scenarios: [] },
      async paid(referenceId) {
        // Not at the check before its customer does anything.
        if (asked.has(referenceId)) await begin();
        asked.add(referenceId);
        return false;
      },
    });
    await expect(rehearsal).rejects.toThrow(
      'payments were created or settled each time that the order page was read',
    );
  });

  test.each([
    ['fails', () => Promise.reject(new Error('no page')), 'no page'],
    ['throws', () => expect.fail('no such order'), 'no such order'],
  ])('if the order page %s', async (_how, paid, words) => {
    const failing = rehearse(once, { settleMs, paid, scenarios: ['slow'] });
    await expect(failing).rejects.toThrow(`the order page could not be read: ${words}`);
  });

  test('if the order page does not respond', async () => {
    const pageChecks = new PageChecks(createMockService(), () => new Promise(() => undefined), 20);
    await pageChecks.check('final', 'ORDER-1');
    expect(pageChecks.all).toMatchObject([{ problem: 'no response within 20 ms' }]);
  });
});

test('a payment that begins while the order page is read has its customer and its check', async () => {
  let begin = (_referenceId: string): Promise<unknown> => Promise.resolve();
  const statusOf = new Map<string, () => string | undefined>();
  const merchant: RehearsedMerchant = async ({ mock }) => {
    const client = new InstallmentClient(mock.clientOptions());
    begin = async (referenceId) => {
      statusOf.set(referenceId, () => mock.payments.get(referenceId)?.status);
      await initiate(client, referenceId);
    };
    await begin('ORDER-1');
  };
  const { findings } = await rehearse(merchant, {
    ...{ settleMs, customer: 'declines', scenarios: [] },
    async paid(referenceId) {
      const status = statusOf.get(referenceId)?.();
      if (status === 'declined' && !statusOf.has('ORDER-2')) await begin('ORDER-2');
      return referenceId === 'ORDER-2' && status === 'declined';
    },
  });
  expect(findings.map(({ rule, referenceId }) => [rule, referenceId])).toEqual([
    ['unpaid-counted', 'ORDER-2'],
  ]);
});

test('a shop that ships on APPROVED is an error in the baseline, and the other scenarios are run', async () => {
  const { ok, scenarios } = await rehearse(once, {
    ...{ settleMs, customer: 'pays', paid: () => true, scenarios: ['slow'] },
  });
  expect(scenarios.map(({ name, findings }) => [name, findings.map(({ rule }) => rule)])).toEqual([
    ['baseline', ['unpaid-counted', 'unpaid-counted']],
    ['slow', []],
  ]);
  expect(scenarios[0]?.findings[0]?.fix).toContain('--paid');
  expect(ok).toBe(false);
});

test('the page of a shop that ships later than it counts a paid order is read until it has a number', async () => {
  const mock = createMockService();
  const client = new InstallmentClient(mock.clientOptions());
  await client.initiatePayment(samplePaymentRequest({ referenceId: 'ORDER-1' }));
  mock.settle('ORDER-1', 'paid');
  let asked = 0;
  const pageChecks = new PageChecks(mock, () => {
    asked += 1;
    return Promise.resolve({
      showsPaid: true,
      ...(asked < 3 ? { onceProblem: 'no number' } : { onceNumber: 1 }),
    });
  });
  const waitedMs = await pageChecks.runFinalChecks(['ORDER-1'], 5000, new AbortController().signal);
  expect(pageChecks.all).toMatchObject([{ showsPaid: true, onceNumber: 1 }]);
  expect(waitedMs).toBeGreaterThan(0);
});

describe('fewer payments than in the baseline', () => {
  test('are correct if the service has redirected the requests, and the shop does not follow', async () => {
    expect(await scenarioOf(once, 'redirected')).toEqual({
      ok: true,
      notJudged: undefined,
      payments: 0,
      rules: [],
    });
  });

  test('are not judged after redirects if the shop has sent fewer orders', async () => {
    const timid: RehearsedMerchant = async ({ mock, scenario }) => {
      const client = new InstallmentClient({ ...mock.clientOptions(), maxRetries: 0 });
      for (const number of [1, 2]) await initiate(client, `${scenario}-${number}`);
    };
    const { ok, scenarios } = await rehearse(timid, { settleMs, scenarios: ['redirected'] });
    expect(ok).toBe(false);
    expect(scenarios[1]?.notJudged).toEqual({
      reason: expect.stringContaining('fewer payments (0) were created than in the baseline (2)') as string,
    });
  });

  test('are a warning if the service has rate-limited them', async () => {
    expect(await scenarioOf(once, 'rate-limited')).toEqual({
      ok: true,
      notJudged: undefined,
      payments: 0,
      rules: ['unknown-abandoned', 'unknown-abandoned'],
    });
  });

  test('are correct if customers paid late, and need no further payment', async () => {
    const again: RehearsedMerchant = async ({ mock, scenario }) => {
      const client = new InstallmentClient(mock.clientOptions());
      for (const referenceId of [`${scenario}-1`, `${scenario}-1-b`]) {
        await initiate(client, referenceId);
        const end = () => mock.payments.get(referenceId)?.status;
        await expect.poll(end, { timeout: 5000 }).toBe('declined');
        await expect
          .poll(end, { timeout: 300 })
          .toBe('paid')
          .catch(() => undefined);
        if (end() === 'paid') return;
      }
    };
    const server = await receiver({ status: 204 });
    const mock = { webhook: { url: server.url } };
    expect(await scenarioOf(again, 'settled-late', 'declines', mock)).toMatchObject({
      ok: true,
      payments: 1,
      rules: [],
    });
  });
});

describe('a customer pays', () => {
  test.each(['lost-response', 'processing-first'] as const)(
    'in %s only after the shop could ask again, and a shop that never asks is warned',
    async (scenario) => {
      expect(await scenarioOf(once, scenario, 'pays')).toMatchObject({
        payments: 2,
        rules: ['unknown-abandoned', 'unknown-abandoned'],
      });
    },
  );

  test('only once a shop that waits between its attempts has the link', async () => {
    const ends: (string | undefined)[] = [];
    const patient: RehearsedMerchant = async ({ mock, scenario }) => {
      const client = new InstallmentClient({ ...mock.clientOptions(), maxRetries: 0 });
      const referenceId = `${scenario}-1`;
      await initiate(client, referenceId).catch(async (error: unknown) => {
        await new Promise((resolve) => setTimeout(resolve, 250));
        ends.push(
          isInstallmentError(error) ? error.outcome : undefined,
          mock.payments.get(referenceId)?.status,
        );
        return client.initiatePayment(samplePaymentRequest({ referenceId }), { mayHaveBeenSent: true });
      });
      await expect.poll(() => mock.payments.get(referenceId)?.status, { timeout: 5000 }).toBe('paid');
    };
    const options = { settleMs: 800, customer: 'pays', scenarios: ['lost-response'] } as const;
    expect(await rehearse(patient, options)).toMatchObject({ ok: true, findings: [] });
    expect(ends).toEqual(['unknown', 'pending']);
  });

  test('not for payments that a shop creates whenever one is declined, once there are too many', async () => {
    const restless: RehearsedMerchant = async ({ mock, scenario, signal }) => {
      const client = new InstallmentClient(mock.clientOptions());
      const declined = new Set<string>();
      let begun = 0;
      const begin = async () => {
        begun += 1;
        const referenceId = `${scenario}-${begun}`;
        // The judge compares milliseconds, so a payment must not begin in that of a decline.
        await new Promise((resolve) => setTimeout(resolve, 5));
        return initiate(client, referenceId);
      };
      const stop = mock.subscribe((change) => {
        // The next scenario has its own shop.
        if (change.kind === 'reset') stop();
        if (change.kind !== 'payment') return;
        if (mock.payments.get(change.referenceId)?.status === 'declined') declined.add(change.referenceId);
        if (declined.size >= begun) void begin();
      });
      signal.addEventListener('abort', stop);
      await begin();
    };
    const server = await receiver({ status: 204 });
    const seen = await scenarioOf(restless, 'settled-late', 'pays', { webhook: { url: server.url } });
    expect(seen).toMatchObject({ notJudged: undefined, rules: [] });
    expect(seen.payments).toBeLessThanOrEqual(14);
    expect(seen.payments).toBeGreaterThan(2);
  });
});
