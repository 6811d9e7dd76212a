import { randomUUID } from 'node:crypto';
import { add, decimalOf, toNumber } from '../../../values/decimal.js';
import { endpoints } from '../../../protocol/endpoints.js';
import { lenderTimestamp } from '../../../protocol/timestamps.js';
import {
  formCard,
  valuesOf,
  type FormContent,
  type FormField,
  type FormValues,
  type Texts,
} from './forms.js';
import type { InspectorSetup } from './inspector-setup.js';
import type { Page } from './layout.js';

interface LenderForm extends FormContent {
  readonly operation: 'paymentReceipt' | 'repaymentAllocation';
  /** The fields of the notification besides those that all have. */
  readonly fieldsOf: (values: FormValues, moment: string) => object;
}

const code = { name: 'lenderTransactionCode', label: 'Transaction code', initial: 'LTC-1', required: true };
const common: readonly FormField[] = [
  { name: 'contractNumber', label: 'Contract', initial: 'CONTRACT-1', required: true },
  { ...code, hint: 'Names the receipt. The allocations of its amount have the same code.' },
];
const amount = { label: 'Amount in VND', initial: '1500000', keyboard: 'decimal', required: true } as const;

/** The notifications that the page can send. */
export const lenderForms: readonly LenderForm[] = [
  {
    id: 'receipt',
    operation: 'paymentReceipt',
    title: 'Payment receipt',
    intro: "A customer's payment reached the lender, or was reversed.",
    fields: [
      ...common,
      { name: 'receivedAmount', ...amount },
      { name: 'receivedStatus', label: 'Status', options: ['SUCCESS', 'REVERSED'] },
      { name: 'reversalReason', label: 'Reason for the reversal' },
    ],
    button: 'Send the receipt',
    fieldsOf: (values, receivedDatetime) => ({ ...values, receivedDatetime }),
  },
  {
    id: 'allocation',
    operation: 'repaymentAllocation',
    title: 'Repayment allocation',
    intro: 'What a received amount was allocated to.',
    fields: [
      ...common,
      { name: 'repaymentType', label: 'Type', options: ['NORMAL', 'EARLY_SETTLEMENT', 'PARTIAL'] },
      { name: 'installmentNumber', label: 'Installment', initial: '1', keyboard: 'numeric', required: true },
      { name: 'allocatedPrincipal', label: 'Principal in VND', keyboard: 'decimal' },
      { name: 'allocatedServiceFee', label: 'Service fee in VND', keyboard: 'decimal' },
      { name: 'allocatedPenalty', label: 'Late payment fee in VND', keyboard: 'decimal' },
    ],
    button: 'Send the allocation',
    fieldsOf({ contractNumber, repaymentType, ...parts }, allocationDatetime) {
      const { allocatedPrincipal, allocatedServiceFee, allocatedPenalty } = parts;
      const allocatedTotal = sumOf([allocatedPrincipal, allocatedServiceFee, allocatedPenalty]);
      const repaymentTransactions = [{ ...parts, allocationDatetime, allocatedTotal }];
      return { contractNumber, repaymentType, repaymentTransactions };
    },
  },
];

/** The exact sum of the parts that are numbers; the mock refuses the others. */
function sumOf(parts: readonly FormValues[string][]): number {
  const amounts = parts.flatMap((part) => (Number.isFinite(part) ? [decimalOf(Number(part))] : []));
  return toNumber(amounts.reduce(add, decimalOf(0)));
}

/** Forms that play the lender: each sends one notification to this mock. */
export function lenderPage(typed: Texts): Page {
  const cards = lenderForms.map((form) => formCard(`lender/${form.id}`, form, typed));
  return { place: 'Lender', main: [<h1>Play the lender</h1>, <div class="cards">{cards}</div>] };
}

// A fault can hold the answer back for ever.
const maxWaitMs = 3000;

/** Sends a form to the mock as a lender would. Returns the request ID under which the journal has it. */
export async function sendAsLender(form: LenderForm, typed: Texts, origin: string, setup: InspectorSetup) {
  const { fetch, now, applicationIdField = 'serviceApplicationId' } = setup;
  const { operation, fields, fieldsOf } = form;
  const { method, path, contentType } = endpoints[operation];
  const requestId = randomUUID();
  const moment = lenderTimestamp(now());
  const body = JSON.stringify({
    requestId,
    [applicationIdField]: 'MOCK-INSPECTOR',
    lenderCode: 'MOCK-LENDER',
    requestingDatetime: moment,
    ...fieldsOf(valuesOf(fields, typed), moment),
  });
  const signal = AbortSignal.timeout(maxWaitMs);
  const request = { method, headers: { 'content-type': contentType }, body, signal };
  // The journal has the outcome.
  await fetch(new URL(path, origin), request).catch(() => undefined);
  return requestId;
}
