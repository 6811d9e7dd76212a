/** The pages of the shop: content, headers, and the responses to wrong requests. */
import { createMockService } from 'installment-payments/mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { catalogue } from './catalogue.js';
import { address, cartOf, notification, shopAt, shopUrl } from './test-support.js';

const mock = createMockService();
const secure = 'https://shop.example';
let shop: ReturnType<typeof shopAt>;
let secureShop: ReturnType<typeof shopAt>;
let clock: number;
let isUnreachable: boolean;
beforeEach(() => {
  mock.reset();
  clock = Date.now();
  isUnreachable = false;
  const now = () => new Date(clock);
  const beforeSend = () => (isUnreachable ? Promise.reject(new Error('no network')) : undefined);
  shop = shopAt(mock, { now, waitMs: 0 }, { maxRetries: 0, hooks: { beforeSend } });
  secureShop = shopAt(mock, { now, shopUrl: secure });
  vi.spyOn(console, 'error').mockReturnValue(undefined);
});
afterEach(() => {
  shop.database.close();
  secureShop.database.close();
  vi.restoreAllMocks();
});

const ask = (...given: Parameters<typeof shop.ask>) => shop.ask(...given);
const read = (...given: Parameters<typeof shop.read>) => shop.read(...given);
const post = (...given: Parameters<typeof shop.post>) => shop.post(...given);

describe('every page', () => {
  test.each(['/', '/cart', '/nowhere', '/staff'])(
    '%s runs no script and shows no image of others, is in no frame, and is not stored',
    async (path) => {
      const { headers } = await ask(path);

      expect(headers.get('content-security-policy')?.split('; ')).toEqual([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        'img-src data:',
        "form-action 'self' https: http://127.0.0.1:*",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ]);
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('cache-control')).toBe('no-store');
    },
  );

  test('requires https of browsers if the shop uses https', async () => {
    expect((await ask('/')).headers.get('strict-transport-security')).toBeNull();
    const { headers } = await secureShop.ask('/');
    expect(headers.get('strict-transport-security')).toContain('max-age=');
  });
});

describe('the response to', () => {
  test('an unknown page says that it does not exist', async () => {
    for (const path of ['/nowhere', '/orders/nobody', '/orders/nobody/return']) {
      const answer = await ask(path);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('There is no such page.');
    }
    expect((await post('/orders/nobody/pay', {})).status).toBe(404);
  });

  test('a form of 64 KiB is the next page, and to a larger form a refusal', async () => {
    const sizes = [64 * 1024, 64 * 1024 + 1].map((size) => 'x'.repeat(size - 'then='.length));
    const answers = await Promise.all(
      sizes.map((then) => post('/cart', { then }, { 'content-length': String(then.length + 5) })),
    );

    expect(answers.map(({ status }) => status)).toEqual([303, 413]);
  });

  test('a request that fails in the shop does not contain the reason, which is logged', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const failure = new Error('a secret detail');
    vi.spyOn(shop.database, 'order').mockImplementation(() => {
      throw failure;
    });

    const answer = await ask('/orders/1');

    expect(answer.status).toBe(500);
    const page = await answer.text();
    expect(page).toContain('<h1>Something went wrong</h1>Please try again.');
    expect(page).not.toContain('secret detail');
    expect(log.mock.calls).toEqual([[failure]]);
  });
});

describe('the cart', () => {
  const kept = (answer: Response) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';

  test('offers each product of the catalogue, at its price', async () => {
    const page = await read('/');

    for (const { productId, productName, category, price } of catalogue) {
      for (const text of [productName, category, new Intl.NumberFormat('vi-VN').format(price)])
        expect(page).toContain(text);
      expect(page).toContain(`aria-label="Add to cart: ${productName}"`);
      const cookie = kept(await post('/cart', { add: productId }));
      expect(await read('/cart', { cookie })).toMatch(new RegExp(`name="${productId}"[^>]* value="1"`));
    }
  });

  test('shows each line with its number and price, and the total', async () => {
    const page = await read('/cart', { cookie: cartOf({ 'TL-2': 2, 'NC-18': 1 }) });

    expect(page).toContain('<h1>Your cart</h1>');
    expect(page).toMatch(/name="TL-2" type="number" min="0" max="9" value="2"/);
    for (const price of ['16.980.000', '1.250.000', '18.230.000']) expect(page).toContain(price);
    expect(page).not.toContain('MG-9');
  });

  test('is empty without a cookie', async () => {
    expect(await read('/cart')).toContain('<h1>Your cart is empty</h1>');
  });

  test('keeps the numbers of the form, and the numbers of lines that are not in the form', async () => {
    const cookie = cartOf({ 'TL-2': 2, 'NC-18': 1 });
    const changed = kept(await post('/cart', { 'TL-2': '3', add: 'TV-55' }, { cookie }));

    expect(JSON.parse(decodeURIComponent(changed.slice('cart='.length)))).toEqual({
      'TL-2': 3,
      'MG-9': 0,
      'TV-55': 1,
      'NC-18': 1,
    });
  });

  test('contains at most nine units of a product', async () => {
    const nine = cartOf({ 'TL-2': 9 });
    const more = kept(await post('/cart', { add: 'TL-2' }, { cookie: nine }));
    expect(await read('/cart', { cookie: more })).toMatch(/name="TL-2"[^>]* value="9"/);

    const wrong = kept(await post('/cart', { 'TL-2': '10' }, { cookie: cartOf({ 'TL-2': 4 }) }));
    expect(await read('/cart', { cookie: wrong })).toMatch(/name="TL-2"[^>]* value="4"/);
  });

  test('is sent only over https if the shop uses https', async () => {
    const cookie = async ({ post }: typeof shop) => (await post('/cart', {})).headers.getSetCookie()[0] ?? '';

    expect(await cookie(secureShop)).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
    expect(await cookie(shop)).toMatch(/; HttpOnly; SameSite=Lax$/);
  });
});

