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

  /**
   * Where to send the customer, or the HTTP error that says why not.
   *
   * @param order - The complete request, as your database has stored it before the first call.
   * @param mayHaveBeenSent - True unless your database says that this is the first call for this reference.
   * examples/start-payment.ts has such a table.
   */
  async checkout(order: PaymentRequest, mayHaveBeenSent: boolean): Promise<string> {
    try {
      const { paymentUrl } = await this.client.initiatePayment(
        order,
        mayHaveBeenSent ? { mayHaveBeenSent } : {},
      );
      return paymentUrl;
    } catch (error) {
      if (!isInstallmentError(error)) throw error;
      const { code, outcome, retryable } = error;
      // The same order may be sent again. After an unknown outcome the payment may exist, so no other one may.
      if (retryable) throw new ServiceUnavailableException({ code, outcome });
      // The same order would not tell either: look the payment up at the service.
      if (outcome === 'unknown') throw new ConflictException({ code, outcome });
      switch (error.code) {
        case 'VALIDATION':
          throw new BadRequestException(error.issues);
        default:
          throw new UnprocessableEntityException({ code });
      }
    }
  }
}
