import { describe, expect, test } from 'vitest';
import { sampleError } from '../../src/entries/mock.js';
import { memoryStorage } from './memory-storage.js';
import { orderRequest, shop } from './support.js';

describe('a send', () => {
  test('may begin until the end of its claim, by a clock that was read before the claim, and not later', async () => {
    const before = Date.now();
    const { payments, sent } = shop({ claimMs: 30_000 });
    await payments.start('A-1', orderRequest());
    const { sendBefore } = sent[0]?.options ?? {};
    expect(sendBefore?.getTime()).toBeGreaterThanOrEqual(before + 29_000);
    expect(sendBefore?.getTime()).toBeLessThanOrEqual(Date.now() + 30_000);
  });

  test('has no time left where the response to the claim came after its end', async () => {
    const memory = memoryStorage();
    const { payments, sent, clock } = shop({
      claimMs: 30_000,
      storage: {
        ...memory,
        insert: async (row) => {
          await memory.insert(row);
          clock.now += 31_000;
        },
      },
    });
    await payments.start('A-1', orderRequest());
    expect(sent[0]?.options?.sendBefore?.getTime()).toBeLessThan(Date.now());
  });

  test('that came too late leaves the payment as it was, and is no send of mostSends', async () => {
    const late = sampleError('TIMEOUT', { outcome: 'not_sent' });
    expect(late.$metadata?.attempts).toEqual([]);
    const { payments, sent } = shop({ mostSends: 1 }, ({ referenceId }, count) => {
      if (count <= 3) throw late;
      return { paymentUrl: `https://pay.example/${referenceId}` };
    });
    for (let count = 0; count < 3; count += 1)
      expect(await payments.start('A-1', orderRequest())).toEqual({
        orderId: 'A-1',
        state: 'new',
        referenceId: 'A-1-1',
        amount: { value: 12_000_000, currency: 'VND' },
      });
    expect(await payments.forReview()).toEqual([]);
    expect(await payments.start('A-1')).toMatchObject({ state: 'started' });
    expect(sent.map(({ options }) => options?.mayHaveBeenSent)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('by a client that throws something else may have arrived: it is repeated with the same text and key', async () => {
    const { payments, sent, turn, logged } = shop({}, ({ referenceId }, count) => {
      if (count === 1)
        throw Object.assign(new TypeError('Lan, 0912345678 is not a customer'), { code: 'ERR_LAN' });
      return { paymentUrl: `https://pay.example/${referenceId}` };
    });
    expect(await payments.start('A-1', orderRequest())).toMatchObject({
      state: 'checking',
      error: { code: 'UNKNOWN' },
    });
    expect(logged).toEqual([
      ['installment-payments: the client failed', { orderId: 'A-1', error: 'TypeError', code: 'ERR_LAN' }],
    ]);
    turn(2);
    expect(await payments.sweep()).toEqual({ moved: 1, failed: 0 });
    expect(await payments.get('A-1')).toMatchObject({ state: 'started' });
    expect(sent[1]?.request).toEqual(sent[0]?.request);
    expect(sent[1]?.options).toMatchObject({
      mayHaveBeenSent: true,
      maxRetries: 0,
      idempotencyKey: sent[0]?.options?.idempotencyKey,
    });
  });

  test('by a client that resolves to nothing may have arrived', async () => {
    const { payments } = shop({}, () => undefined);
    expect(await payments.start('A-1', orderRequest())).toMatchObject({ state: 'checking' });
  });

  test('is not repeated where the service acts again on a repeated key', async () => {
    const { payments, sent, turn } = shop({ repeatUnknown: false }, () => {
      throw sampleError('CONNECTION');
    });
    await payments.start('A-1', orderRequest());
    turn(60);
    await payments.sweep();
    await payments.start('A-1', orderRequest());
    expect(sent.map(({ options }) => options?.repeatUnknown)).toEqual([false]);
    expect(await payments.forReview()).toMatchObject([{ orderId: 'A-1', reason: 'look_up' }]);
  });

  test('of another process is waited for until waitMs is over', async () => {
    const { payments, storage } = shop({ waitMs: 120 }, () => new Promise(() => undefined));
    void payments.start('A-1', orderRequest());
    const other = shop({ storage, waitMs: 120 });
    const startedAt = performance.now();
    expect(await other.payments.start('A-1', orderRequest())).toMatchObject({ state: 'checking' });
    expect(performance.now() - startedAt).toBeGreaterThan(110);
    expect(other.sent).toEqual([]);
  });

  test('of an account without a client for now, however often it is tried, is no send of mostSends', async () => {
    const known = shop();
    let isGone = false;
    const { payments, turn, sent } = shop({
      mostSends: 2,
      client: () => {
        if (isGone) throw new Error('the store of keys does not respond');
        return failing.client;
      },
    });
    const failing = shop({ storage: known.storage }, () => {
      throw sampleError('CONNECTION');
    });
    await payments.start('A-1', orderRequest({ transExpiredTime: 7 * 86_400_000 }), { account: 'B' });
    isGone = true;
    for (let count = 0; count < 5; count += 1) {
      turn(61);
      expect(await payments.sweep()).toEqual({ moved: 0, failed: 0 });
    }
    expect(await payments.get('A-1', { account: 'B' })).toMatchObject({ state: 'checking' });
    expect(await payments.forReview()).toEqual([]);
    turn(24 * 60);
    await payments.sweep();
    expect(await payments.forReview()).toMatchObject([
      { orderId: 'A-1', account: 'B', reason: 'no_client', conclusions: ['cancel'] },
    ]);
    isGone = false;
    turn(61);
    await payments.sweep();
    expect(failing.sent).toHaveLength(2);
    expect(sent).toEqual([]);
    expect(await payments.forReview()).toMatchObject([{ orderId: 'A-1', reason: 'look_up' }]);
  });

  test('of an account whose client cannot be had waits and keeps no other account', async () => {
    const known = shop();
    const { payments, turn, logged, storage } = shop({
      client: (account) => {
        if (account === 'gone') throw new Error('no credentials of Lan');
        return account === 'none' ? (undefined as never) : known.client;
      },
    });
    const add = shop({ storage, client: () => known.client }).payments;
    for (const account of ['gone', 'none', 'here'])
      await add.add(`${account}-1`, orderRequest(), { account });
    turn(2);
    expect(await payments.sweep({ concurrency: 1 })).toEqual({ moved: 1, failed: 0 });
    expect(await payments.get('here-1', { account: 'here' })).toMatchObject({ state: 'started' });
    for (const account of ['gone', 'none'])
      expect(await payments.get(`${account}-1`, { account })).toMatchObject({ state: 'new' });
    expect(logged.map(([, record]) => record)).toEqual(
      expect.arrayContaining([
        { orderId: 'gone-1', error: 'Error' },
        { orderId: 'none-1', error: 'ConfigurationError', code: 'CONFIGURATION' },
      ]),
    );
    await expect(payments.start('gone-2', orderRequest(), { account: 'gone' })).rejects.toThrow(
      'no credentials',
    );
  });
});

describe('an invoice', () => {
  const paidOrder = async (options: Parameters<typeof shop>[0]) => {
    const made = shop(options);
    await made.payments.start('A-1', orderRequest());
    await made.payments.handleEvent({
      referenceId: 'A-1-1',
      status: 'paid',
      amount: { value: 12_000_000, currency: 'VND' },
    });
    return made;
  };

  test('is uploaded with the file of its name, once', async () => {
    async function* bytes() {
      yield await Promise.resolve(Buffer.from('%PDF-1.4'));
    }
    const stream = bytes();
    const names: string[] = [];
    const { payments, uploads } = await paidOrder({
      loadFile: (name) => {
        names.push(name);
        return stream;
      },
    });
    for (let count = 0; count < 2; count += 1)
      await payments.addInvoice('A-1', { invoiceNumber: 'I-1', file: 'one.pdf' });
    await payments.sweep();
    await payments.sweep();
    expect(names).toEqual(['one.pdf']);
    expect(uploads).toMatchObject([
      { referenceId: 'A-1-1', merchantId: 'DEMO-MERCHANT', invoiceNumber: 'I-1', file: stream },
    ]);
  });

  test.each([
    [
      'throws',
      () => {
        throw Object.assign(new Error('/home/lan/1.pdf'), { code: 'ENOENT' });
      },
      1,
    ],
    ['never resolves', () => new Promise<never>(() => undefined), 0],
    ['resolves to nothing', () => undefined as never, 0],
  ])('whose loadFile %s is not uploaded, and tried again later', async (_what, loadFile, lines) => {
    const { payments, uploads, logged } = await paidOrder({ loadFile, claimMs: 400 });
    await payments.addInvoice('A-1', { invoiceNumber: 'I-1', file: 'one.pdf' });
    expect(await payments.sweep()).toEqual({ moved: 1, failed: 0 });
    expect(uploads).toEqual([]);
    expect(await payments.forReview()).toEqual([]);
    expect(logged).toHaveLength(lines);
    expect(JSON.stringify(logged)).not.toContain('lan');
  });

  test('is known by its number: the same number with another date is no second invoice', async () => {
    const { payments, uploads } = await paidOrder({});
    const invoice = { invoiceNumber: 'I-1', fileUrl: 'https://shop.example/1.pdf' };
    for (const invoiceDate of ['2026-11-20T03:04:05Z', '2026-11-20T03:04:06Z'])
      await payments.addInvoice('A-1', { ...invoice, invoiceDate });
    await payments.sweep();
    await payments.sweep();
    expect(uploads).toHaveLength(1);
  });

  test('is refused before it is stored: as the fourth, without loadFile, for an order that is not there', async () => {
    const { payments } = await paidOrder({});
    const invoice = (number: number) => ({
      invoiceNumber: `I-${number}`,
      fileUrl: 'https://shop.example/1.pdf',
    });
    for (const number of [1, 2, 3]) await payments.addInvoice('A-1', invoice(number));
    await expect(payments.addInvoice('A-1', invoice(4))).rejects.toMatchObject({ code: 'VALIDATION' });
    await expect(payments.addInvoice('A-1', { invoiceNumber: 'I', file: 'a.pdf' })).rejects.toThrow(
      'needs the option loadFile',
    );
    await expect(payments.addInvoice('B-1', invoice(1))).rejects.toMatchObject({ code: 'UNKNOWN_ORDER' });
    await expect(payments.addInvoice('A-1', null as never)).rejects.toMatchObject({ code: 'VALIDATION' });
    await expect(payments.concludeInvoice('A-1', 9, 'stored')).rejects.toMatchObject({
      code: 'UNKNOWN_ORDER',
    });
  });
});
