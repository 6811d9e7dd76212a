import type { FormTexts } from './form-texts.js';
import { Choice, FormCard, Input } from './forms.js';
import { InspectorPage } from './layout.js';

/** The notifications that the page can send, by the last part of the address that each is sent to. */
export const lenderForms = ['receipt', 'allocation'] as const;
export type LenderForm = (typeof lenderForms)[number];

interface TypedProps {
  readonly typed: FormTexts;
}

/** Forms that play the lender: each sends one notification to this mock. */
export function LenderPage({ typed }: TypedProps) {
  const form = (id: LenderForm) => ({ id, action: `/_mock/ui/lender/${id}` });
  return (
    <InspectorPage place="Lender">
      <h1>Play the lender</h1>
      <div class="cards">
        <FormCard
          {...form('receipt')}
          title="Payment receipt"
          intro="A customer's payment reached the lender, or was reversed."
        >
          <ReceiptFields typed={typed} />
        </FormCard>
        <FormCard
          {...form('allocation')}
          title="Repayment allocation"
          intro="What a received amount was allocated to."
        >
          <AllocationFields typed={typed} />
        </FormCard>
      </div>
    </InspectorPage>
  );
}

function CommonFields({ typed }: TypedProps) {
  return (
    <>
      <Input typed={typed} name="contractNumber" label="Contract" initial="CONTRACT-1" required />
      <Input
        typed={typed}
        name="lenderTransactionCode"
        label="Transaction code"
        initial="LTC-1"
        required
        hint="Names the receipt. The allocations of its amount have the same code."
      />
    </>
  );
}

const receiptStatuses = ['SUCCESS', 'REVERSED'];

function ReceiptFields({ typed }: TypedProps) {
  const status = typed.text('receivedStatus');
  return (
    <>
      <CommonFields typed={typed} />
      <Input
        typed={typed}
        name="receivedAmount"
        label="Amount in VND"
        initial="1500000"
        keyboard="decimal"
        required
      />
      <Choice name="receivedStatus" label="Status" options={receiptStatuses} chosen={status} />
      <Input typed={typed} name="reversalReason" label="Reason for the reversal" />
      <button class="button primary">Send the receipt</button>
    </>
  );
}

const repaymentTypes = ['NORMAL', 'EARLY_SETTLEMENT', 'PARTIAL'];

function AllocationFields({ typed }: TypedProps) {
  const amounts = { typed, keyboard: 'decimal' } as const;
  return (
    <>
      <CommonFields typed={typed} />
      <Choice
        name="repaymentType"
        label="Type"
        options={repaymentTypes}
        chosen={typed.text('repaymentType')}
      />
      <Input
        typed={typed}
        name="installmentNumber"
        label="Installment"
        initial="1"
        keyboard="numeric"
        required
      />
      <Input {...amounts} name="allocatedPrincipal" label="Principal in VND" />
      <Input {...amounts} name="allocatedServiceFee" label="Service fee in VND" />
      <Input {...amounts} name="allocatedPenalty" label="Late payment fee in VND" />
      <button class="button primary">Send the allocation</button>
    </>
  );
}
