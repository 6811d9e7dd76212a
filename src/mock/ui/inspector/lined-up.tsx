import type { Child } from 'hono/jsx';
import type { InjectedFault, LinedUp as Rule, ScriptedAnswer, Script } from '../../state/script.js';
import { badge } from '../shared/elements.js';
import { faultText } from './badges.js';
import { actionForm, panel, rowButton, table, type Columns } from './panel.js';

type LinedUpRule = Rule<unknown> & { readonly kind: 'fault' | 'answer'; readonly effect: Child };

const columns: Columns<LinedUpRule> = [
  ['Operation', ({ operation }) => operation],
  ['What happens', ({ effect, ...rule }) => [effect, ' ', <span class="quiet">{whichRequests(rule)}</span>]],
  [
    'Cancel',
    ({ kind, id, operation }) =>
      actionForm('cancel', { kind, id }, rowButton('Cancel', `Cancel the ${kind} for ${operation}`)),
  ],
];

/** The results and faults that wait for their requests. */
export function linedUp({ answers, faults }: Pick<Script, 'answers' | 'faults'>) {
  const rules: LinedUpRule[] = [
    ...faults.all().map((rule) => ({ ...rule, kind: 'fault' as const, effect: faultEffect(rule.effect) })),
    ...answers.all().map((rule) => ({ ...rule, kind: 'answer' as const, effect: answerEffect(rule.effect) })),
  ];
  const nothing = <p class="quiet">Nothing: every request takes its usual course.</p>;
  return panel('lined-up', 'Lined up', rules.length === 0 ? nothing : table('lined-up', columns, rules));
}

const faultEffect = ({ fault, phase }: InjectedFault) => [
  badge('warn', faultText(fault)),
  ' ',
  phase === 'after' && 'after the service acted',
];

function answerEffect({ resultStatus, httpStatus, body, resultMsg }: ScriptedAnswer) {
  const own = body === undefined ? resultMsg : 'a body of its own';
  const told = [resultStatus ?? own, httpStatus && `HTTP ${httpStatus}`].filter(Boolean).join(', ');
  return badge('note', told || 'headers of its own');
}

function whichRequests({ left, referenceId }: Pick<Rule<unknown>, 'left' | 'referenceId'>) {
  const several = left === Infinity ? 'every request' : `the next ${left} requests`;
  const requests = left === 1 ? 'the next request' : several;
  return referenceId === undefined ? requests : [`${requests} with `, <code>{referenceId}</code>];
}
