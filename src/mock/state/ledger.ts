import { add, compare, decimalOf, subtract, toNumber, type Decimal } from '../../protocol/decimal.js';
import type { RepaymentTransactionWire } from '../../protocol/lender-types.js';
import { allocationOf, type AllocationRecord } from './allocations.js';
import { bankSequenceOf, type ReceiptRecord } from './receipts.js';

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
   * - `bank_sequence_differs`: the receipt and an allocation of it have different values of
   *   `bankTransactionSequenceId`, which links the two (specification: Events).
   */
  readonly kind:
    'allocation_without_receipt' | 'over_allocated' | 'allocated_then_reversed' | 'bank_sequence_differs';
  /** The code of the receipt. */
  readonly lenderTransactionCode: string;
  /** In VND; 0 where there is no receipt. */
  readonly received: number;
  /** In VND. */
  readonly allocated: number;
}

/** The money of one contract in VND. Sums are exact decimals; each number is the nearest finite one to its sum. */
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

const zero = decimalOf(0);

/** The finite number nearest to a sum: JSON has no Infinity. */
function finite(sum: Decimal): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, toNumber(sum)));
}

interface Sums extends Record<keyof AllocatedAmounts, Decimal> {
  readonly count: number;
  readonly installmentId: string | undefined;
}

const noSums: Sums = {
  principal: zero,
  serviceFee: zero,
  penalty: zero,
  total: zero,
  count: 0,
  installmentId: undefined,
};

function added(sums: Sums, allocated: RepaymentTransactionWire): Sums {
  return {
    principal: add(sums.principal, decimalOf(allocated.allocatedPrincipal ?? 0)),
    serviceFee: add(sums.serviceFee, decimalOf(allocated.allocatedServiceFee ?? 0)),
    penalty: add(sums.penalty, decimalOf(allocated.allocatedPenalty ?? 0)),
    total: add(sums.total, decimalOf(allocated.allocatedTotal)),
    count: sums.count + 1,
    installmentId: allocated.installmentId ?? sums.installmentId,
  };
}

function amountsOf({ principal, serviceFee, penalty, total }: Sums): AllocatedAmounts {
  return {
    principal: finite(principal),
    serviceFee: finite(serviceFee),
    penalty: finite(penalty),
    total: finite(total),
  };
}

function sumOf(receipts: readonly ReceiptRecord[]): Decimal {
  return receipts.map((receipt) => decimalOf(receipt.receivedAmount)).reduce(add, zero);
}

/** The sums of a contract's notifications, in whatever order they arrived. */
export function ledgerOf(
  contractNumber: string,
  receipts: readonly ReceiptRecord[],
  allocations: readonly AllocationRecord[],
): Ledger {
  let all = noSums;
  const byInstallment = new Map<number, Sums>();
  const byCode = new Map<string, Sums>();
  const bankSequences: BankSequences = new Map();
  for (const allocation of allocations) {
    for (const transaction of allocationOf(allocation).repaymentTransactions) {
      const { installmentNumber, lenderTransactionCode, bankTransactionSequenceId } = transaction;
      all = added(all, transaction);
      byInstallment.set(
        installmentNumber,
        added(byInstallment.get(installmentNumber) ?? noSums, transaction),
      );
      byCode.set(lenderTransactionCode, added(byCode.get(lenderTransactionCode) ?? noSums, transaction));
      if (bankTransactionSequenceId) {
        const known = bankSequences.get(lenderTransactionCode) ?? new Set();
        bankSequences.set(lenderTransactionCode, known.add(bankTransactionSequenceId));
      }
    }
  }
  const received = sumOf(receipts);
  const reversed = sumOf(receipts.filter((receipt) => receipt.reversedAt !== undefined));
  return {
    contractNumber,
    received: finite(received),
    reversed: finite(reversed),
    allocated: amountsOf(all),
    unallocated: finite(subtract(subtract(received, reversed), all.total)),
    installments: [...byInstallment].sort(([a], [b]) => a - b).map(installmentOf),
    discrepancies: discrepanciesOf(receipts, byCode, bankSequences),
  };
}

function installmentOf([installmentNumber, sums]: [number, Sums]): LedgerInstallment {
  const { installmentId, count } = sums;
  return {
    installmentNumber,
    ...(installmentId !== undefined && { installmentId }),
    ...amountsOf(sums),
    allocations: count,
  };
}

/** The `bankTransactionSequenceId`s of the allocations of each code. */
type BankSequences = Map<string, Set<string>>;

function discrepanciesOf(
  receipts: readonly ReceiptRecord[],
  byCode: ReadonlyMap<string, Sums>,
  bankSequences: BankSequences,
): LedgerDiscrepancy[] {
  const known = new Map(receipts.map((receipt) => [receipt.lenderTransactionCode, receipt]));
  return [...byCode].flatMap(([lenderTransactionCode, { total }]): LedgerDiscrepancy[] => {
    const receipt = known.get(lenderTransactionCode);
    const amount = decimalOf(receipt?.receivedAmount ?? 0);
    const facts = { lenderTransactionCode, received: finite(amount), allocated: finite(total) };
    if (!receipt) return [{ kind: 'allocation_without_receipt', ...facts }];
    const found: LedgerDiscrepancy[] = [];
    if (compare(total, amount) > 0) found.push({ kind: 'over_allocated', ...facts });
    if (receipt.reversedAt !== undefined && total.units > 0n) {
      found.push({ kind: 'allocated_then_reversed', ...facts });
    }
    const own = bankSequenceOf(receipt);
    const others = [...(bankSequences.get(lenderTransactionCode) ?? [])].filter((id) => id !== own);
    if (own !== undefined && others.length > 0) {
      found.push({ kind: 'bank_sequence_differs', ...facts });
    }
    return found;
  });
}
