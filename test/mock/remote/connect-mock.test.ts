import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConfigurationError, InstallmentClient } from '../../../src/index.js';
import {
  createMockService,
  DEMO_MERCHANT,
  sampleInvoice,
  samplePaymentRequest,
  type MockService,
} from '../../../src/mock/index.js';
import { connectMock, MockUsageError, type RemoteMock } from '../../../src/mock/remote/index.js';
import { recordingServer } from '../../helpers/recording-server.js';
import { allocation, receipt, type PlainRequest } from '../../helpers/signed-requests.js';
import { startMock, type MockProcess } from './mock-process.js';

let mock: MockProcess;
let remote: RemoteMock;
let client: InstallmentClient;

beforeAll(async () => {
  mock = await startMock();
  const { clientId, secretKey, merchantId, storeIds } = DEMO_MERCHANT;
  const credentials = { clientId, secretKey, merchantId, storeId: storeIds[0], platformId: 'WEBSHOP' };
  client = new InstallmentClient({ baseUrl: mock.url, ...credentials });
}, 30_000);
afterAll(() => mock.stop());
beforeEach(() => {
  remote = connectMock(mock.url);
  return remote.reset();
});

const pay = (referenceId: string) => client.initiatePayment(samplePaymentRequest({ referenceId }));
const send = ({ path, init }: PlainRequest) => fetch(mock.url + path, init);

/** Resolves once a webhook has been delivered. */
const deliveryOf = (local: MockService) =>
  new Promise<void>((resolve) => {
    const unsubscribe = local.subscribe((change) => {
      if (change.kind !== 'webhook' || local.webhooks.get(change.id)?.status !== 'delivered') return;
      unsubscribe();
      resolve();
    });
  });

describe('the names', () => {
  test('are the members of the mock, except those that need the same process', () => {
    const local = ['fetch', 'clientOptions', 'listen', 'handle', 'subscribe'];
    const names = Object.keys(createMockService()).filter((name) => !local.includes(name));

    expect(Object.keys(remote).sort()).toEqual(names.sort());
  });
});

