import { add, compare, decimalOf, subtract, toNumber, type Decimal } from '../../protocol/decimal.js';
import type { RepaymentTransactionWire } from '../../protocol/lender-types.js';
import { allocationWireOf, type AllocationRecord, type ReceiptRecord } from './notification-records.js';

/** Amounts in VND that were allocated, by what they were allocated to. */
export interface AllocatedAmounts {
  /** In VND. */
  readonly principal: number;
  /** In VND. */
  readonly serviceFee: number;
  /** In VND. */
  readonly penalty: number;
  /** In VND: the three together. */
  readonly total: number;
}

/** What was allocated to one installment. */
export interface LedgerInstallment extends AllocatedAmounts {
  /** Sequence number of the installment. */
  readonly installmentNumber: number;
  /** As last notified. */
  readonly installmentId?: string;
  /** How many allocations make up the amounts. */
  readonly allocations: number;
}

/** Something in a contract's notifications that does not add up. */
export interface LedgerDiscrepancy {
  /**
   * - `allocation_without_receipt`: no receipt of this contract has the code.
   * - `over_allocated`: more was allocated than was received under the code.
   * - `allocated_then_reversed`: the receipt was reversed, but its allocations stand.
   */
  readonly kind: 'allocation_without_receipt' | 'over_allocated' | 'allocated_then_reversed';
  /** The code that does not add up. */
  readonly lenderTransactionCode: string;
  /** In VND; 0 where there is no receipt. */
  readonly received: number;
  /** In VND. */
  readonly allocated: number;
}

/**
 * Where the money of one contract stands, in VND. The sums are exact decimals; each number is the nearest to its sum.
 */
export interface Ledger {
  /** The contract. */
  readonly contractNumber: string;
  /** Everything that was received, reversed or not. */
  readonly received: number;
  /** What was received and then reversed. */
  readonly reversed: number;
  /** What was allocated, over all installments. */
  readonly allocated: AllocatedAmounts;
  /** received - reversed - allocated; negative when more was allocated than there is. */
  readonly unallocated: number;
  /** By installment number. */
  readonly installments: readonly LedgerInstallment[];
  /** What does not add up; empty where all does. */
  readonly discrepancies: readonly LedgerDiscrepancy[];
}

const zero = decimalOf(0);

/** Running sums of allocated parts. */
class Sums {
  principal = zero;
  serviceFee = zero;
  penalty = zero;
  total = zero;
  count = 0;
  installmentId: string | undefined;

  take(transaction: RepaymentTransactionWire): void {
    this.principal = add(this.principal, decimalOf(transaction.allocatedPrincipal ?? 0));
    this.serviceFee = add(this.serviceFee, decimalOf(transaction.allocatedServiceFee ?? 0));
    this.penalty = add(this.penalty, decimalOf(transaction.allocatedPenalty ?? 0));
    this.total = add(this.total, decimalOf(transaction.allocatedTotal));
    this.count += 1;
    this.installmentId = transaction.installmentId ?? this.installmentId;
  }

  amounts(): AllocatedAmounts {
    return {
      principal: toNumber(this.principal),
      serviceFee: toNumber(this.serviceFee),
      penalty: toNumber(this.penalty),
      total: toNumber(this.total),
    };
  }
}

function entryOf<Key>(sums: Map<Key, Sums>, key: Key): Sums {
  const known = sums.get(key);
  if (known) return known;
  const fresh = new Sums();
  sums.set(key, fresh);
  return fresh;
}

function sumOf(receipts: readonly ReceiptRecord[]): Decimal {
  return receipts.map((receipt) => decimalOf(receipt.receivedAmount)).reduce(add, zero);
}

/** Adds a contract's notifications up. The order in which they came makes no difference. */
export function ledgerOf(
  contractNumber: string,
  receipts: readonly ReceiptRecord[],
  allocations: readonly AllocationRecord[],
): Ledger {
  const all = new Sums();
  const byInstallment = new Map<number, Sums>();
  const byCode = new Map<string, Sums>();
  for (const allocation of allocations) {
    for (const transaction of allocationWireOf(allocation).repaymentTransactions) {
      all.take(transaction);
      entryOf(byInstallment, transaction.installmentNumber).take(transaction);
      entryOf(byCode, transaction.lenderTransactionCode).take(transaction);
    }
  }
  const received = sumOf(receipts);
  const reversed = sumOf(receipts.filter((receipt) => receipt.reversedAt !== undefined));
  return {
    contractNumber,
    received: toNumber(received),
    reversed: toNumber(reversed),
    allocated: all.amounts(),
    unallocated: toNumber(subtract(subtract(received, reversed), all.total)),
    installments: [...byInstallment].sort(([a], [b]) => a - b).map(installmentOf),
    discrepancies: discrepanciesOf(receipts, byCode),
  };
}

function installmentOf([installmentNumber, sums]: [number, Sums]): LedgerInstallment {
  const { installmentId, count } = sums;
  return {
    installmentNumber,
    ...(installmentId !== undefined && { installmentId }),
    ...sums.amounts(),
    allocations: count,
  };
}

function discrepanciesOf(
  receipts: readonly ReceiptRecord[],
  byCode: ReadonlyMap<string, Sums>,
): LedgerDiscrepancy[] {
  const known = new Map(receipts.map((receipt) => [receipt.lenderTransactionCode, receipt]));
  return [...byCode].flatMap(([lenderTransactionCode, { total }]): LedgerDiscrepancy[] => {
    const receipt = known.get(lenderTransactionCode);
    const amount = decimalOf(receipt?.receivedAmount ?? 0);
    const facts = { lenderTransactionCode, received: toNumber(amount), allocated: toNumber(total) };
    if (!receipt) return [{ kind: 'allocation_without_receipt', ...facts }];
    const found: LedgerDiscrepancy[] = [];
    if (compare(total, amount) > 0) found.push({ kind: 'over_allocated', ...facts });
    if (receipt.reversedAt !== undefined && total.units > 0n) {
      found.push({ kind: 'allocated_then_reversed', ...facts });
    }
    return found;
  });
}
