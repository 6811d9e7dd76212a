import { randomUUID } from 'node:crypto';
import { add, decimalOf, toNumber } from '../../../protocol/decimal.js';
import { endpoints } from '../../../protocol/endpoints.js';
import { lenderTimestamp } from '../../../protocol/timestamps.js';
import type { MockFetch } from '../../wire/client-options.js';
import type { FormTexts, FormValues } from './forms.js';
import { lenderValues, type LenderForm } from './lender-page.js';

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
  const values = lenderValues(form, typed);
  const body = {
    requestId,
    [applicationIdField ?? 'serviceApplicationId']: 'MOCK-INSPECTOR',
    lenderCode: 'MOCK-LENDER',
    requestingDatetime: moment,
    ...(form === 'receipt' ? { ...values, receivedDatetime: moment } : allocationOf(values, moment)),
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

function allocationOf({ contractNumber, repaymentType, ...parts }: FormValues, moment: string): object {
  const { allocatedPrincipal, allocatedServiceFee, allocatedPenalty } = parts;
  const allocatedTotal = sumOf([allocatedPrincipal, allocatedServiceFee, allocatedPenalty]);
  const transaction = { ...parts, allocationDatetime: moment, allocatedTotal };
  return { contractNumber, repaymentType, repaymentTransactions: [transaction] };
}

/** The exact sum of the parts that are numbers; the mock refuses the others. */
function sumOf(parts: readonly FormValues[string][]): number {
  const amounts = parts.flatMap((part) => (Number.isFinite(part) ? [decimalOf(Number(part))] : []));
  return toNumber(amounts.reduce(add, decimalOf(0)));
}
