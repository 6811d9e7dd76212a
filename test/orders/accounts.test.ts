import { describe, expect, test, vi } from 'vitest';
import type { OrdersClient } from '../../src/entries/orders.js';
import { orderRequest, shop } from './support.js';

/** A client of one merchant, and the references that it has sent. */
function merchant(): { client: OrdersClient; sent: string[]; uploads: string[] } {
  const { client } = shop();
  const references: string[] = [];
  const uploads: string[] = [];
  return {
    client: {
      ...client,
      initiatePayment: async (...call) => {
        references.push(call[0].referenceId);
        return client.initiatePayment(...call);
      },
      uploadInvoice: (...call) => {
        uploads.push(call[0].referenceId);
        return client.uploadInvoice(...call);
      },
    },
    sent: references,
    uploads,
  };
}

const paid = (referenceId: string) => ({
  referenceId,
  status: 'paid',
  amount: { value: orderRequest().amount.value, currency: 'VND' },
});

describe('an order of an account', () => {
  test('is sent by the client of its account, and its invoice is uploaded by that client, also in a sweep', async () => {
    const merchants = new Map([
      ['A', merchant()],
      ['B', merchant()],
    ]);
    const unknown = merchant();
    const { payments, turn } = shop({
      client: (account) => (merchants.get(account ?? '') ?? unknown).client,
    });
    for (const account of merchants.keys()) {
      await payments.add(`${account}-1`, orderRequest(), { account });
      await payments.add(`${account}-2`, orderRequest(), { account });
      await payments.start(`${account}-2`, undefined, { account });
    }
    turn(2);
    await payments.sweep();
    for (const account of merchants.keys()) {
      await payments.handleEvent(paid(`${account}-1-1`), { account });
      const invoice = { invoiceNumber: 'I-1', fileUrl: 'https://shop.example/1.pdf' };
      await payments.addInvoice(`${account}-1`, invoice, { account });
    }
    await payments.sweep();
    for (const [account, { sent, uploads }] of merchants) {
      expect(sent).toEqual([`${account}-2-1`, `${account}-1-1`]);
      expect(uploads).toEqual([`${account}-1-1`]);
    }
  });

  test('is unknown to every call with a different account', async () => {
    const { client } = merchant();
    const { payments, storage } = shop({ client: () => client });
    await payments.start('A-1', orderRequest(), { account: 'A' });
    const before = (await storage.read('A-1')).row;
    const other = { account: 'B' };
    const noOrder = { code: 'UNKNOWN_ORDER', message: 'the order does not exist in this account' };
    const noReference = { code: 'UNKNOWN_REFERENCE' };
    await expect(payments.start('A-1', orderRequest(), other)).rejects.toMatchObject(noOrder);
    await expect(payments.start('A-1', undefined, other)).rejects.toMatchObject(noOrder);
    await expect(payments.add('A-1', orderRequest(), other)).rejects.toMatchObject(noOrder);
    await expect(payments.cancel('A-1', other)).rejects.toMatchObject(noOrder);
    await expect(
      payments.addInvoice('A-1', { fileUrl: 'https://shop.example/1.pdf' }, other),
    ).rejects.toMatchObject(noOrder);
    for (const status of ['paid', 'declined', 'SETTLED'])
      await expect(payments.handleEvent({ ...paid('A-1-1'), status }, other)).rejects.toMatchObject(
        noReference,
      );
    expect(await payments.get('A-1', other)).toEqual({ orderId: 'A-1', state: 'none' });
    expect(await payments.find('A-1-1', other)).toBeUndefined();
    expect(await payments.forReview(other)).toEqual([]);
    expect((await storage.read('A-1')).row).toEqual(before);
  });

  test('needs its account in every call that names an order or a payment, because any merchant can use an orderId', async () => {
    const { client } = merchant();
    const { payments, storage } = shop({ client: () => client });
    await payments.start('A-1', orderRequest(), { account: 'A' });
    const before = (await storage.read('A-1')).row;
    for (const call of [
      payments.start('A-1', orderRequest()),
      payments.start('A-1'),
      payments.add('A-1', orderRequest()),
      payments.handleEvent(paid('A-1-1')),
      payments.get('A-1'),
      payments.find('A-1-1'),
      payments.cancel('A-1'),
      payments.addInvoice('A-1', { fileUrl: 'https://shop.example/1.pdf' }),
    ])
      await expect(call).rejects.toMatchObject({
        code: 'CONFIGURATION',
        message: expect.stringContaining('account is required, because client is a function') as string,
      });
    expect((await storage.read('A-1')).row).toEqual(before);
  });

  test('is not created by a job for an unknown order, which does not look up a client', async () => {
    const asked: unknown[] = [];
    const { client } = merchant();
    const { payments } = shop({
      client: (account) => {
        asked.push(account);
        return client;
      },
    });
    await expect(payments.start('A-1', undefined, { account: 'A' })).rejects.toMatchObject({
      code: 'UNKNOWN_ORDER',
    });
    await payments.cancel('B-1', { account: 'A' });
    expect(await payments.start('B-1', undefined, { account: 'A' })).toMatchObject({ state: 'cancelled' });
    expect(asked).toEqual([]);
  });
});

