import { describe, expect, it } from 'vitest';
import { mockPages } from './pages-support.js';
import { allocation, initiate, order, receipt, upload } from '../helpers/signed-requests.js';

const pay = (referenceId: string) => initiate(order({ referenceId }));

/** The references of the listed rows, from the top. */
function rows(page: string): string[] {
  return [...page.matchAll(/<li data-id="\d+">.*?<span class="reference">(.*?)<\/span>/gs)].map(
    ([, text = '']) => text,
  );
}

describe('the list of requests', () => {
  it('says what to do as long as nothing has arrived', async () => {
    const { text } = mockPages();
    expect(await text('/_mock')).toContain('Nothing has arrived yet');
    expect(await text('/_mock')).toContain('INSTALLMENT_BASE_URL=http://127.0.0.1:4010 npm start');
    expect(await text('/_mock?status=APPROVED')).toContain('No request matches');
  });

  it('has the newest request first', async () => {
    const { send, page } = mockPages();
    await send(pay('ORDER-1'));
    await send(pay('ORDER-2'));
    expect(rows(await page('/_mock'))).toEqual(['ORDER-2', 'ORDER-1']);
  });

  it('filters by operation, status and any part of a reference', async () => {
    const { send, page } = mockPages();
    await send(pay('ORDER-1'));
    await send(pay('ORDER-1'));
    await send(receipt());
    await send(allocation());
    await send({ ...initiate(), path: '/v1/payments' });
    expect(rows(await page('/_mock?operation=initiatePayment'))).toEqual(['ORDER-1', 'ORDER-1']);
    expect(rows(await page('/_mock?operation=initiatePayment&status=APPROVED'))).toEqual(['ORDER-1']);
    expect(rows(await page('/_mock?reference=%20req-a1'))).toEqual(['REQ-A1']);
    expect(rows(await page('/_mock?reference=ltc'))).toEqual(['LTC-1']);
    expect(rows(await page('/_mock?operation=other'))).toHaveLength(1);
    expect(rows(await page('/_mock?operation=toString&status='))).toHaveLength(5);
    expect(await page('/_mock?status=HOUSE_OWN')).toMatch(/<option value="HOUSE_OWN" selected(?:="")?>/);
  });

  it('shows a hundred and leads to older ones, which keep the filters', async () => {
    const { send, page } = mockPages({ journalLimit: 300 });
    for (let sent = 1; sent <= 205; sent += 1) await send(receipt({ requestId: `REQ-${String(sent)}` }));
    const filters = 'operation=paymentReceipt';
    const first = await page(`/_mock?${filters}`);
    expect(rows(first)).toHaveLength(100);
    expect(first).toContain(`href="/_mock?${filters}&amp;before=106"`);
    expect(first).toContain('data-live-list');
    const second = await page(`/_mock?${filters}&before=106`);
    expect(second).toContain(`href="/_mock?${filters}&amp;before=6"`);
    expect(second).not.toContain('data-live-list');
    expect(second).toContain('Back to the newest');
    const rest = await page(`/_mock/ui/rows?${filters}&before=6`);
    expect(rows(rest)).toHaveLength(5);
    expect(rest).not.toContain('Older requests');
    expect(rest).not.toContain('<html');
  });

  it('tells what was unusual about a request', async () => {
    const { mock, send, text } = mockPages();
    const request = initiate(order(), { key: 'KEY-1' });
    await send(request);
    await send(request);
    mock.respondWith('initiatePayment', { resultStatus: 'DOWNSTREAM_ERROR' });
    await send(pay('ORDER-2'));
    mock.respondWith('initiatePayment', { resultStatus: 'HOUSE_OWN' });
    await send(pay('ORDER-2'));
    mock.injectFault('initiatePayment', { delayMs: 1 }, { phase: 'after' });
    await send(pay('ORDER-3'));
    await send(initiate(order(), { headers: { Signature: 'x' } }));
    await send({ ...initiate(), path: '/v1/payments' });
    const list = await text('/_mock');
    for (const words of [
      'APPROVED replay',
      'DOWNSTREAM_ERROR scripted',
      'HOUSE_OWN scripted',
      'fault: 1 ms late',
      'bad signature',
      'unknown path',
    ]) {
      expect(list).toContain(words);
    }
  });

  it('shows a request that is under way, and one that a reset broke off', async () => {
    const { mock, send, text, page } = mockPages();
    mock.injectFault('initiatePayment', { delayMs: 60_000 });
    const pending = send(initiate()).catch((error: unknown) => error);
    await mock.journal.waitFor(({ fault }) => fault !== undefined);
    expect(await text('/_mock')).toContain('in progress');
    expect(await page('/_mock/ui/requests/1')).toContain('data-live-region');
    mock.reset();
    expect(await pending).toBeInstanceOf(Error);
  });
});

