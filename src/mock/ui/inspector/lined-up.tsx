import type { Child } from 'hono/jsx';
import type { LinedUp as Rule, ScriptedAnswer, Script } from '../../state/script.js';
import { Badge } from '../shared/badge.js';
import { faultText } from './badges.js';
import { Panel, Table } from './panel.js';

export interface LinedUpProps {
  readonly script: Pick<Script, 'answers' | 'faults'>;
}

/** The results and faults that wait for their requests. */
export function LinedUp({ script: { answers, faults } }: LinedUpProps) {
  return (
    <Panel id="lined-up" title="Lined up">
      {answers.length + faults.length === 0 ? (
        <p class="quiet">Nothing: every request takes its usual course.</p>
      ) : (
        <Table labelledBy="lined-up" columns={['Operation', 'What happens', 'Cancel']} class="lined-up">
          {faults.map((rule) => (
            <Row kind="fault" rule={rule}>
              <Badge tone="warn">{faultText(rule.effect.fault)}</Badge>{' '}
              {rule.effect.phase === 'after' && 'after the service acted'}
            </Row>
          ))}
          {answers.map((rule) => (
            <Row kind="answer" rule={rule}>
              <Badge tone="note">{answerText(rule.effect)}</Badge>
            </Row>
          ))}
        </Table>
      )}
    </Panel>
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

interface RowProps {
  readonly kind: 'fault' | 'answer';
  readonly rule: Rule<unknown>;
  readonly children?: Child;
}

function Row({ kind, rule: { id, operation, referenceId, left }, children }: RowProps) {
  return (
    <tr>
      <th scope="row">{operation}</th>
      <td>
        {children}{' '}
        <span class="quiet">
          {timesText(left)}
          {referenceId !== undefined && (
            <>
              {' '}
              with <code>{referenceId}</code>
            </>
          )}
        </span>
      </td>
      <td>
        <form method="post" action="/_mock/ui/cancel">
          <input type="hidden" name="kind" value={kind} />
          <input type="hidden" name="id" value={id} />
          <button class="button" aria-label={`Cancel the ${kind} for ${operation}`}>
            Cancel
          </button>
        </form>
      </td>
    </tr>
  );
}
