import { setTimeout as timer } from 'node:timers/promises';
import { ConfigurationError } from '../errors/errors.js';
import { createFetch } from './adapters/in-process.js';
import { listen } from './adapters/node.js';
import { Changes } from './state/changes.js';
import { serve } from './service/dispatch.js';
import type { Delivery, Incoming } from './service/delivery.js';
import { Journal } from './state/journal.js';
import { DEMO_MERCHANT, merchantsByClient } from './service/merchants.js';
import type { MockOptions, MockService } from './types.js';
import type { MockDelay, Parts } from './service/parts.js';
import { createRoutes, isPagePath, servePage } from './routes.js';
import { Script } from './controls/script.js';
import { AllocationStore } from './state/allocations.js';
import { Contracts } from './state/contracts.js';
import { InvoiceStore } from './state/invoices.js';
import { PaymentStore } from './state/payments.js';
import { ReceiptStore } from './state/receipts.js';

const systemDelay: MockDelay = (milliseconds, signal) => timer(milliseconds, undefined, { signal });

function limitOf(option: string, value: number): number {
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new ConfigurationError(option, 'must be a whole number greater than 0');
}

/**
 * Makes a mock of the whole service.
 *
 * @example
 * ```ts
 * import { InstallmentClient } from 'installment-payments';
 * import { createMockService, DEMO_MERCHANT } from 'installment-payments/mock';
 *
 * const mock = createMockService();
 * const { clientId, secretKey, merchantId } = DEMO_MERCHANT;
 * const client = new InstallmentClient({
 *   baseUrl: 'https://sandbox.example',
 *   clientId,
 *   secretKey,
 *   merchantId,
 *   fetch: mock.fetch,
 * });
 * ```
 * @throws ConfigurationError for an option that is wrong.
 */
export function createMockService(options: MockOptions = {}): MockService {
  const { merchants = [DEMO_MERCHANT], now = () => new Date(), delay = systemDelay, lender = {} } = options;
  const changes = new Changes();
  const journal = new Journal(limitOf('journalLimit', options.journalLimit ?? 500), now, changes);
  const script = new Script();
  const known = merchantsByClient(merchants);
  const invoices = new InvoiceStore(now, changes);
  const payments = new PaymentStore(
    [...new Set(merchants.map(({ merchantId }) => merchantId))],
    limitOf('paymentLimit', options.paymentLimit ?? 5000),
    now,
    changes,
    (payment) => {
      invoices.forget(payment);
    },
  );
  const contracts = new Contracts(
    limitOf('notificationLimit', options.notificationLimit ?? 100_000),
    (contract) => {
      for (const receipt of contract.receipts) receipts.forget(receipt);
      for (const allocation of contract.allocations) allocations.forget(allocation);
    },
  );
  const receipts = new ReceiptStore(contracts, now, changes);
  const allocations = new AllocationStore(contracts, now, changes);
  const parts: Parts = {
    merchants: known,
    payments,
    invoices,
    receipts,
    allocations,
    script,
    journal,
    lender,
    now,
    delay,
  };
  let lifetime = new AbortController();

  const deliver = (incoming: Incoming): Promise<Delivery> =>
    isPagePath(incoming.path) ? servePage(routes, incoming) : serve(incoming, parts, lifetime.signal);

  const mock: MockService = {
    fetch: createFetch(deliver),
    listen: (at) => listen(deliver, at),
    payments,
    invoices,
    receipts,
    allocations,
    journal,
    ledger: (contractNumber) => contracts.ledger(contractNumber),
    contracts: () => contracts.numbers(),
    settle: (referenceId, status, merchantId) => payments.settle(referenceId, status, merchantId),
    respondWith(operation, answer, when) {
      script.respondWith(operation, answer, when);
    },
    injectFault(operation, fault, when) {
      script.injectFault(operation, fault, when);
    },
    subscribe: (listener) => changes.subscribe(listener),
    reset() {
      for (const part of [payments, invoices, contracts, receipts, allocations, script, journal])
        part.reset();
      const ended = lifetime;
      lifetime = new AbortController();
      ended.abort();
      changes.emit({ kind: 'reset' });
    },
  };
  const routes = createRoutes(mock, { now, applicationIdField: lender.applicationIdField });
  return mock;
}
