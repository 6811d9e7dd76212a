/**
 * Installment payments as a module of NestJS, with options that are written down, or that other providers make:
 *
 *   imports: [PaymentsModule.register({ baseUrl: 'https://pay.example' })]
 *
 *   imports: [PaymentsModule.registerAsync({
 *     inject: [ConfigService],
 *     useFactory: (config: ConfigService) => ({ secretKey: config.getOrThrow('INSTALLMENT_SECRET_KEY') }),
 *   })]
 *
 * Options that are left out come from the environment: INSTALLMENT_CLIENT_ID, INSTALLMENT_SECRET_KEY and so on.
 */
import { ConfigurableModuleBuilder, Module } from '@nestjs/common';
import { InstallmentClient, type InstallmentClientOptions } from 'installment-payments';
import { CheckoutService } from './checkout.service.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  new ConfigurableModuleBuilder<InstallmentClientOptions>().build();

@Module({
  providers: [
    {
      // The class is the token: a test replaces it with a client that talks to the mock.
      provide: InstallmentClient,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: (options: InstallmentClientOptions) => new InstallmentClient(options),
    },
    CheckoutService,
  ],
  exports: [InstallmentClient, CheckoutService],
})
export class PaymentsModule extends ConfigurableModuleClass {}
