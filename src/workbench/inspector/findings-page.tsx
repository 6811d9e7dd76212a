import type { Finding } from '../findings/all-rules.js';
import { badge, facts, link } from '../../mock/ui/elements.js';
import { emptyState, panel } from './components.js';
import type { Page } from './layout.js';
import { requestsWith } from './requests-page.js';

/** The maximum number of findings of one rule on the page. It is enough to find the mistake. */
const mostListed = 20;

const scope = (
  <p class="quiet">
    The mistakes of your code that the mock can see. Rules that compare scenarios or read your order page need{' '}
    <code>installment-payments rehearse</code>.
  </p>
);

/** The findings by rule. */
export function findingsPage(findings: readonly Finding[]): Page {
  const byRule = new Map(findings.map((finding) => [finding.rule, finding]));
  const panels = [...byRule.values()].map((finding) => rulePanel(finding, findings));
  const nothing = emptyState(
    'No findings',
    'No request of your code has broken a rule so far. That proves nothing about code that did not run.',
  );
  return { place: 'Findings', main: [<h1>Findings</h1>, scope, panels, panels.length === 0 && nothing] };
}

/** The findings of one rule, with the advice of one of them. */
function rulePanel({ rule, level, why, fix }: Finding, all: readonly Finding[]) {
  const findings = all.filter((finding) => finding.rule === rule);
  const seen = findings
    .slice(0, mostListed)
    .map((finding) => <li>{[<p>{finding.message}</p>, evidence(finding)]}</li>);
  const content = [
    <ul class="seen">
      {seen}
      {findings.length > mostListed && <li>and {findings.length - mostListed} more</li>}
    </ul>,
    facts([
      ['Why it matters', why],
      ['What to do', fix],
    ]),
  ];
  return panel(rule, rule, content, badge(level === 'error' ? 'bad' : 'warn', level));
}

/** Links to the order and the requests of a finding. */
const evidence = ({ referenceId, requests }: Finding) => (
  <p class="links">
    {referenceId !== undefined && link(requestsWith(referenceId), referenceId)}
    {requests.map((id) => link(`/_mock/ui/requests/${id}`, `Request ${id}`))}
  </p>
);
