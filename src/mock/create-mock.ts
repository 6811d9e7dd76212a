import { setTimeout as timer } from 'node:timers/promises';
import { WorkPool } from './diagnosis/work-pool.js';
import { ConfigurationError } from '../errors/errors.js';
import { wireSwitchesSchema, type WireSwitches } from '../protocol/wire-switches.js';
import { createFetch } from './adapters/in-process.js';
import { listen } from './adapters/node.js';
import { Script } from './controls/script.js';
import { createRoutes, isPageRequest, servePage } from './routes.js';
import type { Delivery, IncomingRequest } from './service/delivery.js';
import { serve } from './service/dispatch.js';
import { DEMO_MERCHANT, registerMerchants } from './service/merchants.js';
import type { MockContext } from './service/request-context.js';
import { Changes } from './state/changes.js';
import { InvoiceStore } from './state/invoices.js';
import { Journal } from './state/journal.js';
import { LenderStore } from './state/lender-store.js';
import { PaymentStore } from './state/payments.js';
import type { MockDelay, MockOptions, MockService } from './types.js';

const defaultLimits = { journalLimit: 500, paymentLimit: 5000, notificationLimit: 100_000 } as const;

const systemDelay: MockDelay = (milliseconds, signal) => timer(milliseconds, undefined, { signal });

function limitOf(options: MockOptions, name: keyof typeof defaultLimits): number {
  const limit = options[name] ?? defaultLimits[name];
  if (Number.isSafeInteger(limit) && limit > 0) return limit;
  throw new ConfigurationError(name, 'must be an integer greater than 0');
}

function resolvedSwitches(wire: WireSwitches | undefined) {
  const parsed = wireSwitchesSchema.safeParse(wire);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ConfigurationError(['wire', ...(issue?.path ?? [])].join('.'), issue?.message ?? 'is wrong');
}

function uploadsOf({ uploads = 'paid' }: MockOptions): MockContext['uploads'] {
  if (['paid', 'any'].includes(uploads)) return uploads;
  throw new ConfigurationError('uploads', "must be 'paid' or 'any'");
}

/**
 * Creates a mock of the whole service.
 *
 * @example
 * ```ts
 * import { InstallmentClient } from 'installment-payments';
 * import { createMockService, samplePaymentRequest } from 'installment-payments/mock';
 *
 * const mock = createMockService();
 * const client = new InstallmentClient(mock.clientOptions());
 * const { paymentUrl } = await client.initiatePayment(samplePaymentRequest({ referenceId: 'ORDER-1' }));
 * ```
 * @throws ConfigurationError for an invalid option.
 */
export function createMockService(options: MockOptions = {}): MockService {
  const { merchants = [DEMO_MERCHANT], now = () => new Date(), lender = {}, wire = {} } = options;
  const changes = new Changes();
  const merchantIds = [...new Set(merchants.map(({ merchantId }) => merchantId))];
  const registered = registerMerchants(merchants);
  const payments = new PaymentStore(merchantIds, limitOf(options, 'paymentLimit'), now, changes);
  const context: MockContext = {
    merchants: registered,
    payments,
    invoices: new InvoiceStore(payments, now, changes),
    notifications: new LenderStore(limitOf(options, 'notificationLimit'), now, changes),
    script: new Script(changes),
    journal: new Journal(limitOf(options, 'journalLimit'), now, changes),
    lender,
    wire: resolvedSwitches(wire),
    workPool: new WorkPool(),
    uploads: uploadsOf(options),
    now,
    delay: options.delay ?? systemDelay,
  };
  const { invoices, notifications, script, journal } = context;
  let lifetime = new AbortController();

  const deliver = (request: IncomingRequest): Promise<Delivery> =>
    isPageRequest(request) ? servePage(routes, request) : serve(request, context, lifetime.signal);

  const mock: MockService = {
    fetch: createFetch(deliver),
    clientOptions() {
      const [first] = registered.values();
      if (!first) throw new ConfigurationError('merchants', 'must not be empty');
      const { clientId, secretKey, merchantId, storeIds } = first;
      return {
        baseUrl: 'https://mock.example',
        fetch: mock.fetch,
        clientId,
        secretKey,
        merchantId,
        ...(storeIds[0] !== undefined && { storeId: storeIds[0] }),
        platformId: 'WEBSHOP',
        wire,
      };
    },
    listen: (at) => listen(deliver, at),
    payments,
    invoices,
    receipts: notifications.receipts,
    allocations: notifications.allocations,
    journal,
    ledger: (contractNumber) => notifications.ledger(contractNumber),
    contracts: () => notifications.contractNumbers(),
    settle: (referenceId, status, merchantId) => payments.settle(referenceId, status, merchantId),
    respondWith(operation, answer, when) {
      script.respondWith(operation, answer, when);
    },
    injectFault(operation, fault, when) {
      script.injectFault(operation, fault, when);
    },
    subscribe: (listener) => changes.subscribe(listener),
    reset() {
      for (const part of [payments, invoices, notifications, script, journal]) part.reset();
      const ended = lifetime;
      lifetime = new AbortController();
      ended.abort();
      changes.emit({ kind: 'reset' });
    },
  };
  const routes = createRoutes(mock, {
    now,
    applicationIdField: lender.applicationIdField,
    script,
    journal,
    wire: context.wire,
  });
  return mock;
}
