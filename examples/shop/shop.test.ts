import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InstallmentClient } from 'installment-payments';
import { createMockService } from 'installment-payments/mock';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ShopDatabase, type OpenQuestions } from './database.js';
import { createShop } from './shop.js';
import { address, merchant, notification, placeOrder, secretKey } from './test-support.js';

const mock = createMockService();
const orderId = '6f1c1f0e-7a0f-4c7e-9d0b-1f1f6a1b2c3d';
const cart = `cart=${encodeURIComponent('{"TL-2":1}')}`;
let shop: ReturnType<typeof createShop>;
let database: ShopDatabase;
let clock: Date;
let failHooks: boolean;
const minutesLater = (minutes: number) => (clock = new Date(clock.getTime() + minutes * 60_000));

/** A shop process. One that starts later finds what was stored. */
const start = () =>
  createShop({
    ...merchant,
    client: new InstallmentClient({
      ...mock.clientOptions(),
      storeId: merchant.storeId,
      maxRetries: 0,
      hooks: { beforeSend: () => (failHooks ? Promise.reject(new Error('no')) : undefined) },
    }),
    database,
    secretKey,
    staffPassword: 'staff-password',
    now: () => clock,
  });

beforeEach(async () => {
  // The client has the machine's clock for when it sends nothing any more.
  clock = new Date();
  failHooks = false;
  mock.reset();
  database = await ShopDatabase.open(':memory:');
  shop = start();
  vi.spyOn(console, 'error').mockReturnValue(undefined);
});
afterEach(() => {
  database.close();
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
const order = () => database.order(orderId);
const questions = async (about: keyof OpenQuestions) => (await database.openQuestions())[about];
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
    }, 10_000);
    expect(await read(returned)).toContain('The invoice was sent.');
    expect(mock.invoices.all()).toMatchObject([{ referenceId: `${orderId}-1` }]);
  });

  test('the order of a double click is one order with one payment, and both clicks lead to it', async () => {
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
  test('an attempt that is over is followed by one with another reference; its own link still pays the order', async () => {
    await checkOut();
    minutesLater(10);
    await shop.resume();
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

    expect(await questions('refunds')).toMatchObject([{ reference: `${orderId}-2` }]);
    await post('/staff/refunds', { key: `${orderId}-2` }, staff);
    await pay(2);
    expect(await questions('refunds')).toEqual([]);
  });

  test('whose answer was lost is asked for again under the same reference and key', async () => {
    mock.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });
    const answer = await checkOut();
    expect(answer.headers.get('location')).toBe(`/orders/${orderId}`);
    expect(await read(`/orders/${orderId}`)).toContain('One moment');

    minutesLater(0.5);
    await shop.resume();

    const [payment, ...others] = mock.payments.all();
    expect(others).toEqual([]);
    expect(await order()).toMatchObject({
      attempts: [{ state: 'waiting', paymentUrl: payment?.paymentUrl }],
    });
    const keys = mock.journal.filter({ operation: 'initiatePayment' }).map((entry) => entry.idempotencyKey);
    expect(keys).toEqual([payment?.idempotencyKey, payment?.idempotencyKey]);
  });

  test('an attempt that was certainly refused ends; the next one has another reference', async () => {
    mock.respondWith('initiatePayment', { resultStatus: 'AMOUNT_BELOW_MINIMUM_LIMIT' });
    await checkOut();
    expect(await read(`/orders/${orderId}`)).toContain('The payment could not be started');

    await payAgain();
    expect((await order())?.attempts).toMatchObject([
      { state: 'failed', problem: 'AMOUNT_BELOW_MINIMUM_LIMIT' },
      { state: 'waiting', reference: `${orderId}-2` },
    ]);
  });

  test('whose process was killed is asked for again at the start, and a refusal does not end it', async () => {
    await placeOrder(database, clock, orderId);
    await database.openAttempt(orderId, clock, new Date(clock.getTime() + 180_000));
    mock.respondWith('initiatePayment', { resultStatus: 'ACCESS_DENIED' });

    await start().resume();

    expect((await order())?.attempts).toMatchObject([{ state: 'starting', problem: 'ACCESS_DENIED' }]);
  });

  test('whose reference the service knows is not over: the shop cannot say who sent it before', async () => {
    mock.respondWith('initiatePayment', { resultStatus: 'DUPLICATE_REFERENCE_ID' });
    await checkOut();

    expect((await order())?.attempts).toMatchObject([{ state: 'starting' }]);
  });

  test('is not over because a repeat failed in this process before it was sent', async () => {
    mock.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });
    await checkOut();
    minutesLater(0.5);
    failHooks = true;
    await shop.resume();

    expect((await order())?.attempts).toMatchObject([{ state: 'starting', problem: 'HOOK' }]);
  });

  test('an attempt that a killed process left is asked for once, however many recoveries and clicks there are', async () => {
    await placeOrder(database, clock, orderId);
    await database.openAttempt(orderId, clock, new Date(clock.getTime() + 180_000));
    mock.injectFault('initiatePayment', { delayMs: 100 });

    await Promise.all([shop.resume(), shop.resume(), payAgain(), shop.resume()]);

    expect(mock.journal.filter({ operation: 'initiatePayment' })).toHaveLength(1);
  });

  test('is asked for once, however many clicks and recoveries there are while the answer is awaited', async () => {
    mock.injectFault('initiatePayment', { delayMs: 200 });
    const answers = await Promise.all([checkOut(), payAgain(), shop.resume(), payAgain(), shop.resume()]);
    await payAgain();

    expect(mock.journal.filter({ operation: 'initiatePayment' })).toHaveLength(1);
    expect(answers[0].headers.get('location')).toBe(mock.payments.all()[0]?.paymentUrl);
  });

  test('is not asked for again once another one has paid the order', async () => {
    await checkOut();
    minutesLater(10);
    mock.injectFault('initiatePayment', 'connection-reset', { phase: 'before' });
    await payAgain();
    expect((await order())?.attempts).toMatchObject([{ state: 'overdue' }, { state: 'starting' }]);
    await pay(1);

    minutesLater(1);
    await shop.resume();
    await payAgain();
    expect(mock.payments.all()).toHaveLength(1);
  });

  test('an attempt that was begun while an older one was paid leads to no second payment', async () => {
    await checkOut();
    minutesLater(10);
    mock.injectFault('initiatePayment', { delayMs: 200 });
    const paying = payAgain();
    await vi.waitFor(async () => {
      expect((await order())?.attempts).toHaveLength(2);
    }, 10_000);
    await pay(1);

    expect((await paying).headers.get('location')).toBe(`/orders/${orderId}`);
    expect(mock.payments.all()).toHaveLength(2);
    expect(await read(`/orders/${orderId}`)).not.toContain(mock.payments.get(`${orderId}-2`)?.paymentUrl);
  });

  test('an attempt that had no notification in its time stays with staff, also after the next one', async () => {
    await checkOut();
    minutesLater(10);
    await payAgain();
    expect(await questions('attempts')).toMatchObject([{ state: 'overdue' }, { state: 'waiting' }]);

    expect(await deliver(notification(`${orderId}-1`, 'declined'))).toBe(204);
    expect(await questions('attempts')).toMatchObject([{ reference: `${orderId}-2` }]);
  });

  test('an attempt that failed, or was declined, counts once it is reported as paid', async () => {
    mock.respondWith('initiatePayment', { resultStatus: 'ACCESS_DENIED' });
    await checkOut();
    await payAgain();
    expect(await deliver(notification(`${orderId}-2`, 'declined'))).toBe(204);
    expect((await order())?.attempts).toMatchObject([{ state: 'failed' }, { state: 'declined' }]);

    for (const number of [2, 1])
      expect(await deliver(notification(`${orderId}-${number}`, 'paid'))).toBe(204);

    expect(await order()).toMatchObject({ paidBy: `${orderId}-2` });
    expect(await questions('refunds')).toMatchObject([{ reference: `${orderId}-1` }]);
  });

  test('an attempt that staff found paid pays the order', async () => {
    await checkOut();
    mock.settle(`${orderId}-1`, 'paid');
    await post('/staff/attempts', { key: `${orderId}-1`, state: 'paid' }, staff);

    await vi.waitFor(async () => {
      expect(await invoiceState()).toBe('stored');
    }, 10_000);
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
    }, 10_000);

    await shop.resume();
    expect(mock.journal.filter({ operation: 'uploadInvoice' })).toHaveLength(1);
    expect(await read('/staff', staff)).toContain(`It is not there: send it again: ${orderId}`);

    const early = await post('/staff/invoices', { key: orderId, state: 'ready' }, staff);
    expect([early.status, await invoiceState()]).toEqual([409, 'unknown']);
    minutesLater(3);
    await post('/staff/invoices', { key: orderId, state: phase === 'after' ? 'stored' : 'ready' }, staff);
    await vi.waitFor(async () => {
      expect(await invoiceState()).toBe('stored');
    }, 10_000);
    expect(mock.invoices.all()).toHaveLength(1);
  });

  test('an upload that a killed process left behind is in doubt; one that it had not begun goes up', async () => {
    await checkOut();
    mock.settle(`${orderId}-1`, 'paid');
    await database.settle(`${orderId}-1`, 'paid');
    await database.claimInvoice(orderId, clock);

    await start().resume();
    expect(await invoiceState()).toBe('unknown');

    minutesLater(3);
    await database.sendInvoiceAgain(orderId, clock);
    await shop.resume();
    expect(await invoiceState()).toBe('stored');
  });

  test('an upload that is under way is not in doubt', async () => {
    mock.injectFault('uploadInvoice', { delayMs: 100 });
    await checkOut();
    await pay(1);
    await vi.waitFor(async () => {
      expect(await invoiceState()).toBe('sending');
    }, 10_000);

    expect(await deliver(notification(`${orderId}-1`, 'paid'))).toBe(204);
    await shop.resume();
    await shop.resume();
    expect(await invoiceState()).toBe('sending');
    await vi.waitFor(async () => {
      expect(await invoiceState()).toBe('stored');
    }, 10_000);
    expect(mock.journal.filter({ operation: 'uploadInvoice' })).toHaveLength(1);
  });

  test.each([
    ['LIMIT_EXCEEDED', { resultStatus: 'LIMIT_EXCEEDED' }],
    ['UNEXPECTED_RESPONSE', { httpStatus: 429, headers: { 'content-length': '4' }, body: 'slow' }],
  ] as const)('an upload refused as %s is shown to staff, and not sent again', async (detail, answer) => {
    mock.respondWith('uploadInvoice', answer);
    await checkOut();
    await pay(1);

    await vi.waitFor(async () => {
      expect((await order())?.invoice).toMatchObject({ state: 'refused', detail });
    }, 10_000);
    await shop.resume();
    expect(mock.journal.filter({ operation: 'uploadInvoice' })).toHaveLength(1);
  });
});

