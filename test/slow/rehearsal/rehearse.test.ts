import { describe, expect, it } from 'vitest';
import { receiver } from '../../helpers/receiver.js';
import { InstallmentClient, InstallmentError } from '../../../src/index.js';
import {
  createMockService,
  rehearse,
  sampleInvoice,
  samplePaymentRequest,
  worlds,
  type MockPayment,
  type MockService,
  type RehearsalContext,
} from '../../../src/entries/mock.js';
import type { RehearsedMerchant } from '../../../src/workbench/rehearsal/run-world.js';

const settleMs = 30;

function clientOf(mock: MockService): InstallmentClient {
  return new InstallmentClient({ ...mock.clientOptions(), maxRetries: 0 });
}

/** Repeats the same request once after an unknown outcome. */
const right = async ({ mock, world }: Pick<RehearsalContext, 'mock' | 'world'>) => {
  const client = clientOf(mock);
  const order = samplePaymentRequest({ referenceId: `${world}-1` });
  await client.initiatePayment(order).catch((error: unknown) => {
    if (!(error instanceof InstallmentError && error.outcome === 'unknown')) throw error;
    return client.initiatePayment(order, { mayHaveBeenSent: true });
  });
};

/** Takes another reference after any error. */
const wrong = async ({ mock, world }: Pick<RehearsalContext, 'mock' | 'world'>) => {
  const client = clientOf(mock);
  await client
    .initiatePayment(samplePaymentRequest({ referenceId: `${world}-1` }))
    .catch(() => client.initiatePayment(samplePaymentRequest({ referenceId: `${world}-2` })));
};

/** The same as wrong, with the same references in each world. */
const fixed: RehearsedMerchant = ({ mock }) => wrong({ mock, world: 'ORDER' });

