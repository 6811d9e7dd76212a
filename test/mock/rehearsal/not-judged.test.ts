import { describe, expect, it, onTestFinished } from 'vitest';
import { InstallmentClient, isInstallmentError } from '../../../src/index.js';
import { rehearse, samplePaymentRequest, type MockOptions, type WorldName } from '../../../src/mock/index.js';
import { recordingServer } from '../../helpers/recording-server.js';
import { pageOf } from '../../../src/mock/rehearsal/order-looks.js';
import type { RehearsedMerchant } from '../../../src/mock/rehearsal/run-world.js';

const settleMs = 30;

/** Takes two orders, the second after the first, and goes on whatever they come to. */
const shop =
  (pay: (client: InstallmentClient, referenceId: string) => Promise<unknown>): RehearsedMerchant =>
  async ({ mock, world }) => {
    const client = new InstallmentClient({ ...mock.clientOptions(), maxRetries: 0 });
    for (const referenceId of [`${world}-1`, `${world}-2`]) {
      await pay(client, referenceId).catch(() => undefined);
    }
  };
const initiate = (client: InstallmentClient, referenceId: string) =>
  client.initiatePayment(samplePaymentRequest({ referenceId }));
const once = shop(initiate);

/** A world after the plain one. */
async function worldOf(
  merchant: RehearsedMerchant,
  world: WorldName,
  customer?: 'pays' | 'declines',
  mock: MockOptions = {},
) {
  const { ok, worlds } = await rehearse(merchant, { settleMs, worlds: [world], customer, mock });
  const { notJudged, findings = [], payments } = worlds[1] ?? {};
  return { ok, notJudged, payments, rules: findings.map(({ rule }) => rule) };
}

describe('A world is not judged', () => {
  it('if the backend has died and takes no more orders', async () => {
    const dead: RehearsedMerchant = (context) => (context.world === 'plain' ? once(context) : undefined);
    expect(await worldOf(dead, 'slow')).toEqual({
      ok: false,
      notJudged: 'payments created: 0, in the plain world 2',
      payments: 0,
      rules: [],
    });
  });

  it('if an answer stops the shop at its first order', async () => {
    const strict: RehearsedMerchant = async ({ mock, world }) => {
      const client = new InstallmentClient(mock.clientOptions());
      for (const number of [1, 2]) {
        const { responseTime } = await initiate(client, `${world}-${number}`);
        if (responseTime === undefined) return;
      }
    };
    expect(await worldOf(strict, 'sparse-answers')).toMatchObject({ ok: false, payments: 1 });
  });

  describe('if an order came twice in place of another one:', () => {
    /** Takes another reference after a lost answer, and gives up after two of them. */
    const breaker = (
      amountOf: (order: number) => number,
      nameOf: (order: number, attempt: number) => string,
    ) => {
      const merchant: RehearsedMerchant = async ({ mock, world }) => {
        const client = new InstallmentClient({ ...mock.clientOptions(), maxRetries: 0 });
        for (const order of [1, 2]) {
          const pay = (attempt: number) => {
            const referenceId = `${world}-${nameOf(order, attempt)}`;
            const [item] = samplePaymentRequest().items;
            const value = amountOf(order);
            const items = item && [{ ...item, quantity: 1, price: value, totalAmount: value }];
            return client.initiatePayment(samplePaymentRequest({ referenceId, amount: { value }, items }));
          };
          if (
            await pay(1)
              .catch(() => pay(2))
              .then(
                () => false,
                () => true,
              )
          )
            return;
        }
      };
      return worldOf(merchant, 'lost-answer');
    };
    const notJudged = 'requests 1 and 2 are for one order, as it seems, and another order is missing';

    it('orders that differ, under any reference', async () => {
      const seen = await breaker(
        (order) => order * 1_000_000,
        (order, attempt) => `${'xyz'[order]}${'qrs'[attempt]}`,
      );
      expect(seen).toMatchObject({ ok: false, notJudged, payments: 2 });
    });

    it('equal orders, whose references tell', async () => {
      const seen = await breaker(
        () => 1_000_000,
        (order, attempt) => `${order}-${attempt}`,
      );
      expect(seen).toMatchObject({ ok: false, notJudged, payments: 2 });
    });
  });

  it('if the order page counts an order as paid before its customer has paid', async () => {
    const always = rehearse(once, { settleMs, customer: 'pays', paid: () => true, worlds: ['slow'] });
    await expect(always).rejects.toThrow('plain-1 counts as paid before its customer has paid');
  });

  it('if the order page fails', async () => {
    const paid = () => Promise.reject(new Error('no page'));
    const failing = rehearse(once, { settleMs, paid, worlds: ['slow'] });
    await expect(failing).rejects.toThrow('the order page of plain-1 could not be read (no page)');
  });

  it('if the order page does not answer', async () => {
    const page = pageOf(() => new Promise<boolean>(() => undefined), undefined, 20);
    await expect(page('ORDER-1')).rejects.toThrow('no response within 20 ms');
    const broken = pageOf(() => {
      throw new Error('no such order');
    });
    await expect(broken('ORDER-1')).rejects.toThrow('no such order');
  });
});

describe('Fewer payments than in the plain world', () => {
  it('are a warning where the service has refused them for now', async () => {
    expect(await worldOf(once, 'rate-limited')).toEqual({
      ok: true,
      notJudged: undefined,
      payments: 0,
      rules: ['answer-abandoned', 'answer-abandoned'],
    });
  });

  it('are right where customers paid late, and need no other attempt', async () => {
    const again: RehearsedMerchant = async ({ mock, world }) => {
      const client = new InstallmentClient(mock.clientOptions());
      for (const referenceId of [`${world}-1`, `${world}-1-b`]) {
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
    const server = await recordingServer({ status: 204 });
    onTestFinished(() => server.close());
    const mock = { webhook: { url: server.url } };
    expect(await worldOf(again, 'settled-late', 'declines', mock)).toMatchObject({
      ok: true,
      payments: 1,
      rules: [],
    });
  });
});

describe('A customer pays', () => {
  it.each(['lost-answer', 'processing-first'] as const)(
    'a customer pays in %s only after the shop could ask again, and a shop that never asks is warned',
    async (world) => {
      expect(await worldOf(once, world, 'pays')).toMatchObject({
        payments: 2,
        rules: ['answer-abandoned', 'answer-abandoned'],
      });
    },
  );

  it('not before a shop that waits between its tries has the link', async () => {
    const ends: (string | undefined)[] = [];
    const patient: RehearsedMerchant = async ({ mock, world }) => {
      const client = new InstallmentClient({ ...mock.clientOptions(), maxRetries: 0 });
      const referenceId = `${world}-1`;
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
    const options = { settleMs: 800, customer: 'pays', worlds: ['lost-answer'] } as const;
    expect(await rehearse(patient, options)).toMatchObject({ ok: true, findings: [] });
    expect(ends).toEqual(['unknown', 'pending']);
  });
});
