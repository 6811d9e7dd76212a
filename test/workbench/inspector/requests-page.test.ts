import { describe, expect, test } from 'vitest';
import { allocation, initiate, order, receipt, upload } from '../../helpers/signed-requests.js';
import { mockPages } from './support.js';

const pay = (referenceId: string) => initiate(order({ referenceId }));
const first = '/_mock/ui/requests/1';

/** The references of the listed rows, from the top. */
function rows(page: string): (string | undefined)[] {
  return [...page.matchAll(/<tr id="request-\d+">.*?<code>(.*?)<\/code>/gs)].map(([, text]) => text);
}

describe('the list of requests', () => {
  test('says what to do while it is empty', async () => {
    const shown = await mockPages().text('/_mock');
    expect(shown).toContain('Nothing has arrived yet');
    expect(shown).toContain('INSTALLMENT_BASE_URL=https://mock.example npm start');
  });

  test('shows the newest request first, with amounts, contracts and reversals', async () => {
    const { send, text } = mockPages();
    await send(initiate());
    await send(receipt({ receivedStatus: 'REVERSED', reversalReason: 'x' }));
    await send(allocation());
    expect(await text('/_mock')).toMatch(
      /REQ-A1 CONTRACT-1 1\.500\.000.₫ APPROVED .*LTC-1 CONTRACT-1 Reversed 1\.500\.000.₫ APPROVED .*ORDER:2026-0001\s+12\.000\.000.₫ APPROVED/,
    );
  });

  test('shows badges for replays, faults and refused signatures', async () => {
    const { mock, send, text } = mockPages();
    const request = initiate(order(), { key: 'KEY-1' });
    await send(request);
    await send(request);
    mock.respondWith('initiatePayment', { resultStatus: 'DOWNSTREAM_ERROR' });
    await send(pay('ORDER-2'));
    mock.injectFault('initiatePayment', { delayMs: 1 }, { phase: 'after' });
    await send(pay('ORDER-3'));
    await send(initiate(order(), { headers: { Signature: 'x' } }));
    await send({ ...initiate(), path: '/v1/payments' });
    const list = await text('/_mock');
    for (const words of [
      'APPROVED replay',
      'DOWNSTREAM_ERROR scripted',
      'fault: 1 ms late',
      'INVALID_SIGNATURE diagnosis',
      'unknown path',
    ])
      expect(list).toContain(words);
  });

  test('is searched by operation, status, body and any part of a reference', async () => {
    const { send, page, text } = mockPages();
    await send(pay('ORDER-1'));
    await send(pay('ORDER-1'));
    await send(receipt());
    await send(allocation());
    const found = async (search: string) => rows(await page(`/_mock?search=${search}`));
    expect(await found('initiatepayment')).toEqual(['ORDER-1', 'ORDER-1']);
    expect(await found('approved')).toEqual(['REQ-A1', 'LTC-1', 'ORDER-1']);
    expect(await found('%20req-a1')).toEqual(['REQ-A1']);
    expect(await text('/_mock?search=ltc-1%22')).toContain('2 of 4');
    expect(await text('/_mock?search=none')).toContain('No match Show all');
  });

  test('shows 50 requests, and links to older ones with the same search', async () => {
    const { send, page } = mockPages({ journalLimit: 300 });
    for (let sent = 1; sent <= 105; sent += 1) await send(receipt({ requestId: `REQ-${String(sent)}` }));
    const pages = [
      await page('/_mock?search=receipt'),
      await page('/_mock?search=receipt&before=55'),
      await page('/_mock?search=receipt&before=5'),
    ];
    expect(pages.map((each) => rows(each).length)).toEqual([50, 50, 5]);
    expect(pages.map((each) => /href="([^"]*)">Older requests/.exec(each)?.[1])).toEqual([
      '?search=receipt&amp;before=55',
      '?search=receipt&amp;before=5',
      undefined,
    ]);
  });

  test('shows the public URL if one is set', async () => {
    const { send, text } = mockPages({ publicUrl: 'https://mock.example/pay-mock' });
    expect(await text('/_mock')).toContain('INSTALLMENT_BASE_URL=https://mock.example/pay-mock npm start');
    await send(initiate());
    expect(await text(first)).toContain("'https://mock.example/pay-mock/v2/payments'");
  });
});

