import { once } from 'node:events';
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { mockPages, textOf } from './support.js';
import { allocation, initiate, order, receipt, upload } from '../../helpers/signed-requests.js';

const pay = (referenceId: string) => initiate(order({ referenceId }));

/** The references of the listed rows, from the top. */
function rows(page: string): string[] {
  return [...page.matchAll(/<li data-id="\d+">.*?<span class="reference">(.*?)<\/span>/gs)].map(
    ([, text = '']) => text,
  );
}

describe('the list of requests', () => {
  it('says what to do while it is empty', async () => {
    const { text } = mockPages();
    expect(await text('/_mock')).toContain('Nothing has arrived yet');
    expect(await text('/_mock')).toContain('INSTALLMENT_BASE_URL=http://127.0.0.1:4010 npm start');
    expect(await text('/_mock?status=APPROVED')).toContain('No request matches');
  });

  it('shows a first command that works as pasted, with any wire switches', async () => {
    const wire = { signatureEncoding: 'base64', requestTimeOffset: '+00:00' } as const;
    for (const options of [{}, { wire }]) {
      const { mock, page } = mockPages(options);
      const [, markup = ''] = /<code id="first-request">(.*?)<\/code>/s.exec(await page('/_mock')) ?? [];
      const told = `curl() { printf '%s\\0' "$@"; }\n${textOf(markup.replaceAll('\\\n', ''))}`;
      const args = execFileSync('bash', ['-c', told]).toString().split('\0');
      const [url = '', body = ''] = [args[1], args[args.indexOf('--data-raw') + 1]];
      const headers = new Headers();
      args.forEach((arg, index) => {
        const [name = '', value = ''] = (args[index + 1] ?? '').split(': ');
        if (arg === '-H') headers.set(name, value);
      });
      const answer = await mock.fetch(url, { method: 'POST', headers: Object.fromEntries(headers), body });
      expect(await answer.json()).toMatchObject({ referenceId: 'FIRST-CURL', resultStatus: 'APPROVED' });
      expect(markup).not.toContain('demo-secret');
    }
  });

  it('shows amounts, contracts and reversals', async () => {
    const { send, text } = mockPages();
    await send(initiate());
    await send(receipt({ receivedStatus: 'REVERSED', reversalReason: 'x' }));
    await send(allocation());
    const list = await text('/_mock');
    expect(list).toMatch(/ORDER:2026-0001\s+12\.000\.000.₫ APPROVED/);
    expect(list).toMatch(/LTC-1 CONTRACT-1 Reversed 1\.500\.000.₫ APPROVED/);
    expect(list).toMatch(/REQ-A1 CONTRACT-1 1\.500\.000.₫ APPROVED/);
    expect(await text('/_mock?reference=contract-1')).not.toContain('ORDER:2026-0001');
  });

  it('is cleared by a form, which keeps everything else', async () => {
    const { mock, send, post, text } = mockPages();
    await send(pay('ORDER-1'));
    const answer = await post('/_mock/ui/clear', {});
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/_mock']);
    expect(await text('/_mock')).toContain('Nothing has arrived yet');
    expect(mock.payments.all()).toHaveLength(1);
    mock.injectFault('initiatePayment', { delayMs: 60_000 });
    const pending = send(pay('ORDER-2')).catch(() => undefined);
    await mock.journal.waitFor(({ fault }) => fault !== undefined);
    await post('/_mock/ui/clear', {});
    expect(mock.journal.all().map(({ id }) => id)).toEqual([2]);
    expect(await text('/_mock/ui/requests/2')).toContain('No response yet.');
    mock.reset();
    await pending;
  });

  it('shows your own operations by their path', async () => {
    const { mock, send, text } = mockPages();
    mock.handle('/v2/refunds', () => ({ resultStatus: 'APPROVED' }));
    await send({ ...initiate(), path: '/v2/refunds' });
    const list = await text('/_mock?operation=other');
    expect(list).toMatch(/POST \/v2\/refunds ORDER:2026-0001 .* APPROVED/);
    expect(list).not.toContain('unknown path');
    expect(await text('/_mock/ui/requests/1')).toContain('INSTALLMENT_SECRET_KEY');
  });

  it('names the public URL if one is set', async () => {
    const { mock, send, text } = mockPages({ publicUrl: 'https://mock.example/pay-mock' });
    expect(await text('/_mock')).toContain('INSTALLMENT_BASE_URL=https://mock.example/pay-mock npm start');
    expect(await text('/_mock')).toContain("curl -sS 'https://mock.example/pay-mock/v2/payments'");
    await send(initiate());
    expect(await text('/_mock/ui/requests/1')).toContain("'https://mock.example/pay-mock/v2/payments'");
    expect(mock.payments.all()[0]?.paymentUrl).toContain('https://mock.example/pay-mock/pay/');
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

  it('shows 100 requests and links to older ones with the same filters', async () => {
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

  it('has badges for replays, faults and refused signatures', async () => {
    const { mock, send, text } = mockPages();
    const request = initiate(order(), { key: 'KEY-1' });
    await send(request);
    await send(request);
    mock.respondWith('initiatePayment', { resultStatus: 'DOWNSTREAM_ERROR' });
    await send(pay('ORDER-2'));
    mock.respondWith('initiatePayment', { body: { resultStatus: 'HOUSE_OWN' } });
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
      'INVALID_SIGNATURE diagnosis',
      'unknown path',
    ]) {
      expect(list).toContain(words);
    }
  });

  it('shows a request in progress, and one that was ended by a reset', async () => {
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

  it('has no secret, and a signature only if it was refused', async () => {
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
    const [request = ''] =
      /<section class="panel" aria-labelledby="request".*?<\/section>/s.exec(shown) ?? [];
    expect(request).not.toContain('As it was sent');
    expect(request.match(/<pre class="text"/g)).toHaveLength(1);
  });

  it('says when only the start of a body is kept, and offers no command then', async () => {
    const { send, text } = mockPages();
    await send(initiate(JSON.stringify(order({ description: 'x'.repeat(20_000) }))));
    const shown = await text('/_mock/ui/requests/1');
    expect(shown).toContain('of which the start is kept');
    expect(shown).toContain('There is no curl command for it: The journal does not have the whole body.');
  });

  it('shows the response, and links to the payment and its page', async () => {
    const { send, page, text } = mockPages();
    await send(pay('ORDER-1'));
    await send(receipt());
    const shown = await text('/_mock/ui/requests/1');
    expect(shown).toContain(
      'Response HTTP 200 content-type application/json; charset=utf-8 Body { "merchantId"',
    );
    expect(shown).toContain('"resultMsg": "The payment was created."');
    expect(shown).toContain('Payment ORDER-1 pending Payment page');
    expect(await page('/_mock/ui/requests/1')).toContain('href="/_mock/ui/payments/00000001"');
    expect(await page('/_mock/ui/requests/1')).toContain('href="/pay/00000001"');
    expect(await page('/_mock/ui/requests/2')).toContain('href="/_mock/ui/contracts/CONTRACT-1"');
  });

  it.each([
    ['connection-reset', 'nothing: the connection was reset'],
    ['empty-response', 'nothing: the connection was closed'],
    ['hang', 'nothing: the connection stays open'],
    ['stalled-body', 'the first half of the body, and then nothing'],
    ['truncated-body', 'the first half of the body, and then the end of the connection'],
    ['invalid-json', 'the first half of the JSON, as a complete response'],
    ['html-502', "a gateway's HTML page, with status 502"],
  ] as const)('shows an answer lost to %s as lost, with what it was', async (fault, got) => {
    const { mock, send, page, text } = mockPages();
    mock.injectFault('initiatePayment', fault, { phase: 'after' });
    mock.injectFault('initiatePayment', fault);
    const lost = send(pay('ORDER-1')).catch(() => undefined);
    const refused = send(pay('ORDER-2')).catch(() => undefined);
    await mock.journal.waitFor({ referenceId: 'ORDER-2' });
    expect(await page('/_mock')).not.toContain('badge good');
    expect(await text('/_mock')).toContain('answer lost APPROVED fault:');
    const after = await text('/_mock/ui/requests/1');
    expect(after).toContain(`Response, which was lost HTTP 200 The sender got ${got}. The service acted,`);
    expect(after).toContain('"resultStatus": "APPROVED"');
    const before = await text('/_mock/ui/requests/2');
    expect(before).toContain(`Response The sender got ${got}. The service did not act.`);
    expect(before).not.toContain('APPROVED');
    mock.reset();
    await Promise.all([lost, refused]);
  });

  it('does not say that the service acted where a lost answer was a refusal', async () => {
    const { mock, send, text } = mockPages();
    mock.injectFault('initiatePayment', 'html-502', { phase: 'after' });
    await send(initiate(order({ storeId: 'NOT-KNOWN' })));
    expect(await text('/_mock')).not.toContain('answer lost');
    expect(await text('/_mock/ui/requests/1')).toContain(
      'The service did not act, and this is what it answered:',
    );
  });

  it('shows an answer that the sender did not wait for as lost', async () => {
    const released = new AbortController();
    const { mock, text } = mockPages({ delay: () => once(released.signal, 'abort').then(() => undefined) });
    mock.injectFault('initiatePayment', { delayMs: 1 }, { phase: 'after' });
    const { path, init } = initiate();
    const gone = new AbortController();
    const sent = mock.fetch(`https://sandbox.example${path}`, { ...init, signal: gone.signal });
    await expect.poll(() => mock.payments.all().length).toBe(1);
    gone.abort();
    await expect(sent).rejects.toThrow('aborted');
    released.abort();
    await expect.poll(() => mock.journal.get(1)?.answer).toBe('abandoned');
    expect(await text('/_mock')).toContain('answer lost APPROVED');
  });

  it('names every mistake in a wrong signature, and how to fix it', async () => {
    const { mock, send, page, text } = mockPages();
    const { path, init } = initiate(JSON.stringify(order()));
    const headers = { ...init.headers, Signature: (init.headers['Signature'] ?? '').toUpperCase() };
    await send({ path, init: { ...init, headers, body: JSON.stringify(order(), null, 1) } });
    const { cause = '', fix = '' } = mock.journal.get(1)?.diagnosis ?? {};
    const ingredients = cause.split(' + ');
    expect(ingredients.length).toBeGreaterThan(1);
    for (const ingredient of ingredients)
      expect(await page('/_mock/ui/requests/1')).toContain(
        `<span class="badge bad"><code>${ingredient}</code></span>`,
      );
    expect(await page('/_mock')).toContain('<span class="badge bad">diagnosis</span>');
    const shown = await text('/_mock/ui/requests/1');
    expect(shown).toContain(`How to fix it ${fix}`);
    expect(shown).toContain('The body you sent, and what you signed');
  });

  it('folds text that is far from the first difference', async () => {
    const { send, page } = mockPages();
    const long = order({ extraData: 'x'.repeat(400), description: 'a' });
    const { path, init } = initiate(JSON.stringify({ ...long, end: { a: 'y'.repeat(1000) } }));
    const sent = JSON.stringify({ ...long, end: { a: 'y'.repeat(1000) } }).replace('"end":{', '"end": {');
    await send({ path, init: { ...init, body: sent } });
    const shown = await page('/_mock/ui/requests/1');
    expect(shown).toMatch(/<details><summary>Equal start: \d+ characters<\/summary>/);
    expect(shown).toMatch(/<details><summary>The rest: \d+ characters<\/summary>/);
  });

  it.each([{}, { absentFields: 'omit' }] as const)(
    'has a checklist and the exact bytes where nothing explains a signature (wire %j)',
    async (wire) => {
      const { send, page, text } = mockPages({ wire });
      const body = JSON.stringify(order(), null, 1).replaceAll('\n', '\r\n');
      await send(initiate(body, { headers: { Signature: 'none' } }));
      await send(upload({ signature: 'none' }));
      const shown = await page('/_mock/ui/requests/1');
      expect(/<ol class="checks">.*?<\/ol>/s.exec(shown)?.[0].match(/<li>/g)).toHaveLength(3);
      expect(shown).not.toContain('How to fix it');
      const [, exact = ''] = /<code id="to-sign">(.*?)<\/code>/s.exec(shown) ?? [];
      expect(exact).toContain('{&#13;\n');
      const canonical = `merchantId=DEMO-MERCHANT&referenceId=ORDER:2026-0001${'absentFields' in wire ? ' ' : '&paymentTransId=&storeId=&'}`;
      expect(await text('/_mock/ui/requests/2')).toMatch(
        new RegExp(`The exact bytes to sign \\(\\d+\\) Copy the bytes ${canonical}`),
      );
      await send(
        initiate(JSON.stringify(order({ extraData: 'x'.repeat(20_000) })), {
          headers: { Signature: 'none' },
        }),
      );
      expect(await text('/_mock/ui/requests/3')).toContain(
        'The journal does not have the whole text to sign.',
      );
    },
  );

  it('says whether the service acted before a fault', async () => {
    const { mock, send, text } = mockPages();
    mock.injectFault('initiatePayment', 'html-502', { phase: 'after' });
    mock.injectFault('initiatePayment', 'html-502');
    await send(pay('ORDER-1'));
    await send(pay('ORDER-2'));
    expect(await text('/_mock/ui/requests/1')).toContain('Fault html-502, after the service acted');
    expect(await text('/_mock/ui/requests/2')).toContain('Fault html-502, before the service acted');
  });

  it('links to the newer and the older request while they are kept', async () => {
    const { send, page } = mockPages();
    await send(pay('ORDER-1'));
    await send(pay('ORDER-2'));
    expect(await page('/_mock/ui/requests/1')).toContain('href="/_mock/ui/requests/2" rel="prev"');
    expect(await page('/_mock/ui/requests/1')).not.toContain('rel="next"');
    expect(await page('/_mock/ui/requests/2')).toContain('href="/_mock/ui/requests/1" rel="next"');
  });

  it('is a 404 for a request that is not kept', async () => {
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
      /<span class="expected">\{<mark class="first">¶<\/mark><mark class="different">·<\/mark>&quot;merc/,
    );
    expect(shown).toMatch(
      /<span class="received">\{<mark class="first gap"> <\/mark><mark class="gap"> <\/mark>&quot;merc/,
    );
    expect(await text('/_mock/ui/requests/1')).toContain('first difference at byte 1');
  });

  it('shows invisible characters', async () => {
    const { send, page } = mockPages();
    await send(initiate());
    const composed = { description: 'Hoá \u200b đơn' };
    const decomposed = { description: composed.description.normalize('NFD') };
    const signature = upload({ fields: decomposed }).init.headers['Signature'] ?? '';
    await send(upload({ fields: composed, signature }));
    const shown = await page('/_mock/ui/requests/2');
    expect(shown).toContain('<code>unicode-normalised</code');
    expect(shown).toContain('<mark class="first">á</mark>');
    expect(shown).toContain('<mark class="different">\u00a0\u0301</mark>');
    expect(shown).toContain('¤');
  });

  it.each(['\u202e', '\u2066', '\u200b', '\u2028', '\u2029', '\u0085'])(
    'shows %j as a sign where texts are compared',
    async (character) => {
      const { send, page } = mockPages();
      await send(initiate());
      const composed = { description: `Hoá ${character} đơn` };
      const decomposed = { description: composed.description.normalize('NFD') };
      const signature = upload({ fields: decomposed }).init.headers['Signature'] ?? '';
      await send(upload({ fields: composed, signature }));
      const cells =
        (await page('/_mock/ui/requests/2')).match(/<span class="cell">.*?<\/span><\/span>/gs)?.join('') ??
        '';
      expect(cells).toContain('¤');
      expect(cells).not.toContain(character);
    },
  );

  it('shows a request without a body or operation', async () => {
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
      /<span class="received"><mark class="first">n<\/mark><mark class="different">ot/,
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
