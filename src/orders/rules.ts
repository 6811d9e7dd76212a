import type { Command, Decided, Decision, RuleSettings } from './commands.js';
import { tasksOf, claimTask, effectOf } from './due.js';
import { addInvoice, concludeInvoice, uploadEnded } from './invoice-rules.js';
import { currentFormat, type Order } from './order.js';
import { addPayment, callEnded, startPayment, markNoClient } from './payment-rules.js';
import { acceptWebhook, onPaidCalled } from './webhook-rules.js';
import { cancelOrder, concludePayment, markRefunded, stopRepeats } from './staff-rules.js';
import { afterRestores, afterTime } from './time-rules.js';

/*
 * The rules of an order. A rule is a pure function: from an order, a command, a time and the settings, it computes the
 * next order and at most one effect (a task, such as a send). `test/orders/search` runs the rules through every state
 * of two payments and two processes.
 *
 * A write changes nothing if another process has written the row since this process read it. So `runCommand` reads the
 * row again after each write. If the row does not contain the ID of this write, another process has also written the
 * row. If that process wrote first, this write changed nothing. If that process wrote second, the row contains the
 * changes of both writes. `runCommand` cannot distinguish these two cases, so it decides the command again. A second
 * decision does no harm. Some commands store their `commandId` in the order, and their rules look for this ID: commands
 * that claim a task, webhooks that end a payment, the conclusions `'paid'` and `'accept'`, and conclusions that only
 * close a mismatch. The rules of all other commands find that the change is already made.
 *
 * Each kind of command has a file: `payment-rules.ts`, `webhook-rules.ts`, `staff-rules.ts` and `invoice-rules.ts`.
 * Changes by time are in `time-rules.ts`. Due tasks and claims are in `due.ts`.
 */

type Rule<Type extends Command['type']> = (
  order: Order,
  command: Command<Type>,
  now: number,
  settings: RuleSettings,
) => Decided;

const rules: { readonly [Type in Command['type']]: Rule<Type> } = {
  start: startPayment,
  add: addPayment,
  claimDue,
  callEnded,
  event: acceptWebhook,
  onPaidCalled,
  lookUp: stopRepeats,
  conclude: concludePayment,
  refunded: markRefunded,
  cancel: cancelOrder,
  addInvoice,
  uploadEnded,
  concludeInvoice,
};

/**
 * Decides a command. Returns the next order, at most one effect, and the result for the caller. `found` is the stored
 * order; undefined if the order has no row.
 */
export function decide(
  orderId: string,
  found: Order | undefined,
  command: Command,
  now: number,
  settings: RuleSettings,
): Decision {
  const account = 'account' in command ? command.account : undefined;
  if (found && account !== undefined && found.account !== account)
    return { order: found, problem: 'other_account' };
  // If the order has no row, these commands create it. `cancel` stores it as cancelled, so that a later `start` begins
  // no payment.
  const canCreate =
    command.type === 'cancel' || command.type === 'add' || (command.type === 'start' && command.next);
  if (!found && !canCreate) return { order: undefined, problem: 'no_order' };
  const initial = found ?? {
    form: currentFormat,
    orderId,
    ...(account !== undefined && { account }),
    payments: [],
    invoices: [],
  };
  const restored = afterRestores(initial, now, settings);
  // `callEnded` is decided before the changes by time. If the result of a call arrives late, those changes would first
  // end the claim of the call, and the result would then be ignored.
  const before = command.type === 'callEnded' ? restored : afterTime(restored, now, settings);
  const decision = ruleOf(command)(before, command, now, settings);
  const after = afterTime(decision.order, now, settings);
  return { ...decision, order: after === found ? after : withEraseTime(after, settings) };
}

/** Stores `eraseAfterMs` with the order, so that processes without the option also erase its requests. */
function withEraseTime(order: Order, { eraseAfterMs }: RuleSettings): Order {
  return eraseAfterMs === undefined || order.eraseAfterMs === eraseAfterMs
    ? order
    : { ...order, eraseAfterMs };
}

function ruleOf<Type extends Command['type']>({ type }: Command<Type>): Rule<Type> {
  return rules[type];
}

/** Claims the first due task that this process can do. */
function claimDue(
  order: Order,
  { commandId, hasClient }: Command<'claimDue'>,
  now: number,
  settings: RuleSettings,
): Decided {
  const effect = effectOf(order, commandId);
  if (effect) return { order, effect };
  const due = tasksOf(order).find(
    ({ type, at }) => at <= now && (type !== 'callOnPaid' || settings.onPaid === 'here'),
  );
  if (!due) return { order };
  const needsClient = due.type === 'send' || due.type === 'upload';
  if (needsClient && hasClient === false) return { order: markNoClient(order, now, settings) };
  return claimTask(order, due, commandId, now, settings);
}
