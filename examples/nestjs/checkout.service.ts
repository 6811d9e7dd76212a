import {
  BadRequestException,
  ConflictException,
  Injectable,
  ServiceUnavailableException,
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
      switch (error.code) {
        case 'VALIDATION':
          throw new BadRequestException(error.issues);
        case 'DUPLICATE_REFERENCE_ID':
          throw new ConflictException(
            error.probablyAccepted ? 'most likely paid already' : 'reference is taken',
          );
        default:
          // The payment may exist: the same order may be sent again, another one may not.
          throw new ServiceUnavailableException({ code: error.code, outcome: error.outcome });
      }
    }
  }
}
