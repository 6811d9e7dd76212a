import { readFile } from 'node:fs/promises';
import type { Order } from '../src/orders/order.js';
import { viewStateOf } from '../src/orders/order-view.js';
import { afterTime } from '../src/orders/time-rules.js';
import type { OrderView } from '../src/orders/types.js';
import { search } from '../test/orders/search/search.js';
import { settingsOf, type Model } from '../test/orders/search/world.js';
import { formatted } from './formatted.js';

const begin = '<!-- order views: `npm run generate -- order-views` writes this part -->';
const end = '<!-- end of order views -->';

/** The states of an order in the diagram: those that occur without a changed basket and without your staff. */
const shown = [
  'none',
  'new',
  'checking',
  'started',
  'refused',
  'over',
  'paid',
] as const satisfies readonly OrderView['state'][];

const model: Model = {
  name: 'states of an order',
  states: 0,
  processes: 1,
  payments: 2,
  lifetimeMs: 5 * 60_000,
  adds: true,
};

let known: ReadonlySet<string> | undefined;

/** The changes of an order according to the rules that run in production, each as `from to`. */
function changes(): ReadonlySet<string> {
  if (known) return known;
  const found = new Set<string>();
  const note = (before: Order | undefined, after: Order | undefined) =>
    found.add(`${viewStateOf(before)} ${viewStateOf(after)}`);
  const { violation } = search(model, {
    onStep: ({ order, now, restores }, step) => {
      if (step.name.startsWith('staff')) return;
      const aged = order && afterTime(order, now, settingsOf(model, { restores }));
      note(order, aged);
      // The stored order can be older than its view: only time can have changed the view.
      note(aged, step.world.order && afterTime(step.world.order, now, settingsOf(model, { restores })));
    },
  });
  if (violation) throw new Error(`${violation.what}: ${violation.steps.join(', ')}`);
  known = found;
  return found;
}

/** A guide with the diagram of the states of an order. `npm run generate -- order-views` writes it. */
export async function orderViewsPage(guide: string): Promise<string> {
  const [before, rest] = (await readFile(guide, 'utf8')).split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${guide} has no part for the states of an order`);
  const edges = shown.flatMap((from) =>
    shown.filter((to) => from !== to && changes().has(`${from} ${to}`)).map((to) => `  ${from} --> ${to}`),
  );
  const diagram = ['```mermaid', 'stateDiagram-v2', '  direction LR', '  [*] --> none', ...edges, '```'];
  return formatted(guide, [before, begin, '\n\n', diagram.join('\n'), '\n\n', end, after].join(''));
}
