/** The shop with `installment-payments/orders`: its orders, its staff, and strangers. */
import { InstallmentClient } from 'installment-payments';
import { createMockService, sampleError } from 'installment-payments/mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { address, cartOf, notification, shopAt, shopUrl, staff } from './test-support.js';

const mock = createMockService();
const orderId = '6f1c1f0e-7a0f-4c7e-9d0b-1f1f6a1b2c3d';
const other = '7f1c1f0e-7a0f-4c7e-9d0b-1f1f6a1b2c3d';
const reference = `${orderId}-1`;
const cookie = cartOf({ 'TL-2': 1 });
let clock: number;
let shop: ReturnType<typeof shopAt>;

beforeEach(() => {
  // The client uses the machine's clock for the time after which it sends nothing.
  clock = Date.now();
  mock.reset();
  shop = shopAt(mock, { now: () => new Date(clock), waitMs: 1000 }, { maxRetries: 0 });
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  vi.spyOn(console, 'warn').mockReturnValue(undefined);
});
afterEach(() => {
  shop.database.close();
  vi.restoreAllMocks();
});

async function sweepAfter(minutes: number): Promise<void> {
  clock += minutes * 60_000;
  await shop.payments.sweep();
}
const payAgain = () => shop.post(`/orders/${orderId}/pay`, {});
/** The customer pays at the service, and the service reports it. */
async function pay(number: number): Promise<void> {
  mock.settle(`${orderId}-${number}`, 'paid');
  expect(await shop.deliver(notification(`${orderId}-${number}`, 'paid'))).toBe(204);
}
const state = async () => (await shop.payments.get(orderId)).state;
const reviews = async () => (await shop.payments.forReview()).map(({ reason }) => reason);
/** Clicks a button of the page for staff, with the hidden fields of its form. */
async function press(label: string): Promise<Response> {
  const page = await shop.read('/staff', staff);
  const form = page.split('<form').find((each) => each.includes(`>${label}<`));
  if (form === undefined) throw new Error(`no button "${label}" on ${page}`);
  const act = new RegExp(`value="([^"]*)"[^>]*>${label}<`).exec(form)?.[1] ?? '';
  const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
  return shop.post('/staff', { ...fields, act }, staff);
}

describe('an order', () => {
  test('is paid by the webhook and not by the redirect, and then its invoice is uploaded once', async () => {
    const { status, headers } = await shop.checkOut(orderId);
    expect([status, headers.get('location')]).toEqual([303, mock.payments.get(reference)?.paymentUrl]);
    expect(mock.payments.get(reference)?.request.successRedirectUrl).toBe(
      `${shopUrl}/orders/${orderId}/return`,
    );
    expect(await shop.read(`/orders/${orderId}/return`)).toContain('Waiting for the confirmation');

    await pay(1);
    await pay(1);
    expect(await state()).toBe('paid');
    for (let times = 0; times < 3; times++) await sweepAfter(1);
    expect(mock.invoices.all()).toMatchObject([{ referenceId: reference, file: { name: `${orderId}.xml` } }]);
  });

  test('is one order with one payment after a double click, and both clicks lead to it', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => shop.checkOut(orderId)));

    const [payment, ...others] = mock.payments.all();
    expect(others).toEqual([]);
    for (const { headers } of answers) expect(headers.get('location')).toBe(payment?.paymentUrl);
  });

  test('has the prices of the catalogue, and problems are shown beside each field', async () => {
    const name = '"><script>alert(1)</script>';
    const wrong = { 'customer.phoneNumber': 'none', 'customer.firstName': name, 'items.0.price': '1' };
    const answer = await shop.checkOut(orderId, wrong);
    const page = await answer.text();

    expect(answer.status).toBe(400);
    expect(page).toContain('Mobile number must be a string of digits');
    expect(page).not.toContain('<script>alert');
    expect(shop.database.order(orderId)).toBeUndefined();

    await shop.checkOut(orderId, { 'customer.firstName': name, 'amount.value': '1' });
    expect(mock.payments.all()).toMatchObject([{ request: { amount: { value: 8_490_000 } } }]);
  });

  test('shows the new total first if its cart was changed in another tab', async () => {
    const answer = await shop.checkOut(orderId, { total: '1250000' });

    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('Your cart has changed');
    expect(shop.database.order(orderId)).toBeUndefined();
  });

  test('gets its link from the sweep after a lost response, with the same key', async () => {
    mock.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });
    const { headers } = await shop.checkOut(orderId);
    expect(headers.get('location')).toBe(`/orders/${orderId}`);
    expect(await state()).toBe('checking');

    await sweepAfter(2);
    expect(await state()).toBe('started');
    const keys = mock.journal.filter({ operation: 'initiatePayment' }).map((entry) => entry.idempotencyKey);
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  test('is paid by its next payment after a refusal', async () => {
    mock.respondWith('initiatePayment', { resultStatus: 'AMOUNT_BELOW_MINIMUM_LIMIT' });
    await shop.checkOut(orderId);
    expect(await state()).toBe('refused');

    // A click right after a refusal gets the same refusal again.
    clock += 6_000;
    const { headers } = await payAgain();
    expect(headers.get('location')).toBe(mock.payments.get(`${orderId}-2`)?.paymentUrl);
  });
});

