/** The pages of the shop: content, headers, and the answers to browsers that ask for something else. */
import { InstallmentClient } from 'installment-payments';
import { createMockService } from 'installment-payments/mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { catalogue } from './catalogue.js';
import { ShopDatabase } from './database.js';
import { createShop } from './shop.js';
import { address, merchant, placeOrder, secretKey } from './test-support.js';

// The client has the machine's clock for when it sends nothing any more.
const now = new Date();
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);
const staff = { authorization: `Basic ${btoa('staff:staff-password')}` };
const cartOf = (cart: object) => `cart=${encodeURIComponent(JSON.stringify(cart))}`;

const mock = createMockService();
let database: ShopDatabase;
beforeEach(async () => {
  mock.reset();
  database = await ShopDatabase.open(':memory:');
});
afterEach(() => {
  database.close();
  vi.restoreAllMocks();
});

const start = (shopUrl: string) =>
  createShop({
    ...merchant,
    shopUrl,
    client: new InstallmentClient({ ...mock.clientOptions(), storeId: merchant.storeId, maxRetries: 0 }),
    database,
    secretKey,
    staffPassword: 'staff-password',
    now: () => now,
  });

async function ask(path: string, headers: Record<string, string> = {}, shopUrl = merchant.shopUrl) {
  return start(shopUrl).app.request(shopUrl + path, { headers });
}
async function read(path: string, headers?: Record<string, string>): Promise<string> {
  return (await ask(path, headers)).text();
}
async function post(
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
  shopUrl = merchant.shopUrl,
) {
  const init = { method: 'POST', body: new URLSearchParams(form), headers: { origin: shopUrl, ...headers } };
  return start(shopUrl).app.request(shopUrl + path, init);
}

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

  test('is a document with a title, a heading, the style and the script', async () => {
    const page = await read('/');

    expect(page).toMatch(/^<!doctype html><html lang="en">/);
    expect(page).toContain('<title>Pay for it month by month · Cửa hàng Điện máy</title>');
    expect(page).toContain('<h1>Pay for it month by month</h1>');
    const style = await ask('/shop.css');
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(await style.text()).toContain('--');
    const script = await ask('/live.js');
    expect(script.headers.get('content-type')).toBe('text/javascript');
    expect(await script.text()).toContain('.changing');
  });

  test('tells browsers to stay with https, where the shop has it', async () => {
    expect((await ask('/')).headers.get('strict-transport-security')).toBeNull();
    const { headers } = await ask('/', {}, 'https://shop.example');
    expect(headers.get('strict-transport-security')).toContain('max-age=');
  });
});

