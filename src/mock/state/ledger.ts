import { groupBy } from '../../values/group-by.js';
import { add, compare, decimalOf, subtract, toNumber, type Decimal } from '../../values/decimal.js';
import type {
  PaymentReceiptWire,
  RepaymentAllocationWire,
  RepaymentTransactionWire,
} from '../../protocol/lender-types.js';

/** Allocated amounts in VND. */
export interface AllocatedAmounts {
  /** In VND. */
  readonly principal: number;
  /** In VND. */
  readonly serviceFee: number;
  /** In VND. */
  readonly penalty: number;
  /** In VND: the sum of the three. */
  readonly total: number;
}

/** The amounts allocated to one installment. */
export interface LedgerInstallment extends AllocatedAmounts {
  /** Sequence number of the installment. */
  readonly installmentNumber: number;
  /** As last notified. */
  readonly installmentId?: string;
  /** Number of allocations. */
  readonly allocations: number;
}

/** An inconsistency in the notifications of a contract. */
export interface LedgerDiscrepancy {
  /**
   * - `allocation_without_receipt`: no receipt of this contract has the code.
   * - `over_allocated`: more was allocated than was received under the code.
   * - `allocated_then_reversed`: the receipt was reversed, but not its allocations.
   */
  readonly kind: 'allocation_without_receipt' | 'over_allocated' | 'allocated_then_reversed';
  /** The code of the receipt. */
  readonly lenderTransactionCode: string;
  /** In VND; 0 where there is no receipt. */
  readonly received: number;
  /** In VND. */
  readonly allocated: number;
}

/** The money of one contract in VND. Sums are exact decimals; each number is the nearest one to its sum. */
export interface Ledger {
  /** The contract. */
  readonly contractNumber: string;
  /** All receipts, reversed ones included. */
  readonly received: number;
  /** The reversed receipts. */
  readonly reversed: number;
  /** All allocations. */
  readonly allocated: AllocatedAmounts;
  /** received - reversed - allocated; negative when more was allocated than received. */
  readonly unallocated: number;
  /** By installment number. */
  readonly installments: readonly LedgerInstallment[];
  /** Inconsistencies; usually empty. */
  readonly discrepancies: readonly LedgerDiscrepancy[];
}

type Transactions = readonly RepaymentTransactionWire[];

/** The sums of a contract's notifications, in whatever order they arrived. */
export function ledgerOf(
  contractNumber: string,
  receipts: readonly PaymentReceiptWire[],
  allocations: readonly RepaymentAllocationWire[],
): Ledger {
  const transactions = allocations.flatMap(({ repaymentTransactions }) => repaymentTransactions);
  const received = sumOf(receipts.map(({ receivedAmount }) => receivedAmount));
  const reversed = sumOf(receipts.filter(isReversed).map(({ receivedAmount }) => receivedAmount));
  const byInstallment = groupBy(transactions, ({ installmentNumber }) => installmentNumber);
  const byCode = groupBy(transactions, ({ lenderTransactionCode }) => lenderTransactionCode);
  const receiptOf = new Map(receipts.map((receipt) => [receipt.lenderTransactionCode, receipt]));
  return {
    contractNumber,
    received: toNumber(received),
    reversed: toNumber(reversed),
    allocated: amountsOf(transactions),
    unallocated: toNumber(subtract(subtract(received, reversed), totalOf(transactions))),
    installments: [...byInstallment]
      .sort(([a], [b]) => a - b)
      .map(([installmentNumber, own]) => installmentOf(installmentNumber, own)),
    discrepancies: [...byCode].flatMap(([code, own]) => discrepanciesOf(receiptOf.get(code), code, own)),
  };
}

const isReversed = ({ receivedStatus }: PaymentReceiptWire) => receivedStatus === 'REVERSED';

function sumOf(amounts: readonly (number | undefined)[]): Decimal {
  return amounts.map((amount = 0) => decimalOf(amount)).reduce(add, decimalOf(0));
}

function totalOf(transactions: Transactions): Decimal {
  return sumOf(transactions.map(({ allocatedTotal }) => allocatedTotal));
}

function amountsOf(transactions: Transactions): AllocatedAmounts {
  return {
    principal: toNumber(sumOf(transactions.map(({ allocatedPrincipal }) => allocatedPrincipal))),
    serviceFee: toNumber(sumOf(transactions.map(({ allocatedServiceFee }) => allocatedServiceFee))),
    penalty: toNumber(sumOf(transactions.map(({ allocatedPenalty }) => allocatedPenalty))),
    total: toNumber(totalOf(transactions)),
  };
}

function installmentOf(installmentNumber: number, own: Transactions): LedgerInstallment {
  const installmentId = own.findLast((each) => each.installmentId !== undefined)?.installmentId;
  return {
    installmentNumber,
    ...(installmentId !== undefined && { installmentId }),
    ...amountsOf(own),
    allocations: own.length,
  };
}

/** The inconsistencies between a receipt and the allocations under its code. */
function discrepanciesOf(
  receipt: PaymentReceiptWire | undefined,
  lenderTransactionCode: string,
  own: Transactions,
): LedgerDiscrepancy[] {
  const received = sumOf([receipt?.receivedAmount]);
  const allocated = totalOf(own);
  const facts = { lenderTransactionCode, received: toNumber(received), allocated: toNumber(allocated) };
  if (!receipt) return [{ kind: 'allocation_without_receipt', ...facts }];
  const kinds = [
    compare(allocated, received) > 0 && 'over_allocated',
    isReversed(receipt) && allocated.units > 0n && 'allocated_then_reversed',
  ] as const;
  return kinds.flatMap((kind) => (kind ? [{ kind, ...facts }] : []));
}
