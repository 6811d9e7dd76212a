/**
 * Installment payments as a module of NestJS:
 *
 *   imports: [PaymentsModule.register({ baseUrl: 'https://pay.example' })]
 *
 * What is not registered comes from the environment: INSTALLMENT_CLIENT_ID, INSTALLMENT_SECRET_KEY and so on.
 */
import { Module, type DynamicModule } from '@nestjs/common';
import { InstallmentClient, type InstallmentClientOptions } from 'installment-payments';
import { CheckoutService } from './checkout.service.js';

@Module({})
export class PaymentsModule {
  static register(options: InstallmentClientOptions = {}): DynamicModule {
    return {
      module: PaymentsModule,
      providers: [
        // The class is the token: a test replaces it with a client that talks to the mock.
        { provide: InstallmentClient, useFactory: () => new InstallmentClient(options) },
        CheckoutService,
      ],
      exports: [InstallmentClient, CheckoutService],
    };
  }
}
