import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { describe, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { createWebhookHandler, verifyWebhook, type WebhookHandler } from '../../src/entries/webhooks.js';

const secretKey = 'demo-secret';

describe('webhooks', () => {
  test('an event is unknown until a schema says what it is', () => {
    expectTypeOf(verifyWebhook({ body: '', signature: '' }, { secretKey })).toBeUnknown();
    createWebhookHandler({
      secretKey,
      onEvent: (event) => {
        expectTypeOf(event).toBeUnknown();
      },
    });
    // @ts-expect-error an annotation is not a check
    createWebhookHandler({ secretKey, onEvent: (_event: { orderId: string }) => undefined });
  });

  test('an event has the type that the caller names, with and without a schema', () => {
    createWebhookHandler<{ orderId: string }>({
      secretKey,
      onEvent: (event) => {
        expectTypeOf(event).toEqualTypeOf<{ orderId: string }>();
      },
    });
    // @ts-expect-error the schema makes something else
    createWebhookHandler<{ orderId: string }>({ secretKey, schema: z.string(), onEvent: () => undefined });
  });

  test('a secret key may be found for each request', () => {
    const keys = new Map([['/shops/1', 'secret-1']]);
    createWebhookHandler({ secretKey: ({ url }) => keys.get(url), onEvent: () => undefined });
    createWebhookHandler({
      secretKey: ({ headers }) => Promise.resolve([headers.get('X-Shop') ?? '']),
      onEvent: () => undefined,
    });
  });

  test('a function may replace the signature, and an acknowledgement may be returned', () => {
    createWebhookHandler({
      verify: ({ headers }) => headers.get('authorization') === 'Bearer token',
      onEvent: () => ({ status: 200, body: 'OK' }),
    });
  });

  test('a schema types the event by what it makes of it', () => {
    createWebhookHandler({
      secretKey,
      schema: z.object({ paidAt: z.coerce.date() }),
      onEvent: (event) => {
        expectTypeOf(event).toEqualTypeOf<{ paidAt: Date }>();
      },
    });
    createWebhookHandler({
      secretKey,
      schema: v.object({ state: v.picklist(['paid', 'declined']) }),
      onEvent: (event) => {
        expectTypeOf(event).toEqualTypeOf<{ state: 'paid' | 'declined' }>();
      },
    });
  });

  test('the handler fits the servers that it is for', () => {
    type Node = WebhookHandler['node'];
    expectTypeOf<Node>().toExtend<RequestHandler>();
    expectTypeOf<Node>().toExtend<(request: IncomingMessage, response: ServerResponse) => unknown>();
    expectTypeOf<Node>().toExtend<(request: FastifyRequest['raw'], reply: FastifyReply['raw']) => unknown>();
    expectTypeOf<WebhookHandler['fetch']>().toExtend<(request: Request) => Promise<Response>>();
  });
});
