import { add, compare, decimalOf, subtract, toNumber, type Decimal } from '../../values/decimal.js';
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

/** The finite number nearest to a sum: JSON has no Infinity. */
function finite(sum: Decimal): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, toNumber(sum)));
}

function sumOf<T>(records: readonly T[], amountOf: (record: T) => number | undefined): Decimal {
  return records.map((record) => decimalOf(amountOf(record) ?? 0)).reduce(add, decimalOf(0));
}

type Transactions = readonly RepaymentTransactionWire[];

const totalOf = (transactions: Transactions) => sumOf(transactions, (each) => each.allocatedTotal);
const receivedIn = (receipts: readonly ReceiptRecord[]) => sumOf(receipts, (each) => each.receivedAmount);

function amountsOf(transactions: Transactions): AllocatedAmounts {
  return {
    principal: finite(sumOf(transactions, (each) => each.allocatedPrincipal)),
    serviceFee: finite(sumOf(transactions, (each) => each.allocatedServiceFee)),
    penalty: finite(sumOf(transactions, (each) => each.allocatedPenalty)),
    total: finite(totalOf(transactions)),
  };
}

/** The transactions with each value of a field. */
function groupsBy<Name extends 'installmentNumber' | 'lenderTransactionCode'>(
  name: Name,
  transactions: Transactions,
): [RepaymentTransactionWire[Name], Transactions][] {
  const groups = new Map<RepaymentTransactionWire[Name], RepaymentTransactionWire[]>();
  for (const transaction of transactions) {
    const group = groups.get(transaction[name]);
    if (group) group.push(transaction);
    else groups.set(transaction[name], [transaction]);
  }
  return [...groups];
}

/** The sums of a contract's notifications, in whatever order they arrived. */
export function ledgerOf(
  contractNumber: string,
  receipts: readonly ReceiptRecord[],
  allocations: readonly AllocationRecord[],
): Ledger {
  const transactions = allocations.flatMap((record) => allocationOf(record).repaymentTransactions);
  const received = receivedIn(receipts);
  const reversed = receivedIn(receipts.filter((receipt) => receipt.reversedAt !== undefined));
  const known = new Map(receipts.map((receipt) => [receipt.lenderTransactionCode, receipt]));
  return {
    contractNumber,
    received: finite(received),
    reversed: finite(reversed),
    allocated: amountsOf(transactions),
    unallocated: finite(subtract(subtract(received, reversed), totalOf(transactions))),
    installments: groupsBy('installmentNumber', transactions)
      .sort(([a], [b]) => a - b)
      .map(([installmentNumber, own]) => installmentOf(installmentNumber, own)),
    discrepancies: groupsBy('lenderTransactionCode', transactions).flatMap(([code, own]) =>
      discrepanciesOf(known.get(code), code, own),
    ),
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
  receipt: ReceiptRecord | undefined,
  lenderTransactionCode: string,
  own: Transactions,
): LedgerDiscrepancy[] {
  const received = decimalOf(receipt?.receivedAmount ?? 0);
  const allocated = totalOf(own);
  const facts = { lenderTransactionCode, received: finite(received), allocated: finite(allocated) };
  if (!receipt) return [{ kind: 'allocation_without_receipt', ...facts }];
  const bankSequence = bankSequenceOf(receipt);
  const isOther = ({ bankTransactionSequenceId: id }: RepaymentTransactionWire) =>
    Boolean(id) && id !== bankSequence;
  const kinds = [
    compare(allocated, received) > 0 && 'over_allocated',
    receipt.reversedAt !== undefined && allocated.units > 0n && 'allocated_then_reversed',
    bankSequence !== undefined && own.some(isOther) && 'bank_sequence_differs',
  ] as const;
  return kinds.flatMap((kind) => (kind ? [{ kind, ...facts }] : []));
}