describe('staff', () => {
  test('stop a payment, wait until nothing of it can arrive, and conclude that it does not exist', async () => {
    mock.injectFault('initiatePayment', 'connection-reset', { phase: 'before' });
    await shop.checkOut(orderId);
    const told = await shop.post('/staff', { act: 'lookUp', referenceId: reference }, staff);
    expect(await told.text()).toMatch(/Look it up at the payment service from \d{4}-/);
    expect(await reviews()).toEqual(['look_up']);

    const early = { act: 'absent', referenceId: reference };
    expect(await (await shop.post('/staff', early, staff)).text()).toContain('then decide');
    expect(await state()).toBe('checking');
    clock += 4 * 60_000;
    expect((await press('It does not exist')).status).toBe(303);
    await payAgain();
    expect(mock.payments.all()).toMatchObject([{ referenceId: `${orderId}-2` }]);
  });

  test('enter the link of a payment that they found at the service', async () => {
    mock.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });
    await shop.checkOut(orderId);
    await shop.payments.lookUp(reference);
    const paymentUrl = mock.payments.get(reference)?.paymentUrl ?? '';
    await shop.post('/staff', { act: 'exists', referenceId: reference, paymentUrl }, staff);

    expect(await shop.payments.get(orderId)).toMatchObject({ state: 'started', paymentUrl });
  });

  test.each([
    ['It is paid', 'paid'],
    ['It can no longer be paid', 'over'],
    ['It does not exist', 'over'],
  ])('conclude %j for a payment whose time is over, and the order is %s', async (label, expected) => {
    await shop.checkOut(orderId);
    await sweepAfter(26);
    expect([await state(), await reviews()]).toEqual(['over', ['overdue']]);

    await press(label);
    expect([await state(), await reviews()]).toEqual([expected, []]);
  });

  test('refund the second payment of an order', async () => {
    await shop.checkOut(orderId);
    await sweepAfter(26);
    await payAgain();
    await pay(1);
    await pay(2);
    expect(await reviews()).toEqual(['refund']);

    await press('It is refunded');
    expect(await reviews()).toEqual([]);
  });

  test('check a webhook with a different amount, which pays nothing and hides the link', async () => {
    await shop.checkOut(orderId);
    expect(await shop.deliver(notification(reference, 'paid', 1))).toBe(204);
    expect([await state(), await reviews()]).toEqual(['checking', ['mismatch']]);

    await press('It can be paid');
    expect([await state(), await reviews()]).toEqual(['started', []]);
  });

  test.each([
    ['It is there', 1],
    ['It does not exist', 2],
  ])('look an invoice up whose upload was lost; %j makes %i uploads', async (label, uploads) => {
    mock.injectFault('uploadInvoice', 'connection-reset', { phase: uploads === 1 ? 'after' : 'before' });
    await shop.checkOut(orderId);
    await pay(1);
    await sweepAfter(1);
    await sweepAfter(1);
    expect(await reviews()).toEqual(['invoice_look_up']);

    clock += 4 * 60_000;
    await press(label);
    await sweepAfter(1);
    expect(await reviews()).toEqual([]);
    expect(mock.journal.filter({ operation: 'uploadInvoice' })).toHaveLength(uploads);
    expect(mock.invoices.all()).toHaveLength(1);
  });

  test('give up a refused invoice', async () => {
    mock.respondWith('uploadInvoice', { resultStatus: 'ACCESS_DENIED' });
    await shop.checkOut(orderId);
    await pay(1);
    await sweepAfter(1);
    expect(await reviews()).toEqual(['invoice_refused']);

    await press('It does not exist');
    expect(await shop.read('/staff', staff)).toContain('Nothing waits for you.');
  });

  test('stop a payment that cannot be sent, and the next click sends it once the problem is solved', async () => {
    const fails = vi
      .spyOn(InstallmentClient.prototype, 'initiatePayment')
      .mockRejectedValue(sampleError('CONFIGURATION'));
    shop = shopAt(mock, { now: () => new Date(clock) });
    await shop.checkOut(orderId);
    expect([await state(), await reviews()]).toEqual(['new', ['not_sent']]);

    const label = 'Stop sending it, so that I can look it up';
    expect(await (await press(label)).text()).toContain('Look it up');
    expect(await reviews()).toEqual(['look_up']);
    await shop.checkOut(other);
    fails.mockRestore();
    await shop.post(`/orders/${other}/pay`, {});
    expect(mock.payments.all()).toMatchObject([{ referenceId: `${other}-1` }]);
  });

  test('cancel an existing order unless it is paid', async () => {
    const cancel = (id: string) => shop.post('/staff', { act: 'cancel', orderId: id }, staff);
    expect((await cancel(orderId)).status).toBe(404);
    await shop.checkOut(orderId);
    expect((await cancel(orderId)).status).toBe(303);
    expect(await state()).toBe('cancelled');

    await shop.checkOut(other);
    await shop.deliver(notification(`${other}-1`, 'paid'));
    expect(await (await cancel(other)).text()).toContain('It is paid: refund it');
  });

  test('get an error for an unknown reference', async () => {
    const answer = await shop.post('/staff', { act: 'lookUp', referenceId: 'NOBODYS-1' }, staff);
    expect(answer.status).toBe(404);
  });
});

