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
