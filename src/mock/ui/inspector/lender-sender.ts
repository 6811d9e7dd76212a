import { randomUUID } from 'node:crypto';
import { add, decimalOf, toNumber } from '../../../protocol/decimal.js';
import { endpoints } from '../../../protocol/endpoints.js';
import { lenderTimestamp } from '../../../protocol/timestamps.js';
import type { MockFetch } from '../../wire/client-options.js';
import type { FormTexts } from './form-texts.js';
import type { LenderForm } from './lender-page.js';

/** How the notifications are sent. */
export interface LenderSender {
  /** The mock's own. */
  readonly fetch: MockFetch;
  readonly now: () => Date;
  /** Name of the masked field on the wire. */
  readonly applicationIdField: string | undefined;
}

// A fault can hold the answer back for ever.
const maxWaitMs = 3000;

const operations = { receipt: 'paymentReceipt', allocation: 'repaymentAllocation' } as const;

/** Sends a form to the mock as a lender would. Returns the request ID under which the journal has it. */
export async function sendAsLender(
  form: LenderForm,
  typed: FormTexts,
  { origin, fetch, now, applicationIdField }: LenderSender & { readonly origin: string },
): Promise<string> {
  const requestId = randomUUID();
  const moment = lenderTimestamp(now());
  const { method, path, contentType } = endpoints[operations[form]];
  const body = {
    requestId,
    [applicationIdField ?? 'serviceApplicationId']: 'MOCK-INSPECTOR',
    lenderCode: 'MOCK-LENDER',
    requestingDatetime: moment,
    contractNumber: typed.text('contractNumber'),
    ...(form === 'receipt' ? receiptOf(typed, moment) : allocationOf(typed, moment)),
  };
  const request = {
    method,
    headers: { 'content-type': contentType },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(maxWaitMs),
  };
  // The journal has the outcome.
  await fetch(new URL(path, origin), request).catch(() => undefined);
  return requestId;
}

function receiptOf(typed: FormTexts, moment: string): object {
  return {
    lenderTransactionCode: typed.text('lenderTransactionCode'),
    receivedAmount: typed.number('receivedAmount'),
    receivedDatetime: moment,
    receivedStatus: typed.text('receivedStatus'),
    reversalReason: typed.optional('reversalReason'),
  };
}

function allocationOf(typed: FormTexts, moment: string): object {
  const parts = {
    allocatedPrincipal: typed.number('allocatedPrincipal'),
    allocatedServiceFee: typed.number('allocatedServiceFee'),
    allocatedPenalty: typed.number('allocatedPenalty'),
  };
  return {
    repaymentType: typed.optional('repaymentType'),
    repaymentTransactions: [
      {
        lenderTransactionCode: typed.text('lenderTransactionCode'),
        allocationDatetime: moment,
        installmentNumber: typed.number('installmentNumber'),
        ...parts,
        allocatedTotal: sumOf(Object.values(parts)),
      },
    ],
  };
}

/** The exact sum of the parts that are numbers; the mock refuses the others. */
function sumOf(parts: readonly (number | undefined)[]): number {
  const amounts = parts.flatMap((part) => (Number.isFinite(part) ? [decimalOf(Number(part))] : []));
  return toNumber(amounts.reduce(add, decimalOf(0)));
}