describe('records', () => {
  test('a payment and its invoice are settled, listed and looked up, with dates', async () => {
    const { paymentUrl } = await pay('ORDER-1');
    const settled = await remote.settle('ORDER-1', 'paid');
    const { invoiceId = '' } = await client.uploadInvoice(sampleInvoice({ referenceId: 'ORDER-1' }));

    expect(settled).toMatchObject({ status: 'paid', settledAt: expect.any(Date) as Date });
    const [payment] = await remote.payments.all();
    expect(payment).toEqual(settled);
    expect(payment?.createdAt).toBeInstanceOf(Date);
    expect(payment?.request).toMatchObject({ referenceId: 'ORDER-1' });
    expect(await remote.payments.get('ORDER-1')).toEqual(payment);
    expect(await remote.payments.get('ORDER-1', DEMO_MERCHANT.merchantId)).toEqual(payment);
    expect(await remote.payments.byToken(paymentUrl.replace(/^.*\//, ''))).toEqual(payment);
    const [invoice] = await remote.invoices.all();
    expect(invoice).toMatchObject({ invoiceId, uploadedAt: expect.any(Date) as Date });
    expect(await remote.invoices.get(invoiceId)).toEqual(invoice);
  });

  test('what is not there is undefined', async () => {
    await pay('ORDER-1');

    expect(await remote.payments.get('ORDER/1?x#y')).toBeUndefined();
    expect(await remote.payments.get('ORDER-1', 'ANOTHER')).toBeUndefined();
    expect(await remote.payments.byToken('9')).toBeUndefined();
    expect(await remote.invoices.get('INV-9')).toBeUndefined();
    expect(await remote.receipts.get('LTC-9')).toBeUndefined();
    expect(await remote.allocations.get('REQ-9')).toBeUndefined();
    expect(await remote.journal.get(9)).toBeUndefined();
    expect(await remote.journal.find({ referenceId: 'ORDER-9' })).toBeUndefined();
    expect(await remote.journal.filter({ referenceId: 'ORDER-9' })).toEqual([]);
  });

  test.each(['', '.', '..'])('the key %j, which no URL can hold, is refused', async (key) => {
    await expect(remote.payments.get(key)).rejects.toThrow(`'${key}' cannot be looked up over HTTP.`);
    await expect(remote.ledger(key)).rejects.toBeInstanceOf(MockUsageError);
  });

  test('the lender’s notifications and their ledger', async () => {
    for (const request of [receipt(), allocation()]) await send(request);

    const [code] = await remote.receipts.all();
    expect(code).toMatchObject({ lenderTransactionCode: 'LTC-1', recordedAt: expect.any(Date) as Date });
    expect(await remote.receipts.get('LTC-1')).toEqual(code);
    expect(await remote.allocations.all()).toEqual([await remote.allocations.get('REQ-A1')]);
    expect(await remote.ledger('CONTRACT-1')).toMatchObject({
      contractNumber: 'CONTRACT-1',
      received: code?.receivedAmount,
    });
    expect((await remote.ledger('A/B')).received).toBe(0);
  });

  test('webhooks are listed, looked up and sent again, with the dates of their tries', async () => {
    const receiver = await recordingServer();
    const local = createMockService({ webhook: { url: receiver.url } });
    await using server = await local.listen();
    const { webhooks } = connectMock(server.url);
    const shop = new InstallmentClient({ ...local.clientOptions() });
    await shop.initiatePayment(samplePaymentRequest({ referenceId: 'ORDER-1' }));
    const delivered = deliveryOf(local);
    local.settle('ORDER-1', 'paid');
    await delivered;

    const [delivery] = await webhooks.all();
    expect(delivery).toEqual(local.webhooks.all()[0]);
    expect(delivery?.tries[0]?.startedAt).toBeInstanceOf(Date);
    expect(delivery?.nextTryAt).toBeUndefined();
    expect(await webhooks.get('WH-00000001')).toEqual(delivery);
    expect(await webhooks.get('WH-9')).toBeUndefined();
    const again = deliveryOf(local);
    expect(await webhooks.resend('WH-00000001')).toMatchObject({ createdAt: expect.any(Date) as Date });
    await again;
    expect(receiver.requests).toHaveLength(2);
    await expect(webhooks.resend('WH-9')).rejects.toThrow('There is no webhook with the ID WH-9.');
    await receiver.close();
  });

  test('reset changes the world, which is told, and keeps it where none is given', async () => {
    await remote.reset({ world: 'repeat-duplicate' });
    expect(await remote.world()).toMatchObject({ repeat: 'duplicate', network: 'lost-answer' });
    await remote.reset();
    expect((await remote.world()).repeat).toBe('duplicate');
    await expect(remote.reset({ world: { repeat: 'twice' as 'replay' } })).rejects.toThrow(
      new MockUsageError(
        "world.repeat must be one of 'replay', 'duplicate', 'invalid', 'conflict', 'processing', 'busy'",
      ),
    );
    await remote.reset({ world: 'plain' });
    expect((await remote.world()).repeat).toBe('replay');
  });
});

describe('scripts', () => {
  test('a scripted answer is given as often as asked, and to its reference only', async () => {
    const answer = { resultStatus: 'ERROR_GENERAL', resultMsg: 'Later.' } as const;
    await remote.respondWith('initiatePayment', answer, { times: 2, referenceId: 'ORDER-1' });

    await pay('ORDER-2');
    await expect(pay('ORDER-1')).rejects.toMatchObject({ code: 'ERROR_GENERAL' });
    expect(await remote.journal.filter({ scripted: true })).toHaveLength(1);
  });

  test('times: Infinity lasts', async () => {
    await remote.respondWith('initiatePayment', { resultStatus: 'INVALID_AMOUNT' }, { times: Infinity });

    for (const reference of ['ORDER-1', 'ORDER-2', 'ORDER-3'])
      await expect(pay(reference)).rejects.toMatchObject({ code: 'INVALID_AMOUNT' });
  });

  test('a fault strikes after the service acted', async () => {
    await remote.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });

    const { $metadata } = await pay('ORDER-1');
    expect($metadata.attempts.map(({ outcome }) => outcome)).toEqual(['unknown', 'accepted']);
    expect(await remote.payments.all()).toHaveLength(1);
    expect(await remote.journal.find({ fault: 'connection-reset' })).toMatchObject({ faultPhase: 'after' });
  });
});

describe('the journal', () => {
  test('a match is compared deeply, dates included', async () => {
    await pay('ORDER-1');
    await pay('ORDER-2');
    const second = await remote.journal.get(2);

    expect(second?.at).toBeInstanceOf(Date);
    expect(await remote.journal.find({ headers: { 'client-id': DEMO_MERCHANT.clientId } })).toMatchObject({
      id: 1,
    });
    expect(await remote.journal.find({ at: second?.at ?? new Date(0), id: 2 })).toEqual(second);
    expect(await remote.journal.find({ at: new Date(0) })).toBeUndefined();
    expect((await remote.journal.filter({ operation: 'initiatePayment' })).map(({ id }) => id)).toEqual([
      1, 2,
    ]);
  });

  test('waitFor resolves when the request comes', async () => {
    const waiting = remote.journal.waitFor({ referenceId: 'ORDER-1' });
    await pay('ORDER-1');

    expect(await waiting).toMatchObject({ completed: true, resultStatus: 'APPROVED' });
  });

  test('waitFor ends when the mock is reset', async () => {
    const wait = remote.journal.waitFor({ referenceId: 'ORDER-2' }, { timeoutMs: 60_000 });
    // The request of the reset may overtake the request of the wait.
    const ended = wait.then(
      () => 'resolved',
      (error: unknown) => (error as Error).message,
    );
    let message: string | undefined;
    void ended.then((text) => (message = text));
    while (message === undefined) await remote.reset();

    expect(message).toBe('The mock was reset while waiting for a request. Nothing arrived.');
  });

  test('waitFor outlasts the time in which any other control has to answer', async () => {
    const local = createMockService();
    await using server = await local.listen();
    const journal = connectMock(server.url).journal;
    await journal.all();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const wait = journal.waitFor({ path: '/late' }, { timeoutMs: 30_000 });
      while (vi.getTimerCount() < 2) await nextTurn();
      await vi.advanceTimersByTimeAsync(29_000);
      await local.fetch('https://mock.example/late');

      expect(await wait).toMatchObject({ path: '/late' });
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([1e12, NaN, -1, Infinity])('a wait of %s ms is refused at once', async (timeoutMs) => {
    await expect(remote.journal.waitFor({}, { timeoutMs })).rejects.toThrow(/timeoutMs/);
  });

  test.each([
    ['a function', (() => true) as never, 'match is a function and cannot be sent'],
    ['a function inside', { headers: () => true } as never, 'match.headers is a function and'],
    ['undefined', { referenceId: undefined } as never, 'match.referenceId is undefined and'],
    ['a number that JSON has not', { durationMs: NaN }, 'match.durationMs is NaN and'],
  ])('%s as a match is refused', async (_title, match, message) => {
    for (const call of [remote.journal.find, remote.journal.filter, remote.journal.waitFor]) {
      const refused = call(match);
      await expect(refused).rejects.toBeInstanceOf(MockUsageError);
      await expect(refused).rejects.toThrow(message);
    }
  });
});

describe('mistakes are refused in the words of the mock', () => {
  test('an unknown reference', async () => {
    const refused = remote.settle('NOBODY', 'paid');

    await expect(refused).rejects.toBeInstanceOf(MockUsageError);
    await expect(refused).rejects.toThrow(
      'There is no payment with the referenceId NOBODY among the 0 of the mock. Initiate it first; the inspector (/_mock) lists all payments.',
    );
  });

  test('bytes as an answer', async () => {
    const body = Uint8Array.of(1, 2);

    await expect(remote.respondWith('initiatePayment', { body })).rejects.toThrow(/cannot be bytes/);
  });

  test('a body that is no JSON keeps its own error', async () => {
    await expect(remote.respondWith('initiatePayment', { body: 1n })).rejects.toThrow(/BigInt/);
  });
});

describe('the arguments of connectMock', () => {
  test.each(['', 'localhost:4010', 'ftp://localhost', 'http://user:secret@localhost'])(
    'an address such as %j is refused',
    (url) => {
      expect(() => connectMock(url)).toThrow(ConfigurationError);
    },
  );

  test('an address may be a URL, end in a slash and have a query', async () => {
    expect(await connectMock(new URL(`${mock.url}/?from=env#top`)).payments.all()).toEqual([]);
  });
});

test('two remotes of one mock see the same', async () => {
  const other = connectMock(mock.url);
  await Promise.all([pay('ORDER-1'), other.journal.waitFor({ referenceId: 'ORDER-1' })]);

  expect(await other.payments.all()).toHaveLength(1);
  expect(await other.payments.all()).toEqual(await remote.payments.all());
});
