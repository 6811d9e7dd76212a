import { describe, expect, test } from 'vitest';
import { sampleError } from '../../src/entries/mock.js';
import { connect } from '../databases/connect.js';
import { row } from './storage.contract.js';
import { eventOf, orderRequest, paymentsOver, shop } from './support.js';

const vnd = (value: number) => ({ value, currency: 'VND' });

/** A shop whose first payment is unknown. */
async function unknownPayment(options: Parameters<typeof shop>[0] = {}) {
  const made = shop(options, ({ referenceId }, count) => {
    if (count === 1) throw sampleError('CONNECTION');
    return { paymentUrl: `https://pay.example/${referenceId}` };
  });
  await made.payments.start('A-1', orderRequest());
  return made;
}

/** A shop whose order is paid by a payment that asked another amount. */
async function otherAmount() {
  const made = shop();
  await made.payments.start('A-1', orderRequest());
  await made.payments.start('A-1', orderRequest({ amount: { value: 13_000_000 } }));
  await made.payments.handleEvent(eventOf('A-1-1'));
  return made;
}

describe('forReview', () => {
  test('lists the items of several pages, each item once and the oldest first', async () => {
    const { payments, clock, storage } = shop();
    await payments.add('A-0', orderRequest());
    await payments.lookUp('A-0-1');
    const { row } = await storage.read('A-0');
    if (!row) throw new Error('nothing is stored');
    const orderIds = ['A-0'];
    for (let index = 1; index < 1_010; index += 1) {
      const key = `A-${index}`;
      const at = clock.now + Math.floor(index / 3);
      const data = row.data.replaceAll('A-0', key).replaceAll(`"stateAt":${clock.now}`, `"stateAt":${at}`);
      await storage.insert({ ...row, key, orderId: key, reviewAt: at, changedAt: at, data });
      orderIds.push(key);
    }
    const inReview = (await payments.forReview()).map(({ orderId }) => orderId);
    expect(new Set(inReview)).toEqual(new Set(orderIds));
    expect(inReview).toHaveLength(1_010);
    expect([inReview[0], inReview.at(-1)?.slice(0, 4)]).toEqual(['A-0', 'A-10']);
    const listed = await payments.list({ changedSince: new Date(0) });
    expect(listed).toHaveLength(1_010);
  });

  test('returns the reason, the time, the amounts, the possible calls and safeFrom of each item', async () => {
    const { payments, clock, turn } = await unknownPayment();
    const claimedAt = clock.now;
    turn(0.5);
    const { safeFrom } = await payments.lookUp('A-1-1');
    expect(safeFrom).toEqual(new Date(claimedAt + 3 * 60_000));
    const item = {
      orderId: 'A-1',
      reason: 'look_up',
      referenceId: 'A-1-1',
      since: new Date(clock.now),
      action: expect.stringContaining('Look up the referenceId at the provider') as string,
      amount: vnd(12_000_000),
      paymentAmount: vnd(12_000_000),
      error: { code: 'CONNECTION', action: expect.any(String) as string },
    };
    expect(await payments.forReview()).toEqual([{ ...item, conclusions: ['exists', 'paid'], safeFrom }]);
    turn(2.5);
    expect(await payments.forReview()).toEqual([
      { ...item, conclusions: ['absent', 'exists', 'paid', 'over'] },
    ]);
  });

  test('returns the calls that are possible now, also if no sweep has run since the time to pay was over', async () => {
    const { payments, turn } = await unknownPayment();
    await payments.lookUp('A-1-1');
    turn(25 * 60);
    expect(await payments.forReview()).toMatchObject([
      { reason: 'look_up', conclusions: ['absent', 'exists', 'paid', 'over'] },
    ]);
  });

  test('returns both amounts of a paid payment of another amount', async () => {
    const { payments } = await otherAmount();
    expect(await payments.forReview()).toMatchObject([
      {
        reason: 'other_amount',
        referenceId: 'A-1-1',
        amount: vnd(13_000_000),
        paymentAmount: vnd(12_000_000),
        conclusions: ['accept', 'markRefunded'],
      },
    ]);
  });

  test.each([
    ['en', 'This payment is paid, but its amount differs'],
    ['vi', 'Giao dịch này đã được thanh toán, nhưng số tiền của giao dịch khác số tiền của đơn hàng'],
  ] as const)('returns the actions in the language %s', async (lang, text) => {
    const { payments } = await otherAmount();
    expect(await payments.forReview({ lang })).toMatchObject([
      { action: expect.stringContaining(text) as string },
    ]);
  });

  test('lists the orders of one account with the option account', async () => {
    const { client } = shop();
    const { payments } = shop({ client: () => client });
    for (const account of ['A', 'B']) {
      await payments.start(`${account}-1`, orderRequest(), { account });
      await payments.handleEvent(eventOf(`${account}-1-1`, 'paid', 1), { account });
    }
    expect(await payments.forReview({ account: 'B' })).toMatchObject([{ orderId: 'B-1', account: 'B' }]);
    expect(await payments.forReview()).toHaveLength(2);
  });

  test('lists an unreadable order for an account only if its row shows that account', async () => {
    const { payments, storage } = shop({ client: () => shop().client });
    const unreadable = { dueAt: null, reviewAt: 1 };
    await storage.insert(row('later', { ...unreadable, data: '{"account":"A","payments":[],"form":99}' }));
    await storage.insert(row('damaged', { ...unreadable, data: '{"account":"A"' }));
    const idsFor = async (account?: string) =>
      (await payments.forReview({ account })).map(({ orderId }) => orderId).sort();
    expect(await idsFor('A')).toEqual(['id of later']);
    expect(await idsFor('B')).toEqual([]);
    expect(await idsFor()).toEqual(['id of damaged', 'id of later']);
  });

  test('lists all items of all orders, the oldest first, and finds an order by its oldest item', async () => {
    const { payments, clock, turn, storage } = shop();
    const since = clock.now;
    for (const orderId of ['A-1', 'B-1']) {
      await payments.start(orderId, orderRequest());
      await payments.handleEvent(eventOf(`${orderId}-1`, 'paid', 1));
      turn(1);
    }
    turn(2 * 24 * 60);
    await payments.sweep();
    const items = (await payments.forReview()).map(({ orderId, reason }) => `${orderId} ${reason}`);
    expect(items).toEqual(['A-1 mismatch', 'B-1 mismatch', 'A-1 overdue', 'B-1 overdue']);
    expect(await storage.inReview({ at: 0, key: '' }, 10)).toMatchObject([
      { at: since, key: 'A-1' },
      { at: since + 60_000, key: 'B-1' },
    ]);
  });

  test('lists an invoice with its number and its possible calls', async () => {
    const { client } = shop();
    const uploadInvoice = () => Promise.reject(sampleError('CONNECTION', { operation: 'uploadInvoice' }));
    const { payments, turn } = shop({ client: { ...client, uploadInvoice } });
    await payments.start('A-1', orderRequest());
    await payments.handleEvent(eventOf('A-1-1'));
    await payments.addInvoice('A-1', { invoiceNumber: 'I-1', fileUrl: 'https://shop.example/1.pdf' });
    await payments.sweep();
    expect(await payments.forReview()).toMatchObject([
      {
        reason: 'invoice_look_up',
        referenceId: 'A-1-1',
        number: 1,
        invoiceNumber: 'I-1',
        conclusions: ['stored'],
        action: expect.stringContaining('Wait until safeFrom') as string,
        safeFrom: expect.any(Date) as Date,
      },
    ]);
    expect(await payments.concludeInvoice('A-1', 1, 'absent')).toEqual({
      orderId: 'A-1',
      done: false,
      safeFrom: expect.any(Date) as Date,
    });
    turn(4);
    expect(await payments.forReview()).toMatchObject([
      {
        conclusions: ['stored', 'absent'],
        action: expect.not.stringContaining('safeFrom') as string,
      },
    ]);
    expect(await payments.concludeInvoice('A-1', 1, 'stored', { by: 'Mai' })).toEqual({
      orderId: 'A-1',
      done: true,
    });
    expect(await payments.get('A-1')).toMatchObject({ invoices: [{ number: 1, state: 'stored' }] });
    expect((await payments.history('A-1')).at(-1)).toMatchObject({
      invoice: 1,
      cause: 'conclude: stored',
      by: 'Mai',
    });
  });
});

