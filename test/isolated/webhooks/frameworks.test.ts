import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { serve as serveFetch } from '@hono/node-server';
import { Controller, Logger, Module, Post, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import express from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { payments, shop as demo } from '../../../examples/demo-shop.js';
import { webhook as example } from '../../../examples/webhooks/handler.js';
import { WebhookError } from '../../../src/entries/webhooks.js';
import {
  listening,
  recordingHandler,
  secretKey,
  send,
  serve,
  sign,
  type Listening,
} from '../../webhooks/support.js';

process.env['INSTALLMENT_SECRET_KEY'] = secretKey;
process.env['PORT'] = '0';
Logger.overrideLogger(false);

const path = '/webhooks/installments';
const paid = {
  id: 'EVENT-1',
  event: 'payment.settled',
  merchantId: 'DEMO-MERCHANT',
  status: 'paid',
  amount: { value: 12_000_000, currency: 'VND' },
  description: 'đơn hàng 1',
};

/** Stores an order. @returns the reference of its payment */
async function placed(orderId: string): Promise<string> {
  const request = demo.requestOf('ORDER-1');
  if (!request) throw new Error('the demo shop has no order');
  const { referenceId = '' } = await payments.add(orderId, request);
  return referenceId;
}
const serverOf = async (module: Promise<{ readonly server: unknown }>) => (await module).server as Server;

/** The examples, as they stand. */
const recipes: Readonly<Record<string, () => Promise<Server>>> = {
  'node:http': () => serverOf(import('../../../examples/webhooks/node-http.js')),
  'Express 5': () => serverOf(import('../../../examples/webhooks/express.js')),
  'Fastify 5': () => serverOf(import('../../../examples/webhooks/fastify.js')),
  'NestJS 11': () => serverOf(import('../../../examples/webhooks/nest.js')),
  'NestJS 11 on Fastify': () => serverOf(import('../../../examples/webhooks/nest-fastify.js')),
  Hono: () => serverOf(import('../../../examples/webhooks/hono.js')),
  'a Next.js route handler': async () => {
    const { POST } = await import('../../../examples/webhooks/next-route.js');
    return serveFetch({ fetch: POST, port: 0, overrideGlobalObjects: false }) as Server;
  },
};

const warned = vi.spyOn(console, 'warn');
beforeAll(() => void warned.mockReturnValue(undefined));
afterAll(() => {
  warned.mockRestore();
});

test('a signed webhook for another merchant than was requested pays nothing and hides the link', async () => {
  const changes = { referenceId: await placed('ORDER-1'), merchantId: 'ANOTHER' };
  const body = JSON.stringify({ ...paid, ...changes });
  const headers = { signature: sign(body) };

  const response = await example.fetch(new Request('http://shop', { method: 'POST', body, headers }));

  expect(response.status).toBe(204);
  expect(await payments.get('ORDER-1')).toMatchObject({ state: 'checking' });
  expect(await payments.forReview()).toMatchObject([{ orderId: 'ORDER-1', reason: 'mismatch' }]);
});

describe.each(Object.entries(recipes))('the recipe for %s', (name, start) => {
  let shop: Listening;
  let url: string;
  let referenceId: string;
  beforeAll(async () => {
    shop = await listening(await start());
    url = shop.url + path;
    referenceId = await placed(name);
  });
  afterAll(() => shop[Symbol.asyncDispose]());

  const event = (changes: object = {}) => JSON.stringify({ ...paid, referenceId, ...changes }, null, 1);

  test('a signed event is accepted, byte for byte as it was sent', async () => {
    const body = event({ description: `Trả góp ${'ơ'.repeat(20_000)}` });

    expect(await send(url, { body })).toMatchObject({ status: 204, body: '' });
    expect(await payments.get(name)).toMatchObject({ state: 'paid' });
  });

  test('a reference that no order has is answered with 500 and written, so that it may come again', async () => {
    warned.mockClear();

    expect(await send(url, { body: event({ referenceId: 'NOBODYS-1' }) })).toMatchObject({ status: 500 });
    expect(warned).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ name: 'OrderError' }));
  });

  // Nest on Fastify keeps the bytes of JSON alone.
  const contentTypes =
    name === 'NestJS 11 on Fastify'
      ? ['application/json; charset=utf-8']
      : ['application/octet-stream', 'text/plain', null];
  test('an event in chunks, and under another content type, is accepted', async () => {
    for (const contentType of contentTypes) {
      const headers = { 'content-type': contentType, 'content-length': null, 'transfer-encoding': 'chunked' };
      expect(await send(url, { body: event(), headers })).toMatchObject({ status: 204 });
    }
  });

  test('a missing signature is refused, and a body that was changed after signing, in a byte or its white space', async () => {
    const refused = (code: string) => ({ status: 401, body: JSON.stringify({ error: code }) });
    expect(await send(url, { body: event(), headers: { signature: null } })).toMatchObject(
      refused('SIGNATURE_MISSING'),
    );
    const signature = sign(event());
    for (const body of [event().replace('paid', 'Paid'), JSON.stringify(JSON.parse(event()))])
      expect(await send(url, { body, headers: { signature } })).toMatchObject(refused('SIGNATURE_MISMATCH'));
  });

  // Nest reads at most so much into `rawBody`, unless `useBodyParser` says otherwise.
  const limit = name === 'NestJS 11' ? 100 * 1024 : 1024 * 1024;
  test(`a body of exactly ${limit} bytes is accepted, and one byte more is refused`, async () => {
    const padding = limit - Buffer.byteLength(event({ description: '' }));
    const body = event({ description: 'x'.repeat(padding) });

    expect(Buffer.byteLength(body)).toBe(limit);
    expect((await send(url, { body })).status).toBe(204);
    expect((await send(url, { body: `${body} ` })).status).toBe(413);
  });

  // The other recipes have no other routes.
  const others = ['Express 5', 'Fastify 5', 'NestJS 11', 'NestJS 11 on Fastify', 'Hono'].includes(name)
    ? ['/orders']
    : [];
  test.each(others)('the route %s keeps its own parser', async (route) => {
    const { body } = await send(shop.url + route, { body: '{"orderId":"1"}' });
    expect(JSON.parse(body)).toEqual({ orderId: '1' });
  });
});

