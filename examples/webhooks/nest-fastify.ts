/**
 * A webhook with NestJS on Fastify. With `rawBody: true`, Nest keeps the bytes beside the body that it parses.
 *
 *   INSTALLMENT_SECRET_KEY=demo-secret npx tsx examples/webhooks/nest-fastify.ts
 */
import 'reflect-metadata';
import { Body, Controller, Module, Post, Req, Res, type RawBodyRequest } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { webhook } from './handler.js';

@Controller()
class ShopController {
  @Post('webhooks/installments')
  receive(@Req() request: RawBodyRequest<FastifyRequest>, @Res() reply: FastifyReply): Promise<void> {
    reply.hijack(); // the handler responds, not Nest
    return webhook.node(Object.assign(request.raw, { rawBody: request.rawBody }), reply.raw);
  }

  /** The rest of the shop, with Nest's own parsers. */
  @Post('orders')
  order(@Body() order: unknown): unknown {
    return order;
  }
}

@Module({ controllers: [ShopController] })
class ShopModule {}

const app = await NestFactory.create<NestFastifyApplication>(ShopModule, new FastifyAdapter(), {
  rawBody: true,
});
await app.listen(Number(process.env['PORT'] ?? 3000));
export const server = app.getHttpServer();
