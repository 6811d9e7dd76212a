import type { LenderReversals } from './mock-lender-options.js';
import { groupBy } from '../../values/collections.js';
import { add, compare, decimalOf, subtract, toNumber, type Decimal } from '../../values/decimal.js';
import type {
  PaymentReceiptWire,
  RepaymentAllocationWire,
  RepaymentTransactionWire,
} from '../../protocol/lender-types.js';

/** The allocated amounts in VND. */
export interface AllocatedAmounts {
  /** The principal in VND. */
  readonly principal: number;
  /** The service fee in VND. */
  readonly serviceFee: number;
  /** The penalty in VND. */
  readonly penalty: number;
  /** The sum of the three amounts in VND. */
  readonly total: number;
}

/** The amounts allocated to one installment. */
export interface LedgerInstallment extends AllocatedAmounts {
  /** The sequence number of the installment. */
  readonly installmentNumber: number;
  /** The ID of the installment, from the latest notification. */
  readonly installmentId?: string;
  /** The number of allocations. */
  readonly allocations: number;
}

/** An inconsistency in the notifications of a contract. */
export interface LedgerDiscrepancy {
  /**
   * The kind of inconsistency:
   *
   * - `allocation_without_receipt`: no receipt of this contract has the code.
   * - `reversal_without_receipt`: the receipt was reversed but never reported as received. Reversals with separate
   *   codes need the option `lender: { reversals: 'own-code' }`.
   * - `over_allocated`: more was allocated than was received under the code.
   * - `allocated_then_reversed`: the receipt was reversed, but its allocations were not.
   * - `bank_sequence_differs`: the `bankTransactionSequenceId` of an allocation differs from that of its receipt.
   */
  readonly kind:
    | 'allocation_without_receipt'
    | 'reversal_without_receipt'
    | 'over_allocated'
    | 'allocated_then_reversed'
    | 'bank_sequence_differs';
  /** The code of the receipt. */
  readonly lenderTransactionCode: string;
  /** The received amount in VND; 0 if there is no receipt. */
  readonly received: number;
  /** The allocated amount in VND. */
  readonly allocated: number;
}

/** The sums of one contract in VND. They are computed exactly; each number is the number nearest to its sum. */
export interface Ledger {
  /** The contract number. */
  readonly contractNumber: string;
  /**
   * The sum of all receipts, including those that were reversed. A reversal with a separate code (`'own-code'`) is
   * not a receipt.
   */
  readonly received: number;
  /** The sum of the reversals. */
  readonly reversed: number;
  /** The sums of the allocations. */
  readonly allocated: AllocatedAmounts;
  /** The difference received - reversed - allocated. It is negative if more was allocated than received. */
  readonly unallocated: number;
  /** The installments, by installment number. */
  readonly installments: readonly LedgerInstallment[];
  /** The inconsistencies; usually empty. */
  readonly discrepancies: readonly LedgerDiscrepancy[];
}

type Transactions = readonly RepaymentTransactionWire[];

/** The notifications with one code: of a receipt, of its reversal, or of both. All have the same amount. */
type Receipt = readonly [PaymentReceiptWire, ...PaymentReceiptWire[]];

const hasStatus = (receipt: Receipt, status: PaymentReceiptWire['receivedStatus']) =>
  receipt.some(({ receivedStatus }) => receivedStatus === status);