const never = () => new Promise<never>(() => undefined);
const noClients: readonly (readonly [string, () => OrdersClient | Promise<OrdersClient>, string])[] = [
  ['hangs', never, 'did not return a client within 60 ms'],
  [
    'throws',
    () => {
      throw new Error('the store of keys is down');
    },
    'the store of keys is down',
  ],
  ['rejects', () => Promise.reject(new Error('the store of keys is down')), 'the store of keys is down'],
  ['returns nothing', () => undefined as never, 'must return an InstallmentClient'],
  ['returns something else', () => ({ initiatePayment: 1 }) as never, 'must return an InstallmentClient'],
];

describe.each(noClients)('an option client whose function %s', (_title, failing, message) => {
  const failingFor = (broken: string, good: OrdersClient) =>
    shop({ claimMs: 60, client: (account) => (account === broken ? failing() : good) });

  test('makes a checkout reject, and nothing is stored', async () => {
    const { payments, logged } = failingFor('B', merchant().client);
    await expect(payments.start('B-1', orderRequest(), { account: 'B' })).rejects.toThrow(message);
    expect(logged).toEqual([]);
    expect(await payments.get('B-1', { account: 'B' })).toEqual({ orderId: 'B-1', state: 'none' });
  });

  test('makes a stored order wait for a client, in a job and in a sweep that processes the other merchants', async () => {
    const good = merchant();
    const { payments, storage, turn, logged } = failingFor('B', good.client);
    const { payments: before } = shop({ storage, client: () => good.client });
    for (const account of ['B', 'A']) await before.add(`${account}-1`, orderRequest(), { account });
    expect(await payments.start('B-1', undefined, { account: 'B' })).toMatchObject({ state: 'new' });
    const noClient = 'installment-payments: the client of an account is not available';
    expect(logged.map(([line]) => line)).toEqual([noClient]);
    turn(2);
    await payments.sweep({ concurrency: 1 });
    expect(good.sent).toEqual(['A-1-1']);
    expect(logged.at(-1)).toMatchObject([noClient, { orderId: 'B-1', error: expect.any(String) as string }]);
    expect(JSON.stringify(logged)).not.toContain(message);
    turn(25 * 60);
    await payments.sweep();
    expect(await payments.forReview({ account: 'B' })).toMatchObject([
      { orderId: 'B-1', account: 'B', reason: 'no_client', conclusions: ['cancel'] },
    ]);
    await payments.cancel('B-1', { account: 'B' });
    expect(await payments.forReview({ account: 'B' })).toEqual([]);
  });

  test('lists the order for review after a day of jobs, even if no sweep runs', async () => {
    const { client } = merchant();
    const { payments, storage, turn } = failingFor('B', client);
    await shop({ storage, client: () => client }).payments.add('B-1', orderRequest(), { account: 'B' });
    await payments.start('B-1', undefined, { account: 'B' });
    turn(25 * 60);
    await payments.start('B-1', undefined, { account: 'B' });
    expect(await payments.forReview()).toMatchObject([{ orderId: 'B-1', reason: 'no_client' }]);
  });

  test('does not stop onPaid, which needs no client', async () => {
    const told: string[] = [];
    const { client } = merchant();
    const before = shop({ client: () => client, onPaid: 'elsewhere' });
    await before.payments.start('B-1', orderRequest(), { account: 'B' });
    await before.payments.handleEvent(paid('B-1-1'), { account: 'B' });
    const { payments, turn, logged } = shop({
      storage: before.storage,
      claimMs: 60,
      client: failing,
      onPaid: ({ orderId }) => void told.push(orderId),
    });
    turn(1);
    expect(await payments.sweep()).toEqual({ processed: 1, failed: 0 });
    expect(told).toEqual(['B-1']);
    expect(logged).toEqual([]);
  });

  test('does not stop webhooks, conclusions and views, which need no client', async () => {
    const { client } = merchant();
    const { payments, storage } = failingFor('B', client);
    const { payments: before } = shop({ storage, client: () => client });
    await before.start('B-1', orderRequest(), { account: 'B' });
    await payments.lookUp('B-1-1');
    expect(await payments.handleEvent(paid('B-1-1'), { account: 'B' })).toMatchObject({ firstPaid: true });
    expect(await payments.get('B-1', { account: 'B' })).toMatchObject({ state: 'paid' });
  });
});