describe('a conclusion of your staff', () => {
  test('is safe only after the longest possible call of the client', async () => {
    const { client } = shop();
    const settings = { ...client.settings, totalTimeoutMs: 600_000 };
    const initiatePayment = () => Promise.reject(sampleError('CONNECTION'));
    const { payments, clock } = shop({ client: { ...client, settings, initiatePayment }, claimMs: 30_000 });
    await payments.start('A-1', orderRequest());
    expect(await payments.lookUp('A-1-1')).toEqual({
      orderId: 'A-1',
      safeFrom: new Date(clock.now + 30_000 + 660_000),
    });
  });

  test('resolves with the order, and before it is safe changes nothing', async () => {
    const { payments, turn } = await unknownPayment();
    const { safeFrom } = await payments.lookUp('A-1-1', { by: 'Mai' });
    const history = await payments.history('A-1');
    for (const conclusion of ['absent', 'over'] as const)
      expect(await payments.conclude('A-1-1', conclusion)).toEqual({ orderId: 'A-1', done: false, safeFrom });
    expect(await payments.history('A-1')).toEqual(history);
    turn(3);
    expect(await payments.conclude('A-1-1', 'absent', { by: 'Mai' })).toEqual({ orderId: 'A-1', done: true });
    expect(await payments.start('A-1', orderRequest())).toMatchObject({
      state: 'started',
      referenceId: 'A-1-2',
    });
  });

  test('opens a payment that exists, with its link', async () => {
    const { payments } = await unknownPayment();
    await payments.lookUp('A-1-1');
    const paymentUrl = 'https://pay.example/found';
    expect(await payments.conclude('A-1-1', 'exists', { paymentUrl })).toEqual({
      orderId: 'A-1',
      done: true,
    });
    expect(await payments.get('A-1')).toMatchObject({ state: 'started', paymentUrl });
  });

  test('returns firstPaid once, for paid and for accept', async () => {
    const { payments } = await unknownPayment();
    const paid = { orderId: 'A-1', done: true };
    expect(await payments.conclude('A-1-1', 'paid')).toEqual({ ...paid, firstPaid: true });
    expect(await payments.conclude('A-1-1', 'paid')).toEqual({ ...paid, firstPaid: false });
    const other = await otherAmount();
    expect(await other.payments.conclude('A-1-1', 'accept')).toEqual({ ...paid, firstPaid: true });
    expect(await other.payments.get('A-1')).toMatchObject({
      state: 'paid',
      amount: vnd(13_000_000),
      paidAmount: vnd(12_000_000),
    });
    expect(await other.payments.conclude('A-1-1', 'accept')).toEqual({
      orderId: 'A-1',
      done: false,
      firstPaid: false,
    });
  });

  test('returns otherAmount for paid if the order asks for another amount', async () => {
    const { payments } = shop();
    await payments.start('A-1', orderRequest());
    await payments.start('A-1', orderRequest({ amount: { value: 1 } }));
    expect(await payments.conclude('A-1-1', 'paid')).toEqual({
      orderId: 'A-1',
      done: true,
      firstPaid: false,
      otherAmount: true,
    });
  });

  test('lets the order continue after markRefunded, which refuses any other payment', async () => {
    const { payments, turn } = await otherAmount();
    expect(await payments.markRefunded('A-1-1', { by: 'Mai' })).toEqual({ orderId: 'A-1', done: true });
    expect((await payments.history('A-1')).at(-1)).toMatchObject({ by: 'Mai' });
    turn(1);
    await payments.start('A-1', orderRequest({ amount: { value: 13_000_000 } }));
    expect(await payments.markRefunded('A-1-2')).toEqual({ orderId: 'A-1', done: false });
    expect(await payments.forReview()).toEqual([]);
  });

  test('can be the cancellation of an order that is not paid', async () => {
    const { payments } = shop();
    expect(await payments.cancel('A-1', { by: 'Mai' })).toBe(true);
    expect(await payments.cancel('A-1')).toBe(true);
    expect(await payments.history('A-1')).toMatchObject([
      { from: 'open', to: 'cancelled', cause: 'cancel', by: 'Mai' },
    ]);
    await payments.start('B-1', orderRequest());
    await payments.handleEvent(eventOf('B-1-1'));
    expect(await payments.cancel('B-1')).toBe(false);
  });

  test('is stored in a transaction of the caller, and is rolled back with it', async () => {
    await using database = connect('sqlite', ':memory:');
    const { client } = shop();
    const payments = await paymentsOver(database, { client });
    await payments.start('A-1', orderRequest());
    const rolledBack = new Error('rolled back');
    const calls = [
      (query: typeof database.query) => payments.lookUp('A-1-1', { query }),
      (query: typeof database.query) => payments.conclude('A-1-1', 'over', { query }),
      (query: typeof database.query) => payments.cancel('A-1', { query }),
      (query: typeof database.query) => payments.handleEvent(eventOf('A-1-1'), { query }),
      (query: typeof database.query) =>
        payments.addInvoice('A-1', { fileUrl: 'https://shop.example/1.pdf' }, { query }),
    ];
    const before = await payments.get('A-1');
    for (const call of calls) {
      const transaction = database.transaction(async (query) => {
        await call(query);
        throw rolledBack;
      });
      await expect(transaction).rejects.toBe(rolledBack);
      expect(await payments.get('A-1')).toEqual(before);
    }
  });
});

