import { expect, it } from 'vitest';
import { DEMO_MERCHANT } from 'installment-payments/mock';
import {
  allocation,
  initiate,
  order,
  pdf,
  receipt,
  transaction,
  upload,
} from '../helpers/signed-requests.js';
import { useBrowser, type RunningMock, type WatchedPage } from './support.js';

const browser = useBrowser();

/** Markup that is detected if a page treats text as markup, wherever in the page the text is. */
const canary = (name: string) =>
  `${name}"'></title></script></textarea></pre><img class="hit" src="/hit" onerror="window.hit='${name}'"><script>window.hit='${name}'</script><a class="hit" href="javascript:window.hit=1">\${7*7}`;

function withCanaries(fields: readonly string[]): Record<string, string> {
  return Object.fromEntries(fields.map((field) => [field, canary(field)]));
}

const hostileOrder = order({
  ...withCanaries(['platformId', 'description', 'extraData']),
  items: [
    {
      ...withCanaries(['productId', 'productName', 'category', 'description']),
      imageUrl: 'https://shop.example/"onerror="window.hit=1',
      currency: 'VND',
      quantity: 1,
      price: 12_000_000,
      totalAmount: 12_000_000,
    },
  ],
  customer: {
    ...withCanaries(['firstName', 'lastName', 'rank', 'description']),
    phoneNumber: '0912345678',
    email: 'an@example.com',
  },
  shipping: {
    ...withCanaries([
      'city',
      'district',
      'ward',
      'street',
      'houseNumber',
      'zipCode',
      'streetNumber',
      'houseExtension',
    ]),
    country: 'VN',
  },
  seller: withCanaries(['id', 'name', 'address']),
  installment: withCanaries(['packageId']),
  successRedirectUrl: `https://shop.example/?${canary('successRedirectUrl')}`,
  unSuccessRedirectUrl: `https://shop.example/?${canary('unSuccessRedirectUrl')}`,
});

const invoiceFields = ['invoiceNumber', 'description', 'unknownField'] as const;
const commonFields = withCanaries([
  'requestId',
  'serviceApplicationId',
  'lenderCode',
  'contractNumber',
  'lenderReferenceId',
]);

async function sendEverything({ mock, send }: RunningMock): Promise<string> {
  const key = canary('idempotencyKey');
  const headers = { 'User-Agent': canary('userAgent'), 'Client-Id': DEMO_MERCHANT.clientId };
  const answer = await send(initiate(hostileOrder, { key, headers }));
  const { paymentUrl, resultMsg } = (await answer.json()) as { paymentUrl?: string; resultMsg: string };
  if (paymentUrl === undefined) expect.fail(resultMsg);
  const fields = {
    ...withCanaries(invoiceFields.slice(0, 2)),
    extraData: JSON.stringify(canary('extraData')),
  };
  const file = { data: pdf, filename: 'x"><img class=hit src=y onerror=window.hit=1>.pdf' };
  const stored = await send(upload({ fields, file }));
  expect(await stored.json()).toMatchObject({ resultStatus: 'APPROVED' });
  await send(
    upload({
      // The mock refuses a transaction other than the payment's.
      fields: { [canary('fieldName')]: 'x', ...withCanaries([...invoiceFields, 'paymentTransId']) },
      signature: canary('signature'),
    }),
  );
  await send(
    receipt({
      ...commonFields,
      ...withCanaries(['lenderTransactionCode', 'bankTransactionSequenceId', 'reversalReason']),
      receivedStatus: 'REVERSED',
    }),
  );
  const names = ['lenderTransactionCode', 'bankTransactionSequenceId', 'installmentId'];
  await send(allocation({ ...commonFields, repaymentTransactions: [transaction(withCanaries(names))] }));
  mock.respondWith('initiatePayment', {
    body: { resultStatus: canary('resultStatus'), resultMsg: canary('resultMsg') },
  });
  await send(initiate(order({ referenceId: canary('referenceId') })));
  await send(
    initiate(hostileOrder, {
      headers: { Signature: canary('signature'), 'Request-Time': canary('requestTime') },
    }),
  );
  await send(
    initiate(JSON.stringify(hostileOrder, null, 2), {
      headers: { Signature: initiate(hostileOrder).init.headers['Signature'] ?? '' },
    }),
  );
  await send(initiate(canary('notJson')));
  await send({ ...initiate(), path: `/${encodeURIComponent(canary('path'))}` });
  return paymentUrl;
}

async function expectOnlyText({ page, complaints }: WatchedPage, where: string): Promise<void> {
  expect(await page.evaluate('window.hit'), where).toBeUndefined();
  expect(await page.locator('.hit').count(), where).toBe(0);
  expect(await page.locator('a[href^="javascript:"]').count(), where).toBe(0);
  expect(await page.locator('script').count(), where).toBe(1);
  expect(
    complaints.filter((text) => !text.includes('status of 40')),
    where,
  ).toEqual([]);
}

it('markup in any field of any request stays text on every page', async () => {
  const shop = await browser.shop();
  const webhook = { url: `${shop.url}/hook`, body: () => canary('webhook') };
  const running = await browser.start({ uploads: 'any', webhook });
  const { mock, url } = running;
  const opened = await browser.open(`${url}/_mock`);
  await opened.page.getByText('Live', { exact: true }).waitFor();
  const paymentUrl = await sendEverything(running);
  const { page } = opened;
  await expect.poll(() => page.locator('tbody tr').count()).toBe(mock.journal.all().length);
  await expectOnlyText(opened, 'rows that arrived live');
  expect(await page.locator('tbody').innerText()).toContain('<img class="hit"');

  mock.injectFault('initiatePayment', 'hang', { referenceId: canary('reference') });
  const contract = encodeURIComponent(canary('contractNumber'));
  const paths = [
    '/_mock',
    `/_mock?search=${contract}&before=${contract}`,
    `/_mock/ui/lender?search=${contract}`,
    '/_mock/ui/lender',
    '/_mock/ui/findings',
    '/_mock/ui/controls',
    '/_mock/ui/payments',
    '/_mock/ui/payments/00000001',
    `/_mock/ui/requests/${contract}`,
    ...mock.journal.all().map(({ id }) => `/_mock/ui/requests/${String(id)}`),
  ];
  for (const path of paths) {
    await page.goto(url + path);
    await expectOnlyText(opened, path);
  }

  await page.goto(paymentUrl);
  await expectOnlyText(opened, 'a pending payment');
  expect(await page.getByRole('main').innerText()).toContain('productName"\'></title>');
  mock.settle('ORDER:2026-0001', 'declined');
  await page.reload();
  await expectOnlyText(opened, 'a declined payment');
  await page.goto(`${url}/_mock/ui/payments/00000001`);
  await expectOnlyText(opened, 'a webhook');
  expect(await page.getByRole('main').textContent()).toContain('webhook"\'></title>');
});