describe('the checkout', () => {
  const cookie = cartOf({ 'TL-2': 1 });

  test('leads back to the cart if the cart is empty', async () => {
    expect((await ask('/checkout')).headers.get('location')).toBe('/cart');
    expect((await post('/orders', address)).headers.get('location')).toBe('/cart');
  });

  test('asks for name, contact and address in fields that browsers can fill in', async () => {
    const page = await read('/checkout', { cookie });

    expect(page).toContain('<h1>Check out</h1>');
    const fields = [...page.matchAll(/<label for="(.*?)">(.*?)<\/label><input id="\1" name="\1" (.*?)\/>/g)];
    expect(fields.map(([, name, label, attributes]) => `${name}: ${label}, ${attributes}`)).toEqual(
      [
        'customer.lastName: Last name, type="text" autocomplete="family-name"',
        'customer.firstName: First name, type="text" autocomplete="given-name"',
        'customer.phoneNumber: Mobile number, type="tel" autocomplete="tel"',
        'customer.email: E-mail, type="email" autocomplete="email"',
        'shipping.houseNumber: House number, type="text" autocomplete="off"',
        'shipping.street: Street, type="text" autocomplete="address-line1"',
        'shipping.ward: Ward, type="text" autocomplete="address-level4"',
        'shipping.district: District, type="text" autocomplete="address-level3"',
        'shipping.city: City or province, type="text" autocomplete="address-level2"',
      ].map((field) => `${field} required="" aria-invalid="false"`),
    );
    expect(page).toMatch(/name="orderId" value="[0-9a-f-]{36}"/);
    expect(page).toContain('name="total" value="8490000"');
    expect(page).toContain('8.490.000');
    expect(page).not.toContain('class="problem"');
  });

  test('shows what was typed, and each problem at its field', async () => {
    const form = { ...address, 'customer.email': 'nobody', 'customer.phoneNumber': '' };
    const page = await (await post('/orders', form, { cookie })).text();

    expect(page).toMatch(
      /id="customer.email"[^>]* value="nobody"[^>]* aria-invalid="true" aria-describedby="customer.email-problem"\/><span class="problem" id="customer.email-problem">E-mail must/,
    );
    expect(page).toMatch(/id="customer.phoneNumber"[^>]* aria-invalid="true"/);
    expect(page.match(/class="problem"/g)).toHaveLength(2);
    expect(page).toMatch(/id="customer.lastName"[^>]* value="Nguyễn" required="" aria-invalid="false"\/>/);
  });

  test('refuses every field that is empty or contains only blanks', async () => {
    for (const [name] of Object.entries(address).filter(([name]) => name !== 'total')) {
      for (const text of ['', ' \u00a0\t']) {
        const answer = await post('/orders', { ...address, [name]: text }, { cookie });
        expect(answer.status).toBe(400);
        const [problem = ''] = /<span class="problem".*?<\/span>/.exec(await answer.text()) ?? [];
        expect(problem).toMatch(new RegExp(`id="${name}-problem">[A-Z][^<]* must not be empty<`));
      }
    }
    expect(mock.payments.all()).toEqual([]);
  });

  test('sends the order as it was typed, without the spaces around the values, and clears the cart', async () => {
    const orderId = '6f1c1f0e-7a0f-4c7e-9d0b-1f1f6a1b2c3d';
    const form = { ...address, total: '17240000', orderId, 'shipping.street': ' Phố Kim Mã ' };
    const answer = await post('/orders', form, { cookie: cartOf({ 'TL-2': 1, 'NC-18': 7 }) });

    expect(mock.payments.all()).toMatchObject([
      {
        request: {
          merchantId: 'DEMO-MERCHANT',
          storeId: 'STORE-01',
          platformId: 'WEBSHOP',
          referenceId: `${orderId}-1`,
          paymentMethod: 'WEB',
          description: '1 x Tủ lạnh hai cánh 255 lít, 7 x Nồi cơm điện 1,8 lít',
          successRedirectUrl: `${shopUrl}/orders/${orderId}/return`,
          unSuccessRedirectUrl: `${shopUrl}/orders/${orderId}`,
          amount: { value: 17_240_000 },
          customer: { lastName: 'Nguyễn', phoneNumber: '0912345678', email: 'an@example.com' },
          shipping: { houseNumber: '12A', street: 'Phố Kim Mã', city: 'Hà Nội' },
          transExpiredTime: 900_000,
        },
      },
    ]);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^cart=; Max-Age=0/);
  });
});

