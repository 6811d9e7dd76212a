/** The calls of the shop to the service, and what it makes of each outcome. */
import { randomUUID } from 'node:crypto';
import { InstallmentClient, type InstallmentApi } from 'installment-payments';
import { createMockService, sampleError } from 'installment-payments/mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ShopDatabase } from './database.js';
import { createShop, type ShopOptions } from './shop.js';
import { address, merchant, notification, placeOrder, secretKey } from './test-support.js';

type Client = ShopOptions['client'];

const mock = createMockService();
const real = new InstallmentClient({ ...mock.clientOptions(), storeId: merchant.storeId, maxRetries: 0 });
const orderId = randomUUID();
const cookie = `cart=${encodeURIComponent('{"TL-2":1}')}`;
let clock: Date;
let database: ShopDatabase;
const log = vi.fn();
const minutesLater = (minutes: number) => (clock = new Date(clock.getTime() + minutes * 60_000));

beforeEach(async () => {
  // The client has the machine's clock for when it sends nothing any more.
  clock = new Date();
  mock.reset();
  log.mockReset();
  vi.spyOn(console, 'error').mockImplementation(log);
  database = await ShopDatabase.open(':memory:');
});
afterEach(() => {
  database.close();
  vi.restoreAllMocks();
});

function start({ initiatePayment, uploadInvoice }: Partial<Client> = {}, options: Partial<ShopOptions> = {}) {
  const shop = createShop({
    ...merchant,
    client: {
      initiatePayment: (...given) => initiatePayment?.(...given) ?? real.initiatePayment(...given),
      uploadInvoice: (...given) => uploadInvoice?.(...given) ?? real.uploadInvoice(...given),
    },
    database,
    secretKey,
    staffPassword: 'staff-password',
    now: () => clock,
    ...options,
  });
  const post = (path: string, form: Record<string, string> = {}) =>
    shop.app.request(merchant.shopUrl + path, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: {
        origin: merchant.shopUrl,
        cookie,
        authorization: `Basic ${btoa('staff:staff-password')}`,
      },
    });
  return {
    ...shop,
    post,
    checkOut: () => post('/orders', { orderId, ...address }),
    payAgain: () => post(`/orders/${orderId}/pay`),
    read: async () => (await shop.app.request(`/orders/${orderId}`)).text(),
    deliver: async (status: string) =>
      (await shop.app.request('/webhooks/installments', notification(`${orderId}-1`, status))).status,
  };
}
const order = () => database.order(orderId);
const invoice = async () => (await order())?.invoice;

