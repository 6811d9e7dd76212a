import type { MockControls } from '../../controls/mock-controls.js';
import type { Finding } from '../../findings/finding.js';
import { rules, type Rule, type RuleName } from '../../findings/rules.js';
import { dimensionNames, dimensions, plainWorld, valuesOf, type World } from '../../worlds/dimensions.js';
import { worldName } from '../../worlds/resolve-world.js';
import { badge, facts, link } from '../shared/elements.js';
import { emptyState, listPage } from './layout.js';
import { Panel } from './panel.js';

// Enough to find the mistake.
const listedFindings = 25;
const listedRequests = 20;

/** The findings by rule, and the world in which they were seen. */
export function findingsPage(mock: MockControls) {
  const findings = mock.findings();
  const broken = [...new Set(findings.map(({ rule }) => rule))];
  const isEmpty = broken.length === 0;
  return listPage('Findings', [
    worldPanel(mock.world()),
    ...broken.map((rule) =>
      rulePanel(
        rule,
        findings.filter((finding) => finding.rule === rule),
      ),
    ),
    isEmpty && noFindings,
    judgedPanel(isEmpty),
  ]);
}

const noFindings = emptyState(
  'No findings',
  'Nothing that your code sent until now breaks a rule. That proves nothing about code that did not run.',
);

function worldPanel(world: World) {
  const own = dimensionNames.filter((name) => world[name] !== plainWorld[name]);
  const differs = own.length > 0;
  return (
    <Panel id="world" title={`World: ${worldName(world)}`}>
      <p class="quiet">
        {differs ? 'A service that the specification allows:' : "The mock's own answer to each question."}
      </p>
      {facts(
        own.map((name) => [
          dimensions[name].about,
          valuesOf(name).find(([value]) => value === world[name])?.[1],
        ]),
      )}
      <p class="quiet">{link('/_mock/ui/controls#reset', 'Reset the mock into another world')}</p>
    </Panel>
  );
}

function rulePanel(rule: RuleName, findings: readonly Finding[]) {
  const { level, why, fix } = rules[rule];
  const hidden = findings.length - listedFindings;
  return (
    <Panel id={rule} title={rule} action={badge(level === 'error' ? 'bad' : 'warn', level)}>
      <ul class="seen">
        {findings.slice(0, listedFindings).map((finding) => (
          <li>
            <p>{finding.message}</p>
            {evidence(finding)}
          </li>
        ))}
        {hidden > 0 && <li class="quiet">and {hidden} more</li>}
      </ul>
      {facts([
        ['Why it matters', why],
        ['What to do', fix],
      ])}
    </Panel>
  );
}

/** Links to the order and the requests of a finding. */
function evidence({ referenceId = '', requests }: Finding) {
  const hidden = requests.length - listedRequests;
  const order = `/_mock?reference=${encodeURIComponent(referenceId)}`;
  return (
    <p class="links quiet">
      {referenceId && link(order, referenceId, { class: 'reference' })}
      {requests.slice(0, listedRequests).map((id) => link(`/_mock/ui/requests/${id}`, `Request ${id}`))}
      {hidden > 0 && <span>and {hidden} more</span>}
    </p>
  );
}

/** Rules that need the answers of the merchant's order page, which only a rehearsal asks. */
const needOrderPage: ReadonlySet<string> = new Set<RuleName>(['paid-not-counted', 'unpaid-counted']);

type Test = (name: string, rule: Rule) => boolean;

const judges: readonly (readonly [title: string, judged: Test])[] = [
  [
    'The journal, its payments and invoices, and your answers to webhooks are judged by:',
    (name, { look }) => look !== undefined && !needOrderPage.has(name),
  ],
  ['Only installment-payments rehearse compares a world with the plain one:', (_, { look }) => !look],
  ['Only rehearse with --order-url asks your own order page:', (name) => needOrderPage.has(name)],
];

/** The rules that are judged here, and those that are not. */
const judgedPanel = (isOpen: boolean) => (
  <details class="panel" open={isOpen}>
    <summary>What is judged, and what is not</summary>
    {judges.map(([title, judged]) => [
      <h3>{title}</h3>,
      facts(
        Object.entries<Rule>(rules)
          .filter(([name, rule]) => judged(name, rule))
          .map(([name, { means }]) => [name, means]),
      ),
    ])}
    <p class="quiet aside">Requests that the journal has dropped, or that were cleared, are not judged.</p>
  </details>
);
