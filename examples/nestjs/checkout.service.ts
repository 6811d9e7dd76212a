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

  /** Returns the URL for the customer, even if the customer submits twice, or throws the HTTP error with the reason. */
  async checkout(orderId: string, request: OrderRequest): Promise<string> {
    const { state, paymentUrl, error, open } = await this.payments
      .start(orderId, request)
      .catch((reason: unknown) => {
        throw reason instanceof ValidationError ? new BadRequestException(reason.issues) : reason;
      });
    if (paymentUrl !== undefined) return paymentUrl;
    // The service refused the request: we assume that no payment was created. Offer another way to pay.
    if (state === 'refused') throw new UnprocessableEntityException({ state, code: error?.code });
    // The order changed while a payment with its old amount is open. Show until when, and show no link.
    if (state === 'changed') throw new ConflictException({ state, until: open.until });
    // The payment might exist, or the order is paid. Show the order's page, and offer no other way to pay.
    throw new ConflictException({ state });
  }
}