describe('the call for a payment', () => {
  test('says only in a repeat that it may have been sent before, and leaves pauses to the database', async () => {
    const initiatePayment = vi.fn<InstallmentApi['initiatePayment']>(() =>
      Promise.reject(sampleError('TIMEOUT', { outcome: 'unknown' })),
    );
    const shop = start({ initiatePayment });
    await shop.checkOut();
    minutesLater(0.5);
    await shop.resume();

    const within = (ms: number) => new Date(clock.getTime() + ms + 60_000);
    expect(initiatePayment.mock.calls.map(([{ referenceId }, options]) => [referenceId, options])).toEqual([
      [`${orderId}-1`, { sendBefore: within(-30_000) }],
      [`${orderId}-1`, { sendBefore: within(0), mayHaveBeenSent: true, maxRetries: 0 }],
    ]);
  });

  test('a call for a payment that fails in the shop is no refusal: the attempt stays open', async () => {
    const failure = new TypeError('a mistake');
    const shop = start({ initiatePayment: () => Promise.reject(failure) });

    expect((await shop.checkOut()).status).toBe(500);
    expect((await order())?.attempts).toMatchObject([{ state: 'starting', problem: null }]);
    expect(log.mock.calls).toEqual([[failure]]);

    minutesLater(0.5);
    await shop.resume();
    expect((await order())?.attempts).toMatchObject([{ state: 'starting', problem: null }]);
    expect(log.mock.calls).toEqual([[failure], [failure]]);
  });

  test('leaves an attempt open for its time and two minutes more', async () => {
    const shop = start();
    await shop.checkOut();

    minutesLater(2.99); // the customer has one minute
    await shop.resume();
    expect((await order())?.attempts).toMatchObject([{ state: 'waiting' }]);
    minutesLater(0.01);
    await shop.resume();
    expect((await order())?.attempts).toMatchObject([{ state: 'overdue' }]);
  });

  test('is not made for an order that is paid', async () => {
    const shop = start();
    await shop.checkOut();
    mock.settle(`${orderId}-1`, 'paid');
    await shop.deliver('paid');

    const answer = await shop.payAgain();

    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/orders/${orderId}`]);
    expect(mock.payments.all()).toHaveLength(1);
  });
});

test('an order is dated by the system clock unless the shop is given another', async () => {
  const before = Date.now();
  const shop = createShop({
    ...merchant,
    client: real,
    database,
    secretKey,
    staffPassword: 'staff-password',
  });
  await shop.app.request(`${merchant.shopUrl}/orders`, {
    method: 'POST',
    body: new URLSearchParams({ orderId, ...address }),
    headers: { origin: merchant.shopUrl, cookie },
  });

  expect((await order())?.placedAt).toBeGreaterThanOrEqual(before);
  expect((await order())?.placedAt).toBeLessThanOrEqual(Date.now());
});

test('forms of the address of the shop are taken, also where a proxy speaks http to it', async () => {
  const shop = start({}, { shopUrl: 'https://shop.example' });
  const post = (origin: string) =>
    shop.app.request('http://127.0.0.1:3000/cart', {
      method: 'POST',
      body: new URLSearchParams({ add: 'TL-2' }),
      headers: { origin },
    });

  expect((await post('https://shop.example')).status).toBe(303);
  expect((await post('https://evil.example')).status).toBe(403);
});

test('a file in the place of a text is a missing field', async () => {
  const shop = start();
  const body = new FormData();
  for (const [name, value] of Object.entries({ orderId, ...address })) body.append(name, value);
  body.set('customer.email', new File(['an@example.com'], 'email.txt'));
  const headers = { origin: merchant.shopUrl, cookie };

  const answer = await shop.app.request(`${merchant.shopUrl}/orders`, { method: 'POST', body, headers });

  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('E-mail must not be empty');
  expect(await order()).toBeUndefined();
});

describe('the upload of an invoice', () => {
  /** A shop whose order is paid, and whose client uploads in this way. */
  async function paid(uploadInvoice: Client['uploadInvoice'], options: Partial<ShopOptions> = {}) {
    const shop = start({ uploadInvoice }, options);
    await placeOrder(database, clock, orderId);
    await database.openAttempt(orderId, clock, clock);
    expect(await shop.deliver('paid')).toBe(204);
    return shop;
  }
  const stored = { resultStatus: 'APPROVED', resultMsg: '', invoiceId: 'INVOICE-7' } as never;

  test('an upload that never left is made again, and what the service calls it is kept', async () => {
    const uploadInvoice = vi
      .fn<Client['uploadInvoice']>(() => Promise.resolve(stored))
      .mockRejectedValueOnce(sampleError('CONNECTION', { outcome: 'not_sent' }));
    const shop = await paid(uploadInvoice);
    await vi.waitFor(async () => {
      expect(await invoice()).toMatchObject({ state: 'ready', detail: 'CONNECTION' });
    }, 10_000);

    await shop.resume();

    expect(await invoice()).toMatchObject({ state: 'stored', detail: 'INVOICE-7' });
    expect(uploadInvoice).toHaveBeenCalledTimes(2);
  });

  test('an upload that never left, and that never can, is shown to staff', async () => {
    const shop = await paid(() => Promise.reject(sampleError('VALIDATION')));
    await vi.waitFor(async () => {
      expect(await invoice()).toMatchObject({ state: 'refused', detail: 'VALIDATION' });
    }, 10_000);

    await shop.resume();
    expect(await invoice()).toMatchObject({ state: 'refused' });
  });

  test('shows its progress on the page of the order', async () => {
    let end: (answer: never) => void = () => undefined;
    const shop = await paid((_request, options) => {
      void options?.onUploadProgress?.({ transferredBytes: 417, totalBytes: 1000, percent: 41.7 });
      return new Promise((resolve) => (end = resolve));
    });
    await vi.waitFor(async () => {
      expect(await shop.read()).toContain('value="41">41 %</progress>');
    }, 10_000);

    end(stored);
    await vi.waitFor(async () => {
      expect(await shop.read()).toContain('The invoice was sent.');
    }, 10_000);
  });

  test('the upload of a file that cannot be made is logged, and tried again at the next interval', async () => {
    const failure = new Error('no template');
    const invoiceFor = vi.fn<NonNullable<ShopOptions['invoiceFor']>>(() => {
      throw failure;
    });
    const shop = await paid(() => Promise.resolve(stored), { invoiceFor });
    await vi.waitFor(() => {
      expect(log.mock.calls).toEqual([[failure]]);
    }, 10_000);
    expect(await invoice()).toMatchObject({ state: 'ready', detail: null });

    invoiceFor.mockReturnValue({ data: new Uint8Array([1]), filename: 'a.pdf' });
    await shop.resume();
    expect(await invoice()).toMatchObject({ state: 'stored' });
  });

  test('is not begun by a form of staff that does not ask for it', async () => {
    const uploadInvoice = vi.fn<Client['uploadInvoice']>(() => Promise.resolve(stored));
    await placeOrder(database, clock, orderId);
    await database.openAttempt(orderId, clock, clock);
    await database.settle(`${orderId}-1`, 'paid');
    const shop = start({ uploadInvoice });

    await shop.post('/staff/invoices', { key: orderId, state: 'sending' });
    await shop.post('/staff/invoices', { key: orderId });
    await shop.post('/staff/invoices', { key: 'nobody', state: 'ready' });
    await shop.post('/staff/attempts', { key: 'nobody', state: 'paid' });

    expect(await invoice()).toMatchObject({ state: 'ready' });
    expect(uploadInvoice).not.toHaveBeenCalled();
    expect(log).not.toHaveBeenCalled();
  });
});

test('a notification for a reference that no order has is logged with it', async () => {
  const shop = start();

  expect(await shop.deliver('paid')).toBe(500);
  expect(String(log.mock.calls[0]?.[0])).toContain(`${orderId}-1`);
});