describe('a body that a framework has parsed', () => {
  const body = '{ "orderId": "1" }';

  async function refused(
    start: (webhook: ReturnType<typeof recordingHandler>) => Promise<Listening>,
  ): Promise<void> {
    const webhook = recordingHandler();
    await using shop = await start(webhook);

    expect(await send(shop.url, { body })).toMatchObject({ status: 500, body: '{"error":"BODY_NOT_RAW"}' });
    const [error] = webhook.errors;
    expect(error).toBeInstanceOf(WebhookError);
    expect(error).toMatchObject({ code: 'BODY_NOT_RAW', status: 500 });
    for (const framework of ['Express', 'Fastify', 'NestJS', 'Next.js']) {
      expect(String(error)).toContain(`${framework}: `);
    }
    expect(webhook.events).toEqual([]);
  }

  test('a body parsed by express.json() is refused, with the recipes', () =>
    refused(({ node }) => serve(express().use(express.json()).post('/', node))));

  test('a body parsed by Fastify is refused', () =>
    refused(async ({ node }) => {
      const app = Fastify();
      app.post('/', (request, reply) => {
        reply.hijack();
        return node(request.raw, reply.raw);
      });
      await app.listen({ port: 0 });
      return listening(app.server);
    }));

  test('a body parsed by NestJS without rawBody is refused', () =>
    refused(async ({ node }) => {
      @Controller()
      class Webhooks {
        @Post()
        receive(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
          return node(request, response);
        }
      }
      @Module({ controllers: [Webhooks] })
      class Shop {}
      const app = await NestFactory.create(Shop);
      await app.listen(0, '127.0.0.1');
      return listening(app.getHttpServer() as Server);
    }));

  test('a body read by a handler before it in Hono is refused', () =>
    refused(({ fetch }) => {
      const app = new Hono().post('/', async ({ req }) => {
        await req.json();
        return fetch(req.raw);
      });
      return listening(serveFetch({ fetch: app.fetch, port: 0, overrideGlobalObjects: false }) as Server);
    }));

  test('a body read from the stream, with no copy kept, is refused and does not hang', () =>
    refused(({ node }) =>
      serve((request, response) => {
        request.resume().on('end', () => void node(request, response));
      }),
    ));
});

test("a reply of a framework in place of Node's response is refused before onEvent, with what to pass", async () => {
  const webhook = recordingHandler();
  const refusals: unknown[] = [];
  const app = Fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, parsed) => {
    parsed(null);
  });
  app.post('/', (request, reply) => webhook.node(request.raw, reply as never));
  app.setErrorHandler((error, _request, reply) => {
    refusals.push(error);
    return reply.code(500).send();
  });
  await app.listen({ port: 0 });
  await using shop = await listening(app.server);

  expect((await send(shop.url, { body: '{}' })).status).toBe(500);
  expect(webhook.events).toEqual([]);
  expect(refusals).toMatchObject([
    { name: 'TypeError', message: expect.stringContaining('pass request.raw and reply.raw') as string },
  ]);
});