describe('the page of a request', () => {
  test('shows the warnings about an order, and its unknown fields', async () => {
    const { send, text } = mockPages();
    await send(initiate(order({ description: '', voucher: 'A' })));
    const shown = await text(first);
    expect(shown).toMatch(
      /Warnings description is empty, although it is a required field\. Unknown fields voucher/,
    );
  });

  test('shows its headers and its body, readable and as it was signed', async () => {
    const { send, text, page } = mockPages();
    const body = JSON.stringify(order());
    await send(initiate(body, { key: 'KEY-1' }));
    const shown = await text(first);
    expect(shown).toContain(`POST /v2/payments ${String(Buffer.byteLength(body))} bytes`);
    expect(shown).toContain('Idempotency-Key KEY-1');
    expect(shown).toContain('client-id demo-client');
    expect(shown).toContain('"merchantId": "DEMO-MERCHANT", "storeId"');
    expect(shown).toContain(body);
    expect(await page(first)).not.toContain('demo-secret');
  });

  test('shows a signature only if it was refused', async () => {
    const { send, page } = mockPages();
    const right = initiate();
    const wrong = 'a1'.repeat(32);
    await send(right);
    await send(initiate(order(), { headers: { Signature: wrong } }));
    expect(await page(first)).not.toContain(right.init.headers['Signature'] ?? '');
    const [diagnosis = '', ...others] =
      (await page('/_mock/ui/requests/2')).match(/<section class="panel .*?<\/section>/gs)?.slice(1) ?? [];
    expect(diagnosis).toContain(wrong);
    expect(others.join('')).not.toContain(wrong);
  });

  test('shows the texts and the file of a form', async () => {
    const { send, text } = mockPages();
    await send(initiate());
    await send(upload({ fields: { description: 'Hoá đơn\nhai dòng' } }));
    const shown = await text('/_mock/ui/requests/2');
    expect(shown).toContain('description Hoá đơn hai dòng');
    expect(shown).toContain('File invoice.pdf bytes 87 field file type application/pdf sha256 95b3fd49');
  });

  test.each([
    ['no JSON', '{"a":'],
    ['JSON of great depth', `${'['.repeat(8000)}${']'.repeat(8000)}`],
  ])('shows a body that is %s once', async (_, body) => {
    const { send, page } = mockPages();
    await send(initiate(body));
    const [request = ''] =
      /<section class="panel " id="request".*?<\/section>/s.exec(await page(first)) ?? [];
    expect(request).not.toContain('As it was sent');
    expect(request.match(/<pre class="text"/g)).toHaveLength(1);
  });

  test('says if only the start of a body is kept, and then shows no command', async () => {
    const { send, text } = mockPages();
    await send(initiate(JSON.stringify(order({ description: 'x'.repeat(20_000) }))));
    expect(await text(first)).toContain('of which the start is kept');
    expect(await text(first)).not.toContain('Send it again');
  });

  test('shows the response, and links to the payment, its page and the contract', async () => {
    const { send, page, text } = mockPages();
    await send(pay('ORDER-1'));
    await send(receipt());
    expect(await text(first)).toContain(
      'Response HTTP 200 content-type application/json; charset=utf-8 Body { "merchantId"',
    );
    for (const href of ['/_mock/ui/payments/00000001', '/pay/00000001'])
      expect(await page(first)).toContain(`href="${href}"`);
    expect(await page('/_mock/ui/requests/2')).toContain('href="/_mock/ui/lender?search=CONTRACT-1"');
  });

  test('shows a response that a fault withheld as lost', async () => {
    const { mock, send, text, page } = mockPages();
    mock.injectFault('initiatePayment', 'html-502', { phase: 'after' });
    mock.injectFault('initiatePayment', 'html-502');
    await send(pay('ORDER-1'));
    await send(pay('ORDER-2'));
    expect(await page('/_mock')).not.toContain('badge good');
    expect(await text('/_mock')).toContain('response lost APPROVED fault: html-502');
    expect(await text(first)).toMatch(
      /Fault html-502, after the service acts .* Response, which was lost HTTP 200 .*"resultStatus": "APPROVED"/,
    );
    expect(await text('/_mock/ui/requests/2')).toMatch(
      /Fault html-502, before the service acts .* Response No response\./,
    );
  });

  test('shows a request without a response yet', async () => {
    const { mock, send, text } = mockPages();
    mock.injectFault('initiatePayment', { delayMs: 60_000 });
    const pending = send(initiate()).catch((error: unknown) => error);
    await mock.journal.waitFor(({ fault }) => fault !== undefined);
    expect(await text('/_mock')).toContain('in progress');
    expect(await text(first)).toContain('No response yet.');
    mock.reset();
    expect(await pending).toBeInstanceOf(Error);
  });

  test('shows the reason why a request was aborted', async () => {
    const authenticate = () => {
      throw new Error('No keys.');
    };
    const { text, send } = mockPages({ lender: { authenticate } });
    await send(receipt());
    expect(await text(first)).toContain('Broken off No keys.');
    expect(await text('/_mock')).toContain('broken off');
  });

  test('responds with 404 for a request that is no longer kept', async () => {
    const { get } = mockPages();
    for (const id of ['1', '0', 'x', '1e999'])
      expect((await get(`/_mock/ui/requests/${id}`)).status).toBe(404);
  });
});

describe('the diagnosis of a signature', () => {
  test('shows its cause, its message and what to do', async () => {
    const { mock, send, text } = mockPages();
    const { path, init } = initiate(JSON.stringify(order()));
    await send({ path, init: { ...init, body: JSON.stringify(order(), null, 1) } });
    const { cause = '', message = '', fix = '' } = mock.journal.get(1)?.diagnosis ?? {};
    expect(await text(first)).toContain(
      `The signature does not match ${cause} ${message} How to fix it ${fix} Difference between the sent text and the signed text`,
    );
  });

  test('marks what only one of the two texts contains', async () => {
    const { send, page, text } = mockPages();
    const { path, init } = initiate(JSON.stringify(order()));
    await send({ path, init: { ...init, body: JSON.stringify(order(), null, 1) } });
    expect(await page(first)).toContain(
      '{<del>¶·</del>&quot;merchantId&quot;:<del>·</del>&quot;DEMO-MERCHANT',
    );
    expect(await text(first)).toContain('first difference at byte 1');
  });

  test('shortens what both texts contain', async () => {
    const { send, text } = mockPages();
    const body = JSON.stringify({ ...order({ extraData: 'x'.repeat(400) }), end: { a: 1 } });
    const { path, init } = initiate(body);
    await send({ path, init: { ...init, body: body.replace('"end":{', '"end": {') } });
    expect(await text(first)).toMatch(/ … \d+ equal characters … .*"end": · \{"a":1\}\}/);
  });

  test.each(['\u202e', '\u200b', '\u2028', '\u0085'])(
    'shows %j and combining marks as visible marks if texts are compared',
    async (character) => {
      const { send, page } = mockPages();
      await send(initiate());
      const composed = { description: `Hoá ${character} đơn` };
      const decomposed = { description: composed.description.normalize('NFD') };
      const signature = upload({ fields: decomposed }).init.headers['Signature'] ?? '';
      await send(upload({ fields: composed, signature }));
      const [compared = ''] =
        /<pre class="text difference".*?<\/pre>/s.exec(await page('/_mock/ui/requests/2')) ?? [];
      expect(compared).toContain('Ho<del>á</del><ins>a\u00a0\u0301</ins> ¤');
      expect(compared).not.toContain(character);
    },
  );

  test('shows both signatures if the signed text is not known', async () => {
    const { send, text } = mockPages();
    await send(initiate(order(), { headers: { Signature: 'not\u00a0hex' } }));
    await send(initiate(order(), { headers: { Signature: '' } }));
    expect(await text(first)).toMatch(/Expected signature [\da-f]{64} Signature you sent not\u00a0hex/);
    expect(await text('/_mock/ui/requests/2')).toMatch(
      /Expected signature [\da-f]{64} Signature you sent none/,
    );
  });

  test('shows the exact bytes to sign', async () => {
    const { send, page, text } = mockPages({ wire: { absentFields: 'omit' } });
    const body = JSON.stringify(order(), null, 1).replaceAll('\n', '\r\n');
    await send(initiate(body, { headers: { Signature: 'none' } }));
    await send(upload({ signature: 'none' }));
    const [, exact = ''] = /<code id="to-sign">(.*?)<\/code>/s.exec(await page(first)) ?? [];
    expect(exact).toContain('{&#13;\n');
    expect(await text('/_mock/ui/requests/2')).toMatch(
      /The exact bytes to sign \(\d+\) Copy the bytes merchantId=DEMO-MERCHANT&referenceId=ORDER:2026-0001 /,
    );
  });
});
