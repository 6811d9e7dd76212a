import type { Command, Decided, Decision, RuleSettings } from './commands.js';
import { allDue, claimed, effectOf } from './due.js';
import { addInvoice, concludeInvoice, uploadEnded } from './invoice-rules.js';
import { currentForm, type Order } from './order.js';
import { addPayment, callEnded, startPayment, withoutClient } from './payment-rules.js';
import { acceptWebhook, onPaidCalled } from './webhook-rules.js';
import { cancelOrder, concludePayment, markRefunded, stopRepeats } from './staff-rules.js';
import { afterRestores, afterTime } from './time-rules.js';

/*
 * The rules of an order. They are pure functions: they accept IDs, a time and an order, and return the next order and
 * at most one effect. `test/orders/search` runs them through every state of two payments and two processes.
 *
 * A decision is written only if no other process has written the order since it was read, so a stale read does no harm.
 * A command can be decided twice if the result of the first write was lost: its `commandId` makes both decisions equal.
 *
 * Each kind of command has a file: `payment-rules.ts`, `webhook-rules.ts`, `staff-rules.ts` and `invoice-rules.ts`.
 * Changes by time are in `time-rules.ts`, due tasks and claims in `due.ts`.
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
  doNextDue,
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
 * Decides a command: returns the next order, at most one effect, and a result. `found` is undefined if there is no row.
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
  const canMake =
    command.type === 'cancel' || command.type === 'add' || (command.type === 'start' && command.next);
  if (!found && !canMake) return { order: undefined, problem: 'no_order' };
  const made = found ?? {
    form: currentForm,
    orderId,
    ...(account !== undefined && { account }),
    payments: [],
    invoices: [],
  };
  const restored = afterRestores(made, now, settings);
  // The result of a call counts even after the end of its claim, so time changes the order only after the command.
  const before = command.type === 'callEnded' ? restored : afterTime(restored, now, settings);
  const decision = ruleOf(command)(before, command, now, settings);
  const after = afterTime(decision.order, now, settings);
  return { ...decision, order: after === found ? after : withEraseTime(after, settings) };
}

/** Stores the time with the order, so that processes without the option erase it too. */
function withEraseTime(order: Order, { eraseAfterMs }: RuleSettings): Order {
  return eraseAfterMs === undefined || order.eraseAfterMs === eraseAfterMs
    ? order
    : { ...order, eraseAfterMs };
}

function ruleOf<Type extends Command['type']>({ type }: Command<Type>): Rule<Type> {
  return rules[type];
}

/** Claims the first task that is due and that this process can do. */
function doNextDue(
  order: Order,
  { commandId, hasClient }: Command<'doNextDue'>,
  now: number,
  settings: RuleSettings,
): Decided {
  const effect = effectOf(order, commandId);
  if (effect) return { order, effect };
  const due = allDue(order).find(
    ({ type, at }) => at <= now && (type !== 'callOnPaid' || settings.onPaid === 'here'),
  );
  if (!due) return { order };
  const needsClient = due.type === 'send' || due.type === 'upload';
  if (needsClient && hasClient === false) return { order: withoutClient(order, now, settings) };
  return claimed(order, due, commandId, now, settings);
}
