import { describe, expect, it } from 'vitest';
import { initiate, order, receipt } from '../helpers/signed-requests.js';
import { tabTo, useBrowser } from './support.js';

const browser = useBrowser();

async function onList(path = '/_mock') {
  const running = await browser.start();
  const opened = await browser.open(running.url + path);
  const { page } = opened;
  await page.getByText('Live', { exact: true }).waitFor();
  const rows = page.locator('[data-requests] > li');
  return { ...running, ...opened, rows };
}

const pay = (referenceId: string) => initiate(order({ referenceId }));

describe('the list of requests', () => {
  it('shows a request as it arrives, newest first, without a reload', async () => {
    const { page, send, rows, complaints } = await onList();
    await page.evaluate('window.sameDocument = true');
    await page.getByText('Nothing has arrived yet').waitFor();
    await send(pay('ORDER-1'));
    await page.getByText('ORDER-1').waitFor();
    await send(pay('ORDER-2'));
    await page.getByText('ORDER-2').waitFor();
    expect(await rows.locator('.reference').allInnerTexts()).toEqual(['ORDER-2', 'ORDER-1']);
    expect(await page.getByText('Nothing has arrived yet').isVisible()).toBe(false);
    expect(await page.evaluate('window.sameDocument')).toBe(true);
    await page.getByRole('status').filter({ hasText: '2 new requests' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows a request that is being worked on, then its result in the same place', async () => {
    const { page, mock, send, rows } = await onList();
    mock.injectFault('initiatePayment', { delayMs: 600 });
    const answer = send(pay('ORDER-1'));
    await page.getByText('in progress').waitFor();
    await answer;
    await page.getByText('APPROVED').locator('visible=true').first().waitFor();
    expect(await rows.count()).toBe(1);
    expect(await rows.innerText()).toContain('600 ms late');
  });

  it('has a badge for a replay, a fault and a bad signature', async () => {
    const { page, mock, send } = await onList();
    const request = initiate(order(), { key: 'KEY-1' });
    await send(request);
    await send(request);
    await page.locator('.badge', { hasText: /^replay$/ }).waitFor();
    mock.injectFault('paymentReceipt', 'html-502');
    await send(receipt());
    await page.locator('.badge', { hasText: 'fault: html-502' }).waitFor();
    await send(initiate(order(), { headers: { Signature: 'wrong' } }));
    await page.locator('.badge', { hasText: /^diagnosis$/ }).waitFor();
    expect(await page.locator('.badge.bad').allInnerTexts()).toEqual(['INVALID_SIGNATURE', 'diagnosis']);
  });

  it('does not look like success where the answer was lost', async () => {
    const { page, mock, send, rows } = await onList();
    mock.injectFault('initiatePayment', 'html-502', { phase: 'after' });
    await send(pay('ORDER-1'));
    await page.locator('.badge.warn', { hasText: 'answer lost' }).waitFor();
    expect(await rows.locator('.badge.good').count()).toBe(0);
    await rows.getByRole('link').click();
    await page.getByRole('heading', { name: 'Response, which was lost' }).waitFor();
  });

  it.each([true, false])('is cleared, and goes on (with JavaScript: %s)', async (javaScriptEnabled) => {
    const { send, mock, url } = await browser.start();
    await send(pay('ORDER-1'));
    const { page } = await browser.open(`${url}/_mock`, { javaScriptEnabled });
    await page.getByText('ORDER-1').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('Nothing has arrived yet').waitFor();
    await send(pay('ORDER-2'));
    if (!javaScriptEnabled) await page.reload();
    await page.getByText('ORDER-2').waitFor();
    expect(await page.getByText('ORDER-1').count()).toBe(0);
    expect(mock.payments.all()).toHaveLength(2);
  });

  it('has a first request to copy while it is empty', async () => {
    const { page } = await onList();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(copied).toMatch(/^curl -sS .*\n {2}-H 'Signature: [\da-f]{64}' \\\n/s);
  });

  it('narrows down by operation, status and reference, for what arrives later too', async () => {
    const { page, send, rows } = await onList();
    await send(pay('ORDER-1'));
    await send(pay('ORDER-1'));
    await send(receipt());
    await page.getByText('LTC-1').waitFor();
    await page.getByLabel('Operation').selectOption('initiatePayment');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel('Status').selectOption('APPROVED');
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByRole('searchbox', { name: 'Reference' }).fill('order-2');
    await page.getByText('No request matches').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await send(pay('ORDER-3'));
    await send(pay('ORDER-2'));
    await page.locator('li', { hasText: 'ORDER-2' }).waitFor();
    expect(await rows.locator('.reference').allInnerTexts()).toEqual(['ORDER-2']);
    expect(page.url()).toContain('operation=initiatePayment&status=APPROVED&reference=order-2');
    await page.reload();
    await page.locator('li', { hasText: 'ORDER-2' }).waitFor();
    expect(await rows.count()).toBe(1);
  });

  it('is emptied by a reset', async () => {
    const { page, mock, send, rows } = await onList();
    await send(pay('ORDER-1'));
    await page.getByText('ORDER-1').waitFor();
    mock.reset();
    await page.getByText('Nothing has arrived yet').waitFor();
    expect(await rows.count()).toBe(0);
  });

  it('can be walked with the keyboard alone, into a request and back', async () => {
    const { page, send } = await onList();
    await send(pay('ORDER-1'));
    await send(pay('ORDER-2'));
    await page.getByText('ORDER-2').waitFor();
    await tabTo(page, 'ORDER-2');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'initiatePayment' }).waitFor();
    expect(await page.title()).toContain('ORDER-1');
    await tabTo(page, 'All requests');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Requests' }).waitFor();
  });
});

