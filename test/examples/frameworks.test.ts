import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { POST, PUT } from '../../examples/next-route.js';

const pdf = new File([await readFile('examples/invoice.pdf')], 'invoice.pdf', { type: 'application/pdf' });

function invoiceForm(): FormData {
  const form = new FormData();
  form.set('invoice', pdf);
  return form;
}

/** The requests of a test to a shop, whatever framework serves it. */
interface Shop {
  checkout(reference: string): Promise<Response>;
  upload(reference: string): Promise<Response>;
}

async function served(load: () => Promise<{ server: unknown }>): Promise<{ url: string; server: Server }> {
  vi.stubEnv('PORT', '0');
  const server = (await load()).server as Server;
  vi.unstubAllEnvs();
  if (!server.listening) await once(server, 'listening');
  return { url: `http://localhost:${String((server.address() as AddressInfo).port)}`, server };
}

const servers: Server[] = [];
const shops: Record<string, Shop> = {};
beforeAll(async () => {
  const fastify = await served(() => import('../../examples/fastify.js'));
  const hono = await served(() => import('../../examples/hono.js'));
  servers.push(fastify.server, hono.server);
  const post = (url: string) => (reference: string) =>
    fetch(`${url}/checkout/${reference}`, { method: 'POST', redirect: 'manual' });
  shops['Fastify'] = {
    checkout: post(fastify.url),
    upload: (reference) => fetch(`${fastify.url}/invoices/${reference}`, { method: 'PUT', body: pdf }),
  };
  shops['Hono'] = {
    checkout: post(hono.url),
    upload: (reference) =>
      fetch(`${hono.url}/invoices/${reference}`, { method: 'POST', body: invoiceForm() }),
  };
  const context = (reference: string) => ({ params: Promise.resolve({ reference }) });
  shops['Next.js'] = {
    checkout: (reference) =>
      POST(new Request('https://shop.example', { method: 'POST' }), context(reference)),
    upload: (reference) =>
      PUT(new Request('https://shop.example', { method: 'PUT', body: invoiceForm() }), context(reference)),
  };
});
afterAll(() => {
  for (const server of servers) server.close();
});

describe.each(['Fastify', 'Hono', 'Next.js'])('the checkout with %s', (name) => {
  const shop = () => {
    const found = shops[name];
    if (!found) throw new Error(`no shop with ${name}`);
    return found;
  };

  test('redirects a valid order to its payment and accepts its invoice', async () => {
    const payment = await shop().checkout('ORDER-1');

    expect(payment.status).toBe(303);
    expect(payment.headers.get('location')).toMatch(/^https:\/\/.+\/pay\//);

    const invoice = await shop().upload('ORDER-1-1');

    expect(invoice.status).toBe(201);
    expect(await invoice.json()).toEqual({ invoiceId: expect.any(String) as string });
  });

  test('explains an invalid order, an unknown order, and an invoice for a payment that does not exist', async () => {
    const bad = await shop().checkout('FREE-OF-CHARGE');

    expect(bad.status).toBe(400);
    expect(await bad.json()).toMatchObject({ error: 'VALIDATION', issues: [{ path: ['amount', 'value'] }] });
    expect((await shop().checkout('NOBODYS')).status).toBe(404);

    const refused = await shop().upload('NOBODYS');

    expect(refused.status).toBe(422);
    expect(await refused.json()).toEqual({ error: 'INVALID_REFERENCE_ID' });
  });
});