test.each([
  ['with the signature of a webhook for a different order', () => ({ ...notification(reference, 'paid'), headers: notification('nobody-1', 'paid').headers }), 401], // oxfmt-ignore
  ['without a signature', () => ({ ...notification(reference, 'paid'), headers: {} }), 401],
  ['for a reference that no order has', () => notification('nobody-1', 'paid'), 500],
  ['for the ID of the order', () => notification(orderId, 'paid'), 500],
  ['of another shape', () => notification(reference, 'paid', Number.NaN), 400],
] as const)('a notification %s is refused and changes nothing', async (_what, delivery, status) => {
  await shop.checkOut(orderId);

  expect(await shop.deliver(delivery() as RequestInit)).toBe(status);
  expect(await state()).toBe('started');
});

describe('strangers', () => {
  test('cannot post for a customer from another site', async () => {
    const headers = { origin: 'https://evil.example', cookie };

    expect((await shop.post('/orders', { orderId, ...address }, headers)).status).toBe(403);
    expect(shop.database.order(orderId)).toBeUndefined();
  });

  test('cannot decide for staff, or read the pages of staff', async () => {
    expect((await shop.post('/staff', { act: 'cancel', orderId })).status).toBe(401);
    expect(await shop.read('/staff')).not.toContain('For staff');
  });

  test.each([
    'not JSON',
    '[]',
    '{"TL-2":-1}',
    '{"TL-2":1.5}',
    '{"TL-2":99}',
    '{"__proto__":{"TL-2":1}}',
    'null',
  ])('can send the cart %j, which is then empty', async (value) => {
    expect(await shop.read('/cart', { cookie: `cart=${encodeURIComponent(value)}` })).toContain(
      'Your cart is empty',
    );
  });

  test.each(['../../staff', 'https://evil.example', '', 'x'.repeat(1000)])(
    'cannot name an order %j',
    async (id) => {
      const { headers } = await shop.checkOut(id);

      expect(headers.get('location')).toBe(mock.payments.all()[0]?.paymentUrl);
      expect(mock.payments.all()[0]?.referenceId).toMatch(/^[0-9a-f-]{36}-1$/);
    },
  );
});
