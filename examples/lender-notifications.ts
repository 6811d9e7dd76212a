/**
 * A lender reports the received amounts and their allocation, and the ledger of the contract adds up.
 *
 *   npx tsx examples/lender-notifications.ts
 */
import { LenderClient } from 'installment-payments/lender';
import { createMockService } from 'installment-payments/mock';

// Prerequisites: a service, and a lender that is registered with it.
const mock = createMockService();
const lender = new LenderClient({
  baseUrl: 'https://mock.example',
  lenderCode: 'LENDER-01',
  serviceApplicationId: 'APP-01',
  fetch: mock.fetch,
});
const contractNumber = 'CONTRACT-1';

// The flow: two payments arrive. The first is reversed, and the second is allocated to two installments. The reversal
// has the code of its receipt. This is assumed, because the specification does not say so.
const receipt = {
  contractNumber,
  receivedDatetime: new Date(),
  receivedStatus: 'SUCCESS',
} as const;
await lender.notifyPaymentReceipt({ ...receipt, lenderTransactionCode: 'LTC-1', receivedAmount: 3_000_000 });
await lender.notifyPaymentReceipt({ ...receipt, lenderTransactionCode: 'LTC-2', receivedAmount: 500_000 });
await lender.notifyPaymentReceipt({
  ...receipt,
  lenderTransactionCode: 'LTC-2',
  receivedAmount: 500_000,
  receivedStatus: 'REVERSED',
  reversalReason: 'The bank took it back',
});
await lender.notifyRepaymentAllocation({
  contractNumber,
  repaymentType: 'NORMAL',
  repaymentTransactions: [
    { installmentNumber: 1, allocatedPrincipal: 1_400_000, allocatedServiceFee: 100_000 },
    {
      installmentNumber: 2,
      allocatedPrincipal: 1_300_000,
      allocatedServiceFee: 100_000,
      allocatedPenalty: 50_000,
    },
  ].map((parts) => ({ ...parts, lenderTransactionCode: 'LTC-1', allocationDatetime: new Date() })),
});

const { installments, discrepancies, ...totals } = mock.ledger(contractNumber);
console.table(installments);
console.log(totals);
console.log(discrepancies.length === 0 ? 'no discrepancies' : discrepancies);