describe('a notification', () => {
  const unknown = notification('nobody', 'paid');
  test.each([
    ['with the signature of another', () => ({ ...notification(`${orderId}-1`, 'paid'), headers: unknown.headers }), 401], // prettier-ignore
    ['without a signature', () => ({ ...notification(`${orderId}-1`, 'paid'), headers: {} }), 401],
    ['for a reference that no order has', () => unknown, 500],
    ['for the ID of the order', () => notification(orderId, 'paid'), 500],
    ['of another shape', () => notification(`${orderId}-1`, 'paid', { value: Number.NaN }), 400],
  ])('a notification %s is refused and changes nothing', async (_what, delivery, status) => {
    await checkOut();

    expect(await deliver(delivery() as RequestInit)).toBe(status);
    expect(await order()).toMatchObject({ paidBy: null, attempts: [{ state: 'waiting' }] });
    expect(await questions('notices')).toEqual([]);
  });

  test.each([
    ['of another amount', 'payment.settled paid, 1 VND', 'paid', { value: 1 }],
    ['of another currency', 'payment.settled paid, 8490000 USD', 'paid', { currency: 'USD' }],
    ['for another merchant', 'payment.settled paid, 8490000 VND', 'paid', { merchantId: 'OTHER' }],
    ['of an unknown status', 'payment.settled shipped, 8490000 VND', 'shipped', {}],
    ['of another event', 'refund paid, 8490000 VND', 'paid', { event: 'refund' }],
  ])('a notification %s pays nothing and is listed for staff, once', async (_what, text, status, other) => {
    await checkOut();
    const again = () => deliver(notification(`${orderId}-1`, status, other));

    expect([await again(), await again()]).toEqual([204, 204]);
    expect(await order()).toMatchObject({ paidBy: null, attempts: [{ state: 'waiting' }] });
    const key = `${orderId}-1: ${text}`;
    expect((await read('/staff', staff)).split(`value="${key}"`)).toHaveLength(2);

    await post('/staff/notices', { key }, staff);
    expect(await again()).toBe(204);
    expect(await questions('notices')).toEqual([]);
  });

  test('a notification that comes before the answer, or late, leaves the order paid', async () => {
    mock.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });
    await checkOut();
    await pay(1);
    await payAgain();
    await shop.resume();
    expect(await deliver(notification(`${orderId}-1`, 'expired'))).toBe(204);

    expect(await order()).toMatchObject({ paidBy: `${orderId}-1`, attempts: [{ state: 'paid' }] });
  });
});