describe('the page of a request', () => {
  it('has its headers and its body, readable and as it was signed', async () => {
    const { send, text, page } = mockPages();
    const body = JSON.stringify(order());
    await send(initiate(body, { key: 'KEY-1' }));
    const shown = await text('/_mock/ui/requests/1');
    expect(shown).toContain('POST /v2/payments');
    expect(shown).toContain('Idempotency-Key KEY-1');
    expect(shown).toContain('client-id demo-client');
    expect(shown).toContain(`${String(Buffer.byteLength(body))} bytes`);
    expect(shown).toContain('"merchantId": "DEMO-MERCHANT", "storeId"');
    expect(shown).toContain(body);
    expect(await page('/_mock/ui/requests/1')).not.toContain('demo-secret');
  });

  it('says truly that it has no secret, and signatures only where one was refused', async () => {
    const { send, page, text } = mockPages();
    const right = initiate();
    const valid = right.init.headers['Signature'] ?? '';
    const wrong = 'a1'.repeat(32);
    await send(right);
    await send(initiate(order(), { headers: { Signature: wrong } }));
    const words = 'signatures only where one was refused';
    const [accepted, refused] = [await page('/_mock/ui/requests/1'), await page('/_mock/ui/requests/2')];

    for (const path of ['/_mock/ui/requests/1', '/_mock/ui/requests/2'])
      expect(await text(path)).toContain(words);
    for (const shown of [accepted, refused]) expect(shown).not.toContain('demo-secret');
    expect(accepted).not.toContain(valid);
    const [diagnosis = ''] = /<section class="panel diagnosis".*?<\/section>/s.exec(refused) ?? [];
    expect(diagnosis).toContain('The signature, and the one that was sent');
    expect(refused.replace(diagnosis, '')).not.toContain(wrong);
  });

  it('has the texts and the file of a form', async () => {
    const { send, text } = mockPages();
    await send(initiate());
    await send(upload({ fields: { description: 'Hoá đơn\nhai dòng' } }));
    const shown = await text('/_mock/ui/requests/2');
    expect(shown).toContain('description Hoá đơn hai dòng');
    expect(shown).toContain(
      'File invoice.pdf Field file Declared type application/pdf Size 87 bytes SHA-256 95b3fd49',
    );
  });

  it.each([
    ['no JSON', '{"a":'],
    ['JSON of great depth', `${'['.repeat(8000)}${']'.repeat(8000)}`],
    ['JSON that is indented already', '{\n  "a": 1\n}'],
  ])('shows a body that is %s once', async (_, body) => {
    const { send, page } = mockPages();
    await send(initiate(body));
    const shown = await page('/_mock/ui/requests/1');
    expect(shown).not.toContain('As it was sent');
    expect(shown.match(/<pre class="text"/g)).toHaveLength(2);
  });

  it('says when only the start of a body is kept, and offers no command then', async () => {
    const { send, text } = mockPages();
    await send(initiate(JSON.stringify(order({ description: 'x'.repeat(20_000) }))));
    const shown = await text('/_mock/ui/requests/1');
    expect(shown).toContain('of which the start is kept');
    expect(shown).toContain('There is no curl command for it: The journal does not have the whole body.');
  });

  it('tells of a fault whether the service acted', async () => {
    const { mock, send, text } = mockPages();
    mock.injectFault('initiatePayment', 'html-502', { phase: 'after' });
    mock.injectFault('initiatePayment', 'html-502');
    await send(pay('ORDER-1'));
    await send(pay('ORDER-2'));
    expect(await text('/_mock/ui/requests/1')).toContain('Fault html-502, after the service acted');
    expect(await text('/_mock/ui/requests/2')).toContain('Fault html-502, before the service acted');
  });

  it('leads to its neighbours, as far as they are kept', async () => {
    const { send, page } = mockPages();
    await send(pay('ORDER-1'));
    await send(pay('ORDER-2'));
    expect(await page('/_mock/ui/requests/1')).toContain('href="/_mock/ui/requests/2" rel="prev"');
    expect(await page('/_mock/ui/requests/1')).not.toContain('rel="next"');
    expect(await page('/_mock/ui/requests/2')).toContain('href="/_mock/ui/requests/1" rel="next"');
  });

  it('is missing for a request that is not kept', async () => {
    const { get } = mockPages();
    for (const id of ['1', '0', 'x', '1e999']) {
      const answer = await get(`/_mock/ui/requests/${id}`);
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain('There is no request with this number');
    }
  });

  it('puts the texts of a wrong signature in line, with the first difference marked', async () => {
    const { send, page, text } = mockPages();
    const { path, init } = initiate(JSON.stringify(order()));
    await send({ path, init: { ...init, body: JSON.stringify(order(), null, 1) } });
    const shown = await page('/_mock/ui/requests/1');
    expect(shown).toMatch(
      /<b>E<\/b>\{<mark class="first">↵<\/mark><mark class="different">·<\/mark>&quot;merchantId/,
    );
    expect(shown).toMatch(
      /<b>R<\/b>\{<mark class="first gap"> <\/mark><mark class="gap"> <\/mark>&quot;merchantId/,
    );
    expect(await text('/_mock/ui/requests/1')).toContain('first difference at byte 1');
  });

  it('makes visible what cannot be seen', async () => {
    const { send, page } = mockPages();
    await send(initiate());
    const composed = { description: 'Hoá \u200b đơn' };
    const decomposed = { description: composed.description.normalize('NFD') };
    const signature = upload({ fields: decomposed }).init.headers['Signature'] ?? '';
    await send(upload({ fields: composed, signature }));
    const shown = await page('/_mock/ui/requests/2');
    expect(shown).toContain('<code>unicode-normalised</code');
    expect(shown).toContain('<mark class="first">á</mark>');
    expect(shown).toContain('<mark class="different">◌\u0301</mark>');
    expect(shown).toContain(' � ');
  });

  it('says of a request without a body or operation what there is to say', async () => {
    const { mock, text } = mockPages();
    await mock.fetch('http://localhost/v1/payments');
    const shown = await text('/_mock/ui/requests/1');
    expect(shown).toContain('GET /v1/payments INVALID_API unknown path');
    expect(shown).not.toContain('bytes');
    expect(shown).not.toContain('INSTALLMENT_SECRET_KEY');
  });

  it('says why a request was broken off', async () => {
    const { mock, text, send } = mockPages({
      lender: {
        authenticate: () => {
          throw new Error('No keys.');
        },
      },
    });
    await send(receipt());
    expect(mock.journal.all()[0]?.error).toBe('No keys.');
    expect(await text('/_mock/ui/requests/1')).toContain('Broken off No keys.');
    expect(await text('/_mock')).toContain('broken off');
  });

  it('compares digests place by place', async () => {
    const { send, page } = mockPages();
    await send(initiate(order(), { headers: { Signature: 'not\u00a0hex' } }));
    await send(initiate(order(), { headers: { Signature: '' } }));
    expect(await page('/_mock/ui/requests/1')).toMatch(
      /<b>R<\/b><mark class="first">n<\/mark><mark class="different">ot/,
    );
    expect(await page('/_mock/ui/requests/2')).toContain('<code>signature-missing</code');
  });

  it('says that long texts are shown from their start', async () => {
    const { send, text } = mockPages();
    const long = order({ description: 'x'.repeat(5000) });
    const { path, init } = initiate(JSON.stringify(long));
    await send({ path, init: { ...init, body: JSON.stringify(long, null, 1) } });
    expect(await text('/_mock/ui/requests/1')).toContain('Only the start is shown.');
  });
});
