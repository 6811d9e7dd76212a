import { describe, expect, test } from 'vitest';
import { receiver } from '../../helpers/receiver.js';
import { InstallmentClient, InstallmentError } from '../../../src/entries/index.js';
import {
  createMockService,
  rehearse,
  sampleInvoice,
  samplePaymentRequest,
  scenarios,
  type MockPayment,
  type MockService,
  type RehearsalContext,
} from '../../../src/entries/mock.js';
import type { RehearsedMerchant } from '../../../src/workbench/rehearsal/rehearsal-settings.js';

const settleMs = 30;

function clientOf(mock: MockService): InstallmentClient {
  return new InstallmentClient({ ...mock.clientOptions(), maxRetries: 0 });
}

/** Repeats the same request once after an unknown outcome. */
const right = async ({ mock, scenario }: Pick<RehearsalContext, 'mock' | 'scenario'>) => {
  const client = clientOf(mock);
  const order = samplePaymentRequest({ referenceId: `${scenario}-1` });
  await client.initiatePayment(order).catch((error: unknown) => {
    if (!(error instanceof InstallmentError && error.outcome === 'unknown')) throw error;
    return client.initiatePayment(order, { mayHaveBeenSent: true });
  });
};

/** Uses another reference after any error. */
const wrong = async ({ mock, scenario }: Pick<RehearsalContext, 'mock' | 'scenario'>) => {
  const client = clientOf(mock);
  await client
    .initiatePayment(samplePaymentRequest({ referenceId: `${scenario}-1` }))
    .catch(() => client.initiatePayment(samplePaymentRequest({ referenceId: `${scenario}-2` })));
};

/** The same as wrong, with the same references in each scenario. */
const fixed: RehearsedMerchant = ({ mock }) => wrong({ mock, scenario: 'ORDER' });