describe('find', () => {
  test('returns the order of each of its payments, also if the orderId is hashed', async () => {
    const { payments, turn } = shop();
    const orderId = 'đơn hàng/1';
    const { referenceId = '' } = await payments.start(orderId, orderRequest());
    await payments.handleEvent(eventOf(referenceId, 'declined'));
    turn(1);
    const second = await payments.start(orderId, orderRequest());
    expect(second.referenceId).toBe(referenceId.replace(/1$/, '2'));
    for (const reference of [referenceId, second.referenceId ?? ''])
      expect(await payments.find(reference)).toEqual(await payments.get(orderId));
  });

  test.each(['A-1-2', 'B-1-1', 'A-1', 'not ours', ''])(
    'resolves to undefined for %j',
    async (referenceId) => {
      const { payments } = shop();
      await payments.start('A-1', orderRequest());
      expect(await payments.find(referenceId)).toBeUndefined();
    },
  );
});

describe('history', () => {
  test('lists each change with its time, its cause and by, the oldest first', async () => {
    const { payments, clock, turn } = await unknownPayment();
    const at = [clock.now, clock.now + 60_000, clock.now + 240_000];
    turn(1);
    await payments.lookUp('A-1-1', { by: 'Mai' });
    turn(3);
    await payments.conclude('A-1-1', 'exists', { by: 'Minh' });
    await payments.handleEvent(eventOf('A-1-1'));
    const referenceId = 'A-1-1';
    const changes = [
      { at: at[0], referenceId, from: 'none', to: 'sending', cause: 'start' },
      { at: at[0], referenceId, from: 'sending', to: 'unknown', cause: 'response: repeat' },
      { at: at[1], referenceId, from: 'unknown', to: 'look_up', cause: 'lookUp', by: 'Mai' },
      { at: at[2], referenceId, from: 'look_up', to: 'open', cause: 'conclude: exists', by: 'Minh' },
      { at: at[2], referenceId, from: 'open', to: 'paid', cause: 'webhook: paid' },
      { at: at[2], from: 'open', to: 'paid', cause: 'webhook: paid' },
    ];
    expect(await payments.history('A-1')).toEqual(
      changes.map(({ at: time, ...change }) => ({ at: new Date(time ?? 0), ...change })),
    );
    expect(await payments.history('B-1')).toEqual([]);
  });
});

