import {
  FormCard,
  valuesOf,
  type FormContent,
  type FormField,
  type FormTexts,
  type FormValues,
} from './forms.js';
import { InspectorPage } from './layout.js';

/** The notifications that the page can send, by the last part of the address that each is sent to. */
export const lenderForms = ['receipt', 'allocation'] as const;
export type LenderForm = (typeof lenderForms)[number];

const common: readonly FormField[] = [
  { name: 'contractNumber', label: 'Contract', initial: 'CONTRACT-1', required: true },
  {
    name: 'lenderTransactionCode',
    label: 'Transaction code',
    initial: 'LTC-1',
    required: true,
    hint: 'Names the receipt. The allocations of its amount have the same code.',
  },
];

const forms: Readonly<Record<LenderForm, FormContent>> = {
  receipt: {
    title: 'Payment receipt',
    intro: "A customer's payment reached the lender, or was reversed.",
    fields: [
      ...common,
      {
        name: 'receivedAmount',
        label: 'Amount in VND',
        initial: '1500000',
        keyboard: 'decimal',
        required: true,
      },
      { name: 'receivedStatus', label: 'Status', options: ['SUCCESS', 'REVERSED'] },
      { name: 'reversalReason', label: 'Reason for the reversal' },
    ],
    button: 'Send the receipt',
  },
  allocation: {
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
  },
};

/** What was typed into a form. */
export function lenderValues(form: LenderForm, typed: FormTexts): FormValues {
  return valuesOf(forms[form].fields, typed);
}

/** Forms that play the lender: each sends one notification to this mock. */
export function LenderPage({ typed }: { readonly typed: FormTexts }) {
  return (
    <InspectorPage place="Lender">
      <h1>Play the lender</h1>
      <div class="cards">
        {lenderForms.map((form) => (
          <FormCard id={form} action={`/_mock/ui/lender/${form}`} content={forms[form]} typed={typed} />
        ))}
      </div>
    </InspectorPage>
  );
}
