import { faultNames } from '../../controls/faults.js';
import { html, type Markup } from '../shared/markup.js';
import { documentedStatuses } from './badges.js';
import { operations } from './filters.js';
import { choice, formCard, input, type FormTexts } from './forms.js';
import { inspectorPage } from './layout.js';

/** The controls, by the last part of the address that works them. */
export const controls = ['respond', 'fault', 'settle', 'reset'] as const;
export type Control = (typeof controls)[number];

/** A control that was used: what was typed, and what came of it. */
export interface ControlUse {
  readonly control: Control;
  readonly typed?: FormTexts;
  readonly problem?: string;
}

const doneTexts: Readonly<Record<Control, string>> = {
  respond: 'Lined up. The next request that fits gets this answer.',
  fault: 'Lined up. It strikes the next request that fits.',
  settle: 'The payment is settled.',
  reset: 'The mock is as it was when it started.',
};

/** The panel that makes the mock do what a test needs. */
export function controlsPage(use: ControlUse | undefined, empty: FormTexts): Markup {
  const typed = (control: Control) => (use?.control === control ? (use.typed ?? empty) : empty);
  const card = (control: Control, title: string, intro: string, fields: Markup) => {
    const outcome =
      use?.control !== control
        ? {}
        : use.problem === undefined
          ? { done: doneTexts[control] }
          : { problem: use.problem };
    return formCard({ id: control, action: `/_mock/ui/${control}`, title, intro }, fields, outcome);
  };
  return inspectorPage(
    'Controls',
    'Controls',
    html`<h1>Controls</h1>
      <datalist id="statuses">
        ${documentedStatuses.map((status) => html`<option value="${status}"></option>`)}
      </datalist>
      <div class="cards">
        ${card('respond', 'Next result', 'Answers the next requests of an operation without acting on them.', respondFields(typed('respond')))}
        ${card('fault', 'Next fault', 'Lets something go wrong on the way of the next requests.', faultFields(typed('fault')))}
        <div class="stack">
          ${card('settle', 'Settle a payment', 'Ends a payment as its customer would.', settleFields(typed('settle')))}
          ${card('reset', 'Reset', 'Forgets every request, payment, invoice and notification, and what was lined up.', resetFields)}
        </div>
      </div>`,
  );
}

function whichRequests(typed: FormTexts): Markup {
  return html`${input('times', 'How many requests', { value: typed.text('times') || '1', kind: 'whole number' })}
  ${input('referenceId', 'Only with this reference', {
    value: typed.text('referenceId'),
    hint: 'A referenceId, or a lenderTransactionCode or requestId. Left empty, it counts for every request.',
  })}`;
}

function respondFields(typed: FormTexts): Markup {
  return html`${choice('operation', 'Operation', operations, typed.text('operation'))}
    ${input('resultStatus', 'Result status', { value: typed.text('resultStatus'), list: 'statuses' })}
    ${input('resultMsg', 'Message', { value: typed.text('resultMsg'), hint: "Empty: the mock's own text." })}
    ${input('httpStatus', 'HTTP status', { value: typed.text('httpStatus'), kind: 'whole number', hint: 'Empty: the usual one.' })}
    ${whichRequests(typed)} <button class="button primary">Line up the result</button>`;
}

function faultFields(typed: FormTexts): Markup {
  const phases = [
    ['before', 'Before the service acts'],
    ['after', 'After it acted: the answer is lost'],
  ] as const;
  return html`${choice('operation', 'Operation', operations, typed.text('operation'))}
    ${choice('fault', 'Fault', [...faultNames, ['delay', 'late answer']], typed.text('fault'))}
    ${input('delayMs', 'Late by, in milliseconds', { value: typed.text('delayMs'), kind: 'whole number', hint: 'For a late answer.' })}
    ${choice('phase', 'When', phases, typed.text('phase'))} ${whichRequests(typed)}
    <button class="button primary">Line up the fault</button>`;
}

function settleFields(typed: FormTexts): Markup {
  return html`${input('referenceId', 'Reference', { value: typed.text('referenceId'), required: true })}
    ${choice('status', 'Outcome', ['paid', 'declined', 'expired'], typed.text('status'))}
    <button class="button primary">Settle the payment</button>`;
}

const resetFields = html`<label class="check">
    <input type="checkbox" name="sure" value="yes" required />
    <span>Forget everything</span>
  </label>
  <button class="button danger">Reset the mock</button>`;
