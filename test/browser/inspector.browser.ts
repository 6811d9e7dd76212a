import { describe, expect, it } from 'vitest';
import { createMockService } from 'installment-payments/mock';
import { initiate, order, receipt } from '../helpers/signed-requests.js';
import { tabTo, useBrowser } from './support.js';

const browser = useBrowser();

async function onPage(path = '/_mock') {
  const running = await browser.start();
  const opened = await browser.open(running.url + path);
  await opened.page.getByText('Live', { exact: true }).waitFor();
  return { ...running, ...opened };
}

const pay = (referenceId: string) => initiate(order({ referenceId }));
const refused = () => {
  const { path, init } = initiate(JSON.stringify(order()));
  return { path, init: { ...init, body: JSON.stringify(order(), null, 2) } };
};

describe('a page that is open', () => {
  it('shows requests as they arrive, newest first, without a reload', async () => {
    const { page, mock, send, complaints } = await onPage();
    await page.evaluate('window.sameDocument = true');
    mock.injectFault('initiatePayment', { delayMs: 2000 });
    const answer = send(pay('ORDER-1'));
    await page.getByText('in progress').waitFor();
    await answer;
    await page.getByText('APPROVED').waitFor();
    await send(pay('ORDER-2'));
    await page.getByText('ORDER-2').waitFor();
    expect(await page.locator('tbody code').allInnerTexts()).toEqual(['ORDER-2', 'ORDER-1']);
    expect(await page.getByRole('status').innerText()).toBe('2');
    mock.reset();
    await page.getByText('Nothing has arrived yet').waitFor();
    expect(await page.evaluate('window.sameDocument')).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('keeps the focus on its row, the scroll position and open details', async () => {
    const { page, send, url } = await onPage();
    for (let sent = 0; sent < 40; sent += 1) await send(pay(`ORDER-${String(sent)}`));
    await page.getByText('ORDER-39').waitFor();
    await tabTo(page, /^initiatePayment$/);
    const focused = () => page.evaluate('document.activeElement.getAttribute("href")');
    const row = await focused();
    expect(row).toBe('/_mock/ui/requests/40');
    await page.evaluate('scrollTo(0, 300)');
    await send(pay('LATER'));
    await page.getByText('LATER').waitFor();
    expect(await focused()).toBe(row);
    // The browser keeps the visible rows in place.
    expect(await page.evaluate('scrollY')).toBeGreaterThanOrEqual(300);

    await send(refused());
    await page.goto(`${url}/_mock/ui/requests/42`);
    await page.getByText('The exact bytes to sign').click();
    const reloaded = page.waitForResponse(`${url}/_mock/ui/requests/42`);
    await send(pay('NEXT'));
    await (await reloaded).finished();
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await page.getByRole('button', { name: 'Copy the bytes' }).isVisible()).toBe(true);
  });

  it('changes nothing while the user types, and is up to date afterwards', async () => {
    const { page, mock, send } = await onPage('/_mock/ui/controls');
    await page.locator('#faults').getByLabel('How many requests').fill('7');
    mock.respondWith('initiatePayment', { resultStatus: 'DOWNSTREAM_ERROR' });
    await send(pay('ORDER-1'));
    mock.injectFault('uploadInvoice', 'hang');
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await page.getByRole('region', { name: 'Waiting for requests' }).count()).toBe(0);
    await page.locator('#faults').getByRole('button').focus();
    await page.getByRole('cell', { name: 'hang before the service acts' }).waitFor();
    expect(await page.locator('#faults').getByLabel('How many requests').inputValue()).toBe('7');
  });

  it('shows that the mock has stopped', async () => {
    const mock = createMockService();
    const server = await mock.listen();
    const { page } = await browser.open(`${server.url}/_mock`);
    await page.getByText('Live', { exact: true }).waitFor();
    await server.close();
    await expect.poll(() => page.getByText('Reconnecting').isVisible()).toBe(true);
  });
});

