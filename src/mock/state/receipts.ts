import type { PaymentReceiptWire } from '../../protocol/lender-types.js';

/** A receipt as the mock has it. */
export interface MockReceipt extends PaymentReceiptWire {
  /** When its first notification arrived, by the mock's clock. */
  readonly recordedAt: Date;
  /** When its reversal arrived; absent until then. */
  readonly reversedAt?: Date;
}

/** A receipt as it is stored: its notifications as JSON, which takes a fraction of the memory of the objects. */
export interface ReceiptRecord {
  readonly lenderTransactionCode: string;
  readonly contractNumber: string;
  readonly receivedAmount: number;
  readonly recordedAt: number;
  /** The notification of each status that arrived; a reversal may be the first, or the only one. */
  readonly json: Partial<Record<PaymentReceiptWire['receivedStatus'], Buffer>>;
  reversedAt: number | undefined;
}

/** Facts that all notifications of a code share; the optional ones where both have them. */
const sharedFacts = ['contractNumber', 'lenderCode', 'receivedAmount'] as const;
const optionalFacts = ['lenderReferenceId', 'bankTransactionSequenceId'] as const;

function agrees(known: PaymentReceiptWire, receipt: PaymentReceiptWire): boolean {
  return (
    sharedFacts.every((name) => known[name] === receipt[name]) &&
    optionalFacts.every(
      (name) => known[name] === undefined || receipt[name] === undefined || known[name] === receipt[name],
    ) &&
    // A reversal has its own time or the time of the receipt; a repeat has the time of the first notification of its status.
    (known.receivedStatus !== receipt.receivedStatus || known.receivedDatetime === receipt.receivedDatetime)
  );
}

/** The notifications that arrived: of the payment, then of its reversal. */
function notificationsOf({ json: { SUCCESS, REVERSED } }: ReceiptRecord): PaymentReceiptWire[] {
  return [SUCCESS, REVERSED].flatMap((json) =>
    json ? [JSON.parse(json.toString()) as PaymentReceiptWire] : [],
  );
}

/** The ID that links a receipt to its allocations, if one of its notifications has it. */
export function bankSequenceOf(record: ReceiptRecord): string | undefined {
  const ids = notificationsOf(record).map(({ bankTransactionSequenceId }) => bankTransactionSequenceId);
  return ids.find(Boolean);
}

export function newReceipt(receipt: PaymentReceiptWire, recordedAt: number): ReceiptRecord {
  const { lenderTransactionCode, contractNumber, receivedAmount } = receipt;
  const facts = { lenderTransactionCode, contractNumber, receivedAmount, recordedAt };
  const record: ReceiptRecord = { ...facts, json: {}, reversedAt: undefined };
  addNotification(record, receipt, recordedAt);
  return record;
}

/** Adds a notification to the receipt of its code. The same again is `'repeated'`, other facts are a `'conflict'`. */
export function addNotification(
  record: ReceiptRecord,
  receipt: PaymentReceiptWire,
  now: number,
): 'stored' | 'reversed' | 'repeated' | 'conflict' {
  if (!notificationsOf(record).every((known) => agrees(known, receipt))) return 'conflict';
  const { receivedStatus } = receipt;
  if (record.json[receivedStatus]) return 'repeated';
  record.json[receivedStatus] = Buffer.from(JSON.stringify(receipt));
  if (receivedStatus === 'SUCCESS') return 'stored';
  record.reversedAt = now;
  return 'reversed';
}

/** The facts of the first notification, with the status and reason of the reversal once that arrived. */
export function receiptView(record: ReceiptRecord): MockReceipt {
  const [first, reversal] = notificationsOf(record);
  if (!first) throw new Error('a receipt is stored with its notification');
  const { recordedAt, reversedAt } = record;
  return {
    ...first,
    ...(reversal && { receivedStatus: reversal.receivedStatus, reversalReason: reversal.reversalReason }),
    recordedAt: new Date(recordedAt),
    ...(reversedAt !== undefined && { reversedAt: new Date(reversedAt) }),
  };
}
