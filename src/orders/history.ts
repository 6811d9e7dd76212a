import type { Command, RuleSettings } from './commands.js';
import type { HistoryChange, Order } from './order.js';
import { afterRestores, afterTime } from './time-rules.js';

const mostChanges = 50;

/** The state of the order itself, without its payments. */
function orderStateOf({ cancelledAt, paidBy }: Order): string {
  if (cancelledAt !== undefined) return 'cancelled';
  return paidBy === undefined ? 'open' : 'paid';
}

function amountDueText({ askedNow }: Order): string {
  return askedNow ? `asks ${askedNow.value} ${askedNow.currency}` : '';
}

type Difference = Pick<HistoryChange, 'referenceId' | 'invoice' | 'from' | 'to'>;

function differencesOf(before: Order, after: Order): Difference[] {
  const ofPayments = after.payments.flatMap((payment): Difference[] => {
    const { referenceId, state, refundedAt } = payment;
    const earlier = before.payments.find((each) => each.referenceId === referenceId);
    const from = earlier?.state ?? 'none';
    return [
      ...(from === state ? [] : [{ referenceId, from, to: state }]),
      ...(refundedAt === earlier?.refundedAt ? [] : [{ referenceId, from: state, to: 'refunded' }]),
    ];
  });
  const ofInvoices = after.invoices.flatMap(({ number, state }): Difference[] => {
    const from = before.invoices.find((each) => each.number === number)?.state ?? 'none';
    return from === state ? [] : [{ invoice: number, from, to: state }];
  });
  const ofOrder = [orderStateOf, amountDueText].flatMap((stateOf): Difference[] => {
    const [from, to] = [stateOf(before), stateOf(after)];
    // `''` means that no amount was due. The first amount due is not listed as a change.
    return from === to || from === '' ? [] : [{ from, to }];
  });
  return [...ofPayments, ...ofInvoices, ...ofOrder];
}

function causeOf(command: Command): string {
  switch (command.type) {
    case 'event':
      return `webhook: ${command.event.unknownStatus ?? command.event.status}`;
    case 'conclude':
    case 'concludeInvoice':
      return `conclude: ${command.conclusion}`;
    case 'callEnded':
    case 'uploadEnded':
      return `response: ${command.result.step}`;
    case 'claimDue':
      return 'sweep';
    case 'refunded':
      return 'markRefunded';
    case 'onPaidCalled':
      return 'onPaid';
    case 'start':
    case 'add':
    case 'lookUp':
    case 'cancel':
    case 'addInvoice':
      return command.type;
  }
}

/**
 * The decided order, with the changes added to its history: first the changes by a restore of the database, then the
 * changes by time, then the changes by the command.
 */
export function withHistory(
  found: Order | undefined,
  decided: Order,
  command: Command,
  now: number,
  settings: RuleSettings,
): Order {
  if (found === decided) return decided;
  const before = found ?? { orderId: decided.orderId, payments: [], invoices: [] };
  const restored = afterRestores(before, now, settings);
  // As in `decide`, the changes by time come after `callEnded`.
  const changedByTime = command.type === 'callEnded' ? restored : afterTime(restored, now, settings);
  const by = 'by' in command ? command.by : undefined;
  const changes: HistoryChange[] = [
    ...differencesOf(before, restored).map((change) => ({ at: now, ...change, cause: 'restored' })),
    ...differencesOf(restored, changedByTime).map((change) => ({ at: now, ...change, cause: 'time' })),
    ...differencesOf(changedByTime, decided).map((change) => ({
      at: now,
      ...change,
      cause: causeOf(command),
      ...(by !== undefined && { by }),
    })),
  ];
  if (changes.length === 0) return decided;
  return { ...decided, history: [...(before.history ?? []), ...changes].slice(-mostChanges) };
}