describe('list', () => {
  test('lists the orders that were written since a time, or at that time', async () => {
    const { payments, clock } = shop();
    for (const orderId of ['A-1', 'B-1']) await payments.start(orderId, orderRequest());
    clock.now += 1;
    const changedSince = new Date(clock.now);
    expect(await payments.list({ changedSince })).toEqual([]);
    await payments.handleEvent(eventOf('B-1-1', 'declined'));
    await payments.cancel('C-1');
    expect(await payments.list({ changedSince })).toMatchObject([
      { orderId: 'B-1', state: 'over' },
      { orderId: 'C-1', state: 'cancelled' },
    ]);
  });

  test('lists an order once if it is written while the pages are read, with its last state', async () => {
    const { payments, storage } = shop();
    await payments.add('A-1', orderRequest());
    const [before] = await storage.changed({ at: 0, key: '' }, 1);
    await payments.cancel('A-1');
    const [after] = await storage.changed({ at: 0, key: '' }, 1);
    if (!before || !after) throw new Error('nothing is stored');
    const pages = [Array.from({ length: 500 }, () => before), [after]];
    const changed = () => Promise.resolve(pages.shift() ?? []);
    const { payments: reading } = shop({ storage: { ...storage, changed } });
    expect(await reading.list({ changedSince: new Date(0) })).toMatchObject([
      { orderId: 'A-1', state: 'cancelled' },
    ]);
    expect(pages).toEqual([]);
  });
});