describe('an answer to', () => {
  test('a page that the shop does not have says so', async () => {
    for (const path of ['/nowhere', '/orders/nobody', '/orders/nobody/return']) {
      const answer = await ask(path);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('There is no such page.');
    }
    expect((await post('/orders/nobody/pay', {})).status).toBe(404);
  });

  test('a form of 64 KiB is the next page, and to a larger one a refusal', async () => {
    const sizes = [64 * 1024, 64 * 1024 + 1].map((size) => 'x'.repeat(size - 'then='.length));
    const answers = await Promise.all(
      sizes.map((then) => post('/cart', { then }, { 'content-length': String(then.length + 5) })),
    );

    expect(answers.map(({ status }) => status)).toEqual([303, 413]);
  });

  test('a request that fails in the shop says nothing of the reason, which is logged', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const failure = new Error('a secret detail');
    vi.spyOn(database, 'attempt').mockRejectedValue(failure);

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

  test('is offered each product of the catalogue, at its price', async () => {
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

  test('a cart of nobody is empty', async () => {
    expect(await read('/cart')).toContain('<h1>Your cart is empty</h1>');
  });

  test('keeps the numbers of the form, and the numbers of lines that the form does not have', async () => {
    const cookie = cartOf({ 'TL-2': 2, 'NC-18': 1 });
    const changed = kept(await post('/cart', { 'TL-2': '3', add: 'TV-55' }, { cookie }));

    expect(JSON.parse(decodeURIComponent(changed.slice('cart='.length)))).toEqual({
      'TL-2': 3,
      'MG-9': 0,
      'TV-55': 1,
      'NC-18': 1,
    });
  });

  test('has at most nine of a product', async () => {
    const nine = cartOf({ 'TL-2': 9 });
    const more = kept(await post('/cart', { add: 'TL-2' }, { cookie: nine }));
    expect(await read('/cart', { cookie: more })).toMatch(/name="TL-2"[^>]* value="9"/);

    const wrong = kept(await post('/cart', { 'TL-2': '10' }, { cookie: cartOf({ 'TL-2': 4 }) }));
    expect(await read('/cart', { cookie: wrong })).toMatch(/name="TL-2"[^>]* value="4"/);
  });

  test('leads to itself, or to the checkout where that was asked for', async () => {
    const to = async (form: Record<string, string>) => {
      const { status, headers } = await post('/cart', form);
      return [status, headers.get('location')];
    };
    expect(await to({})).toEqual([303, '/cart']);
    expect(await to({ then: 'checkout' })).toEqual([303, '/checkout']);
  });

  test('is sent over https only, where the shop has it', async () => {
    const cookie = async (shopUrl: string) =>
      (await post('/cart', {}, {}, shopUrl)).headers.getSetCookie()[0] ?? '';

    expect(await cookie('https://shop.example')).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
    expect(await cookie(merchant.shopUrl)).toMatch(/; HttpOnly; SameSite=Lax$/);
  });
});

describe('the checkout', () => {
  const cookie = cartOf({ 'TL-2': 1 });

  test('the checkout of an empty cart leads back to it', async () => {
    expect((await ask('/checkout')).headers.get('location')).toBe('/cart');
    expect((await post('/orders', address)).headers.get('location')).toBe('/cart');
  });

  test('asks for name, contact and address, as browsers can fill them in', async () => {
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

  test('refuses every field that is empty or has blanks only', async () => {
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

  test('sends the order as it was typed, without the spaces around it, and forgets the cart', async () => {
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
          successRedirectUrl: `${merchant.shopUrl}/orders/${orderId}/return`,
          unSuccessRedirectUrl: `${merchant.shopUrl}/orders/${orderId}`,
          amount: { value: 17_240_000 },
          customer: {
            lastName: 'Nguyễn',
            firstName: 'An',
            phoneNumber: '0912345678',
            email: 'an@example.com',
          },
          shipping: {
            houseNumber: '12A',
            street: 'Phố Kim Mã',
            ward: 'Kim Mã',
            district: 'Ba Đình',
            city: 'Hà Nội',
          },
          transExpiredTime: 60_000,
        },
      },
    ]);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^cart=; Max-Age=0/);
  });
});

describe('the page of an order', () => {
  /** An order, with its attempts ended as given and the last one left open in this state. */
  async function orderIn(state: string): Promise<string> {
    const id = await placeOrder(database, now);
    const reference = `${id}-1`;
    if (state === 'unpaid') return id;
    await database.openAttempt(id, now, later(60_000));
    if (state === 'waiting' || state === 'overdue')
      await database.accept(reference, 'https://pay.example/1', later(60_000));
    if (state === 'overdue' || state === 'unknown') await database.dueAttempts(later(60_000));
    if (state === 'failed' || state === 'declined' || state === 'expired' || state === 'paid')
      await database.settle(reference, state);
    return id;
  }

  test.each([
    ['unpaid', 'Your order is stored', 'Pay by installments'],
    ['starting', 'One moment', undefined],
    ['waiting', 'Waiting for your payment', undefined],
    ['overdue', 'The time to pay is over', 'Try again'],
    ['unknown', 'We are looking into your payment', undefined],
    ['failed', 'The payment could not be started', 'Try again'],
    ['declined', 'The payment did not go through', 'Try again'],
    ['expired', 'The time to pay is over', 'Try again'],
    ['paid', 'Paid', undefined],
  ])(
    'the page of an order that is %s says %j, explains it, and has a button only where one may pay',
    async (state, heading, button) => {
      const id = await orderIn(state);
      const page = await read(`/orders/${id}`);

      expect(page).toMatch(new RegExp(`<h2 class="${state}">${heading}</h2><p>[^<]{15,}\\.</p>`));
      expect(/<button class="primary">(.*?)<\/button>/.exec(page)?.[1]).toBe(button);
      expect(page.includes(`action="/orders/${id}/pay"`)).toBe(button !== undefined);
      const isChanging = ['starting', 'waiting', 'paid'].includes(state); // of a paid one, the invoice
      expect(page.includes('class="changing"')).toBe(isChanging);
      expect(page.includes('https://pay.example/1')).toBe(state === 'waiting');
      if (state === 'unpaid') return;
      const attempt = await read(`/orders/${id}-1`);
      expect(attempt).toContain(`<h1>${heading}</h1>`);
      expect(attempt).toContain(`${id}-1`);
      expect(attempt).toContain(`href="/orders/${id}"`);
    },
  );

  test('leads to the payment; after the redirect it waits, and leads back', async () => {
    const id = await orderIn('waiting');

    const page = await read(`/orders/${id}`);
    expect(page).toContain('<a class="button primary" href="https://pay.example/1">Go to the payment</a>');
    const returned = await read(`/orders/${id}/return`);
    expect(returned).toContain('<h2 class="waiting">Waiting for the confirmation</h2>');
    expect(returned).toContain('<a class="" href="https://pay.example/1">Back to the payment</a>');

    await database.settle(`${id}-1`, 'declined');
    expect(await read(`/orders/${id}/return`)).toContain('The payment did not go through');
  });

  test('has the lines of the order and its total', async () => {
    const page = await read(`/orders/${await orderIn('unpaid')}`);

    expect(page).toContain('1 × Tủ lạnh hai cánh 255 lít');
    expect(page.match(/8\.490\.000/g)).toHaveLength(2);
  });

  test.each([
    ['ready', 'Sending the invoice', true],
    ['sending', 'Sending the invoice', true],
    ['stored', 'The invoice was sent.', false],
    ['refused', 'We are looking into the invoice.', false],
    ['unknown', 'We are looking into the invoice.', false],
  ] as const)('whose invoice is %s says %j', async (state, text, isChanging) => {
    const id = await orderIn('paid');
    if (state !== 'ready') await database.moveInvoice(id, 'sending');
    if (state !== 'ready' && state !== 'sending') await database.moveInvoice(id, state);

    const page = await read(`/orders/${id}`);

    expect(page).toContain(text);
    expect(page.includes('class="changing"')).toBe(isChanging);
    expect(page.includes('max="100" value="0">0 %</progress>')).toBe(isChanging);
  });
});

describe('the page for staff', () => {
  test('says where there is nothing to decide', async () => {
    const page = await read('/staff', staff);

    expect(
      [...page.matchAll(/<h2>(.*?)<\/h2><p class="quiet">(.*?)<\/p>/g)].map(([, ...texts]) => texts),
    ).toEqual([
      ['Payments without a confirmation', 'None'],
      ['Payments of orders that were paid before', 'None'],
      ['Invoices to look up', 'None'],
      ['Notifications that the shop did not understand', 'None'],
    ]);
  });

  test('has advice, what is known and the choices for each question', async () => {
    const open = await placeOrder(database, now);
    await database.openAttempt(open, now, later(60_000));
    await database.askLater(`${open}-1`, now, 'TIMEOUT');
    const twice = await placeOrder(database, now);
    for (let count = 0; count < 2; count++) {
      const { attempt } = await database.openAttempt(twice, now, later(60_000));
      await database.settle(attempt?.reference ?? '', 'expired');
    }
    for (const number of [1, 2]) await database.settle(`${twice}-${number}`, 'paid');
    await database.moveInvoice(twice, 'sending');
    await database.moveInvoice(twice, 'refused', 'LIMIT_EXCEEDED');
    await database.notice('a strange notification');

    const page = await read('/staff', staff);
    const questions = page.split('<section class="card">').slice(1);
    const seen = questions.map((question) => ({
      advice: /<p class="quiet">(.*?)<\/p>/.exec(question)?.[1]?.split(' ').slice(0, 3).join(' '),
      action: /action="(.*?)"/.exec(question)?.[1],
      about: /<p class="reference">(.*?)<\/p>/.exec(question)?.[1],
      key: /name="key" value="(.*?)"/.exec(question)?.[1],
      choices: [...question.matchAll(/name="state" value="(.*?)" aria-label="(.*?)">(.*?)</g)].map(
        ([, value, name, label]) => [value, name, label],
      ),
    }));
    const choice = (key: string, value: string, label: string) => [value, `${label}: ${key}`, label];
    expect(seen).toEqual([
      {
        advice: 'Stop the sending,',
        action: '/staff/attempts',
        about: `${open}-1 <strong>starting</strong> TIMEOUT`,
        key: `${open}-1`,
        choices: [
          choice(`${open}-1`, 'unknown', 'Stop sending it'),
          choice(`${open}-1`, 'paid', 'It is paid'),
        ],
      },
      {
        advice: 'Give the money',
        action: '/staff/refunds',
        about: `${twice}-2 <strong>paid</strong> `,
        key: `${twice}-2`,
        choices: [choice(`${twice}-2`, 'refunded', 'It is refunded')],
      },
      {
        advice: 'An invoice that',
        action: '/staff/invoices',
        about: `${twice} <strong>refused</strong> LIMIT_EXCEEDED`,
        key: twice,
        choices: [
          choice(twice, 'stored', 'It is there'),
          choice(twice, 'ready', 'It is not there: send it again'),
        ],
      },
      {
        advice: 'No order was',
        action: '/staff/notices',
        about: 'a strange notification <strong></strong> ',
        key: 'a strange notification',
        choices: [choice('a strange notification', 'done', 'It is done')],
      },
    ]);
  });

  test.each(['/staff/attempts', '/staff/refunds', '/staff/invoices', '/staff/notices'])(
    'comes again after %s, and a form without what is decided changes nothing',
    async (path) => {
      const id = await placeOrder(database, now);
      await database.openAttempt(id, now, later(60_000));
      const before = await database.openQuestions();

      for (const form of [
        {},
        { key: `${id}-1` },
        { key: `${id}-1`, state: 'expired' },
        { key: id, state: 'sending' },
      ]) {
        const answer = await post(path, form, staff);
        expect([answer.status, answer.headers.get('location')]).toEqual([303, '/staff']);
      }
      expect(await database.openQuestions()).toEqual(before);
    },
  );

  test('keeps a decision that an attempt is declined, or an invoice is there', async () => {
    const id = await placeOrder(database, now);
    await database.openAttempt(id, now, later(60_000));
    await database.accept(`${id}-1`, 'https://pay.example/1', later(60_000));
    await post('/staff/attempts', { key: `${id}-1`, state: 'declined' }, staff);
    expect(await database.attempt(`${id}-1`)).toMatchObject({
      state: 'declined',
      problem: 'decided by staff',
    });

    await database.settle(`${id}-1`, 'paid');
    await database.moveInvoice(id, 'sending');
    await database.moveInvoice(id, 'unknown');
    await post('/staff/invoices', { key: id, state: 'stored' }, staff);
    expect((await database.order(id))?.invoice).toMatchObject({
      state: 'stored',
      detail: 'decided by staff',
    });
    expect(mock.journal.all()).toEqual([]);
  });
});
