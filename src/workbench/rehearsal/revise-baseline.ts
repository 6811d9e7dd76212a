import { clickedOrder } from '../findings/journal-queries.js';
import { withoutReferences } from '../findings/record.js';
import type { PageChecks } from './order-page-checks.js';
import type { FinishedRun } from './run-scenario.js';

/**
 * Revises the baseline after a later run, because the shop might have worked on the baseline's orders after its end.
 */
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

/**
 * The baseline without the order that only the changed checkout places, so that other runs can be compared with it.
 */
export function comparableRun(baseline: FinishedRun): FinishedRun {
  const { changedOrder, orders, requests } = baseline;
  if (changedOrder === undefined || orders === undefined) return baseline;
  const ofOrder = requests.filter((request) => clickedOrder(request, baseline) === changedOrder);
  const references = ofOrder.flatMap(({ referenceId }) => referenceId ?? []);
  return { ...withoutReferences(baseline, references), orders: orders - 1 };
}