describe('the page of a request', () => {
  it('puts the signed texts in line and marks the first difference on both sides', async () => {
    const { page, url, send } = await onList();
    const { path, init } = initiate(JSON.stringify(order()));
    await send({ path, init: { ...init, body: JSON.stringify(order(), null, 2) } });
    await page.goto(`${url}/_mock/ui/requests/1`);
    await page.getByText('first difference at byte 1').waitFor();
    const first = page.locator('mark.first');
    expect(await first.allInnerTexts()).toEqual(['¶', ' ']);
    const boxes = await Promise.all((await first.all()).map((mark) => mark.boundingBox()));
    expect(boxes[0]?.x).toBeCloseTo(boxes[1]?.x ?? NaN, 0);
    expect(boxes[0]?.y).toBeLessThan(boxes[1]?.y ?? NaN);
  });

  it.each([
    [1440, true],
    [390, false],
  ])('has the response, at %d pixels, beside the request: %s', async (width, beside) => {
    const { page, url, send } = await onList();
    await send(pay('ORDER-1'));
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${url}/_mock/ui/requests/1`);
    const [request, response] = await Promise.all(
      ['Request', 'Response'].map((name) => page.getByRole('region', { name, exact: true }).boundingBox()),
    );
    expect(request?.y === response?.y).toBe(beside);
    await page.getByRole('link', { name: 'ORDER-1' }).click();
    await page.getByRole('heading', { name: 'Payment ORDER-1' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Payment page' }).click();
    await page.getByRole('button', { name: 'Pay' }).waitFor();
  });

  it.each([1440, 390])(
    'compares two texts in the width of %d pixels, and unfolds the rest',
    async (width) => {
      const { page, url, send } = await onList();
      const { path, init } = initiate(JSON.stringify(order()));
      await send({ path, init: { ...init, body: JSON.stringify(order(), null, 2) } });
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${url}/_mock/ui/requests/1`);
      const shown = page.locator('.aligned').first();
      const box = await shown.boundingBox();
      const cells = await shown.locator('.cell').all();
      const boxes = await Promise.all(cells.map((cell) => cell.boundingBox()));
      const right = Math.max(...boxes.map((cell) => (cell ? cell.x + cell.width : NaN)));
      // Not outside, and with less room left than a cell would take.
      expect(right).toBeLessThanOrEqual((box?.x ?? 0) + (box?.width ?? 0));
      expect((box?.x ?? 0) + (box?.width ?? 0) - right).toBeLessThan(90);
      expect(await page.getByText('"shipping"').locator('visible=true').count()).toBeGreaterThan(0);
      const rest = page.locator('details .aligned');
      expect(await rest.isVisible()).toBe(false);
      await page.getByText(/^The rest: \d+ characters, \d+ of them different$/).click();
      expect(await rest.isVisible()).toBe(true);
    },
  );

  it('copies the exact bytes to sign, carriage returns included', async () => {
    const { page, url, send } = await onList();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const body = `\n${JSON.stringify(order(), null, 2).replaceAll('\n', '\r\n')}`;
    await send(initiate(body, { headers: { Signature: 'none' } }));
    await page.goto(`${url}/_mock/ui/requests/1`);
    await page.getByText('What to check, in this order').waitFor();
    expect(await page.locator('.checks li').count()).toBe(3);
    await page.getByRole('button', { name: 'Copy the bytes' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(body);
  });

  it('has copy buttons on what came later, and none without JavaScript', async () => {
    const { page, mock, url, send } = await onList();
    await send(pay('ORDER-1'));
    await page.getByText('ORDER-1').waitFor();
    mock.reset();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByRole('button', { name: /^(Copied|Selected)$/ }).waitFor();
    const { page: plain } = await browser.open(`${url}/_mock`, { javaScriptEnabled: false });
    expect(await plain.getByRole('button', { name: 'Copy as curl' }).isVisible()).toBe(false);
  });

  it('copies a command that names no secret', async () => {
    const { page, url, send, complaints } = await onList();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await send(pay('ORDER-1'));
    await page.goto(`${url}/_mock/ui/requests/1`);
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(copied).toContain('openssl dgst -sha256 -hmac "$INSTALLMENT_SECRET_KEY"');
    expect(copied).toContain(`curl --globoff -X 'POST' '${url}/v2/payments'`);
    expect(copied).not.toContain('demo-secret');
    expect(complaints).toEqual([]);
  });
});

describe('the controls', () => {
  it('line up the next result with the keyboard alone', async () => {
    const { page, send } = await onList('/_mock');
    await page.goto(new URL('/_mock/ui/controls', page.url()).href);
    await tabTo(page, 'Result status');
    await page.keyboard.type('DOWNSTREAM_ERROR');
    await page.keyboard.press('Escape');
    await tabTo(page, 'Line up the result');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Lined up' }).waitFor();
    const answer = await send(pay('ORDER-1'));
    expect(await answer.json()).toMatchObject({ resultStatus: 'DOWNSTREAM_ERROR' });
  });

  it.each([true, false])('cancel what is lined up (with JavaScript: %s)', async (javaScriptEnabled) => {
    const { mock, url, send } = await browser.start();
    mock.injectFault('initiatePayment', 'html-502', { times: 3 });
    mock.respondWith('initiatePayment', { resultStatus: 'DOWNSTREAM_ERROR' });
    const { page } = await browser.open(`${url}/_mock/ui/controls`, { javaScriptEnabled });
    await page.getByText('the next 3 requests').waitFor();
    await page.getByRole('button', { name: 'Cancel the fault for initiatePayment' }).click();
    await expect.poll(() => page.getByText('the next 3 requests').count()).toBe(0);
    expect(await (await send(pay('ORDER-1'))).json()).toMatchObject({ resultStatus: 'DOWNSTREAM_ERROR' });
    if (!javaScriptEnabled) await page.reload();
    await page.getByText('Nothing: every request takes its usual course.').waitFor();
    mock.injectFault('paymentReceipt', 'hang');
    if (!javaScriptEnabled) await page.reload();
    await page.getByRole('cell', { name: 'hang' }).waitFor();
  });

  it('settle a payment from the list of payments, which follows what happens elsewhere', async () => {
    const { page, mock, url, send, complaints } = await onList();
    await page.goto(`${url}/_mock/ui/payments`);
    await page.getByText('No payments yet').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await send(pay('ORDER-1'));
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.locator('.badge', { hasText: 'declined' }).waitFor();
    expect(mock.payments.get('ORDER-1')?.status).toBe('declined');
    expect(complaints).toEqual([]);
  });

  it("send a lender's receipt, which shows up as a contract that adds up", async () => {
    const { page, mock, url, complaints } = await onList();
    await page.goto(`${url}/_mock/ui/lender`);
    await page.getByRole('button', { name: 'Send the receipt' }).click();
    await page.getByRole('heading', { name: 'paymentReceipt' }).waitFor();
    expect(mock.ledger('CONTRACT-1').received).toBe(1_500_000);
    await page.goto(`${url}/_mock/ui/contracts`);
    await page.getByRole('link', { name: 'CONTRACT-1' }).click();
    await page.getByText('Received 1.500.000').first().waitFor();
    expect(await page.getByRole('img', { name: /^Allocated:/ }).getAttribute('aria-label')).toContain(
      'Not allocated',
    );
    expect(complaints).toEqual([]);
  });

  it('do not reset before one is sure', async () => {
    const { page, mock, url, send } = await onList();
    await send(pay('ORDER-1'));
    await page.goto(`${url}/_mock/ui/controls`);
    await page.getByRole('button', { name: 'Reset the mock' }).click();
    expect(mock.journal.all()).toHaveLength(1);
    await page.getByLabel('Forget everything').check();
    await page.getByRole('button', { name: 'Reset the mock' }).click();
    await page.getByText('The mock is as it was when it started.').waitFor();
    expect(mock.journal.all()).toHaveLength(0);
  });
});

describe('the payments', () => {
  it('are found as one types, and lead to everything about one', async () => {
    const { page, mock, url, send, complaints } = await onList();
    for (const reference of ['ORDER-1', 'ORDER-2', 'ORDER-3']) await send(pay(reference));
    mock.settle('ORDER-3', 'paid');
    await page.goto(`${url}/_mock/ui/payments`);
    const rows = page.locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByRole('searchbox', { name: 'Search' }).fill('order-2');
    await expect.poll(() => rows.count()).toBe(1);
    expect(page.url()).toContain('search=order-2');
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await page.getByLabel('Status').selectOption('paid');
    await page.getByText('1 payment', { exact: true }).waitFor();
    await send(pay('ORDER-4'));
    mock.settle('ORDER-4', 'paid');
    await page.getByText('2 payments', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'ORDER-3', exact: true }).click();
    await page.getByRole('heading', { name: 'Payment ORDER-3' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('are searched and settled without JavaScript', async () => {
    const { mock, url, send } = await browser.start();
    for (const reference of ['ORDER-1', 'ORDER-2']) await send(pay(reference));
    const { page } = await browser.open(`${url}/_mock/ui/payments`, { javaScriptEnabled: false });
    await page.getByRole('searchbox', { name: 'Search' }).fill('order-2');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('1 payment', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'ORDER-2', exact: true }).click();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('heading', { name: 'Payment ORDER-2' }).waitFor();
    expect(mock.payments.get('ORDER-2')?.status).toBe('paid');
  });
});

describe('the findings', () => {
  it('appear as they are seen, and lead to their requests', async () => {
    const { page, mock, url, send, complaints } = await onList('/_mock/ui/findings');
    await page.getByRole('heading', { name: 'No findings' }).waitFor();
    for (const key of ['KEY-1', 'KEY-2']) await send(initiate(order(), { key }));
    await page.getByRole('heading', { name: 'new-key' }).waitFor();
    expect(await page.getByRole('heading', { name: 'No findings' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Request 2', exact: true }).first().click();
    await page.getByRole('heading', { name: 'initiatePayment' }).waitFor();
    await page.goto(`${url}/_mock/ui/findings`);
    mock.reset();
    await page.getByRole('heading', { name: 'No findings' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it.each(['/_mock', '/_mock?status=none', '/_mock/ui/payments'])(
    'are counted in the header of %s while it is open, beside the world',
    async (path) => {
      const { page, mock, send } = await onList(path);
      const link = page.getByRole('link', { name: /^Findings/ });
      expect(await link.innerText()).toBe('Findings');
      for (const key of ['KEY-1', 'KEY-2']) await send(initiate(order(), { key }));
      // The other one is the time of the signed requests.
      await expect.poll(() => link.innerText(), { timeout: 5000 }).toMatch(/^Findings\s*2$/);
      mock.reset({ world: 'slow' });
      await page.getByText('World: slow').waitFor();
      await expect.poll(() => link.innerText(), { timeout: 5000 }).toBe('Findings');
    },
  );
});

describe('the webhooks', () => {
  it.each([true, false])('are sent again by a button (with JavaScript: %s)', async (javaScriptEnabled) => {
    const shop = await browser.shop();
    const { mock, url, send } = await browser.start({ webhook: { url: `${shop.url}/hook` } });
    await send(pay('ORDER-1'));
    mock.settle('ORDER-1', 'paid');
    const { page } = await browser.open(`${url}/_mock/ui/webhooks`, { javaScriptEnabled });
    await expect.poll(() => mock.webhooks.all()[0]?.status).toBe('delivered');
    await page.getByRole('button', { name: /^Resend WH-/ }).click();
    await page.getByRole('heading', { name: /^Webhook WH-/ }).waitFor();
    await expect.poll(() => mock.webhooks.all()[0]?.tries.length).toBe(2);
    if (!javaScriptEnabled) await page.reload();
    await expect.poll(() => page.getByRole('cell', { name: 'HTTP 200' }).count()).toBe(2);
  });
});
