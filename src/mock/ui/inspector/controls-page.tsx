import { faultNames } from '../../common/faults.js';
import type { MockControls } from '../../controls/mock-controls.js';
import { settlements, settleSchema, type Announced } from '../../state/payment-record.js';
import { injectFaultSchema, respondWithSchema, type Script } from '../../state/script.js';
import { checked } from '../../common/usage-error.js';
import { worlds } from '../../worlds/named-worlds.js';
import type { WorldOption } from '../../worlds/resolve-world.js';
import { operations } from '../../../protocol/endpoints.js';
import { documentedStatuses } from '../../../protocol/result-statuses.js';
import { formCard, type FormContent, type FormField, type FormValues, type Texts } from './forms.js';
import { region, type Page } from './layout.js';
import { linedUp } from './lined-up.js';

const operation: FormField = { name: 'operation', label: 'Operation' };
const whichRequests: readonly FormField[] = [
  { name: 'times', label: 'How many requests', initial: '1', keyboard: 'numeric' },
  {
    name: 'referenceId',
    label: 'Only with this reference',
    hint: 'A referenceId, lenderTransactionCode or requestId. Empty: every request.',
  },
];
const phases = [
  ['before', 'Before the service acts'],
  ['after', 'After it acted: the answer is lost'],
] as const;

export interface Control extends FormContent {
  /** Does what the form asks for, and announces a payment that it has settled. */
  readonly apply: (mock: MockControls, values: FormValues, announced: Announced) => void | Promise<void>;
  readonly done: string;
}

/** The forms of the page. */
export const controls: readonly Control[] = [
  {
    id: 'respond',
    title: 'Next result',
    intro: 'Answers the next requests of an operation without acting on them.',
    fields: [
      operation,
      { name: 'resultStatus', label: 'Result status', options: [['', 'None'], ...documentedStatuses] },
      { name: 'resultMsg', label: 'Message', hint: "Empty: the mock's own text." },
      { name: 'httpStatus', label: 'HTTP status', keyboard: 'numeric', hint: 'Empty: the usual one.' },
      ...whichRequests,
    ],
    button: 'Line up the result',
    apply(mock, { operation, times, referenceId, ...answer }) {
      const rule = checked(respondWithSchema, 'Next result', { operation, times, referenceId, answer });
      mock.respondWith(rule.operation, rule.answer, rule);
    },
    done: 'Lined up. The next request that fits gets this answer.',
  },
  {
    id: 'fault',
    title: 'Next fault',
    intro: 'Makes something go wrong with the next requests of an operation.',
    fields: [
      operation,
      { name: 'fault', label: 'Fault', options: [...faultNames, ['delay', 'late answer']] },
      { name: 'delayMs', label: 'Late by, in milliseconds', keyboard: 'numeric', hint: 'For a late answer.' },
      { name: 'phase', label: 'When', options: phases },
      ...whichRequests,
    ],
    button: 'Line up the fault',
    apply(mock, { fault, delayMs, ...rest }) {
      const chosen = fault === 'delay' ? { delayMs } : fault;
      const rule = checked(injectFaultSchema, 'Next fault', { fault: chosen, ...rest });
      mock.injectFault(rule.operation, rule.fault, rule);
    },
    done: 'Lined up. The next request that fits gets this fault.',
  },
  {
    id: 'settle',
    title: 'Settle a payment',
    intro: 'Ends a payment as its customer would.',
    fields: [
      { name: 'referenceId', label: 'Reference', required: true },
      { name: 'status', label: 'Outcome', options: settlements },
      { name: 'merchantId', label: 'Merchant', isHidden: true },
    ],
    button: 'Settle the payment',
    apply(mock, values, announced) {
      const { referenceId, status, merchantId } = checked(settleSchema, 'Settle', values);
      return announced(mock.settle(referenceId, status, merchantId));
    },
    done: 'The payment is settled.',
  },
  {
    id: 'reset',
    title: 'Reset',
    intro: 'Forgets every request, payment, invoice and notification, and what was lined up.',
    fields: [
      { name: 'world', label: 'World', options: [['', 'As it is'], ...worlds.map(({ name }) => name)] },
    ],
    button: 'Reset the mock',
    isDangerous: true,
    apply: (mock, { world }) => mock.reset({ world: world as WorldOption | undefined }),
    done: 'The mock is as it was when it started.',
  },
];

export interface ShownControls {
  /** The form that was sent. */
  readonly sent: Control | undefined;
  /** Why it was refused. */
  readonly problem?: string;
  /** The fields of a refused form; otherwise the initial texts of all forms. */
  readonly typed: Texts;
}

const sure = (
  <label class="check">
    <input type="checkbox" name="sure" value="yes" required />
    <span>Forget everything</span>
  </label>
);

/** The forms that make the mock do what a test needs. */
export function controlsPage(shown: ShownControls, script: Script, ownPaths: Iterable<string>): Page {
  const { sent, problem, typed } = shown;
  const options = [...operations, ...ownPaths];
  const [respond, fault, settle, reset] = controls.map((control) => {
    const fields = control.fields.map((field) => (field === operation ? { ...field, options } : field));
    const result = problem === undefined ? (['good', control.done] as const) : (['bad', problem] as const);
    const own = problem === undefined || control === sent ? typed : {};
    const more = control.id === 'reset' && sure;
    return formCard(control.id, { ...control, fields }, own, control === sent ? result : undefined, more);
  });
  const cards = [respond, fault, <div class="stack">{[settle, reset]}</div>];
  const main = [<h1>Controls</h1>, region(linedUp(script)), <div class="cards">{cards}</div>];
  return { place: 'Controls', status: problem === undefined ? 200 : 400, main };
}
