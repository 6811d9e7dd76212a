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
 * Returns the baseline without its extra order, which was placed with `--checkout-changed`. No other run has such an
 * order.
 */
export function withoutExtraOrder(baseline: FinishedRun): FinishedRun {
  const { changedBasketOrder, orderCount, requests } = baseline;
  if (changedBasketOrder === undefined || orderCount === undefined) return baseline;
  const extraRequests = requests.filter(
    (request) => orderOfRequest(request, baseline) === changedBasketOrder,
  );
  const references = extraRequests.flatMap(({ referenceId }) => referenceId ?? []);
  return { ...withoutReferences(baseline, references), orderCount: orderCount - 1 };
}
