/**
 * Installment payments as a NestJS module, with fixed options, or with options from other providers:
 *
 *   imports: [PaymentsModule.registerAsync({
 *     inject: [DataSource],
 *     useFactory: (database: DataSource) => ({
 *       client: new InstallmentClient(), // from INSTALLMENT_BASE_URL, INSTALLMENT_CLIENT_ID and so on
 *       dialect: 'postgres',
 *       query: (sql, values) => database.query(sql, [...values]),
 *       onPaid: ({ orderId }) => warehouse.ship(orderId),
 *     }),
 *   })]
 *
 * If `onPaid` calls `payments.addInvoice`, inject `ModuleRef`, and call `moduleRef.get(OrderPayments, { strict: false })` in
 * `onPaid`: `OrderPayments` does not exist yet when `useFactory` runs. Call `app.enableShutdownHooks()` in `main.ts`, so that
 * SIGTERM stops the timer.
 */
import {
  ConfigurableModuleBuilder,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { createOrderPayments, OrderPayments, type OrderPaymentsOptions } from 'installment-payments/orders';
import { CheckoutService } from './checkout.service.js';
import { WebhookController } from './webhook.controller.js';

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  new ConfigurableModuleBuilder<OrderPaymentsOptions>().build();

@Module({
  controllers: [WebhookController],
  providers: [
    // The class is the injection token.
    { provide: OrderPayments, inject: [MODULE_OPTIONS_TOKEN], useFactory: createOrderPayments },
    CheckoutService,
  ],
  exports: [OrderPayments, CheckoutService],
})
export class PaymentsModule
  extends ConfigurableModuleClass
  implements OnApplicationBootstrap, OnApplicationShutdown
{
  private timer?: NodeJS.Timeout;

  constructor(private readonly payments: OrderPayments) {
    super();
  }

  onApplicationBootstrap(): void {
    const logger = new Logger(PaymentsModule.name);
    const sweep = () => this.payments.sweep().catch((error: unknown) => logger.error(error));
    this.timer = setInterval(() => void sweep(), Number(process.env['SWEEP_EVERY_MS'] ?? 60_000)); // 1000 in a rehearsal
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }
}
