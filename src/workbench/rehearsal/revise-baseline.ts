import { orderOfRequest } from '../findings/journal-queries.js';
import { withoutReferences } from '../findings/record.js';
import type { PageChecks } from './order-page-checks.js';
import type { FinishedRun } from './run-scenario.js';

/**
 * Updates the record of the baseline after a later run, because the shop might have processed orders of the baseline
 * after the baseline had ended.
 */
export async function reviseBaseline(
  baseline: FinishedRun,
  later: FinishedRun,
  pageChecks: PageChecks,
): Promise<FinishedRun> {
  const hasHigherNumber = highestOnceNumber(later) > highestOnceNumber(baseline);
  return {
    ...baseline,
    pageChecks: hasHigherNumber
      ? await pageChecks.readOnceNumbersAgain(baseline.pageChecks)
      : baseline.pageChecks,
    hasLateInvoices:
      baseline.hasLateInvoices === true ||
      baseline.payments.some((each) => later.lateUploadReferences.includes(each.referenceId)),
  };
}

function highestOnceNumber({ pageChecks }: FinishedRun): number {
  return Math.max(...pageChecks.map(({ onceNumber = 0 }) => onceNumber));
}

/**
 * Returns the baseline without its extra order, which was placed with `--checkout-changed`. Other runs do not have this
 * order, so they are compared with the other orders of the baseline.
 */
export function withoutExtraOrder(baseline: FinishedRun): FinishedRun {
  const { grownBasketOrder, orderCount, requests } = baseline;
  if (grownBasketOrder === undefined || orderCount === undefined) return baseline;
  const ofOrder = requests.filter((request) => orderOfRequest(request, baseline) === grownBasketOrder);
  const references = ofOrder.flatMap(({ referenceId }) => referenceId ?? []);
  return { ...withoutReferences(baseline, references), orderCount: orderCount - 1 };
}
