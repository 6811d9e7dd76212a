import { InstallmentClient, isInstallmentError, type Attempt } from '../../../src/entries/index.js';
import { LenderClient } from '../../../src/entries/lender.js';
import type { Runtime } from '../../../src/http/runtime.js';
import type { CommonOptions } from '../../../src/options/common-options.js';
import type { Operation } from '../../../src/protocol/endpoints.js';
import { instantRuntime } from '../../helpers/runtime.js';
import { invoiceUpload, paymentRequest } from '../../helpers/samples.js';
import type { Ending, MakeCall } from './run-histories.js';

interface CallToMake {
  readonly operation: Operation;
  readonly referenceId: string;
  readonly options: CommonOptions & { readonly baseUrl: string };
  readonly runtime: Runtime;
  readonly signal?: AbortSignal;
}

export const merchant = {
  clientId: 'C',
  secretKey: 'S',
  merchantId: 'M',
  storeId: 'S',
  platformId: 'P',
} as const;

/** One call with a client of its own, so that no call lacks the budget for its repeats. */
function perform({ operation, referenceId, options, runtime, signal }: CallToMake) {
  const client = () => new InstallmentClient({ ...merchant, ...options }, runtime);
  const acknowledged = ({ body }: { readonly body: unknown }) =>
    (body as { readonly acknowledged: boolean }).acknowledged;
  const lender = () =>
    new LenderClient({ lenderCode: 'L', serviceApplicationId: 'A', acknowledged, ...options }, runtime);
  const about = { contractNumber: 'C', requestId: referenceId };
  const datetime = '2026-11-20T10:04:05+0700';
  switch (operation) {
    case 'initiatePayment':
      return client().initiatePayment(paymentRequest({ referenceId }), { signal });
    case 'uploadInvoice':
      return client().uploadInvoice(invoiceUpload({ referenceId }), { signal });
    case 'paymentReceipt':
      return lender().notifyPaymentReceipt(
        {
          ...about,
          lenderTransactionCode: referenceId,
          receivedAmount: 1_500_000,
          receivedDatetime: datetime,
          receivedStatus: 'SUCCESS',
        },
        { signal },
      );
    case 'repaymentAllocation':
      return lender().notifyRepaymentAllocation(
        {
          ...about,
          repaymentTransactions: [
            {
              lenderTransactionCode: referenceId,
              allocationDatetime: datetime,
              installmentNumber: 1,
              allocatedPrincipal: 1,
            },
          ],
        },
        { signal },
      );
  }
}

const outcomesOf = (attempts: readonly Attempt[] = []) => attempts.map(({ outcome }) => outcome);

/** Makes a call. Anything but an error of this package fails the run. */
export async function endingOf(call: CallToMake): Promise<Ending> {
  try {
    const result = await perform(call);
    return { outcome: 'accepted', attempts: outcomesOf(result.$metadata.attempts), result };
  } catch (error) {
    if (!isInstallmentError(error)) throw error;
    return { outcome: error.outcome, attempts: outcomesOf(error.$metadata?.attempts) };
  }
}

/** A transport that repeats by itself may wait for what never comes: then time passes after this long. */
const longestMs = 300;

/** Makes a call in this process, over the default transport, by a clock that the histories move. */
export const makeCall: MakeCall = async ({ operation, referenceId, baseUrl, control }) => {
  const runtime = instantRuntime();
  const controller = new AbortController();
  const elapse = () => runtime.advance(15_000);
  control(elapse, () => controller.abort());
  const late = setInterval(elapse, longestMs);
  try {
    return await endingOf({
      operation,
      referenceId,
      options: { baseUrl },
      runtime,
      signal: controller.signal,
    });
  } finally {
    clearInterval(late);
  }
};
