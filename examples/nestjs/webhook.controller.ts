import type { IncomingMessage, ServerResponse } from 'node:http';
import { Controller, Post, Req, Res } from '@nestjs/common';
import { orderEventSchema, OrderPayments } from 'installment-payments/orders';
import { createWebhookHandler, type WebhookHandler } from 'installment-payments/webhooks';

/** The webhook. It needs the raw body: `NestFactory.create(AppModule, { rawBody: true })`. */
@Controller()
export class WebhookController {
  private readonly webhook: WebhookHandler;

  constructor(payments: OrderPayments) {
    this.webhook = createWebhookHandler({
      schema: orderEventSchema, // in production, the schema from your provider's documentation
      onEvent: async (event) => {
        // For `onPaid: 'firstPaid'`: call handleEvent(event, { query }) in your transaction, and ship there if `firstPaid` is true.
        await payments.handleEvent(event);
      },
    });
  }

  @Post('webhooks/installments')
  receive(@Req() request: IncomingMessage, @Res() response: ServerResponse): Promise<void> {
    return this.webhook.node(request, response);
  }
}
