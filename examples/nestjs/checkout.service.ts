import {
  BadRequestException,
  ConflictException,
  Injectable,
  ServiceUnavailableException,
  UnprocessableEntityException,
} from '@nestjs/common';
import { InstallmentClient, isInstallmentError, type PaymentRequest } from 'installment-payments';

@Injectable()
export class CheckoutService {
  constructor(private readonly client: InstallmentClient) {}

  /** Where to send the customer, or the HTTP error that says why not. */
  async checkout(order: PaymentRequest): Promise<string> {
    try {
      const { paymentUrl } = await this.client.initiatePayment(order);
      return paymentUrl;
    } catch (error) {
      if (!isInstallmentError(error)) throw error;
      const { code, outcome, retryable } = error;
      // The same order may be sent again; after an unknown outcome the payment may exist, so no other one may.
      if (outcome === 'unknown' || retryable) throw new ServiceUnavailableException({ code, outcome });
      switch (error.code) {
        case 'VALIDATION':
          throw new BadRequestException(error.issues);
        case 'DUPLICATE_REFERENCE_ID':
          throw new ConflictException('the reference belongs to another order');
        default:
          throw new UnprocessableEntityException({ code });
      }
    }
  }
}
