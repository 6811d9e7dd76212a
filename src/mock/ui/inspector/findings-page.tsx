import type { MockControls } from '../../controls/mock-controls.js';
import type { Finding } from '../../findings/finding.js';
import { rules, type Rule, type RuleName } from '../../findings/rules.js';
import { dimensionNames, dimensions, plainWorld, valuesOf, type World } from '../../worlds/dimensions.js';
import { worldName } from '../../worlds/resolve-world.js';
import { Badge } from '../shared/badge.js';
import { EmptyState, ListPage } from './layout.js';
import { Facts, Panel } from './panel.js';

// Enough to find the mistake.
const listedFindings = 25;
const listedRequests = 20;

/** The findings by rule, and the world in which they were seen. */
export function FindingsPage({ mock }: { readonly mock: MockControls }) {
  const findings = mock.findings();
  const broken = [...new Set(findings.map(({ rule }) => rule))];
  const isEmpty = broken.length === 0;
  return (
    <ListPage place="Findings">
      <WorldPanel world={mock.world()} />
      {broken.map((rule) => (
        <RulePanel rule={rule} findings={findings.filter((finding) => finding.rule === rule)} />
      ))}
      {isEmpty && (
        <EmptyState title="No findings">
          <p>
            Nothing that your code sent until now breaks a rule. That proves nothing about code that did not
            run.
          </p>
        </EmptyState>
      )}
      <Judged isOpen={isEmpty} />
    </ListPage>
  );
}

function WorldPanel({ world }: { readonly world: World }) {
  const own = dimensionNames.filter((name) => world[name] !== plainWorld[name]);
  return (
    <Panel id="world" title={`World: ${worldName(world)}`}>
      <p class="quiet">
        {own.length === 0
          ? "The mock's own answer to each question."
          : 'A service that the specification allows:'}
      </p>
      <Facts
        of={own.map((name) => [
          dimensions[name].about,
          valuesOf(name).find(([value]) => value === world[name])?.[1],
        ])}
      />
      <p class="quiet">
        <a href="/_mock/ui/controls#reset">Reset the mock into another world</a>
      </p>
    </Panel>
  );
}

interface RulePanelProps {
  readonly rule: RuleName;
  readonly findings: readonly Finding[];
}

function RulePanel({ rule, findings }: RulePanelProps) {
  const { level, why, fix } = rules[rule];
  const hidden = findings.length - listedFindings;
  return (
    <Panel id={rule} title={rule} action={<Badge tone={level === 'error' ? 'bad' : 'warn'}>{level}</Badge>}>
      <ul class="seen">
        {findings.slice(0, listedFindings).map((finding) => (
          <li>
            <p>{finding.message}</p>
            <Evidence of={finding} />
          </li>
        ))}
        {hidden > 0 && <li class="quiet">and {hidden} more</li>}
      </ul>
      <Facts
        of={[
          ['Why it matters', why],
          ['What to do', fix],
        ]}
      />
    </Panel>
  );
}

/** Links to the order and the requests of a finding. */
function Evidence({ of: { referenceId, requests } }: { readonly of: Finding }) {
  const hidden = requests.length - listedRequests;
  return (
    <p class="links quiet">
      {referenceId !== undefined && (
        <a class="reference" href={`/_mock?reference=${encodeURIComponent(referenceId)}`}>
          {referenceId}
        </a>
      )}
      {requests.slice(0, listedRequests).map((id) => (
        <a href={`/_mock/ui/requests/${String(id)}`}>Request {id}</a>
      ))}
      {hidden > 0 && <span>and {hidden} more</span>}
    </p>
  );
}

/** Rules that need the answers of the merchant's order page, which only a rehearsal asks. */
const needOrderPage: ReadonlySet<string> = new Set<RuleName>(['paid-not-counted', 'unpaid-counted']);

/** The rules that are judged here, and those that are not. */
function Judged({ isOpen }: { readonly isOpen: boolean }) {
  const all = Object.entries<Rule>(rules);
  const asked = all.filter(([name]) => needOrderPage.has(name));
  const judged = all.filter(([name, { look }]) => look && !needOrderPage.has(name));
  const compared = all.filter(([, { look }]) => !look);
  const parts = [
    ['The journal, its payments and invoices, and your answers to webhooks are judged by:', judged],
    ['Only installment-payments rehearse compares a world with the plain one:', compared],
    ['Only rehearse with --order-url asks your own order page:', asked],
  ] as const;
  return (
    <details class="panel" open={isOpen}>
      <summary>What is judged, and what is not</summary>
      {parts.map(([title, part]) => (
        <>
          <h3>{title}</h3>
          <Facts of={part.map(([name, { means }]) => [name, means])} />
        </>
      ))}
      <p class="quiet aside">Requests that the journal has dropped, or that were cleared, are not judged.</p>
    </details>
  );
}