describe('a service that answers each repeat with', () => {
  test.each([
    ['DUPLICATE_REFERENCE_ID', { resultStatus: 'DUPLICATE_REFERENCE_ID' }],
    ['INVALID_REQUEST', { resultStatus: 'INVALID_REQUEST' }],
    ['409', { httpStatus: 409, body: '' }],
    ['REQUEST_PROCESSING', { resultStatus: 'REQUEST_PROCESSING' }],
    ['nothing', { httpStatus: 500, body: '' }],
  ] as const)(
    '%s is asked a few times; then a person decides, and only then is there another payment',
    async (_answer, answer) => {
      // prettier-ignore
      mock.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });
      await checkOut();
      mock.respondWith('initiatePayment', answer, { times: 1000 });
      const pages = new Set<string>();
      for (const minutes of [...Array<number>(40).fill(0.5), 60, 600]) {
        minutesLater(minutes);
        await shop.resume();
        await payAgain();
        pages.add(/<h2 class="\w+">(.*?)<\/h2>/.exec(await read(`/orders/${orderId}`))?.[1] ?? '');
      }

      const calls = mock.journal.filter({ operation: 'initiatePayment' });
      expect(calls.length).toBeLessThan(10);
      expect(new Set(calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
      expect([...pages]).toEqual(['One moment', 'We are looking into your payment']);
      expect(await questions('attempts')).toMatchObject([{ reference: `${orderId}-1`, state: 'unknown' }]);

      mock.reset();
      await payAgain();
      expect(mock.journal.all()).toEqual([]);
      minutesLater(3);
      await post('/staff/attempts', { key: `${orderId}-1`, state: 'declined' }, staff);
      await payAgain();
      expect(mock.payments.all()).toMatchObject([{ referenceId: `${orderId}-2` }]);
      expect(await deliver(notification(`${orderId}-1`, 'paid'))).toBe(204);
      expect(await order()).toMatchObject({ paidBy: `${orderId}-1` });
    },
  );
});

