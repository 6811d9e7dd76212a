import { html, type Markup } from '../shared/markup.js';
import { choice, formCard, input, type FormTexts } from './forms.js';
import { inspectorPage } from './layout.js';

/** The notifications that the page can send, by the last part of the address that sends them. */
export type LenderForm = 'receipt' | 'allocation';

/** Forms that play the lender: each sends one notification to this mock. */
export function lenderPage(typed: FormTexts): Markup {
  const card = (form: LenderForm, title: string, intro: string, fields: Markup) =>
    formCard({ id: form, action: `/_mock/ui/lender/${form}`, title, intro }, fields);
  return inspectorPage(
    'Lender',
    'Lender',
    html`<h1>Play the lender</h1>
      <div class="cards">
        ${card('receipt', 'Payment receipt', "A customer's payment reached the lender, or was reversed.", receiptFields(typed))}
        ${card('allocation', 'Repayment allocation', 'What a received amount was allocated to.', allocationFields(typed))}
      </div>`,
  );
}

function commonFields(typed: FormTexts): Markup {
  return html`${input('contractNumber', 'Contract', { value: typed.text('contractNumber') || 'CONTRACT-1', required: true })}
  ${input('lenderTransactionCode', 'Transaction code', {
    value: typed.text('lenderTransactionCode') || 'LTC-1',
    required: true,
    hint: 'Names the receipt; the allocations of its amount carry it too.',
  })}`;
}

function receiptFields(typed: FormTexts): Markup {
  return html`${commonFields(typed)}
    ${input('receivedAmount', 'Amount in VND', { value: typed.text('receivedAmount') || '1500000', kind: 'amount', required: true })}
    ${choice('receivedStatus', 'Status', ['SUCCESS', 'REVERSED'], typed.text('receivedStatus'))}
    ${input('reversalReason', 'Reason of a reversal', { value: typed.text('reversalReason') })}
    <button class="button primary">Send the receipt</button>`;
}

function allocationFields(typed: FormTexts): Markup {
  const amount = (name: string, label: string) =>
    input(name, label, { value: typed.text(name), kind: 'amount' });
  return html`${commonFields(typed)}
    ${choice('repaymentType', 'Type', ['NORMAL', 'EARLY_SETTLEMENT', 'PARTIAL'], typed.text('repaymentType'))}
    ${input('installmentNumber', 'Installment', { value: typed.text('installmentNumber') || '1', kind: 'whole number', required: true })}
    ${amount('allocatedPrincipal', 'Principal in VND')} ${amount('allocatedServiceFee', 'Service fee in VND')}
    ${amount('allocatedPenalty', 'Late payment fee in VND')}
    <button class="button primary">Send the allocation</button>`;
}
