import { createMockService } from 'installment-payments/mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createShop } from './shop.js';
import { address, merchant, notification } from './test-support.js';

const mock = createMockService();
const orderId = '6f1c1f0e-7a0f-4c7e-9d0b-1f1f6a1b2c3d';
const cart = `cart=${encodeURIComponent('{"TL-2":1}')}`;
let shop: Awaited<ReturnType<typeof createShop>>;
let clock: Date;

const start = (databaseUrl = ':memory:') =>
  createShop({
    ...merchant,
    databaseUrl,
    staffPassword: 'staff-password',
    service: { ...mock.clientOptions(), storeId: merchant.storeId, maxRetries: 0 },
    now: () => clock,
  });

beforeEach(async () => {
  clock = new Date('2026-11-20T03:00:00Z');
  mock.reset();
  shop = await start();
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
  vi.spyOn(console, 'error').mockReturnValue(undefined);
});
afterEach(() => {
  shop.database.close();
  vi.restoreAllMocks();
});

const staff = { authorization: `Basic ${btoa('staff:staff-password')}` };

async function post(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
  const { shopUrl } = merchant;
  const init = { method: 'POST', body: new URLSearchParams(form), headers: { origin: shopUrl, ...headers } };
  return shop.app.request(shopUrl + path, init);
}
async function read(path: string, headers: Record<string, string> = {}): Promise<string> {
  return (await shop.app.request(merchant.shopUrl + path, { headers })).text();
}
const checkOut = (form: Record<string, string> = {}) =>
  post('/orders', { orderId, ...address, ...form }, { cookie: cart });
const payAgain = () => post(`/orders/${orderId}/pay`, {});
const deliver = async (delivery: RequestInit) =>
  (await shop.app.request('/webhooks/installments', delivery)).status;
/** The customer pays at the service, and the service reports it. */
async function pay(number: number): Promise<void> {
  mock.settle(`${orderId}-${number}`, 'paid');
  expect(await deliver(notification(`${orderId}-${number}`, 'paid'))).toBe(204);
}
const order = () => shop.database.order(orderId);
const invoiceState = async () => (await order())?.invoice?.state;

describe('an order', () => {
  test('is paid by the notification and not by the redirect; then its invoice goes up, once', async () => {
    const checkedOut = await checkOut();
    expect(checkedOut.status).toBe(303);
    expect(checkedOut.headers.get('location')).toBe(mock.payments.get(`${orderId}-1`)?.paymentUrl);

    const returned = `/orders/${orderId}/return`;
    expect(mock.payments.get(`${orderId}-1`)?.request.successRedirectUrl).toBe(merchant.shopUrl + returned);
    expect(await read(returned)).toContain('Waiting for the confirmation');
    expect(await order()).toMatchObject({ paidBy: null });

    await pay(1);
    await pay(1);
    await vi.waitFor(async () => {
      expect(await invoiceState()).toBe('stored');
    });
    expect(await read(returned)).toContain('The invoice was sent.');
    expect(mock.invoices.all()).toMatchObject([{ referenceId: `${orderId}-1` }]);
  });

  test('of a double click is one order with one payment, and both clicks lead to it', async () => {
    const answers = await Promise.all([checkOut(), checkOut(), payAgain(), payAgain()]);

    const [{ paymentUrl } = { paymentUrl: '' }] = mock.payments.all();
    expect(mock.payments.all()).toHaveLength(1);
    expect(answers.slice(0, 2).map(({ headers }) => headers.get('location'))).toEqual([
      paymentUrl,
      paymentUrl,
    ]);
    expect((await order())?.attempts).toHaveLength(1);
  });

  test('takes its prices from the catalogue, and says what is wrong beside each field', async () => {
    const name = '"><script>alert(1)</script>';
    const answer = await checkOut({
      'customer.phoneNumber': 'none',
      'customer.firstName': name,
      'amount.value': '1',
      'items.0.price': '1',
    });
    const page = await answer.text();

    expect(answer.status).toBe(400);
    expect(page).toContain('Mobile number must be a string of digits');
    expect(page).not.toContain('<script>alert');
    expect(await order()).toBeUndefined();

    await checkOut({ 'customer.firstName': name, 'amount.value': '1' });
    expect(mock.payments.all()).toMatchObject([{ request: { amount: { value: 8_490_000 } } }]);
  });
});

test('a checkout whose cart was changed in another tab shows the new total first', async () => {
  const answer = await checkOut({ total: '1250000' });

  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('Your cart has changed');
  expect(await order()).toBeUndefined();
});