test('a page says that an order is paid only if it is, by the ID of the order and by each reference', async () => {
  const saysPaid = async (id: string) => /\bpaid\b/i.test(await read(`/orders/${id}`));
  const seen: [string, boolean][] = [];
  const look = async () => {
    const state = (await order())?.attempts.at(-1)?.state ?? 'unpaid';
    seen.push([state, await saysPaid(orderId)]);
  };
  await placeOrder(database, clock, orderId);
  await look();
  mock.injectFault('initiatePayment', 'hang');
  const starting = payAgain();
  await vi.waitFor(() => mock.journal.waitFor({ operation: 'initiatePayment' }), 10_000);
  await look();
  mock.reset();
  await starting;
  minutesLater(5);
  await shop.resume();
  await look();
  await database.settle(`${orderId}-1`, 'expired');
  await look();
  await payAgain();
  await look();
  minutesLater(5);
  await shop.resume();
  await look();
  mock.respondWith('initiatePayment', { resultStatus: 'ACCESS_DENIED' });
  await payAgain();
  await look();
  await payAgain();
  await database.settle(`${orderId}-4`, 'declined');
  await look();
  await pay(2);
  expect(seen.map(([state]) => state)).toEqual(
    ['unpaid', 'starting', 'unknown', 'expired', 'waiting', 'overdue', 'failed', 'declined'], // prettier-ignore
  );
  expect(seen.filter(([, says]) => says)).toEqual([]);

  expect(await saysPaid(orderId)).toBe(true);
  expect(await Promise.all([1, 2, 3, 4].map((number) => saysPaid(`${orderId}-${number}`)))).toEqual(
    [false, true, false, false], // prettier-ignore
  );
});

test('a database that stays locked is said so, and the notification comes again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shop-'));
  const path = join(folder, 'shop.db');
  database.close();
  database = await ShopDatabase.open(path, () => Promise.resolve());
  shop = start();
  await checkOut();
  const other = new Database(path);
  other.exec('BEGIN IMMEDIATE');

  for (let times = 0; times < 2; times++) {
    expect(await deliver(notification(`${orderId}-1`, 'paid'))).toBe(500);
    const answer = await payAgain();
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('The shop is busy');
    expect(await read(`/orders/${orderId}`)).toContain('Waiting for your payment');
  }
  other.exec('ROLLBACK');
  await pay(1);
  await vi.waitFor(async () => {
    expect(await invoiceState()).toBe('stored');
  }, 10_000);
  other.close();
  await rm(folder, { recursive: true });
});

describe('strangers', () => {
  test('cannot post for a customer from another site', async () => {
    const headers = { origin: 'https://evil.example', cookie: cart };

    expect((await post('/orders', { orderId, ...address }, headers)).status).toBe(403);
    expect(await order()).toBeUndefined();
  });

  test('cannot decide for staff, or read what staff reads', async () => {
    for (const path of ['/staff', '/staff/attempts', '/staff/refunds', '/staff/invoices', '/staff/notices'])
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
