import { clickedOrder } from '../findings/evidence.js';
import { withoutReferences } from '../findings/record.js';
import type { OrderLooks } from './order-looks.js';
import type { WorldRun } from './run-world.js';

/** The plain run as it is known after a later one: its shop may have been at work on its orders after its end. */
export async function reviewPlain(plain: WorldRun, later: WorldRun, looks: OrderLooks): Promise<WorldRun> {
  const isHigher = highestCount(later) > highestCount(plain);
  return {
    ...plain,
    looks: isHigher ? await looks.readCountsAgain(plain.looks) : plain.looks,
    isCutShort:
      plain.isCutShort === true ||
      plain.payments.some((each) => later.lateUploads.includes(each.referenceId)),
  };
}

function highestCount({ looks }: WorldRun): number {
  return Math.max(...looks.map(({ count = 0 }) => count));
}

/** The plain run as later ones are compared with it: they place no order by the changed checkout alone. */
export function comparableRun(plain: WorldRun): WorldRun {
  const { changedOrder, orders, requests } = plain;
  if (changedOrder === undefined || orders === undefined) return plain;
  const ofOrder = requests.filter((request) => clickedOrder(request, plain) === changedOrder);
  const references = ofOrder.flatMap(({ referenceId }) => referenceId ?? []);
  return { ...withoutReferences(plain, references), orders: orders - 1 };
}
