import { faultNames } from '../../controls/faults.js';
import { settlements } from '../shared/settlements.js';
import { documentedStatuses } from './badges.js';
import { operations } from './filters.js';
import { FormTexts } from './form-texts.js';
import { Choice, FormCard, Input } from './forms.js';
import { InspectorPage } from './layout.js';

/** The forms of the page, by the last part of the address that each is sent to. */
export const controls = ['respond', 'fault', 'settle', 'reset'] as const;
export type Control = (typeof controls)[number];

interface ControlsPageProps {
  /** The form that was sent. */
  readonly sent: Control | undefined;
  /** Why it was refused. */
  readonly problem?: string;
  /** What a refused form had in its fields; otherwise what all forms start with. */
  readonly typed: FormTexts;
}

const doneTexts: Readonly<Record<Control, string>> = {
  respond: 'Lined up. The next request that fits gets this answer.',
  fault: 'Lined up. The next request that fits gets this fault.',
  settle: 'The payment is settled.',
  reset: 'The mock is as it was when it started.',
};

const empty = new FormTexts();

/** The forms that make the mock do what a test needs. */
export function ControlsPage({ sent, problem, typed }: ControlsPageProps) {
  const form = (control: Control) => ({
    id: control,
    action: `/_mock/ui/${control}`,
    outcome:
      control === sent ? { problem, done: problem === undefined ? doneTexts[control] : undefined } : {},
  });
  const typedInto = (control: Control) => (problem === undefined || control === sent ? typed : empty);
  return (
    <InspectorPage place="Controls">
      <h1>Controls</h1>
      <datalist id="statuses">
        {documentedStatuses.map((status) => (
          <option value={status}></option>
        ))}
      </datalist>
      <div class="cards">
        <FormCard
          {...form('respond')}
          title="Next result"
          intro="Answers the next requests of an operation without acting on them."
        >
          <RespondFields typed={typedInto('respond')} />
        </FormCard>
        <FormCard
          {...form('fault')}
          title="Next fault"
          intro="Makes something go wrong with the next requests of an operation."
        >
          <FaultFields typed={typedInto('fault')} />
        </FormCard>
        <div class="stack">
          <FormCard
            {...form('settle')}
            title="Settle a payment"
            intro="Ends a payment as its customer would."
          >
            <SettleFields typed={typedInto('settle')} />
          </FormCard>
          <FormCard
            {...form('reset')}
            title="Reset"
            intro="Forgets every request, payment, invoice and notification, and what was lined up."
          >
            <label class="check">
              <input type="checkbox" name="sure" value="yes" required />
              <span>Forget everything</span>
            </label>
            <button class="button danger">Reset the mock</button>
          </FormCard>
        </div>
      </div>
    </InspectorPage>
  );
}

interface FieldsProps {
  readonly typed: FormTexts;
}

function WhichRequests({ typed }: FieldsProps) {
  return (
    <>
      <Input typed={typed} name="times" label="How many requests" initial="1" keyboard="numeric" />
      <Input
        typed={typed}
        name="referenceId"
        label="Only with this reference"
        hint="A referenceId, lenderTransactionCode or requestId. Empty: every request."
      />
    </>
  );
}

function RespondFields({ typed }: FieldsProps) {
  return (
    <>
      <Choice name="operation" label="Operation" options={operations} chosen={typed.text('operation')} />
      <Input typed={typed} name="resultStatus" label="Result status" list="statuses" />
      <Input typed={typed} name="resultMsg" label="Message" hint="Empty: the mock's own text." />
      <Input
        typed={typed}
        name="httpStatus"
        label="HTTP status"
        keyboard="numeric"
        hint="Empty: the usual one."
      />
      <WhichRequests typed={typed} />
      <button class="button primary">Line up the result</button>
    </>
  );
}

const faults = [...faultNames, ['delay', 'late answer']] as const;
const phases = [
  ['before', 'Before the service acts'],
  ['after', 'After it acted: the answer is lost'],
] as const;

function FaultFields({ typed }: FieldsProps) {
  return (
    <>
      <Choice name="operation" label="Operation" options={operations} chosen={typed.text('operation')} />
      <Choice name="fault" label="Fault" options={faults} chosen={typed.text('fault')} />
      <Input
        typed={typed}
        name="delayMs"
        label="Late by, in milliseconds"
        keyboard="numeric"
        hint="For a late answer."
      />
      <Choice name="phase" label="When" options={phases} chosen={typed.text('phase')} />
      <WhichRequests typed={typed} />
      <button class="button primary">Line up the fault</button>
    </>
  );
}

function SettleFields({ typed }: FieldsProps) {
  return (
    <>
      <Input typed={typed} name="referenceId" label="Reference" required />
      <Choice name="status" label="Outcome" options={settlements} chosen={typed.text('status')} />
      <button class="button primary">Settle the payment</button>
    </>
  );
}
