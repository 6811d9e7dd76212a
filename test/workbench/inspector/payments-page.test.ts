import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEMO_MERCHANT } from '../../../src/entries/mock.js';
import { recordingServer, type RecordingServer } from '../../helpers/recording-server.js';
import { initiate, order, upload, withHeaders } from '../../helpers/signed-requests.js';
import { mockPages } from './support.js';

let receiver: RecordingServer;
beforeAll(async () => {
  receiver = await recordingServer();
});
afterAll(() => receiver.close());

/** A mock in which the next try of a webhook never begins. */
const delay = (_: number, signal: AbortSignal) =>
  new Promise<void>((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(new Error('Not waited for any longer.'));
    });
  });

const moment = '20/11/2026 10:04:05';

test('payments are listed with their invoices and the buttons that settle them', async () => {
  const { mock, send, text, page } = mockPages({ uploads: 'any' });
  expect(await text('/_mock/ui/payments')).toContain('No payments yet');
  await send(initiate());
  await send(initiate(order({ referenceId: 'ORDER-2' })));
  await send(upload());
  mock.settle('ORDER:2026-0001', 'paid');

  const shown = await text('/_mock/ui/payments');
  expect(shown).toMatch(
    new RegExp(`ORDER-2 12.000.000.₫ pending An Nguyễn ${moment} Open Pay Decline Let it expire`),
  );
  expect(shown).toMatch(new RegExp(`ORDER:2026-0001 12.000.000.₫ paid An Nguyễn ${moment} 1 Open`));
  for (const href of ['/_mock/ui/payments/00000001', '/pay/00000001'])
    expect(await page('/_mock/ui/payments')).toContain(`href="${href}"`);
});

test('a search finds payments by their reference, transaction, merchant and status', async () => {
  const { mock, send, text } = mockPages();
  await send(initiate());
  await send(initiate(order({ referenceId: 'ORDER-2' })));
  mock.settle('ORDER-2', 'declined');
  mock.settle('ORDER:2026-0001', 'paid');
  const found = async (search: string) =>
    [...(await text(`/_mock/ui/payments?search=${search}`)).matchAll(/ (ORDER\S+) 12/g)].map(
      ([, name]) => name,
    );
  expect(await found('')).toEqual(['ORDER-2', 'ORDER:2026-0001']);
  expect(await found('%20order-2')).toEqual(['ORDER-2']);
  expect(await found('pt-00000001')).toEqual(['ORDER:2026-0001']);
  expect(await found('demo-merchant')).toHaveLength(2);
  expect(await found('declined')).toEqual(['ORDER-2']);
  expect(await text('/_mock/ui/payments?search=x-1')).toContain('0 of 2');
});

test('the page of a payment shows its data and invoices, and links to its requests', async () => {
  const { mock, send, text, page, get, post } = mockPages({ uploads: 'any' });
  await send(initiate(order({ transExpiredTime: 1000 })));
  await send(upload({ fields: { invoiceNumber: 'INV-7' } }));
  await send(upload({ fields: { fileUrl: 'https://shop.example/2.pdf' }, file: null }));
  expect(await page('/_mock/ui/payments/00000001')).toContain('Let it expire');
  mock.settle('ORDER:2026-0001', 'paid');

  const shown = await text('/_mock/ui/payments/00000001');
  expect(shown).toContain(`Expires 20/11/2026 10:04:06 Settled ${moment} Transaction PT-00000001`);
  expect(shown).toContain(`INV-00000001 INV-7 invoice.pdf (87 bytes) ${moment}`);
  expect(shown).toContain('https://shop.example/2.pdf');
  const markup = await page('/_mock/ui/payments/00000001');
  expect(markup).not.toContain('Let it expire');
  expect(markup).toContain('href="/_mock?search=ORDER%3A2026-0001"');
  expect((await get('/_mock/ui/payments/00000009')).status).toBe(404);

  expect(markup).toContain('aria-label="Remove: INV-00000001"');
  await post('/_mock/invoices/INV-00000001/remove', {});
  expect(await text('/_mock/ui/payments/00000001')).not.toContain('INV-00000001');
});

test('payments of two merchants with one reference have separate invoices and webhooks', async () => {
  const other = { ...DEMO_MERCHANT, clientId: 'other-client', merchantId: 'OTHER-MERCHANT' };
  // Nothing listens there.
  const webhook = { url: 'http://127.0.0.1:1/hook' };
  const pages = mockPages({ uploads: 'any', merchants: [DEMO_MERCHANT, other], webhook });
  const asOther = { 'Client-Id': other.clientId };
  await pages.send(initiate());
  await pages.send(withHeaders(initiate(order({ merchantId: other.merchantId })), asOther));
  const otherUpload = upload({ fields: { merchantId: other.merchantId, invoiceNumber: 'OTHER-7' } });
  await pages.send(withHeaders(otherUpload, asOther));
  pages.mock.settle('ORDER:2026-0001', 'paid', DEMO_MERCHANT.merchantId);
  pages.mock.settle('ORDER:2026-0001', 'declined', other.merchantId);

  const [own, others] = [
    await pages.text('/_mock/ui/payments/00000001'),
    await pages.text('/_mock/ui/payments/00000002'),
  ];
  const [first, second] = pages.mock.webhooks.all().map(({ id }) => id) as [string, string];
  expect([own.includes(first), own.includes(second), own.includes('OTHER-7')]).toEqual([true, false, false]);
  expect([others.includes(first), others.includes(second), others.includes('OTHER-7')]).toEqual([
    false,
    true,
    true,
  ]);
  pages.mock.reset();
});

test('a webhook is shown with its tries, and can be sent again', async () => {
  receiver.answer({ status: 500 });
  const { mock, send, text, page, post } = mockPages({ delay, webhook: { url: receiver.url } });
  await send(initiate());
  mock.settle('ORDER:2026-0001', 'paid');
  await expect.poll(() => mock.webhooks.all()[0]?.nextTryAt).toBeDefined();
  const [delivery] = mock.webhooks.all();
  const { id = '', headers = {} } = delivery ?? {};
  const path = '/_mock/ui/payments/00000001';
  const shown = await text(path);
  expect(shown).toMatch(
    new RegExp(
      `Webhook ${id} pending Send again Payment ORDER:2026-0001 Sent to ${receiver.url} Created ${moment} Next try`,
    ),
  );
  expect(shown).toMatch(new RegExp(`${moment} HTTP 500 [\\d.]+ ms`));
  expect(shown).toContain('"event": "payment.settled"');
  expect(shown).toContain(headers['Signature']);
  expect(await page('/_mock/ui/payments')).toContain('<span class="badge note">pending</span>');

  receiver.answer({ status: 204 });
  expect((await post(`/_mock/webhooks/${id}/resend`, {})).status).toBe(303);
  await expect.poll(() => mock.webhooks.get(id)?.status).toBe('delivered');
  expect(await text(path)).toContain(`Webhook ${id} delivered`);
  expect((await post('/_mock/webhooks/WH-9/resend', {})).status).toBe(400);
});

test('a webhook for a payment that the mock no longer has is below the payments', async () => {
  const pages = mockPages({ webhook: { url: receiver.url }, paymentLimit: 1 });
  await pages.send(initiate());
  pages.mock.settle('ORDER:2026-0001', 'paid');
  await pages.send(initiate(order({ referenceId: 'ORDER-2' })));
  expect(await pages.text('/_mock/ui/payments')).toMatch(/ORDER-2 .* Webhook WH-00000001/);
});