describe('rehearse', () => {
  test('runs the baseline first, and finds no error if the same request is repeated', async () => {
    const report = await rehearse(right, { settleMs, scenarios: ['lost-response', 'gateway'] });
    expect(report.scenarios.map(({ name }) => name)).toEqual(['baseline', 'lost-response', 'gateway']);
    expect(report).toMatchObject({ ok: true, findings: [] });
  });

  test.each([
    ['that differ from scenario to scenario', wrong],
    ['that are the same in each scenario', fixed],
  ])('finds two payments with references %s', async (_how, merchant) => {
    const { ok, findings } = await rehearse(merchant, { settleMs, scenarios: ['lost-response'] });
    expect(ok).toBe(false);
    expect(findings.map(({ rule, scenario }) => `${scenario}: ${rule}`)).toEqual([
      'lost-response: two-payments',
      'lost-response: new-reference-after-unknown',
      'lost-response: unknown-abandoned',
      'lost-response: unknown-abandoned',
    ]);
  });

  test.each([
    ['fails', () => Promise.reject(new Error('no stock')), 'no stock'],
    ['sends nothing', () => undefined, 'sent no request'],
  ])(
    'rejects if the code %s in the baseline, because nothing can be compared',
    async (_how, merchant, words) => {
      await expect(rehearse(merchant, { settleMs })).rejects.toThrow(words);
    },
  );

  test.each([
    [{ setleMs: 3000 }, 'did you mean settleMs'],
    [{ scenario: ['baseline'] }, 'did you mean scenarios'],
    [{ settleMs: Number.NaN }, 'settleMs must be an integer of 0 or more'],
    [{ customer: 'Pays' }, "customer must be 'none', 'pays', 'declines' or 'expires'"],
    [{ once: () => 1 }, 'once needs the option paid'],
    [{ scenarios: 'slow' }, 'scenarios must be an array of scenario names'],
  ])('refuses the options %o', async (options, words) => {
    await expect(rehearse(right, options as object)).rejects.toThrow(words);
  });

  test('reports late requests of an earlier scenario, does not count them, and is not ok', async () => {
    const lateRequests: RehearsedMerchant = async (context) => {
      if (context.scenario === 'extra-fields') await right({ ...context, scenario: 'sparse-responses' });
      await right(context);
    };
    const { scenarios: seen, ok } = await rehearse(lateRequests, {
      settleMs,
      scenarios: ['sparse-responses', 'extra-fields'],
    });
    expect(ok).toBe(false);
    expect(seen[2]).toMatchObject({
      lateRequests: { references: ['sparse-responses-1'], settleMs: 1000 },
      payments: 1,
    });
  });

  test('ends a run in time, and recommends no longer wait, although stopped code still repeats a request', async () => {
    let timer: NodeJS.Timeout | undefined;
    const endless: RehearsedMerchant = async (context) => {
      await right(context);
      if (context.scenario !== 'sparse-responses') return;
      timer = setInterval(() => void right(context).catch(() => undefined), 10);
      await new Promise(() => undefined);
    };
    const options = { settleMs: 1000, scenarios: ['sparse-responses', 'extra-fields'] as const };
    const { scenarios: seen } = await rehearse(endless, options);
    clearInterval(timer);
    expect(seen[1]?.commandFailed).toContain('the run was stopped, because it repeated initiatePayment');
    expect(seen[2]).toMatchObject({ payments: 1, findings: [] });
    expect([seen[2]?.commandFailed, seen[2]?.lateRequests]).toEqual([undefined, undefined]);
  });

  test('simulates customers, even if the response was lost, and asks the merchant for each order', async () => {
    const server = await receiver({ status: 204 });
    const asked: string[] = [];
    const states = new Map<string, MockPayment['status'] | undefined>();
    const shop: RehearsedMerchant = (context) => {
      context.mock.subscribe((change) => {
        if (change.kind !== 'payment') return;
        states.set(change.referenceId, context.mock.payments.get(change.referenceId)?.status);
      });
      return right(context);
    };
    const paid = (referenceId: string) => asked.push(referenceId) > 0 && states.get(referenceId) === 'paid';
    const { findings } = await rehearse(shop, {
      settleMs,
      customer: 'pays',
      paid,
      scenarios: ['lost-response', 'settled-late'],
      mock: { webhook: { url: server.url } },
    });
    expect(findings).toEqual([]);
    // In the baseline it is also called before the customer pays.
    expect(asked).toEqual(['baseline-1', 'baseline-1', 'lost-response-1', 'settled-late-1']);
    const ends = (referenceId: string) => states.get(referenceId) !== 'pending';
    const declined = await rehearse(shop, { settleMs, customer: 'declines', paid: ends, scenarios: [] });
    expect(declined.findings.map(({ rule }) => rule)).toEqual(['unpaid-counted']);
  });

  test('ends the payments of two merchants that use the same reference', async () => {
    const merchants = ['A', 'B'].map((merchantId) => ({
      ...{ clientId: `client-${merchantId}`, secretKey: `secret of ${merchantId}`, merchantId },
      storeIds: ['STORE-01'],
    }));
    const ends: (string | undefined)[] = [];
    const both: RehearsedMerchant = async ({ mock }) => {
      for (const { clientId, secretKey, merchantId } of merchants) {
        const client = new InstallmentClient({ ...mock.clientOptions(), clientId, secretKey, merchantId });
        await client.initiatePayment(samplePaymentRequest({ referenceId: 'ORDER-1' }));
      }
      const statuses = () => mock.payments.all().map(({ status }) => status);
      await expect.poll(statuses).not.toContain('pending');
      ends.push(...statuses());
    };
    await rehearse(both, { settleMs, customer: 'pays', scenarios: [], mock: { merchants } });
    expect(ends).toEqual(['paid', 'paid']);
  });

  test('ends code that repeats without end', async () => {
    const endless: RehearsedMerchant = async ({ mock, scenario, signal }) => {
      const order = samplePaymentRequest({ referenceId: `${scenario}-1` });
      const client = clientOf(mock);
      await client.initiatePayment(order);
      while (scenario !== 'baseline' && !signal.aborted) await client.initiatePayment(order);
    };
    const { scenarios: seen } = await rehearse(endless, { settleMs, scenarios: ['extra-fields'] });
    expect(seen[1]?.commandFailed).toContain('repeated initiatePayment for extra-fields-1');
    expect(seen[1]?.notJudged).toEqual({ reason: seen[1]?.commandFailed });
    expect(seen[1]?.findings.map(({ rule }) => rule)).toEqual(['repeats-for-ever']);
  });

  test('tries every default scenario', async () => {
    const quick: RehearsedMerchant = (context) => right(context).catch(() => undefined);
    const report = await rehearse(quick, { settleMs: 0 });
    const defaults = scenarios.filter(({ isDefault }) => isDefault).map(({ name }) => name);
    expect(report.scenarios.map(({ name }) => name)).toEqual(defaults);
    expect(defaults).not.toContain('notification-never');
  });

  test('runs the scenario of refusals only for code that was refused in the baseline', async () => {
    const options = { settleMs, scenarios: ['refusals-by-kind'] as const };
    const { scenarios: seen, ok } = await rehearse(right, options);
    expect(seen[1]).toMatchObject({
      notJudged: { flag: 'a refused request in the baseline' },
      requests: 0,
    });
    expect(ok).toBe(true);

    const refused: RehearsedMerchant = async (context) => {
      const order = samplePaymentRequest({ referenceId: `trigger:INVALID_STORE_ID:${context.scenario}` });
      await clientOf(context.mock)
        .initiatePayment(order)
        .catch(() => undefined);
      await right(context);
    };
    const { scenarios: run } = await rehearse(refused, options);
    expect(run[1]).toMatchObject({ requests: 2, payments: 1 });
    expect(run[1]?.notJudged).toBeUndefined();
  });

  test('runs the scenario of recognised uploads only for code that uploaded in the baseline', async () => {
    const options = { settleMs, scenarios: ['uploads-recognised'] as const };
    const { scenarios: seen, ok } = await rehearse(right, options);
    expect(seen[1]).toMatchObject({ notJudged: { flag: 'an upload in the baseline' }, requests: 0 });
    expect(ok).toBe(true);

    const uploads: RehearsedMerchant = async ({ mock, scenario }) => {
      await right({ mock, scenario });
      mock.settle(`${scenario}-1`, 'paid');
      await clientOf(mock)
        .uploadInvoice(sampleInvoice({ referenceId: `${scenario}-1` }))
        .catch(() => undefined);
    };
    const { scenarios: run } = await rehearse(uploads, options);
    expect(run[1]?.requests).toBe(3);
    expect(run[1]?.notJudged).toBeUndefined();
  });

  test('reports the amounts of the baseline only', async () => {
    const { scenarios: seen } = await rehearse(right, { settleMs, scenarios: ['slow'] });
    expect(seen.map(({ amounts }) => amounts)).toEqual([[12_000_000], undefined]);
  });

  test('does not run scenarios that cannot happen, and names the flag that they need', async () => {
    const { ok, scenarios: seen } = await rehearse(right, {
      settleMs,
      scenarios: ['forged', 'redirect-opened', 'clicked-twice', 'slow'],
    });
    expect(seen.map(({ name, notJudged, requests }) => [name, notJudged, requests])).toEqual([
      ['baseline', undefined, 1],
      ['slow', undefined, 1],
      ['forged', { flag: '--webhook' }, 0],
      ['redirect-opened', { flag: '--order-url' }, 0],
      ['clicked-twice', { flag: '--checkout' }, 0],
    ]);
    expect(ok).toBe(true);
  });

  test('sends a webhook that waits for its next attempt once more before it judges', async () => {
    const server = await receiver({ status: 500 }, { status: 204 });
    const mock = { webhook: { url: server.url } };
    const report = await rehearse(right, { settleMs, customer: 'pays', scenarios: [], mock });
    expect(report.findings).toEqual([]);
    expect(server.requests).toHaveLength(2);
  });

  test('finds goods that are sent twice, by the number that a function returns', async () => {
    const mocks: MockService[] = [];
    const shop: RehearsedMerchant = (context) => {
      mocks.push(context.mock);
      return right(context);
    };
    const { findings } = await rehearse(shop, {
      settleMs,
      customer: 'pays',
      scenarios: ['slow'],
      paid: (referenceId) => mocks.at(-1)?.payments.get(referenceId)?.status === 'paid',
      once: (referenceId) => (referenceId === 'baseline-1' ? 1 : 2),
    });
    expect(findings.map(({ rule, message }) => [rule, message])).toEqual([
      [
        'counted-twice',
        "The shop's order page of slow-1 shows the number 2 (captured by --once). In the baseline, it was 1 at most, so your shop has probably acted twice.",
      ],
    ]);
  });

  test('refuses an unknown scenario, and lists the known scenarios', async () => {
    const unknown = { scenarios: ['lost-respnose'] as never };
    await expect(rehearse(right, unknown)).rejects.toThrow(/lost-response.*did you mean lost-response/s);
  });
});

describe('findings() of a mock', () => {
  test('judges the requests so far, without the rules that compare', async () => {
    const mock = createMockService({ scenario: 'lost-response' });
    await wrong({ mock, scenario: 'W' }).catch(() => undefined);
    expect(mock.findings().map(({ rule, scenario, referenceId }) => [rule, scenario, referenceId])).toEqual([
      ['unknown-abandoned', 'lost-response', 'W-1'],
      ['unknown-abandoned', 'lost-response', 'W-2'],
    ]);
    const answer = await mock.fetch('https://mock.example/_mock/findings');
    expect(await answer.json()).toEqual(mock.findings());
  });
});
