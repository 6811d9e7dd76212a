import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { sampleError } from '../../src/entries/mock.js';
import { carryOut } from '../../src/orders/carry-out.js';
import type { OrdersClient } from '../../src/entries/orders.js';
import type { Order } from '../../src/orders/order.js';
import type { Effect } from '../../src/orders/commands.js';
import { demo, demoClient, paymentRequest, rejection } from '../helpers/samples.js';
import { memoryStorage } from './memory-storage.js';
import { eventOf, orderRequest, shop } from './support.js';

afterEach(() => {
  vi.useRealTimers();
});

describe('a send', () => {
  test('begins before the end of its claim, by a clock that was read before the claim', async () => {
    const before = Date.now();
    const { payments, sent } = shop({ claimMs: 30_000 });
    await payments.start('A-1', orderRequest());
    const { sendBefore } = sent[0]?.options ?? {};
    expect(sendBefore?.getTime()).toBeGreaterThanOrEqual(before + 29_000);
    expect(sendBefore?.getTime()).toBeLessThanOrEqual(Date.now() + 30_000);
  });

  test('has no time left if the response to the claim arrived after the end of the claim', async () => {
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

  test('has no time left if its process slept while the database responded, because another process can send by then', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const memory = memoryStorage();
    let sleepMs = 0;
    const storage = {
      ...memory,
      insert: async (row: Parameters<typeof memory.insert>[0]) => {
        await memory.insert(row);
        sleepMs = 121_000;
      },
      read: async (key: string) => {
        const found = await memory.read(key);
        vi.setSystemTime(Date.now() + sleepMs);
        sleepMs = 0;
        return found;
      },
    };
    const { payments, sent } = shop({ storage, now: undefined });
    await payments.start('A-1', orderRequest());
    expect(sent[0]?.options?.sendBefore?.getTime()).toBeLessThan(Date.now() - 60_000);
  });

  test('always contains the stored request, its additional fields and its key, and no other option', async () => {
    const { payments, sent, turn } = shop({}, ({ referenceId }, count) => {
      if (count === 1) throw sampleError('CONNECTION');
      return { paymentUrl: `https://pay.example/${referenceId}` };
    });
    const additionalFields = { voucher: 'A', customer: { idNumber: '1' } };
    await payments.start('A-1', orderRequest(), { additionalFields });
    turn(2);
    await payments.sweep();
    const [first, second] = sent;
    const idempotencyKey = first?.options?.idempotencyKey;
    expect(idempotencyKey).toMatch(/^[0-9a-f]{64}$/);
    const given = { additionalFields, idempotencyKey, sendBefore: expect.any(Date) as Date };
    expect(first?.options).toEqual(given);
    expect(second?.options).toEqual({ ...given, mayHaveBeenSent: true, maxRetries: 0 });
    expect(second?.request).toEqual(first?.request);
    expect(first?.request).toMatchObject({
      ...orderRequest(),
      referenceId: 'A-1-1',
      merchantId: 'DEMO-MERCHANT',
    });
  });

  test('that ended in a TIMEOUT after an attempt might have arrived, so no second payment begins', async () => {
    const timeout = sampleError('TIMEOUT', { outcome: 'unknown' });
    expect(timeout.$metadata?.attempts).toHaveLength(1);
    const { payments, logged } = shop({}, () => {
      throw timeout;
    });
    expect(await payments.start('A-1', orderRequest())).toMatchObject({ state: 'checking' });
    expect(await payments.start('A-1', orderRequest({ amount: { value: 1 } }))).toMatchObject({
      state: 'checking',
      referenceId: 'A-1-1',
    });
    // The order has the error of the client, which is no failure of the program.
    expect(logged).toEqual([]);
  });

  test('of which nothing was sent leaves the payment as it was, also if the outcome of an earlier send is unknown', async () => {
    const options = { sendBefore: new Date(0), mayHaveBeenSent: true, maxRetries: 0 };
    const late = await rejection(demoClient().initiatePayment(paymentRequest(), options));
    expect(late).toMatchObject({ code: 'TIMEOUT', outcome: 'unknown', $metadata: { attempts: [] } });
    const { payments, sent, turn } = shop({ mostSends: 2 }, (_call, count) => {
      if (count === 1) throw sampleError('CONNECTION');
      throw late;
    });
    await payments.start('A-1', orderRequest());
    for (let count = 0; count < 3; count += 1) {
      turn(2);
      await payments.sweep();
    }
    expect(sent).toHaveLength(4);
    expect(await payments.get('A-1')).toMatchObject({ state: 'checking' });
    expect(await payments.forReview()).toEqual([]);
  });

  test('is not repeated before the end of Retry-After, by a sweep or by a checkout', async () => {
    const { payments, sent, turn } = shop({}, ({ referenceId }, count) => {
      if (count === 1) throw sampleError('UNEXPECTED_RESPONSE', { retryAfterMs: 600_000 });
      return { paymentUrl: `https://pay.example/${referenceId}` };
    });
    await payments.start('A-1', orderRequest());
    turn(9);
    await payments.sweep();
    await payments.start('A-1', orderRequest());
    expect(sent).toHaveLength(1);
    turn(2);
    await payments.sweep();
    expect(sent).toHaveLength(2);
  });

  test('after the end of its claim leaves the payment as it was, and does not count for mostSends', async () => {
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

  test('by a client that throws a different error might have arrived, and is repeated with the same text and key', async () => {
    const { payments, sent, turn, logged } = shop({}, ({ referenceId }, count) => {
      if (count === 1)
        throw Object.assign(new TypeError('Lan, 0912345678 is not a customer'), { code: 'ERR_LAN' });
      return { paymentUrl: `https://pay.example/${referenceId}` };
    });
    expect(await payments.start('A-1', orderRequest())).toMatchObject({
      state: 'checking',
      error: {
        code: 'UNKNOWN',
        action: 'The client failed without an InstallmentError, or did not finish in time: see the log.',
      },
    });
    expect(logged).toEqual([
      ['installment-payments: the client failed', { orderId: 'A-1', error: 'TypeError', code: 'ERR_LAN' }],
    ]);
    turn(2);
    expect(await payments.sweep()).toEqual({ processed: 1, failed: 0 });
    expect(await payments.get('A-1')).toMatchObject({ state: 'started' });
    expect(sent[1]?.request).toEqual(sent[0]?.request);
    expect(sent[1]?.options).toMatchObject({
      mayHaveBeenSent: true,
      maxRetries: 0,
      idempotencyKey: sent[0]?.options?.idempotencyKey,
    });
  });

  test('by a fake client without settings is repeated, and has the time limit of a default client', async () => {
    const { client } = shop();
    let calls = 0;
    const initiatePayment = () => {
      calls += 1;
      return Promise.reject(sampleError('CONNECTION'));
    };
    const fake = { initiatePayment, uploadInvoice: client.uploadInvoice };
    const { payments, clock, turn } = shop({ client: fake });
    const { merchantId, storeId, platformId } = demo;
    await payments.start('A-1', orderRequest({ merchantId, storeId, platformId }));
    turn(2);
    await payments.sweep();
    expect(calls).toBe(2);
    const safeFrom = new Date(clock.now + 180_000);
    expect(await payments.lookUp('A-1-1')).toEqual({ orderId: 'A-1', safeFrom });
  });

  test('by a client that resolves to nothing might have arrived', async () => {
    const { payments } = shop({}, () => undefined);
    expect(await payments.start('A-1', orderRequest())).toMatchObject({ state: 'checking' });
  });

  test('is not repeated with repeatUnknown: false', async () => {
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

  test('of another process makes start wait for waitMs, also if it is not the first payment of the order', async () => {
    const { payments, storage, turn } = shop({}, ({ referenceId }) =>
      referenceId === 'A-1-1' ? { paymentUrl: 'https://pay.example/1' } : new Promise(() => undefined),
    );
    await payments.start('A-1', orderRequest());
    await payments.handleEvent(eventOf('A-1-1', 'declined'));
    turn(1);
    void payments.start('A-1', orderRequest());
    const other = shop({ storage, waitMs: 120 });
    const startedAt = performance.now();
    expect(await other.payments.start('A-1', orderRequest())).toMatchObject({ state: 'checking' });
    expect(performance.now() - startedAt).toBeGreaterThan(110);
    expect(other.sent).toEqual([]);
  });

  test('of another process makes start wait with few statements, even if many customers wait', async () => {
    const memory = memoryStorage();
    let reads = 0;
    const read: typeof memory.read = (key) => {
      if (key === 'A-1') reads += 1;
      return memory.read(key);
    };
    void shop({ storage: memory }, () => new Promise(() => undefined)).payments.start('A-1', orderRequest());
    const other = shop({ storage: { ...memory, read }, waitMs: 600 });
    await other.payments.start('A-1', orderRequest());
    // After 50, 125, 238, 406 and 600 ms.
    expect(reads).toBeGreaterThanOrEqual(5);
    expect(reads).toBeLessThanOrEqual(8);
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

  test('is uploaded once, with the file that loadFile loads by its name', async () => {
    async function* bytes() {
      yield await Promise.resolve(Buffer.from('%PDF-1.4'));
    }
    const stream = bytes();
    const asked: unknown[] = [];
    const { payments, uploads } = await paidOrder({
      loadFile: async (...name) => {
        asked.push(name);
        await pause(20);
        return stream;
      },
    });
    for (let count = 0; count < 2; count += 1)
      await payments.addInvoice('A-1', { invoiceNumber: 'I-1', file: 'one.pdf' });
    await payments.sweep();
    await payments.sweep();
    const order = expect.objectContaining({ orderId: 'A-1', state: 'paid' }) as object;
    expect(asked).toEqual([['one.pdf', order]]);
    expect(await payments.get('A-1')).toMatchObject({
      invoices: [{ state: 'stored', invoiceId: 'INVOICE-1' }],
    });
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
  ])('whose loadFile %s is not uploaded, and is tried again later', async (_what, loadFile, lines) => {
    const { payments, uploads, logged } = await paidOrder({ loadFile, claimMs: 400 });
    await payments.addInvoice('A-1', { invoiceNumber: 'I-1', file: 'one.pdf' });
    expect(await payments.sweep()).toEqual({ processed: 1, failed: 0 });
    expect(uploads).toEqual([]);
    expect(await payments.forReview()).toEqual([]);
    const line = [
      'installment-payments: loadFile failed',
      { orderId: 'A-1', error: 'Error', code: 'ENOENT' },
    ];
    expect(logged).toEqual(Array.from({ length: lines }, () => line));
  });

  test('with a fileUrl is uploaded without a call of loadFile', async () => {
    const asked: string[] = [];
    const { payments, uploads } = await paidOrder({
      loadFile: (name) => {
        asked.push(name);
        return Buffer.from('%PDF-1.4');
      },
    });
    await payments.addInvoice('A-1', { invoiceNumber: 'I-1', fileUrl: 'https://shop.example/1.pdf' });
    await payments.sweep();
    expect(asked).toEqual([]);
    expect(uploads).toMatchObject([{ fileUrl: 'https://shop.example/1.pdf', file: undefined }]);
  });

  test('is not uploaded by a process without loadFile, and this is not logged as a failure', async () => {
    const { payments, storage } = await paidOrder({ loadFile: () => Buffer.from('%PDF-1.4') });
    await payments.addInvoice('A-1', { invoiceNumber: 'I-1', file: 'one.pdf' });
    const other = shop({ storage });
    await other.payments.sweep();
    expect(other.uploads).toEqual([]);
    expect(other.logged).toEqual([]);
    expect(await payments.get('A-1')).toMatchObject({ invoices: [{ state: 'waiting' }] });
  });

  test('is recognised by its invoiceNumber: the same number with another date adds nothing', async () => {
    const { payments, uploads } = await paidOrder({});
    const invoice = { invoiceNumber: 'I-1', fileUrl: 'https://shop.example/1.pdf' };
    for (const invoiceDate of ['2026-11-20T03:04:05Z', '2026-11-20T03:04:06Z'])
      await payments.addInvoice('A-1', { ...invoice, invoiceDate });
    await payments.sweep();
    await payments.sweep();
    expect(uploads).toHaveLength(1);
  });

  test('without an invoiceNumber is recognised by its fields: the same fields again add nothing', async () => {
    const { payments, uploads } = await paidOrder({});
    for (const file of ['1', '2', '1'])
      await payments.addInvoice('A-1', { fileUrl: `https://shop.example/${file}.pdf` });
    await payments.sweep();
    expect(uploads).toMatchObject([
      { fileUrl: 'https://shop.example/1.pdf' },
      { fileUrl: 'https://shop.example/2.pdf' },
    ]);
  });

  test('is refused before it is stored if it is the fourth, or if the order is unknown', async () => {
    const { payments } = await paidOrder({});
    const invoice = (number: number) => ({
      invoiceNumber: `I-${number}`,
      fileUrl: 'https://shop.example/1.pdf',
    });
    for (const number of [1, 2, 3]) await payments.addInvoice('A-1', invoice(number));
    await expect(payments.addInvoice('A-1', invoice(4))).rejects.toMatchObject({
      code: 'VALIDATION',
      message: expect.stringContaining('the order already has 3 invoices') as string,
      issues: [{ path: [], resultStatus: 'LIMIT_EXCEEDED' }],
      $metadata: { operation: 'uploadInvoice' },
    });
    await expect(payments.addInvoice('B-1', invoice(1))).rejects.toMatchObject({ code: 'UNKNOWN_ORDER' });
    await expect(payments.addInvoice('A-1', null as never)).rejects.toMatchObject({ code: 'VALIDATION' });
  });

  test('is uploaded before the end of its claim and never retried, because the service cannot detect a duplicate', async () => {
    const calls: Parameters<OrdersClient['uploadInvoice']>[] = [];
    const { client } = shop();
    const uploadInvoice = (...call: (typeof calls)[number]) => {
      calls.push(call);
      return Promise.reject(sampleError('CONNECTION', { operation: 'uploadInvoice' }));
    };
    const before = Date.now();
    const { payments, turn } = await paidOrder({ client: { ...client, uploadInvoice }, claimMs: 30_000 });
    await payments.addInvoice('A-1', { invoiceNumber: 'I-1', fileUrl: 'https://shop.example/1.pdf' });
    for (let sweeps = 0; sweeps < 5; sweeps += 1) {
      await payments.sweep();
      turn(60);
    }
    expect(calls).toEqual([
      [
        {
          referenceId: 'A-1-1',
          merchantId: 'DEMO-MERCHANT',
          storeId: 'STORE-01',
          invoiceNumber: 'I-1',
          fileUrl: 'https://shop.example/1.pdf',
          file: undefined,
        },
        { maxRetries: 0, sendBefore: expect.any(Date) as Date },
      ],
    ]);
    const sendBefore = calls[0]?.[1]?.sendBefore?.getTime() ?? 0;
    expect(sendBefore).toBeGreaterThanOrEqual(before + 29_000);
    expect(sendBefore).toBeLessThanOrEqual(Date.now() + 30_000);
  });

  test('is uploaded for the payment that paid the order, with its merchant and store, not for the last payment', async () => {
    const { payments, uploads, turn } = shop();
    await payments.start('A-1', orderRequest({ merchantId: 'M-2', storeId: 'STORE-02' }));
    await payments.handleEvent(eventOf('A-1-1', 'declined'));
    turn(1);
    await payments.start('A-1', orderRequest({ merchantId: 'M-2' }));
    await payments.handleEvent({ ...eventOf('A-1-1'), merchantId: 'M-2' });
    await payments.addInvoice('A-1', { invoiceNumber: 'I-1', fileUrl: 'https://shop.example/1.pdf' });
    await payments.sweep();
    expect(uploads).toMatchObject([{ referenceId: 'A-1-1', merchantId: 'M-2', storeId: 'STORE-02' }]);
  });

  test('whose file cannot be loaded ten times is for review as invoice_not_loaded', async () => {
    const { payments, turn, uploads } = await paidOrder({
      loadFile: () => Promise.reject(new Error('no such file')),
    });
    await payments.addInvoice('A-1', { invoiceNumber: 'I-1', file: 'one.pdf' });
    for (let tries = 0; tries < 10; tries += 1) {
      await payments.sweep();
      turn(24 * 60);
    }
    expect(await payments.forReview()).toMatchObject([
      {
        reason: 'invoice_not_loaded',
        number: 1,
        error: {
          code: 'FILE_NOT_LOADED',
          action: 'loadFile failed or was too slow, so nothing was sent. Check loadFile and the file.',
        },
      },
    ]);
    expect(uploads).toEqual([]);
  });
});

describe('a call', () => {
  const never = () => new Promise<never>(() => undefined);
  const claim = { token: 'token', endsAt: Date.now() + 60_000 };
  const begun = { state: 'sending', stateAt: 0, sends: 1, nextAt: 0, contentHash: '' } as const;
  const before = {
    state: 'new',
    stateAt: 0,
    sends: 0,
    firstSendAt: undefined,
    givenUpAt: undefined,
  } as const;
  const expected = { value: 1, currency: 'VND', merchantId: 'M' };
  const payment = {
    ...begun,
    referenceId: 'A-1-1',
    request: '{"request":{}}',
    idempotencyKey: '',
    expected,
    mayExist: false,
    addedAt: 0,
    claim: { ...claim, before },
  };
  const invoice = { ...begun, number: 1, upload: '{"upload":{}}', claim };
  const order: Order = { orderId: 'A-1', payments: [payment], invoices: [invoice] };

  const effects: readonly (readonly [string, Effect])[] = [
    ['a send', { type: 'send', payment, claim }],
    ['an upload', { type: 'upload', invoice, claim }],
  ];

  /** Carries out an effect with a client whose calls end like this. */
  async function resultOf(effect: Effect, call: (() => Promise<never>) | undefined) {
    const logged: unknown[][] = [];
    const command = await carryOut(effect, {
      order,
      client: call && { initiatePayment: call, uploadInvoice: call },
      sendBefore: new Date(Date.now() + 60_000),
      settings: { claimMs: 20, safeAfterMs: 50, repeatUnknown: true },
      options: { loadFile: undefined, onPaid: 'firstPaid' },
      report: (_level, message, _ids, error) => logged.push([message, error]),
    });
    return { command, logged };
  }

  test.each(effects)(
    'that hangs leaves %s in doubt once none of its requests can arrive any more',
    async (_title, effect) => {
      const { command, logged } = await resultOf(effect, never);
      expect(command).toMatchObject({
        commandId: 'token',
        result: { step: 'repeat', error: { code: 'UNKNOWN' } },
      });
      expect(logged).toEqual([
        ['the client failed', new Error('the client did not finish the call in time')],
      ]);
    },
  );

  test.each(effects)('for %s is not made if the account no longer has a client', async (_title, effect) => {
    const { command, logged } = await resultOf(effect, undefined);
    expect(command).toMatchObject({ commandId: 'token', result: { step: 'not_made' } });
    expect(logged).toEqual([]);
  });

  test.each(effects)(
    'for %s was not made if sendBefore passed before the first attempt',
    async (_title, effect) => {
      const { command, logged } = await resultOf(effect, () =>
        Promise.reject(sampleError('TIMEOUT', { outcome: 'not_sent' })),
      );
      expect(command).toMatchObject({ result: { step: 'not_made' } });
      expect(logged).toEqual([]);
    },
  );

  test('might have been made if its TIMEOUT does not show the number of attempts', async () => {
    const timeout = Object.assign(sampleError('TIMEOUT', { outcome: 'unknown' }), { $metadata: undefined });
    const { command } = await resultOf({ type: 'send', payment, claim }, () => Promise.reject(timeout));
    expect(command).toMatchObject({ result: { step: 'repeat', error: { code: 'TIMEOUT' } } });
  });

  test('might have been made if its client rejects with undefined', async () => {
    const nothing: unknown = undefined;
    const { command } = await resultOf({ type: 'send', payment, claim }, async () => {
      throw await Promise.resolve(nothing);
    });
    expect(command).toMatchObject({ result: { step: 'repeat', error: { code: 'UNKNOWN' } } });
  });

  test('of onPaid is not made for an order that is not paid', async () => {
    const onPaid = vi.fn();
    const command = await carryOut(
      { type: 'callOnPaid', claim },
      {
        order,
        client: undefined,
        sendBefore: new Date(),
        settings: { claimMs: 20, safeAfterMs: 50, repeatUnknown: true },
        options: { loadFile: undefined, onPaid },
        report: () => undefined,
      },
    );
    expect(command).toEqual({ type: 'onPaidCalled', commandId: 'token', isDone: false });
    expect(onPaid).not.toHaveBeenCalled();
  });
});
