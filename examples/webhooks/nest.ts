/**
 * A webhook with NestJS. With `rawBody: true`, Nest keeps the bytes beside the body that it parses.
 *
 *   INSTALLMENT_SECRET_KEY=demo-secret npx tsx examples/webhooks/nest.ts
 */
import 'reflect-metadata';
import type { Server } from 'node:http';
import { Body, Controller, Module, Post, Req, Res, type RawBodyRequest } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Request, Response } from 'express';
import { webhook } from './handler.js';

@Controller()
class ShopController {
  @Post('webhooks/installments')
  receive(@Req() request: RawBodyRequest<Request>, @Res() response: Response): Promise<void> {
    return webhook.node(request, response);
  }

  /** The rest of the shop, with Nest's own parsers. */
  @Post('orders')
  order(@Body() order: unknown): unknown {
    return order;
  }
}

@Module({ controllers: [ShopController] })
class ShopModule {}

const app = await NestFactory.create(ShopModule, { rawBody: true });
await app.listen(Number(process.env['PORT'] ?? 3000));
export const server = app.getHttpServer() as Server;
