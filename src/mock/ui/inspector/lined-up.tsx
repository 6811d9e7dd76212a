import type { Child } from 'hono/jsx';
import type { InjectedFault, LinedUp as Rule, ScriptedAnswer, Script } from '../../state/script.js';
import { Badge } from '../shared/badge.js';
import { faultText } from './badges.js';
import { ActionForm, Panel, Table, type Column } from './panel.js';

export interface LinedUpProps {
  readonly script: Pick<Script, 'answers' | 'faults'>;
}

interface LinedUpRule extends Rule<unknown> {
  readonly kind: 'fault' | 'answer';
  readonly badge: Child;
}

const columns: readonly Column<LinedUpRule>[] = [
  ['Operation', ({ operation }) => operation],
  [
    'What happens',
    ({ badge, left, referenceId }) => (
      <>
        {badge}{' '}
        <span class="quiet">
          {timesText(left)}
          {referenceId !== undefined && (
            <>
              {' '}
              with <code>{referenceId}</code>
            </>
          )}
        </span>
      </>
    ),
  ],
  [
    'Cancel',
    ({ kind, id, operation }) => (
      <ActionForm
        to="cancel"
        fields={{ kind, id }}
        label={`Cancel the ${kind} for ${operation}`}
        button="Cancel"
      />
    ),
  ],
];

/** The results and faults that wait for their requests. */
export function LinedUp({ script: { answers, faults } }: LinedUpProps) {
  const rules: LinedUpRule[] = [
    ...faults
      .all()
      .map((rule) => ({ ...rule, kind: 'fault' as const, badge: <FaultBadge of={rule.effect} /> })),
    ...answers.all().map((rule) => ({
      ...rule,
      kind: 'answer' as const,
      badge: <Badge tone="note">{answerText(rule.effect)}</Badge>,
    })),
  ];
  return (
    <Panel id="lined-up" title="Lined up">
      {rules.length === 0 ? (
        <p class="quiet">Nothing: every request takes its usual course.</p>
      ) : (
        <Table labelledBy="lined-up" columns={columns} rows={rules} class="lined-up" />
      )}
    </Panel>
  );
}

function FaultBadge({ of: { fault, phase } }: { readonly of: InjectedFault }) {
  return (
    <>
      <Badge tone="warn">{faultText(fault)}</Badge> {phase === 'after' && 'after the service acted'}
    </>
  );
}

function answerText({ resultStatus, httpStatus, body, resultMsg }: ScriptedAnswer): string {
  const status = httpStatus === undefined ? undefined : `HTTP ${String(httpStatus)}`;
  const own = body === undefined ? resultMsg : 'a body of its own';
  return [resultStatus ?? own, status].filter(Boolean).join(', ') || 'headers of its own';
}

function timesText(left: number): string {
  if (left === 1) return 'the next request';
  return left === Infinity ? 'every request' : `the next ${String(left)} requests`;
}