describe('rehearse', () => {
  it('runs the plain world first and finds no error where the same request is repeated', async () => {
    const report = await rehearse(right, { settleMs, worlds: ['lost-answer', 'gateway'] });
    expect(report.worlds.map(({ name }) => name)).toEqual(['plain', 'lost-answer', 'gateway']);
    expect(report).toMatchObject({ ok: true, findings: [] });
  });

  it.each([
    ['that differ from world to world', wrong],
    ['that are the same in each world', fixed],
  ])('finds two payments with references %s', async (_how, merchant) => {
    const { ok, findings } = await rehearse(merchant, { settleMs, worlds: ['lost-answer'] });
    expect(ok).toBe(false);
    expect(findings.map(({ rule, world }) => `${world}: ${rule}`)).toEqual([
      'lost-answer: two-payments',
      'lost-answer: new-reference-after-unknown',
      'lost-answer: answer-abandoned',
      'lost-answer: answer-abandoned',
    ]);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('no stock')), 'no stock'],
    ['sends nothing', () => undefined, 'sent no request'],
  ])(
    'rejects if the code %s in the plain world, because nothing can be compared',
    async (_how, merchant, words) => {
      await expect(rehearse(merchant, { settleMs })).rejects.toThrow(words);
    },
  );

  it.each([
    [{ setleMs: 3000 }, 'did you mean settleMs'],
    [{ world: ['plain'] }, 'did you mean worlds'],
    [{ settleMs: Number.NaN }, 'settleMs must be an integer of 0 or more'],
    [{ customer: 'Pays' }, "customer must be 'none' or 'pays'"],
    [{ once: () => 1 }, 'once needs paid'],
    [{ worlds: 'slow' }, 'worlds must be an array of names of worlds'],
  ])('refuses the options %o', async (options, words) => {
    await expect(rehearse(right, options as object)).rejects.toThrow(words);
  });

  it('reports late requests of an earlier world, does not count them, and is not ok', async () => {
    const late: RehearsedMerchant = async (context) => {
      if (context.world === 'extra-fields') await right({ ...context, world: 'sparse-answers' });
      await right(context);
    };
    const { worlds: seen, ok } = await rehearse(late, {
      settleMs,
      worlds: ['sparse-answers', 'extra-fields'],
    });
    expect(ok).toBe(false);
    expect(seen[2]).toMatchObject({
      late: { references: ['sparse-answers-1'], settleMs: 1000 },
      payments: 1,
    });
  });

  it('ends a run in time, and asks for no longer wait, though code that was ended still repeats a request', async () => {
    let timer: NodeJS.Timeout | undefined;
    const endless: RehearsedMerchant = async (context) => {
      await right(context);
      if (context.world !== 'sparse-answers') return;
      timer = setInterval(() => void right(context).catch(() => undefined), 10);
      await new Promise(() => undefined);
    };
    const options = { settleMs: 1000, worlds: ['sparse-answers', 'extra-fields'] as const };
    const { worlds: seen } = await rehearse(endless, options);
    clearInterval(timer);
    expect(seen[1]?.commandFailed).toContain('the run was ended, because it repeated initiatePayment');
    expect(seen[2]).toMatchObject({ payments: 1, findings: [] });
    expect([seen[2]?.commandFailed, seen[2]?.late]).toEqual([undefined, undefined]);
  });

  it('plays customers, even if the answer was lost, and asks the merchant for each order', async () => {
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
      worlds: ['lost-answer', 'settled-late'],
      mock: { webhook: { url: server.url } },
    });
    expect(findings).toEqual([]);
    // In the plain world also before the customer pays.
    expect(asked).toEqual(['plain-1', 'plain-1', 'lost-answer-1', 'settled-late-1']);
    const ends = (referenceId: string) => states.get(referenceId) !== 'pending';
    const declined = await rehearse(shop, { settleMs, customer: 'declines', paid: ends, worlds: [] });
    expect(declined.findings.map(({ rule }) => rule)).toEqual(['unpaid-counted']);
  });

  it('ends the payments of two merchants that have one reference', async () => {
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
    await rehearse(both, { settleMs, customer: 'pays', worlds: [], mock: { merchants } });
    expect(ends).toEqual(['paid', 'paid']);
  });

  it('ends code that repeats without end', async () => {
    const endless: RehearsedMerchant = async ({ mock, world, signal }) => {
      const order = samplePaymentRequest({ referenceId: `${world}-1` });
      const client = clientOf(mock);
      await client.initiatePayment(order);
      while (world !== 'plain' && !signal.aborted) await client.initiatePayment(order);
    };
    const { worlds: seen } = await rehearse(endless, { settleMs, worlds: ['extra-fields'] });
    expect(seen[1]?.commandFailed).toContain('repeated initiatePayment for extra-fields-1');
    expect(seen[1]?.notJudged).toEqual({ reason: seen[1]?.commandFailed });
    expect(seen[1]?.findings.map(({ rule }) => rule)).toEqual(['repeats-for-ever']);
  });

  it('tries every default world', async () => {
    const quick: RehearsedMerchant = (context) => right(context).catch(() => undefined);
    const report = await rehearse(quick, { settleMs: 0 });
    const defaults = worlds.filter(({ isDefault }) => isDefault).map(({ name }) => name);
    expect(report.worlds.map(({ name }) => name)).toEqual(defaults);
    expect(defaults).not.toContain('notification-never');
  });

  it('runs the world of refusals only for code that was refused in the plain world', async () => {
    const options = { settleMs, worlds: ['refusals-by-kind'] as const };
    const { worlds: seen, ok } = await rehearse(right, options);
    expect(seen[1]).toMatchObject({
      notJudged: { flag: 'a refused request in the plain world' },
      requests: 0,
    });
    expect(ok).toBe(true);

    const refused: RehearsedMerchant = async (context) => {
      const order = samplePaymentRequest({ referenceId: `trigger:INVALID_STORE_ID:${context.world}` });
      await clientOf(context.mock)
        .initiatePayment(order)
        .catch(() => undefined);
      await right(context);
    };
    const { worlds: run } = await rehearse(refused, options);
    expect(run[1]).toMatchObject({ requests: 2, payments: 1 });
    expect(run[1]?.notJudged).toBeUndefined();
  });

  it('runs the world of recognised uploads only for code that uploaded in the plain world', async () => {
    const options = { settleMs, worlds: ['uploads-recognised'] as const };
    const { worlds: seen, ok } = await rehearse(right, options);
    expect(seen[1]).toMatchObject({ notJudged: { flag: 'an upload in the plain world' }, requests: 0 });
    expect(ok).toBe(true);

    const uploads: RehearsedMerchant = async ({ mock, world }) => {
      await right({ mock, world });
      mock.settle(`${world}-1`, 'paid');
      await clientOf(mock)
        .uploadInvoice(sampleInvoice({ referenceId: `${world}-1` }))
        .catch(() => undefined);
    };
    const { worlds: run } = await rehearse(uploads, options);
    expect(run[1]?.requests).toBe(3);
    expect(run[1]?.notJudged).toBeUndefined();
  });

  it('reports the amounts of the plain world and of no other', async () => {
    const { worlds: seen } = await rehearse(right, { settleMs, worlds: ['slow'] });
    expect(seen.map(({ amounts }) => amounts)).toEqual([[12_000_000], undefined]);
  });

  it('does not run the worlds whose point cannot arise, and tells the flag that they want', async () => {
    const { ok, worlds: seen } = await rehearse(right, {
      settleMs,
      worlds: ['forged', 'redirect-opened', 'clicked-twice', 'slow'],
    });
    expect(seen.map(({ name, notJudged, requests }) => [name, notJudged, requests])).toEqual([
      ['plain', undefined, 1],
      ['slow', undefined, 1],
      ['forged', { flag: '--webhook' }, 0],
      ['redirect-opened', { flag: '--order-url' }, 0],
      ['clicked-twice', { flag: '--checkout' }, 0],
    ]);
    expect(ok).toBe(true);
  });

  it('sends a notification that waits for its next try once more before it judges', async () => {
    const server = await receiver({ status: 500 }, { status: 204 });
    const mock = { webhook: { url: server.url } };
    const report = await rehearse(right, { settleMs, customer: 'pays', worlds: [], mock });
    expect(report.findings).toEqual([]);
    expect(server.requests).toHaveLength(2);
  });

  it('finds goods that go out twice by the number of a function', async () => {
    const mocks: MockService[] = [];
    const shop: RehearsedMerchant = (context) => {
      mocks.push(context.mock);
      return right(context);
    };
    const { findings } = await rehearse(shop, {
      settleMs,
      customer: 'pays',
      worlds: ['slow'],
      paid: (referenceId) => mocks.at(-1)?.payments.get(referenceId)?.status === 'paid',
      once: (referenceId) => (referenceId === 'plain-1' ? 1 : 2),
    });
    expect(findings.map(({ rule, message }) => [rule, message])).toEqual([
      [
        'counted-twice',
        "The merchant's order page of slow-1 has 2 where --once looks, 1 in the plain world.",
      ],
    ]);
  });

  it('refuses a world that does not exist, with those that do', async () => {
    const unknown = { worlds: ['lost-anwser'] as never };
    await expect(rehearse(right, unknown)).rejects.toThrow(/lost-answer.*did you mean lost-answer/s);
  });
});

describe('findings() of a mock', () => {
  it('judges what the mock has seen until now, without what only a comparison shows', async () => {
    const mock = createMockService({ world: 'lost-answer' });
    await wrong({ mock, world: 'W' }).catch(() => undefined);
    expect(mock.findings().map(({ rule, world, referenceId }) => [rule, world, referenceId])).toEqual([
      ['answer-abandoned', 'lost-answer', 'W-1'],
      ['answer-abandoned', 'lost-answer', 'W-2'],
    ]);
    const answer = await mock.fetch('https://mock.example/_mock/findings');
    expect(await answer.json()).toEqual(mock.findings());
  });
});