describe('raw bytes that a framework has kept', () => {
  const body = '{ "orderId": "1" }';

  test.each([
    ['express.raw()', express.raw({ type: '*/*' })],
    ['express.text()', express.text({ type: '*/*' })],
    [
      'the verify function of express.json()',
      express.json({ verify: (request, _response, bytes) => Object.assign(request, { rawBody: bytes }) }),
    ],
  ])('raw bytes kept by %s are used', async (_name, parser) => {
    const webhook = recordingHandler();
    await using shop = await serve(express().use(parser).post('/', webhook.node));

    expect((await send(shop.url, { body })).status).toBe(204);
    expect((await send(shop.url, { body, headers: { signature: sign('{}') } })).status).toBe(401);
    expect(webhook.events).toEqual([{ orderId: '1' }]);
  });

  test('are preferred to a parsed body', async () => {
    const webhook = recordingHandler();
    await using shop = await serve((request, response) => {
      Object.assign(request, { rawBody: Buffer.from(body), body: '{"orderId":"another"}' });
      void webhook.node(request, response);
    });

    expect((await send(shop.url, { body })).status).toBe(204);
    expect(webhook.events).toEqual([{ orderId: '1' }]);
  });

  const copying = (request: IncomingMessage & { rawBody?: string }) => {
    request.rawBody = '';
    request.on('data', (chunk: Buffer) => (request.rawBody = `${request.rawBody ?? ''}${chunk.toString()}`));
  };

  test.each<readonly [string, (request: IncomingMessage) => unknown]>([
    ['an empty placeholder, as Express 4 leaves one', (request) => Object.assign(request, { body: {} })],
    ['an empty text', (request) => Object.assign(request, { rawBody: '' })],
    ['empty bytes', (request) => Object.assign(request, { rawBody: Buffer.alloc(0) })],
    ['a text that a middleware fills as the body arrives', copying],
  ])('are not taken from %s, beside a stream that was not read', async (_name, prepare) => {
    const webhook = recordingHandler();
    await using shop = await serve((request, response) => {
      prepare(request);
      void webhook.node(request, response);
    });

    expect((await send(shop.url, { body })).status).toBe(204);
    expect(webhook.events).toEqual([{ orderId: '1' }]);
  });

  test('are taken once they are whole, from a middleware that is reading the body', async () => {
    const webhook = recordingHandler();
    await using shop = await serve((request, response) => {
      copying(request);
      request.once('data', () => void webhook.node(request, response));
    });
    const socket = connect(Number(new URL(shop.url).port), '127.0.0.1').setNoDelay();
    const head = `POST / HTTP/1.1\r\nHost: shop\r\nSignature: ${sign(body)}\r\nContent-Length: ${body.length}`;
    socket.write(`${head}\r\n\r\n${body.slice(0, 5)}`);
    await wait(50);
    socket.write(body.slice(5));
    const [data] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();

    expect(data.toString()).toMatch(/^HTTP\/1\.1 204 /);
    expect(webhook.events).toEqual([{ orderId: '1' }]);
  });

  test('are missing, and not empty, if a middleware has read the body and kept none of it', async () => {
    const webhook = recordingHandler();
    await using shop = await serve((request, response) => {
      Object.assign(request, { rawBody: '' });
      request.resume().on('end', () => void webhook.node(request, response));
    });

    expect(await send(shop.url, { body })).toMatchObject({ status: 500, body: '{"error":"BODY_NOT_RAW"}' });
  });

  test('are missing if a middleware has read the beginning of the body and left the rest', async () => {
    const webhook = recordingHandler();
    await using shop = await serve((request, response) => {
      request.once('data', (chunk: Buffer) => {
        request.pause();
        request.unshift(chunk);
        void webhook.node(request, response);
      });
    });

    expect(await send(shop.url, { body })).toMatchObject({ status: 500, body: '{"error":"BODY_NOT_RAW"}' });
  });

  test('are empty for an empty body', async () => {
    const webhook = recordingHandler();
    await using shop = await serve((request, response) => {
      Object.assign(request, { rawBody: '' });
      request.resume().on('end', () => void webhook.node(request, response));
    });

    expect(await send(shop.url, { body: '' })).toMatchObject({ body: '{"error":"BODY_NOT_JSON"}' });
  });
});
