import { readFile } from 'node:fs/promises';
import { conclusions, type RuleSettings } from '../src/orders/commands.js';
import { paymentStates, type Order, type PaymentState } from '../src/orders/order.js';
import { concludePayment } from '../src/orders/staff-rules.js';
import { afterTime } from '../src/orders/time-rules.js';
import { acceptWebhook } from '../src/orders/webhook-rules.js';
import type { Step } from '../test/orders/search/deciding.js';
import { search } from '../test/orders/search/search.js';
import { settingsOf, type Model, type World } from '../test/orders/search/world.js';
import { formatted } from './formatted.js';

/** The page that has the states of a payment. */
export const orderStatesTarget = 'docs/payment-states.md';
const begin = '<!-- order states: `npm run generate -- order-states` writes this part -->';
const end = '<!-- end of order states -->';

const sentences: Readonly<Record<PaymentState, string>> = {
  new: 'The payment is stored. Nothing was sent, or the service refused the request for now.',
  sending: 'One process is sending the request, until its claim ends.',
  unknown: 'The payment might exist, because the response was lost. The same request is sent again.',
  look_up: 'The payment might exist, and another send would not show whether it exists.',
  open: 'The payment exists, and the customer can pay.',
  overdue: 'The time to pay ended ten minutes ago, and no webhook said how the payment ended.',
  refused: 'The service refused the request. We assume that the payment does not exist.',
  absent:
    'Nothing was sent, and the amount of the order changed. Or your staff concluded that the payment does not exist.',
  over: 'Your staff concluded that the payment cannot be paid any more.',
  declined: 'A webhook said that the payment is declined.',
  expired:
    'A webhook said that the payment is expired, or its time to pay has passed and `reviewOverdue` is false.',
  paid: 'A webhook said, or your staff concluded, that the payment is paid.',
};

const actors = ['your call', '`sweep`', 'the service', 'your staff'] as const;
type Actor = (typeof actors)[number];

const minuteMs = 60_000;
const model: Model = {
  name: 'states of a payment',
  states: 0,
  processes: 1,
  payments: 1,
  lifetimeMs: 5 * minuteMs,
};
const models: readonly Model[] = [
  { ...model, staff: true, cancels: true, fixes: true, latePayments: true },
  { ...model, amounts: 2, settings: { repeatUnknown: false, reviewOverdue: false } },
];

/** The search treats these states as equal: each can change to the same states. */
const endedUnpaid: readonly PaymentState[] = ['over', 'declined', 'expired'];

function actorOf(step: string): Actor {
  if (step.startsWith('staff')) return 'your staff';
  if (step.includes('sweep')) return '`sweep`';
  return step.includes('arrives') || step.includes('reports') ? 'the service' : 'your call';
}

/**
 * The actor that moves a payment from each state to each other state, according to the rules that run in production.
 */
function transitions(): Map<PaymentState, Map<PaymentState, Set<Actor>>> {
  const found = new Map(paymentStates.map((state) => [state, new Map<PaymentState, Set<Actor>>()]));
  const note = (before: Order | undefined, after: Order | undefined, actor: Actor) => {
    for (const [index, { state: from }] of (before?.payments ?? []).entries()) {
      const to = after?.payments[index]?.state;
      if (to === undefined || to === from) continue;
      // The models have no webhook that says expired: a declined payment stands for both.
      const targets: PaymentState[] = to === 'declined' ? ['declined', 'expired'] : [to];
      for (const source of endedUnpaid.includes(from) ? endedUnpaid : [from])
        for (const target of targets) {
          const ways = found.get(source);
          if (target !== source) ways?.set(target, (ways.get(target) ?? new Set()).add(actor));
        }
    }
  };
  /** Notes what reports can change that the service of the model never sends, such as "paid" for a refused payment. */
  const noteReports = (order: Order, now: number, settings: RuleSettings) => {
    const common = { commandId: 'page', canCallOnPaid: false };
    for (const { referenceId, expected } of order.payments) {
      const event = { referenceId, status: 'paid', ...expected } as const;
      note(
        order,
        acceptWebhook(order, { type: 'event', event, ...common }, now, settings).order,
        'the service',
      );
      for (const conclusion of conclusions) {
        const command = { type: 'conclude', referenceId, conclusion, ...common } as const;
        note(order, concludePayment(order, command, now, settings).order, 'your staff');
      }
    }
  };
  for (const each of models) {
    const onStep = ({ order, now, restores }: World, step: Step) => {
      // Changes because of time are listed for the sweep, even if another call comes first.
      const isReport = step.name.includes('reports');
      const settings = settingsOf(each, { restores });
      const late = order && afterTime(order, now, settings);
      const aged = isReport ? order : late;
      note(order, aged, '`sweep`');
      if (late) noteReports(late, now, settings);
      if (step.world.order === order) return;
      const isOverdue = isReport && step.world.order?.payments.some(({ state }) => state === 'overdue');
      note(aged, step.world.order, isOverdue ? '`sweep`' : actorOf(step.name));
    };
    const { violation } = search(each, { onStep });
    if (violation) throw new Error(`${violation.what}: ${violation.steps.join(', ')}`);
  }
  return found;
}

/** The states before `paid`. The page says once, not for each of them, who can change it to `paid`. */
function unpaidStates(found: ReturnType<typeof transitions>): PaymentState[] {
  const unpaid = paymentStates.filter((state) => state !== 'paid');
  for (const state of unpaid)
    for (const actor of ['the service', 'your staff'] as const)
      if (!found.get(state)?.get('paid')?.has(actor))
        throw new Error(`${actor} cannot change ${state} to paid, as the page says`);
  return unpaid;
}

function table(found: ReturnType<typeof transitions>): string[] {
  const unpaid = unpaidStates(found);
  const rows = paymentStates.map((state) => {
    const ways = found.get(state) ?? new Map<PaymentState, Set<Actor>>();
    const byActor = actors.flatMap((actor) => {
      const to = unpaid.filter((each) => ways.get(each)?.has(actor));
      return to.length > 0 ? [`${actor}: ${to.map((each) => `\`${each}\``).join(', ')}`] : [];
    });
    return `| \`${state}\` | ${sentences[state]} | ${byActor.join('<br>') || 'nothing'} |`;
  });
  return ['| state | meaning | what changes it, and to what |', '| --- | --- | --- |', ...rows];
}

/** The page with its table of the states. `npm run generate -- order-states` writes it. */
export async function orderStatesPage(): Promise<string> {
  const page = await readFile(orderStatesTarget, 'utf8');
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${orderStatesTarget} has no part for the states`);
  const part = [begin, '', ...table(transitions()), '', end].join('\n');
  return formatted(orderStatesTarget, `${before ?? ''}${part}${after}`);
}