describe('the page of an order', () => {
  const id = '6f1c1f0e-7a0f-4c7e-9d0b-1f1f6a1b2c3d';

  /** Places an order and brings it to this state. */
  async function orderIn(state: string): Promise<void> {
    if (state === 'new') isUnreachable = true;
    if (state === 'checking') mock.injectFault('initiatePayment', 'connection-reset', { phase: 'after' });
    if (state === 'refused') mock.respondWith('initiatePayment', { resultStatus: 'ACCESS_DENIED' });
    await shop.checkOut(id);
    if (state === 'over' || state === 'paid')
      await shop.deliver(notification(`${id}-1`, state === 'over' ? 'declined' : 'paid'));
    if (state === 'cancelled') await shop.payments.cancel(id);
  }

  test.each([
    ['new', 'One moment', undefined],
    ['checking', 'We are checking your payment', undefined],
    ['started', 'Waiting for your payment', undefined],
    ['refused', 'The payment could not be started', 'Try again'],
    ['over', 'This payment is over', 'Try again'],
    ['paid', 'Paid', undefined],
    ['cancelled', 'Cancelled', undefined],
  ])(
    'for the state %s says %j, has a button only if the order can be paid, and contains "paid" only if it is paid',
    async (state, heading, button) => {
      await orderIn(state);
      for (const path of [`/orders/${id}`, `/orders/${id}-1`]) {
        const page = await read(path);

        expect(page).toMatch(new RegExp(`<h2 class="${state}">${heading}</h2><p>[^<]{15,}\\.</p>`));
        expect(/<button class="primary">(.*?)<\/button>/.exec(page)?.[1]).toBe(button);
        expect(page.includes(`action="/orders/${id}/pay"`)).toBe(button !== undefined);
        expect(page.includes('class="changing"')).toBe(['new', 'checking', 'started'].includes(state));
        expect(/\bpaid\b/i.test(page)).toBe(state === 'paid');
        const { paymentUrl = 'none' } = mock.payments.get(`${id}-1`) ?? {};
        expect(page.includes(paymentUrl)).toBe(state === 'started');
      }
    },
  );

  test('lets the customer pay an order whose process ended before its payment began', async () => {
    await shop.checkOut(id);
    const request = shop.database.order(id)?.request;
    if (!request) throw new Error('the order is missing');
    const other = '7f1c1f0e-7a0f-4c7e-9d0b-1f1f6a1b2c3d';
    shop.database.place({ id: other, request, placedAt: clock });

    expect(await read(`/orders/${other}`)).toContain('Pay by installments');
    const { headers } = await post(`/orders/${other}/pay`, {});
    expect(headers.get('location')).toBe(mock.payments.get(`${other}-1`)?.paymentUrl);
  });

  test('leads to the payment; after the redirect it waits, and leads back', async () => {
    await orderIn('started');
    const url = mock.payments.get(`${id}-1`)?.paymentUrl ?? '';

    expect(await read(`/orders/${id}`)).toContain(
      `<a class="button primary" href="${url}">Go to the payment</a>`,
    );
    const returned = await read(`/orders/${id}/return`);
    expect(returned).toContain('<h2 class="started">Waiting for the confirmation</h2>');
    expect(returned).toContain(`<a class="" href="${url}">Back to the payment</a>`);
  });

  test('shows the lines of the order and its total', async () => {
    await orderIn('started');
    const page = await read(`/orders/${id}`);

    expect(page).toContain('1 × Tủ lạnh hai cánh 255 lít');
    expect(page.match(/8\.490\.000/g)).toHaveLength(2);
  });
});
