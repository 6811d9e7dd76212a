import {
  BadRequestException,
  ConflictException,
  Injectable,
  UnprocessableEntityException,
} from '@nestjs/common';
import { OrderPayments, ValidationError, type OrderRequest } from 'installment-payments/orders';

@Injectable()
export class CheckoutService {
  constructor(private readonly payments: OrderPayments) {}

  /** Where to send the customer, also one who submits twice; or the HTTP error that says why not. */
  async checkout(orderId: string, request: OrderRequest): Promise<string> {
    const { state, paymentUrl, error, open } = await this.payments
      .start(orderId, request)
      .catch((reason: unknown) => {
        throw reason instanceof ValidationError ? new BadRequestException(reason.issues) : reason;
      });
    if (paymentUrl !== undefined) return paymentUrl;
    // The service refused the request: we assume that no payment was created. Offer another way to pay.
    if (state === 'refused') throw new UnprocessableEntityException({ state, code: error?.code });
    // The order changed while a payment of its old amount is open: show until when, and no link.
    if (state === 'changed') throw new ConflictException({ state, until: open.until });
    // The payment may exist, or the order is paid: show the order's page, and offer no other way to pay.
    throw new ConflictException({ state });
  }
}
