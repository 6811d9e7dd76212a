/** How the inspector looks. */
export const inspectorStyles = /* css */ `
.top { position: sticky; top: 0; z-index: 5; border-bottom: 1px solid var(--line); background: var(--surface); }
.inner {
  display: flex;
  flex-wrap: wrap;
  gap: 0 1.5rem;
  align-items: center;
  max-width: 76rem;
  margin: 0 auto;
  padding: 0.5rem 1.25rem 0;
}
.brand { padding-bottom: 0.5rem; font-weight: 650; letter-spacing: -0.01em; }
.brand::before {
  content: '';
  display: inline-block;
  width: 0.75rem;
  height: 0.75rem;
  margin-right: 0.5rem;
  border-radius: 3px;
  background: var(--accent);
}
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.125rem; }
@media (max-width: 44rem) {
  .inner nav { order: 1; width: 100%; }
  nav ul { gap: 0 0.625rem; font-size: 0.8125rem; }
  .top { position: static; }
}
nav ul a {
  display: block;
  padding: 0.375rem 0 0.5rem;
  border-bottom: 3px solid transparent;
  color: var(--muted);
  font-weight: 550;
  text-decoration: none;
}
nav ul a:hover { color: var(--ink); }
nav ul a[aria-current] { border-color: var(--accent); color: var(--ink); }
.link-state { margin-left: auto; padding-bottom: 0.375rem; color: var(--muted); font-size: 0.8125rem; }
.link-state::before {
  content: '';
  display: inline-block;
  width: 0.5rem;
  height: 0.5rem;
  margin-right: 0.375rem;
  border-radius: 50%;
  background: var(--fee);
}
.link-state[data-on]::before { background: var(--principal); }
main { max-width: 76rem; margin: 0 auto; padding: 1.75rem 1.25rem 5rem; }
main:focus { outline: none; }
h1 { font-size: 1.625rem; letter-spacing: -0.02em; overflow-wrap: anywhere; }
h2 { font-size: 1.0625rem; overflow-wrap: anywhere; }
h3 { margin: 1.25rem 0 0.5rem; font-size: 0.9375rem; overflow-wrap: anywhere; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.heading { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; align-items: baseline; margin-bottom: 1rem; min-width: 0; }
.panel {
  margin-top: 1rem;
  padding: 1.25rem;
  border: 1px solid var(--line);
  border-radius: 12px;
  background: var(--surface);
  box-shadow: var(--shadow);
}
.panel > h2 { margin-bottom: 0.75rem; }
.panel > .heading:has(button) { justify-content: space-between; align-items: center; }
.crumbs { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin-bottom: 1rem; font-size: 0.875rem; }
.crumbs a:first-child { margin-right: auto; }
.reference { overflow-wrap: anywhere; }
.badges { display: flex; flex-wrap: wrap; gap: 0.25rem; }

/* Fields */
.field { display: grid; gap: 0.25rem; align-content: start; min-width: 0; font-size: 0.8125rem; font-weight: 600; }
.field input, .field select {
  width: 100%;
  min-height: 2.5rem;
  padding: 0.25rem 0.625rem;
  border: 1px solid var(--edge);
  border-radius: 8px;
  background: var(--surface);
  font-size: 0.9375rem;
  font-weight: 400;
}
.field small { font-weight: 400; }
.filters { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: 0.75rem; align-items: end; }
.stack { display: grid; gap: 1rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 1rem; align-items: start; margin-top: 1.25rem; }
.form { display: grid; gap: 0.875rem; margin: 0; }
.form > h2 { margin: 0; }
.form .quiet { font-size: 0.875rem; }
.form > .button { justify-self: start; margin-top: 0.25rem; }
.check { display: flex; gap: 0.5rem; align-items: center; }
.check input { width: 1.125rem; height: 1.125rem; accent-color: var(--accent); }
.notice { padding: 0.625rem 0.75rem; border-radius: 8px; white-space: pre-wrap; overflow-wrap: anywhere; }
.notice.good { background: var(--good-soft); color: var(--good); }
.notice.bad { background: var(--bad-soft); color: var(--bad); }

/* The list of requests. No content-visibility: with thousands of rows it costs four times what it saves (measured). */
[data-live-list], .panel:has(> .requests) { padding: 0; overflow: hidden; }
.requests li { border-bottom: 1px solid var(--line); }
.requests a {
  display: grid;
  grid-template-columns: minmax(9rem, 14rem) minmax(8rem, 1fr) minmax(0, 1.4fr) 7rem 4.5rem;
  gap: 0.25rem 1rem;
  align-items: center;
  min-height: 3rem;
  padding: 0.5rem 1.25rem;
  color: inherit;
  text-decoration: none;
}
.requests a:hover { background: var(--sunken); }
.requests a:focus-visible { outline-offset: -3px; }
.what { font-weight: 600; overflow-wrap: anywhere; }
.requests .reference { overflow: hidden; font-family: var(--mono); font-size: 0.8125rem; text-overflow: ellipsis; white-space: nowrap; }
.when, .took { color: var(--muted); font-size: 0.8125rem; font-variant-numeric: tabular-nums; text-align: right; }
.older { display: flex; flex-wrap: wrap; gap: 0.75rem; justify-content: center; }
.older:has(a) { padding: 1rem; }
.requests:has(li) ~ [data-empty] { display: none; }
@media (max-width: 60rem) {
  .requests a { grid-template-columns: minmax(0, 1fr) auto; }
  .requests .reference { grid-column: 1 / -1; grid-row: 2; }
  .requests .badges { grid-column: 1; grid-row: 3; }
  .requests .what { grid-column: 1 / -1; }
  .requests .when { grid-column: 2; grid-row: 3; }
  .requests .took { display: none; }
}
.empty { display: grid; justify-items: center; gap: 0.5rem; padding: 3.5rem 1.25rem; text-align: center; color: var(--muted); }
.empty h2 { color: var(--ink); }
.empty pre { max-width: 100%; overflow-x: auto; padding: 0.625rem 0.875rem; border-radius: 8px; background: var(--sunken); color: var(--ink); }

/* Facts and texts */
.facts > div { display: grid; grid-template-columns: minmax(7rem, 11rem) minmax(0, 1fr); gap: 0 1rem; padding: 0.25rem 0; }
.facts dt { color: var(--muted); overflow-wrap: anywhere; }
.facts dd { overflow-wrap: anywhere; }
.field-text { white-space: pre-wrap; }
.text {
  max-height: 28rem;
  overflow: auto;
  margin: 0.75rem 0 0;
  padding: 0.875rem 1rem;
  border-radius: 8px;
  background: var(--sunken);
  line-height: 1.55;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}
details { margin-top: 0.75rem; }
summary { cursor: pointer; font-weight: 600; }
@media (max-width: 34rem) {
  .facts > div { grid-template-columns: minmax(0, 1fr); padding: 0.375rem 0; }
}

/* Two texts in line */
.diagnosis { border-color: var(--bad); }
.diagnosis { --gap: repeating-linear-gradient(135deg, transparent 0 3px, rgb(128 128 128 / 28%) 3px 4px); }
.diagnosis .message { margin-bottom: 0.25rem; font-size: 1.0625rem; }
.aligned { overflow-x: auto; margin-top: 0.875rem; padding: 0.75rem 0; border-radius: 8px; background: var(--sunken); }
.aligned pre { width: max-content; min-width: 100%; margin: 0; padding: 0 1rem 0 0; line-height: 1.6; }
.aligned b { display: inline-block; width: 2rem; padding-left: 0.75rem; font-weight: 700; }
.aligned .same { color: var(--muted); }
.aligned .expected { background: var(--good-soft); color: var(--good); }
.aligned .received { margin-bottom: 0.375rem; background: var(--bad-soft); color: var(--bad); }
.aligned mark { background: none; color: inherit; font-weight: 700; text-decoration: underline; text-underline-offset: 0.2em; }
.aligned mark.gap { background: var(--gap); text-decoration: none; }
.aligned mark.first { border-radius: 2px; outline: 2px solid var(--ink); text-decoration: none; }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin-top: 0.625rem; font-size: 0.8125rem; }
i.key { display: inline-block; width: 0.75rem; height: 0.75rem; margin-right: 0.375rem; border-radius: 3px; vertical-align: -0.0625rem; }
i.key.expected { background: var(--good); }
i.key.received { background: var(--bad); }
i.key.first { outline: 2px solid var(--ink); outline-offset: -2px; }

/* Payments and contracts */
.payment .amount { margin-left: auto; font-weight: 650; font-variant-numeric: tabular-nums; }
.payment .facts { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; margin: 0.875rem 0 1.125rem; font-size: 0.875rem; }
.payment .facts > div { display: block; padding: 0; }
.payment .invoices { margin-bottom: 1.125rem; }
.payment .heading { margin-bottom: 0.25rem; }
.payment > p { overflow-wrap: anywhere; }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.invoices li { padding: 0.25rem 0; overflow-wrap: anywhere; }
.contracts { padding: 0; overflow: hidden; }
.contracts li { border-bottom: 1px solid var(--line); }
.contracts li:last-child { border: 0; }
.contracts a { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; padding: 0.875rem 1.25rem; color: inherit; text-decoration: none; }
.contracts a:hover { background: var(--sunken); }
.contracts a:focus-visible { outline-offset: -3px; }
.contracts .reference { font-weight: 600; }
.contracts .quiet { margin-left: auto; }
.problems { border-color: var(--bad); }
.problems li { padding: 0.25rem 0; overflow-wrap: anywhere; }
.bar { margin-top: 0.75rem; }
.bar svg { display: block; width: 100%; height: 1.75rem; margin-top: 0.25rem; border-radius: 6px; }
.keys { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin-top: 1rem; font-size: 0.875rem; }
.keys .key { width: 0.75rem; height: 0.75rem; margin-right: 0.25rem; vertical-align: -0.0625rem; }
.track { fill: var(--sunken); }
.received { fill: var(--note); }
.reversed { fill: var(--free); }
.principal { fill: var(--principal); }
.fee { fill: var(--fee); }
.penalty { fill: var(--penalty); }
.free { fill: var(--spare); }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.5rem 0.75rem 0.5rem 0; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child { text-align: left; }
thead th { color: var(--muted); font-size: 0.8125rem; font-weight: 600; }
.timeline li { position: relative; padding: 0 0 1.25rem 1.5rem; overflow-wrap: anywhere; }
.timeline li::before {
  content: '';
  position: absolute;
  left: 0;
  top: 0.4375rem;
  z-index: 1;
  width: 0.625rem;
  height: 0.625rem;
  border-radius: 50%;
  background: var(--principal);
}
.timeline li::after { content: ''; position: absolute; left: 0.25rem; top: 0.75rem; bottom: -0.5rem; width: 2px; background: var(--line); }
.timeline li:last-child::after { display: none; }
.timeline .received::before { background: var(--note); }
.timeline .reversed::before { background: var(--penalty); }
.timeline .quiet { font-size: 0.875rem; }
`;
