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
      const { code, outcome } = error;
      // The next step is about the order: invalid input for one that may have been sent before is still to be looked up.
      switch (error.nextStep) {
        // The same order may be sent again. After an unknown outcome the payment may exist, so no other one may.
        case 'call_again':
        case 'repeat':
          throw new ServiceUnavailableException({ code, outcome });
        // The same order would not tell either: look the payment up at the service.
        case 'look_up':
          throw new ConflictException({ code, outcome });
        case 'refused':
          throw new UnprocessableEntityException({ code });
        case 'fix':
          throw error.code === 'VALIDATION' ? new BadRequestException(error.issues) : error;
      }
    }
  }
}