describe('the keyboard', () => {
  it('leads from the list into a request and back', async () => {
    const { page, send } = await onPage();
    await send(receipt());
    await send(pay('ORDER-1'));
    await page.getByText('ORDER-1').waitFor();
    await tabTo(page, 'Skip to the content');
    await tabTo(page, /^paymentReceipt$/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'paymentReceipt LTC-1' }).waitFor();
    await tabTo(page, 'All requests');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('heading', { level: 1, name: 'Requests' }).innerText()).toBe('Requests');
  });
});

describe('the copy button', () => {
  it('copies the exact bytes to sign, including carriage returns', async () => {
    const { page, url, send } = await onPage();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const body = `\n${JSON.stringify(order(), null, 2).replaceAll('\n', '\r\n')}`;
    await send(initiate(body, { headers: { Signature: 'none' } }));
    await page.goto(`${url}/_mock/ui/requests/1`);
    await page.getByText('The exact bytes to sign').click();
    // Each change of the text is recorded, because the button says "Copied" for one second at most.
    await page.evaluate(
      `window.said = [];
       new MutationObserver((changes) => said.push(...changes.map(({ target }) => target.textContent)))
         .observe(document.body, { childList: true, subtree: true })`,
    );
    await page.getByRole('button', { name: 'Copy the bytes' }).click();
    await expect.poll(() => page.evaluate('window.said')).toContain('Copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(body);
  });

  it('shows its own text again, also after a second click while it says "Copied"', async () => {
    const { page, url, send } = await onPage();
    await send(refused());
    await page.goto(`${url}/_mock/ui/requests/1`);
    await page.getByText('The exact bytes to sign').click();
    const button = page.getByRole('button', { name: 'Copy the bytes' });
    await button.evaluate(async (element: { click(): void }) => {
      const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
      // The page compares itself with the mock once after it was opened.
      await wait(1000);
      element.click();
      await wait(500);
      element.click();
      await wait(1500);
    });
    expect(await button.isVisible()).toBe(true);
  });
});

describe('the inspector without JavaScript', () => {
  it('lists and searches requests', async () => {
    const { send, url } = await browser.start();
    for (const reference of ['ORDER-1', 'ORDER-2']) await send(pay(reference));
    const { page } = await browser.open(`${url}/_mock`, { javaScriptEnabled: false });
    await page.getByRole('searchbox').fill('order-2');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('1 of 2').waitFor();
    expect(await page.getByText('ORDER-1').count()).toBe(0);
  });

  it('settles a payment, and sends its webhook again', async () => {
    const shop = await browser.shop();
    const { mock, url, send } = await browser.start({ webhook: { url: `${shop.url}/hook` } });
    await send(pay('ORDER-1'));
    const { page } = await browser.open(`${url}/_mock/ui/payments`, { javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Pay: ORDER-1' }).click();
    await page.getByText('paid', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'ORDER-1', exact: true }).click();
    await page.getByRole('heading', { name: 'Payment ORDER-1' }).waitFor();
    expect(mock.payments.get('ORDER-1')?.status).toBe('paid');
    await expect.poll(() => mock.webhooks.all()[0]?.status).toBe('delivered');
    await page.getByRole('button', { name: /^Send again: WH-/ }).click();
    await expect.poll(() => mock.webhooks.all()[0]?.tries.length).toBe(2);
  });

  it('needs a confirmation for a reset', async () => {
    const { mock, url, send } = await browser.start();
    await send(pay('ORDER-1'));
    const { page } = await browser.open(`${url}/_mock/ui/controls`, { javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Reset the mock' }).click();
    expect(mock.journal.all()).toHaveLength(1);
    await page.getByLabel('Delete all of this').check();
    await page.getByRole('button', { name: 'Reset the mock' }).click();
    await expect.poll(() => mock.journal.all()).toEqual([]);
    await page.getByRole('heading', { name: 'Controls', level: 1 }).waitFor();
  });
});
