import type { MockControls } from '../../controls/mock-controls.js';
import type { Finding } from '../../findings/finding.js';
import { rules, type Rule, type RuleName } from '../../findings/rules.js';
import {
  dimensionNames,
  dimensions,
  plainWorld,
  valuesOf,
  type DimensionName,
  type World,
} from '../../worlds/dimensions.js';
import { worldName } from '../../worlds/resolve-world.js';
import { badge, facts, link, type Fact } from '../shared/elements.js';
import { emptyState, listPage } from './layout.js';
import { panel } from './panel.js';

// Enough to find the mistake.
const listedFindings = 25;
const listedRequests = 20;

/** The findings by rule, and the world in which they were seen. */
export function findingsPage(mock: MockControls) {
  const findings = mock.findings();
  const broken = [...new Set(findings.map(({ rule }) => rule))];
  const ofRule = (name: RuleName) => findings.filter(({ rule }) => rule === name);
  const isEmpty = broken.length === 0;
  return listPage('Findings', [
    worldPanel(mock.world()),
    broken.map((rule) => rulePanel(rule, ofRule(rule))),
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
  const meaning = (name: DimensionName) => valuesOf(name).find(([value]) => value === world[name])?.[1];
  const differs = 'What a service might do where the specification is silent or not followed:';
  return panel('world', `World: ${worldName(world)}`, [
    <p class="quiet">{own.length > 0 ? differs : "The mock's own answer to each question."}</p>,
    facts(own.map((name) => [dimensions[name].about, meaning(name)])),
    <p class="quiet">{link('/_mock/ui/controls#reset', 'Reset the mock into another world')}</p>,
  ]);
}

function rulePanel(rule: RuleName, findings: readonly Finding[]) {
  const { level, why, fix } = rules[rule];
  const hidden = findings.length - listedFindings;
  const seen = (
    <ul class="seen">
      {findings.slice(0, listedFindings).map((finding) => (
        <li>{[<p>{finding.message}</p>, evidence(finding)]}</li>
      ))}
      {hidden > 0 && <li class="quiet">and {hidden} more</li>}
    </ul>
  );
  const advice: Fact[] = [
    ['Why it matters', why],
    ['What to do', fix],
  ];
  return panel(rule, rule, [seen, facts(advice)], badge(level === 'error' ? 'bad' : 'warn', level));
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
const needOrderPage: ReadonlySet<string> = new Set<RuleName>([
  'paid-not-counted',
  'unpaid-counted',
  'redirect-believed',
  'counted-twice',
]);
const compares: ReadonlySet<string> = new Set<RuleName>([
  'two-payments',
  'new-reference-after-unknown',
  'two-links-paid',
]);
const [here, compared, asked] = [
  'The journal, its payments and invoices, and your answers to webhooks are judged by:',
  'Only installment-payments rehearse compares a world with the plain one:',
  'Only rehearse with --order-url asks your own order page:',
] as const;

/** The rules that are judged here, and those that are not. */
function judgedPanel(isOpen: boolean) {
  const judgeOf = (name: string) => (needOrderPage.has(name) ? asked : compares.has(name) ? compared : here);
  const judgedBy = (judge: string) => Object.entries<Rule>(rules).filter(([name]) => judgeOf(name) === judge);
  return (
    <details class="panel" open={isOpen}>
      <summary>What is judged, and what is not</summary>
      {[here, compared, asked].map((judge) => [
        <h3>{judge}</h3>,
        facts(judgedBy(judge).map(([name, { means }]) => [name, means])),
      ])}
      <p class="quiet aside">Requests that the journal has dropped, or that were cleared, are not judged.</p>
    </details>
  );
}
