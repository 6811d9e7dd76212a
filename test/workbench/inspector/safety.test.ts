import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMockService, type MockServer, type MockService } from '../../../src/entries/mock.js';
import { mockPages } from './support.js';
import { initiate } from '../../helpers/signed-requests.js';

let mock: MockService;
let server: MockServer;

beforeEach(async () => {
  mock = createMockService();
  server = await mock.listen();
  await fetch(`${server.url}/v2/payments`, initiate().init);
});

afterEach(() => server.close());

/** Sends a form as a browser would, with the headers for its origin. */
function ask(
  method: string,
  path: string,
  headers: Record<string, string>,
  body = '',
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const form = method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
    const sent = request(server.url + path, { method, headers: { ...form, ...headers } }, (answer) => {
      answer.resume().on('end', () => {
        resolve(answer.statusCode);
      });
    });
    sent.on('error', reject).end(body);
  });
}

describe('a form', () => {
  const [path, body] = ['/_mock/settle', 'referenceId=ORDER:2026-0001&status=declined'];

  test.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { host: 'evil.example', origin: 'http://evil.example' },
  ])('is refused without an effect if another website sends it: %j', async (headers) => {
    for (const to of [path, '/pay/00000001', '/_mock/reset'])
      expect(await ask('POST', to, headers, `${body}&outcome=declined`)).toBe(403);
    expect(mock.payments.get('ORDER:2026-0001')?.status).toBe('pending');
  });

  test('is accepted if the mock itself sends it', async () => {
    const own = { origin: server.url, 'sec-fetch-site': 'same-origin' };
    expect(await ask('POST', path, { ...own, accept: 'text/html' }, body)).toBe(303);
  });
});

test('every page has its security headers', async () => {
  const { get, post } = mockPages();
  const answers = [
    await get('/_mock'),
    await get('/_mock/ui/requests/9'),
    await get('/_mock/assets/payment.css'),
    await get('/_mock/ui/nowhere'),
    await get('/_mock/payments'),
    await get('/pay/9'),
    await post('/_mock/settle', {}),
  ];
  for (const { headers } of answers) {
    const policy = headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
  }
});

test('no page has an inline script or style', async () => {
  const { page, send } = mockPages();
  await send(initiate());
  for (const path of [
    '/_mock',
    '/_mock/ui/requests/1',
    '/_mock/ui/payments',
    '/_mock/ui/payments/00000001',
    '/_mock/ui/findings',
    '/_mock/ui/lender',
    '/_mock/ui/controls',
    '/pay/00000001',
  ]) {
    const markup = await page(path);
    expect(markup).not.toMatch(/<style|style=|\son\w+=|<script>|javascript:/i);
    expect(markup.match(/<script/g)).toHaveLength(1);
  }
});

test('only the assets are served below their path', async () => {
  const { get } = mockPages();
  const types = {
    'icon.svg': 'image/svg+xml',
    'inspector.css': 'text/css',
    'inspector.js': 'text/javascript',
  };
  for (const [name, type] of Object.entries(types)) {
    expect((await get(`/_mock/assets/${name}`)).headers.get('content-type')).toContain(type);
  }
  for (const name of ['toString', '__proto__', '..%2fx'])
    expect((await get(`/_mock/assets/${name}`)).status).toBe(404);
});
