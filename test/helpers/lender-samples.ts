import { LenderClient, type LenderClientOptions } from '../../src/entries/lender.js';
import { instantRuntime, type ManualRuntime } from './runtime.js';

type Changes = Readonly<Record<string, unknown>>;

const common = {
  requestId: '0d9f7c1e-0000-4000-8000-000000000001',
  serviceApplicationId: 'APP-01',
  lenderCode: 'LENDER-01',
  requestingDatetime: '2026-11-20T10:00:00+0700',
} as const;

/** A complete receipt, common fields included. */
export function receipt(changes: Changes = {}) {
  return {
    ...common,
    contractNumber: 'CONTRACT-1',
    lenderTransactionCode: 'LTC-1',
    receivedAmount: 1_500_000,
    receivedDatetime: '2026-11-20T09:59:58+0700',
    receivedStatus: 'SUCCESS' as const,
    ...changes,
  };
}

export function transaction(changes: Changes = {}) {
  return {
    lenderTransactionCode: 'LTC-1',
    allocationDatetime: '2026-11-20T09:59:59+0700',
    installmentNumber: 1,
    allocatedPrincipal: 1_400_000,
    allocatedServiceFee: 100_000,
    ...changes,
  };
}

/** A complete allocation, common fields included. */
export function allocation(changes: Changes = {}) {
  return { ...common, contractNumber: 'CONTRACT-1', repaymentTransactions: [transaction()], ...changes };
}

export function demoLender(
  options: Partial<LenderClientOptions> = {},
  runtime: ManualRuntime = instantRuntime(),
): LenderClient {
  const defaults = {
    baseUrl: 'https://service.example',
    lenderCode: 'LENDER-01',
    serviceApplicationId: 'APP-01',
  };
  return new LenderClient({ ...defaults, ...options }, runtime);
}
