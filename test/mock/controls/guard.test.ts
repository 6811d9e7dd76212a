import { Hono } from 'hono/tiny';
import { describe, expect, test } from 'vitest';
import { guard } from '../../../src/mock/controls/guard.js';
import type { RouteBindings } from '../../../src/mock/ui/routes.js';

type Headers = Readonly<Record<string, string>>;

const options = { publicUrl: 'https://pay.example:8443/base', allowedHosts: ['shop', 'Shop_Mock.test'] };

/** The status of a control's response to these headers, from a mock that listens on a host. */
async function statusFor(
  headers: Headers,
  method = 'GET',
  server: { readonly boundHost?: string } = { boundHost: 'Build-Machine' },
): Promise<number> {
  const app = new Hono<{ Bindings: RouteBindings }>();
  app.use(guard(options)).all('/', ({ text }) => text('inside'));
  const request = new Request('http://mock/', { method, headers });
  return (await app.fetch(request, { baseUrl: 'http://mock', ...server })).status;
}

describe('a Host header', () => {
  test.each([
    ...['localhost', 'mock.localhost:80', '[::1]:4010', '192.168.1.7:4010', '127.0.0.1'],
    ...['build-machine', 'BUILD-machine:4010'],
    ...['shop', 'shop:4010', 'SHOP:80', 'shop_mock.test', 'pay.example'],
  ])('is accepted if it is %s', async (host) => {
    expect(await statusFor({ host })).toBe(200);
  });

  test.each([
    ...['evil.example', 'evillocalhost', 'localhost.evil.example', '127.0.0.1.evil.example:4010', ''],
    ...['build-machine.example', 'a.build-machine', '1[27.0.0.1]', '[127.0.0.]1'],
    ...['shop.evil.example', 'shop.', 'shop@evil.example', 'shop:4010@evil', 'shop:x'],
  ])('is refused: %j', async (host) => {
    expect(await statusFor({ host })).toBe(403);
  });

  test('can have any value without a socket, because no other program can reach the mock', async () => {
    expect(await statusFor({ host: 'evil.example' }, 'GET', {})).toBe(200);
  });
});

describe('an Origin header', () => {
  test.each<[string, number]>([
    ['http://shop:4010', 200],
    ['https://pay.example:8443', 200],
    ['http://shop', 403],
    ['https://pay.example', 403],
    ['http://pay.example:8443', 403],
    ['https://evil.example', 403],
    ['http://shop:4010.evil.example', 403],
    ['https://pay.example:8443.evil.example', 403],
    ['null', 403],
  ])('must be the address of the page or the public address: %s, %i', async (origin, status) => {
    expect(await statusFor({ host: 'shop:4010', origin })).toBe(status);
    expect(await statusFor({ host: 'shop:4010', origin }, 'POST')).toBe(status);
  });
});

test('the guard accepts links of other websites, and refuses their forms', async () => {
  const headers = { host: 'localhost', 'sec-fetch-site': 'cross-site' };
  expect(await statusFor(headers)).toBe(200);
  expect(await statusFor(headers, 'POST')).toBe(403);
});
