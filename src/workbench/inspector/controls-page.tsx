import type { Child } from 'hono/jsx';
import { documentedStatuses } from '../../protocol/result-statuses.js';
import { faultNames, type ObservedMock, type ScriptRule } from '../../mock/observation.js';
import { scenarios } from '../../mock/scenarios/named-scenarios.js';
import { faultText } from './badges.js';
import { actionForm, button, panel, table, type Columns } from './components.js';
import type { Page } from './layout.js';

const scenarioNames = scenarios.map(({ name }) => name);

/** The forms of the controls, and the responses and faults that wait for their requests. */
export function controlsPage(mock: ObservedMock): Page {
  const operation = choice('operation', 'Operation', mock.operationNames());
  const cards = [
    card('respond', 'Next result', 'Responds to the next requests of an operation without acting on them.', [
      operation,
      choice('answer.resultStatus', 'Result status', documentedStatuses, 'None'),
      line('answer.resultMsg', 'Message', 'If empty, a text of the mock.'),
      line('answer.httpStatus', 'HTTP status', 'If empty, the usual status.'),
      whichRequests,
      <button class="button primary">Set the next result</button>,
    ]),
    card('faults', 'Next fault', 'Makes something go wrong with the next requests of an operation.', [
      operation,
      choice('fault', 'Fault', faultNames, 'None'),
      line('fault.delayMs', 'Delay in milliseconds', 'Instead of a fault.'),
      choice('phase', 'Before or after the service acts', ['before', 'after']),
      whichRequests,
      <button class="button primary">Set the next fault</button>,
    ]),
    card(
      'reset',
      'Reset',
      'Deletes all records (requests, payments, notifications) and all scripted responses and faults.',
      [
        choice('scenario', 'Scenario', scenarioNames, 'No change'),
        <label class="check">
          <input type="checkbox" required />
          <span>Delete all of this</span>
        </label>,
        <button class="button danger">Reset the mock</button>,
      ],
    ),
  ];
  const rules = mock.script.rules();
  const clear = actionForm('script/clear', {}, button('Remove these'));
  const title = 'Waiting for requests';
  const waiting = rules.length > 0 && panel('waiting', title, table(title, ruleColumns, rules), clear);
  return { place: 'Controls', main: [<h1>Controls</h1>, waiting, <div class="cards">{cards}</div>] };
}

const card = (id: string, title: string, intro: string, content: Child) => (
  <form class="panel form" id={id} method="post" action={`/_mock/${id}`} aria-label={title}>
    <h2>{title}</h2>
    <p class="quiet">{intro}</p>
    {content}
  </form>
);

const field = (label: string, input: Child, hint?: string) => (
  <label class="field">
    <span>{label}</span>
    {input}
    {hint !== undefined && <small class="quiet">{hint}</small>}
  </label>
);

const line = (name: string, label: string, hint?: string, value?: string) =>
  field(label, <input name={name} value={value} autocomplete="off" spellcheck={false} />, hint);

/** A select field. With `open`, its first option has this text and no value. */
function choice(name: string, label: string, options: readonly string[], open?: string) {
  const choices = options.map((option) => <option>{option}</option>);
  return field(label, <select name={name}>{[open && <option value="">{open}</option>, choices]}</select>);
}

const whichRequests = [
  line('times', 'How many requests', undefined, '1'),
  line(
    'referenceId',
    'Only with this reference',
    'The reference of a request or a notification. If empty, all references.',
  ),
];

const ruleColumns: Columns<ScriptRule> = [
  ['Operation', ({ operation }) => operation],
  ['What happens', effectText, 'wide'],
  ['Requests left', ({ times }) => (times === Infinity ? 'all' : times)],
  ['Reference', ({ referenceId }) => referenceId, 'wide'],
];

function effectText(rule: ScriptRule) {
  if ('fault' in rule) return `${faultText(rule.fault)} ${rule.phase} the service acts`;
  const { resultStatus = 'Custom response', httpStatus } = rule.answer;
  return httpStatus === undefined ? resultStatus : `${resultStatus}, HTTP ${httpStatus}`;
}
