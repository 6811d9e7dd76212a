import { clickedOrder } from '../findings/journal-queries.js';
import { withoutReferences } from '../findings/record.js';
import type { PageChecks } from './order-page-checks.js';
import type { FinishedRun } from './run-scenario.js';

/** The baseline as it is known after a later one: its shop may have been at work on its orders after its end. */
export async function reviseBaseline(
  baseline: FinishedRun,
  later: FinishedRun,
  pageChecks: PageChecks,
): Promise<FinishedRun> {
  const isHigher = highestCount(later) > highestCount(baseline);
  return {
    ...baseline,
    pageChecks: isHigher ? await pageChecks.readCountsAgain(baseline.pageChecks) : baseline.pageChecks,
    isCutShort:
      baseline.isCutShort === true ||
      baseline.payments.some((each) => later.lateUploads.includes(each.referenceId)),
  };
}

function highestCount({ pageChecks }: FinishedRun): number {
  return Math.max(...pageChecks.map(({ count = 0 }) => count));
}

/** The baseline as later ones are compared with it: they place no order by the changed checkout alone. */
export function comparableRun(baseline: FinishedRun): FinishedRun {
  const { changedOrder, orders, requests } = baseline;
  if (changedOrder === undefined || orders === undefined) return baseline;
  const ofOrder = requests.filter((request) => clickedOrder(request, baseline) === changedOrder);
  const references = ofOrder.flatMap(({ referenceId }) => referenceId ?? []);
  return { ...withoutReferences(baseline, references), orders: orders - 1 };
}