describe('an attempt', () => {
  test('that is over is followed by one with another reference; its own link still pays the order', async () => {
    await checkOut();
    clock = new Date(clock.getTime() + 10 * 60_000);
    expect(await read(`/orders/${orderId}`)).toContain('The time to pay is over');

    await payAgain();
    expect(mock.payments.all().map(({ referenceId }) => referenceId)).toEqual([
      `${orderId}-1`,
      `${orderId}-2`,
    ]);

    await pay(1);
    expect(await order()).toMatchObject({ paidBy: `${orderId}-1` });
    await pay(2);
    expect(await order()).toMatchObject({ paidBy: `${orderId}-1` });

    const refunds = async () => (await shop.database.openQuestions()).refunds;
    expect(await refunds()).toMatchObject([{ reference: `${orderId}-2` }]);
    await post('/staff/refunds', { key: `${orderId}-2` }, staff);
    await pay(2);
    expect(await refunds()).toEqual([]);
  });

  test('whose answer was lost is asked for again under the same reference and key', async () => {
    mock.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });
    const answer = await checkOut();
    expect(answer.headers.get('location')).toBe(`/orders/${orderId}`);
    expect(await read(`/orders/${orderId}`)).toContain('One moment');

    await shop.resume();

    const [payment, ...others] = mock.payments.all();
    expect(others).toEqual([]);
    expect(await order()).toMatchObject({
      attempts: [{ state: 'waiting', paymentUrl: payment?.paymentUrl }],
    });
    const keys = mock.journal.filter({ operation: 'initiatePayment' }).map((entry) => entry.idempotencyKey);
    expect(keys).toEqual([payment?.idempotencyKey, payment?.idempotencyKey]);
  });

  test('that was certainly refused ends; the next one has another reference', async () => {
    mock.respondWith('initiatePayment', { resultStatus: 'AMOUNT_BELOW_MINIMUM_LIMIT' });
    await checkOut();
    expect(await read(`/orders/${orderId}`)).toContain('Nothing was paid.');

    await payAgain();
    expect((await order())?.attempts).toMatchObject([
      { state: 'failed', problem: 'AMOUNT_BELOW_MINIMUM_LIMIT' },
      { state: 'waiting', reference: `${orderId}-2` },
    ]);
  });

  test('that was perhaps sent before is not over because a repetition was refused', async () => {
    mock.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });
    await checkOut();
    mock.respondWith('initiatePayment', { resultStatus: 'ACCESS_DENIED' });
    await payAgain();

    expect((await order())?.attempts).toMatchObject([{ state: 'starting' }]);
    expect(await read('/staff', staff)).toContain(`${orderId}-1`);
    await post('/staff/attempts', { key: `${orderId}-1`, state: 'declined' }, staff);
    await payAgain();
    expect((await order())?.attempts).toMatchObject([{ state: 'declined' }, { state: 'waiting' }]);
  });

  test('is not asked for again once another one has paid the order', async () => {
    await checkOut();
    clock = new Date(clock.getTime() + 10 * 60_000);
    mock.injectFault('initiatePayment', 'connection-reset', { phase: 'before' });
    await payAgain();
    expect((await order())?.attempts).toMatchObject([{ state: 'expired' }, { state: 'starting' }]);
    await pay(1);

    await shop.resume();
    await payAgain();
    expect(mock.payments.all()).toHaveLength(1);
  });

  test('that was begun while an older one was paid leads to no second payment', async () => {
    await checkOut();
    clock = new Date(clock.getTime() + 10 * 60_000);
    mock.injectFault('initiatePayment', { delayMs: 200 });
    const paying = payAgain();
    await vi.waitFor(async () => {
      expect((await order())?.attempts).toHaveLength(2);
    });
    await pay(1);

    expect((await paying).headers.get('location')).toBe(`/orders/${orderId}`);
    expect(mock.payments.all()).toHaveLength(2);
    expect(await read(`/orders/${orderId}`)).not.toContain(mock.payments.get(`${orderId}-2`)?.paymentUrl);
  });

  test('that staff found paid pays the order', async () => {
    await checkOut();
    mock.settle(`${orderId}-1`, 'paid');
    await post('/staff/attempts', { key: `${orderId}-1`, state: 'paid' }, staff);

    await vi.waitFor(async () => {
      expect(await invoiceState()).toBe('stored');
    });
  });
});

