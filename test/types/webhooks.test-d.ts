import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { RequestHandler } from 'express';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { describe, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { createWebhookHandler, verifyWebhook, type WebhookHandler } from '../../src/webhooks/index.js';

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
    expectTypeOf<Node>().toExtend<(request: Http2ServerRequest, response: Http2ServerResponse) => unknown>();
    expectTypeOf<Node>().toExtend<(request: FastifyRequest['raw'], reply: FastifyReply['raw']) => unknown>();
    expectTypeOf<WebhookHandler['fetch']>().toExtend<(request: Request) => Promise<Response>>();
  });
});