describe('a sweep with many orders of an account', () => {
  const addMany = async (
    count: number,
    account: string,
    { payments }: Pick<ReturnType<typeof shop>, 'payments'>,
  ) => {
    for (let number = 1; number <= count; number += 1)
      await payments.add(`${account}-${number}`, orderRequest(), { account });
  };

  test('sends all orders even if the lookup of the client is slow', async () => {
    const good = merchant();
    const { payments, turn, storage } = shop({
      client: async () => {
        await new Promise((resolve) => setTimeout(resolve, 80));
        return good.client;
      },
    });
    await addMany(30, 'A', shop({ storage, client: () => good.client }));
    turn(2);
    await payments.sweep();
    expect(good.sent).toHaveLength(30);
  });

  test('looks the client up once and sends for the other merchants if the lookup hangs', async () => {
    const good = merchant();
    const asked: unknown[] = [];
    const happened: string[] = [];
    const log = (message: string) => happened.push(message);
    const initiatePayment: OrdersClient['initiatePayment'] = (...call) => {
      happened.push('A is sent');
      return good.client.initiatePayment(...call);
    };
    const { payments, turn, storage } = shop({
      claimMs: 2_000,
      logger: { debug: log, info: log, warn: log, error: log },
      client: (account) => {
        asked.push(account);
        if (account === 'B') return never();
        return { ...good.client, initiatePayment };
      },
    });
    const all = shop({ storage, client: () => good.client });
    await addMany(30, 'B', all);
    await addMany(3, 'A', all);
    turn(2);
    await payments.sweep({ concurrency: 3 });
    const noClient = 'installment-payments: the client of an account is not available';
    // The other orders of the account do not wait for it again.
    expect(happened).toEqual([
      ...['A is sent', 'A is sent', 'A is sent'],
      ...Array.from({ length: 30 }, () => noClient),
    ]);
    expect(asked.filter((account) => account === 'B')).toHaveLength(1);
  });

  test('processes the orders of other merchants meanwhile, even if it processes one order at a time', async () => {
    const good = merchant();
    const { payments, turn, storage } = shop({
      claimMs: 2_500,
      client: (account) => (account === 'B' ? never() : good.client),
    });
    const all = shop({ storage, client: () => good.client });
    await addMany(1, 'B', all);
    await addMany(1, 'A', all);
    turn(2);
    // The sweep takes the last order first, that of B.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const sweeping = payments.sweep({ concurrency: 1 });
    await vi.waitFor(() => {
      expect(good.sent).toEqual(['A-1-1']);
    }, 2_000);
    vi.restoreAllMocks();
    await sweeping;
  });

  test('looks the client up again after a failure', async () => {
    const good = merchant();
    let isDown = true;
    const { payments, turn, storage } = shop({
      claimMs: 50,
      client: () => (isDown ? never() : good.client),
    });
    await addMany(3, 'A', shop({ storage, client: () => good.client }));
    turn(2);
    await payments.sweep();
    isDown = false;
    await new Promise((resolve) => setTimeout(resolve, 100));
    turn(60);
    await payments.sweep();
    expect(good.sent).toHaveLength(3);
  });
});
