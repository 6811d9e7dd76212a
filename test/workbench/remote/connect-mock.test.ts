import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConfigurationError, InstallmentClient } from '../../../src/entries/index.js';
import {
  createMockService,
  DEMO_MERCHANT,
  sampleInvoice,
  samplePaymentRequest,
  type MockService,
} from '../../../src/entries/mock.js';
import { connectMock, MockUsageError, type RemoteMock } from '../../../src/entries/remote.js';
import { receiver } from '../../helpers/receiver.js';
import { allocation, initiate, receipt, type PlainRequest } from '../../helpers/signed-requests.js';
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

describe('the names of the controls', () => {
  // The type of `remote` guarantees that no control is missing.
  test('are the members of the mock', () => {
    const local = createMockService();
    expect(Object.keys(remote).filter((name) => !(name in local))).toEqual([]);
  });
});

describe('the records', () => {
  test('include a payment and its invoice, which can be settled, listed and looked up, with dates', async () => {
    await pay('ORDER-1');
    const settled = await remote.settle('ORDER-1', 'paid');
    const { invoiceId = '' } = await client.uploadInvoice(sampleInvoice({ referenceId: 'ORDER-1' }));

    expect(settled).toMatchObject({ status: 'paid', settledAt: expect.any(Date) as Date });
    expect(await remote.payments.all()).toEqual([settled]);
    expect(await remote.payments.get('ORDER-1')).toEqual(settled);
    expect(await remote.payments.get('ORDER-1', DEMO_MERCHANT.merchantId)).toEqual(settled);
    expect(await remote.payments.get('ORDER-1', 'ANOTHER')).toBeUndefined();
    expect(await remote.payments.get('ORDER/1?x#y')).toBeUndefined();
    const [invoice] = await remote.invoices.all();
    expect(invoice).toMatchObject({ invoiceId, uploadedAt: expect.any(Date) as Date });
    expect(await remote.invoices.get(invoiceId)).toEqual(invoice);
    expect(await remote.invoices.remove(invoiceId)).toEqual(invoice);
    expect(await remote.invoices.all()).toEqual([]);
  });

  test('include the lender’s notifications, which can be listed and looked up, with their ledger', async () => {
    for (const request of [receipt(), allocation()]) await send(request);

    const [code] = await remote.receipts.all();
    expect(code).toMatchObject({ lenderTransactionCode: 'LTC-1', recordedAt: expect.any(Date) as Date });
    expect(await remote.receipts.get('LTC-1')).toEqual(code);
    expect(await remote.allocations.all()).toEqual([await remote.allocations.get('REQ-A1')]);
    expect((await remote.ledger('CONTRACT-1')).received).toBe(code?.receivedAmount);
    expect((await remote.ledger('A/B')).received).toBe(0);
  });

  test('include webhooks, which can be listed, looked up and sent again, with the dates of their attempts', async () => {
    const { url, requests } = await receiver();
    const local = createMockService({ webhook: { url } });
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
    expect(requests).toHaveLength(2);
    await expect(webhooks.resend('WH-9')).rejects.toThrow('There is no webhook with the ID WH-9.');
  });

  test('are removed by a reset, which can change the scenario', async () => {
    await remote.reset({ scenario: 'repeat-duplicate' });
    expect(await remote.scenario()).toMatchObject({ repeat: 'duplicate', network: 'lost-response' });
    await remote.reset({ scenario: 'baseline' });
    await send(initiate());
    expect((await remote.findings()).map(({ rule }) => rule)).toContain('no-key');
  });
});

describe('the scripts', () => {
  test('give a scripted response to its reference the requested number of times', async () => {
    const answer = { resultStatus: 'ERROR_GENERAL', resultMsg: 'Later.' } as const;
    await remote.respondWith('initiatePayment', answer, { times: Infinity, referenceId: 'ORDER-1' });

    await pay('ORDER-2');
    for (let times = 0; times < 2; times += 1)
      await expect(pay('ORDER-1')).rejects.toMatchObject({ code: 'ERROR_GENERAL' });
  });

  test('refuse options that are not an object before they are sent', async () => {
    const options = 'ORDER-1' as never;
    const rule = /: options must be an object, such as \{ times: 1 \}\.$/;
    await expect(remote.respondWith('initiatePayment', { httpStatus: 503 }, options)).rejects.toThrow(rule);
    await expect(remote.injectFault('initiatePayment', 'hang', options)).rejects.toThrow(rule);
  });

  test('inject a fault after the service has acted', async () => {
    await remote.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });

    const { $metadata } = await pay('ORDER-1');
    expect($metadata.attempts.map(({ outcome }) => outcome)).toEqual(['unknown', 'accepted']);
    expect(await remote.journal.find({ fault: 'connection-reset' })).toMatchObject({ faultPhase: 'after' });
  });

  test('are removed by clearScript', async () => {
    await remote.injectFault('initiatePayment', 'html-502');
    await remote.clearScript();
    expect((await pay('ORDER-1')).$metadata.attempts).toHaveLength(1);
  });
});

describe('the journal', () => {
  test('returns entries that match, also by dates', async () => {
    await pay('ORDER-1');
    await pay('ORDER-2');
    const second = await remote.journal.get(2);

    expect(second?.at).toBeInstanceOf(Date);
    expect(await remote.journal.get(9)).toBeUndefined();
    expect(await remote.journal.find({ at: second?.at ?? new Date(0), id: 2 })).toEqual(second);
    expect(await remote.journal.find({ at: new Date(0) })).toBeUndefined();
    const all = await remote.journal.filter({ operation: 'initiatePayment' });
    expect(all).toEqual(await remote.journal.all());
    expect(all.map(({ id }) => id)).toEqual([1, 2]);
  });

  test('resolves waitFor when the request arrives', async () => {
    const waiting = remote.journal.waitFor({ referenceId: 'ORDER-1' });
    await pay('ORDER-1');

    expect(await waiting).toMatchObject({ completed: true, resultStatus: 'APPROVED' });
  });

  test('can wait longer than the time limit of any other control', async () => {
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

  test('refuses a wait whose time JSON cannot represent, or whose option is misspelled', async () => {
    await expect(remote.journal.waitFor({}, { timeoutMs: Infinity })).rejects.toThrow(/timeoutMs/);
    await expect(remote.journal.waitFor({}, { timeoutms: 1 } as never)).rejects.toThrow(
      /did you mean timeoutMs/,
    );
  });

  test('refuses a function as a match', async () => {
    for (const call of [remote.journal.find, remote.journal.filter, remote.journal.waitFor])
      await expect(call((() => true) as never)).rejects.toThrow(/: match /);
  });
});

test('an invalid argument is refused with the message of the mock', async () => {
  const refused = remote.settle('NOBODY', 'paid');

  await expect(refused).rejects.toBeInstanceOf(MockUsageError);
  await expect(refused).rejects.toThrow(
    "There is no payment with the referenceId 'NOBODY' (payments in the mock: 0)",
  );
});

describe('the arguments of connectMock', () => {
  test.each(['', 'localhost:4010', 'ftp://localhost', 'http://user:secret@localhost'])(
    'exclude an address such as %j',
    (url) => {
      expect(() => connectMock(url)).toThrow(ConfigurationError);
    },
  );

  test('include an address as a URL, with a slash at its end, or with a query', async () => {
    expect(await connectMock(new URL(`${mock.url}/?from=env#top`)).payments.all()).toEqual([]);
  });
});