describe('an upload', () => {
  test.each([
    ['whose answer was lost', 'after'],
    ['whose connection broke', 'before'],
  ] as const)('%s is not sent again before a person looked it up', async (_what, phase) => {
    mock.injectFault('uploadInvoice', 'connection-reset', { phase });
    await checkOut();
    await pay(1);
    await vi.waitFor(async () => {
      expect(await invoiceState()).toBe('unknown');
    });

    await shop.resume();
    expect(mock.journal.filter({ operation: 'uploadInvoice' })).toHaveLength(1);
    expect(await read('/staff', staff)).toContain(`It is not there: send it again: ${orderId}`);

    await post('/staff/invoices', { key: orderId, state: phase === 'after' ? 'stored' : 'ready' }, staff);
    await vi.waitFor(async () => {
      expect(await invoiceState()).toBe('stored');
    });
    expect(mock.invoices.all()).toHaveLength(1);
  });

  test('that a killed process left behind is in doubt; one that it had not begun goes up', async () => {
    await checkOut();
    mock.settle(`${orderId}-1`, 'paid');
    await shop.database.settle(`${orderId}-1`, 'paid');
    await shop.database.moveInvoice(orderId, 'sending');

    await shop.database.doubtInterruptedUploads();
    expect(await invoiceState()).toBe('unknown');

    await shop.database.moveInvoice(orderId, 'ready');
    await shop.resume();
    expect(await invoiceState()).toBe('stored');
  });

  test('that was refused is shown to staff', async () => {
    mock.respondWith('uploadInvoice', { resultStatus: 'LIMIT_EXCEEDED' });
    await checkOut();
    await pay(1);

    await vi.waitFor(async () => {
      expect((await order())?.invoice).toMatchObject({ state: 'refused', detail: 'LIMIT_EXCEEDED' });
    });
  });
});

describe('a notification', () => {
  const forged = notification('nobody', 'paid');
  test.each([
    [
      'without the right signature',
      () => ({ ...notification(`${orderId}-1`, 'paid'), headers: forged.headers }),
      401,
    ],
    ['of another amount', () => notification(`${orderId}-1`, 'paid', 1), 500],
    ['for a reference that no order has', () => forged, 500],
    ['of another event', () => notification(`${orderId}-1`, 'shipped'), 400],
  ])('%s pays nothing', async (_what, delivery, status) => {
    await checkOut();

    expect(await deliver(delivery() as RequestInit)).toBe(status);
    expect(await order()).toMatchObject({ paidBy: null, attempts: [{ state: 'waiting' }] });
  });

  test('that comes before the answer, or late, leaves the order paid', async () => {
    mock.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });
    await checkOut();
    await pay(1);
    await payAgain();
    await shop.resume();
    expect(await deliver(notification(`${orderId}-1`, 'expired'))).toBe(204);

    expect(await order()).toMatchObject({ paidBy: `${orderId}-1`, attempts: [{ state: 'paid' }] });
  });
});

describe('strangers', () => {
  test('cannot post for a customer from another site', async () => {
    const headers = { origin: 'https://evil.example', cookie: cart };

    expect((await post('/orders', { orderId, ...address }, headers)).status).toBe(403);
    expect(await order()).toBeUndefined();
  });

  test('cannot decide for staff, or read what staff reads', async () => {
    for (const path of ['/staff', '/staff/attempts', '/staff/refunds', '/staff/invoices'])
      expect((await post(path, {})).status).toBe(401);
    expect(await read('/staff')).not.toContain('For staff');
  });

  test.each([
    'not JSON',
    '[]',
    '{"TL-2":-1}',
    '{"TL-2":1.5}',
    '{"TL-2":99}',
    '{"__proto__":{"TL-2":1}}',
    'null',
  ])('may send the cart %j, which is empty then', async (value) => {
    expect(await read('/cart', { cookie: `cart=${encodeURIComponent(value)}` })).toContain(
      'Your cart is empty',
    );
  });

  test.each(['../../staff', 'https://evil.example', '', 'x'.repeat(1000)])(
    'cannot name an order %j',
    async (id) => {
      const answer = await checkOut({ orderId: id });

      expect(answer.headers.get('location')).toBe(mock.payments.all()[0]?.paymentUrl);
      expect(mock.payments.all()[0]?.referenceId).toMatch(/^[0-9a-f-]{36}-1$/);
    },
  );
});

test('the cart adds, changes and forgets products', async () => {
  const added = await post('/cart', { add: 'TL-2' }, { cookie: cart });
  expect(added.headers.getSetCookie()[0]).toMatch(/HttpOnly; SameSite=Lax/);
  const kept = added.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  expect(await read('/cart', { cookie: kept })).toContain('16.980.000');

  const emptied = await post('/cart', { 'TL-2': '0' }, { cookie: kept });
  expect(await read('/cart', { cookie: emptied.headers.getSetCookie()[0]?.split(';')[0] ?? '' })).toContain(
    'empty',
  );
  expect((await shop.app.request('/checkout')).headers.get('location')).toBe('/cart');
  expect(await read('/checkout', { cookie: kept })).toContain('autocomplete="family-name"');
});
