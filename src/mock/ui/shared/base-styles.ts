/** Colours, type and the few things that both pages have. */
export const baseStyles = /* css */ `
:root {
  color-scheme: light dark;
  --canvas: #f5f6f4;
  --surface: #ffffff;
  --sunken: #eceeea;
  --ink: #16201d;
  --muted: #56615d;
  --line: #d9ddd7;
  --edge: #868f89;
  --accent: #0b5c53;
  --on-accent: #ffffff;
  --accent-soft: #dcefeb;
  --good: #17653a;
  --good-soft: #dff2e5;
  --bad: #a32018;
  --bad-soft: #fbe5e2;
  --warn: #7a4b00;
  --warn-soft: #fbeccd;
  --note: #33489b;
  --note-soft: #e4e9fa;
  --principal: #0f766a;
  --fee: #c98a14;
  --penalty: #c4463c;
  --free: #aab3ae;
  --spare: #bfe0da;
  --shadow: 0 1px 2px rgb(22 32 29 / 6%), 0 8px 24px -12px rgb(22 32 29 / 14%);
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --canvas: #0f1413;
    --surface: #181e1c;
    --sunken: #212927;
    --ink: #e7ecea;
    --muted: #9caaa5;
    --line: #2c3633;
    --edge: #6d7b76;
    --accent: #5cc9b8;
    --on-accent: #06231f;
    --accent-soft: #143a35;
    --good: #74d39a;
    --good-soft: #143423;
    --bad: #ff9a90;
    --bad-soft: #45201d;
    --warn: #f0bc62;
    --warn-soft: #3c2d10;
    --note: #a9b9ff;
    --note-soft: #232c4f;
    --principal: #3fb5a4;
    --fee: #e0ad48;
    --penalty: #ee7a70;
    --free: #56635e;
    --spare: #23544c;
    --shadow: 0 1px 2px rgb(0 0 0 / 40%);
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--canvas);
  color: var(--ink);
  font: 400 0.9375rem/1.5 var(--sans);
}
h1, h2, h3, p, ul, ol, dl, dd, figure, fieldset { margin: 0; padding: 0; }
ul, ol { list-style: none; }
h1, h2, h3 { font-weight: 650; line-height: 1.25; text-wrap: balance; }
a { color: var(--accent); text-underline-offset: 0.2em; }
button, input, select, textarea { font: inherit; color: inherit; }
code, pre, .mono { font-family: var(--mono); font-size: 0.8125rem; }
[hidden] { display: none !important; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.skip {
  position: absolute;
  left: 1rem;
  top: -4rem;
  z-index: 10;
  padding: 0.5rem 1rem;
  border-radius: 0 0 8px 8px;
  background: var(--accent);
  color: var(--on-accent);
}
.skip:focus { top: 0; }
.quiet { color: var(--muted); }
.button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  min-height: 2.5rem;
  padding: 0.375rem 1rem;
  border: 1px solid var(--edge);
  border-radius: 8px;
  background: var(--surface);
  color: var(--ink);
  font-weight: 600;
  text-decoration: none;
  cursor: pointer;
}
.button:hover { background: var(--sunken); }
.button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.button.primary:hover { filter: brightness(1.1); }
.button.danger { border-color: var(--bad); color: var(--bad); }
.badge {
  display: inline-block;
  padding: 0.0625rem 0.5rem;
  border-radius: 99px;
  background: var(--sunken);
  color: var(--ink);
  font-size: 0.75rem;
  font-weight: 600;
  line-height: 1.5;
  overflow-wrap: anywhere;
}
.badge.good { background: var(--good-soft); color: var(--good); }
.badge.bad { background: var(--bad-soft); color: var(--bad); }
.badge.warn { background: var(--warn-soft); color: var(--warn); }
.badge.note { background: var(--note-soft); color: var(--note); }
@media (prefers-reduced-motion: no-preference) {
  .button { transition: background-color 120ms, filter 120ms; }
}
`;