/** Computes the sums of a contract's notifications, in whatever order they arrived. */
export function ledgerOf(
  contractNumber: string,
  notifications: readonly PaymentReceiptWire[],
  allocations: readonly RepaymentAllocationWire[],
  reversals: LenderReversals,
): Ledger {
  const transactions = allocations.flatMap(({ repaymentTransactions }) => repaymentTransactions);
  const codes = groupBy(notifications, codeOf);
  const receipts = [...codes.values()].filter(
    (receipt) => reversals === 'same-code' || hasStatus(receipt, 'SUCCESS'),
  );
  const reversed = [...codes.values()].filter((receipt) => hasStatus(receipt, 'REVERSED'));
  const receivedSum = sumOf(receipts.map(mainNotification), 'receivedAmount');
  const reversedSum = sumOf(reversed.map(mainNotification), 'receivedAmount');
  const allocatedSum = sumOf(transactions, 'allocatedTotal');
  const byInstallment = groupBy(transactions, ({ installmentNumber }) => installmentNumber);
  const byCode = groupBy(transactions, codeOf);
  const receiptOf = new Map(receipts.map((receipt) => [codeOf(receipt[0]), receipt]));
  const allCodes = [...new Set([...receiptOf.keys(), ...byCode.keys()])];
  return {
    contractNumber,
    received: toNumber(receivedSum),
    reversed: toNumber(reversedSum),
    allocated: amountsOf(transactions),
    unallocated: toNumber(subtract(subtract(receivedSum, reversedSum), allocatedSum)),
    installments: [...byInstallment].sort(([a], [b]) => a - b).map((group) => installmentOf(...group)),
    discrepancies: allCodes
      .sort()
      .flatMap((code) => discrepanciesOf(receiptOf.get(code), code, byCode.get(code) ?? [])),
  };
}

const codeOf = ({ lenderTransactionCode }: { readonly lenderTransactionCode: string }) =>
  lenderTransactionCode;

/** The notification that the amount was received, or, if it is missing, the notification of the reversal. */
const mainNotification = (receipt: Receipt) =>
  receipt.find(({ receivedStatus }) => receivedStatus === 'SUCCESS') ?? receipt[0];

/** The exact sum of one field. A missing amount counts as 0. */
function sumOf<Name extends string>(
  rows: readonly Readonly<Partial<Record<Name, number | undefined>>>[],
  name: Name,
): Decimal {
  return rows.map((row) => decimalOf(row[name] ?? 0)).reduce(add, decimalOf(0));
}

function amountsOf(transactions: Transactions): AllocatedAmounts {
  return {
    principal: toNumber(sumOf(transactions, 'allocatedPrincipal')),
    serviceFee: toNumber(sumOf(transactions, 'allocatedServiceFee')),
    penalty: toNumber(sumOf(transactions, 'allocatedPenalty')),
    total: toNumber(sumOf(transactions, 'allocatedTotal')),
  };
}

function installmentOf(installmentNumber: number, transactions: Transactions): LedgerInstallment {
  const installmentId = transactions.findLast((each) => each.installmentId !== undefined)?.installmentId;
  const named = installmentId === undefined ? {} : { installmentId };
  return { installmentNumber, ...named, ...amountsOf(transactions), allocations: transactions.length };
}

/** The inconsistencies between a receipt and the allocations under its code. */
function discrepanciesOf(
  receipt: Receipt | undefined,
  lenderTransactionCode: string,
  transactions: Transactions,
): LedgerDiscrepancy[] {
  const main = receipt && mainNotification(receipt);
  const received = main?.receivedAmount ?? 0;
  const allocated = sumOf(transactions, 'allocatedTotal');
  const facts = { lenderTransactionCode, received, allocated: toNumber(allocated) };
  if (!main) return [{ kind: 'allocation_without_receipt', ...facts }];
  const sequenceIds = [main, ...transactions].flatMap(({ bankTransactionSequenceId: id }) => id ?? []);
  const kinds = [
    !hasStatus(receipt, 'SUCCESS') && 'reversal_without_receipt',
    compare(allocated, decimalOf(received)) > 0 && 'over_allocated',
    hasStatus(receipt, 'REVERSED') && allocated.units > 0n && 'allocated_then_reversed',
    new Set(sequenceIds).size > 1 && 'bank_sequence_differs',
  ] as const;
  return kinds.flatMap((kind) => (kind ? [{ kind, ...facts }] : []));
}
