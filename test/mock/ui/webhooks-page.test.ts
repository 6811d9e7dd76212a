import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mockPages } from './support.js';
import { initiate } from '../../helpers/signed-requests.js';

const patience = { timeout: 10_000 };
let status = 500;
const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(status).end());
});

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
});

afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

it('webhooks are listed with what became of them, and one can be sent again', async () => {
  const { port } = receiver.address() as AddressInfo;
  // The next try never comes by itself.
  const delay = (_: number, signal: AbortSignal) =>
    new Promise<void>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('Not waited for any longer.')));
    });
  const pages = mockPages({ delay, webhook: { url: `http://127.0.0.1:${String(port)}/hook` } });
  const { mock, send, text, page, post, get } = pages;
  expect(await text('/_mock/ui/webhooks')).toContain('No webhooks yet');
  await send(initiate());
  mock.settle('ORDER:2026-0001', 'paid');
  await expect.poll(() => mock.webhooks.all()[0]?.nextTryAt, patience).toBeDefined();
  const [delivery] = mock.webhooks.all();
  const { id = '', headers = {} } = delivery ?? {};
  expect(await text('/_mock/ui/webhooks')).toMatch(
    new RegExp(`${id} ORDER:2026-0001 pending 20/11/2026 10:04:05 1 HTTP 500 20/11/2026 10:04:06 Resend`),
  );
  const shown = await text(`/_mock/ui/webhooks/${id}`);
  expect(shown).toContain(`Sent to http://127.0.0.1:${String(port)}/hook`);
  expect(shown).toContain('"event": "payment.settled"');
  expect(shown).toContain(headers['Signature']);
  expect(shown).toMatch(/20\/11\/2026 10:04:05 HTTP 500 \d+ ms/);
  expect(await page('/_mock/ui/payments/00000001')).toContain(`href="/_mock/ui/webhooks/${id}"`);

  status = 204;
  const answer = await post('/_mock/ui/resend', { id });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/_mock/ui/webhooks/${id}`]);
  await expect.poll(() => mock.webhooks.get(id)?.status, patience).toBe('delivered');
  expect(await text(`/_mock/ui/webhooks/${id}`)).toContain('delivered');
  for (const missing of ['WH-9', '', '../x'])
    expect((await post('/_mock/ui/resend', { id: missing })).status).toBe(404);
  expect((await get('/_mock/ui/webhooks/WH-9')).status).toBe(404);
});
