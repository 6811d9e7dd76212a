import { Hono } from 'hono/tiny';
import { expect, test } from 'vitest';
import { guard, type RouteBindings } from '../../../src/mock/controls/guard.js';

/** The status of a request with this Host, to a mock that listens on a host. */
async function statusFor(
  host: string | undefined,
  boundHost: string | undefined,
  options: Partial<Parameters<typeof guard>[0]> = {},
): Promise<number> {
  const app = new Hono<{ Bindings: RouteBindings }>();
  app.use(guard({ allowedHosts: [], ...options })).get('/', ({ text }) => text('inside'));
  const headers = host === undefined ? {} : { host };
  const bindings = { baseUrl: 'http://mock', boundHost };
  return (await app.request('http://mock/', { headers }, bindings)).status;
}

test.each(['build-machine', 'BUILD-machine:4010'])(
  'the name that the mock listens on is accepted in any case: %s',
  async (host) => {
    expect(await statusFor(host, 'Build-Machine')).toBe(200);
  },
);

test.each(['build-machine.example', 'a.build-machine', '1[27.0.0.1]', '[127.0.0.]1', '', undefined])(
  'another name, or a part of an address in brackets, is refused: %s',
  async (host) => {
    expect(await statusFor(host, 'Build-Machine')).toBe(403);
  },
);

test('without a socket nobody else can call the mock, and every name passes', async () => {
  expect(await statusFor('evil.example', undefined)).toBe(200);
});

test('the names of the options and the name of the public address are accepted', async () => {
  const options = { allowedHosts: ['shop'], publicUrl: 'https://pay.example/base' };
  const statuses = ['shop', 'pay.example', 'other.example'].map((host) =>
    statusFor(host, '0.0.0.0', options),
  );

  expect(await Promise.all(statuses)).toEqual([200, 200, 403]);
});
