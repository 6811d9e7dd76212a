/** How the payment page looks. */
export const paymentStyles = /* css */ `
.top {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem 1rem;
  align-items: center;
  justify-content: space-between;
  max-width: 64rem;
  margin: 0 auto;
  padding: 1.25rem 1.25rem 0;
}
.brand { font-weight: 650; letter-spacing: -0.01em; }
.brand::before {
  content: '';
  display: inline-block;
  width: 0.75rem;
  height: 0.75rem;
  margin-right: 0.5rem;
  border-radius: 3px;
  background: var(--accent);
}
.layout {
  display: grid;
  gap: 2rem;
  max-width: 64rem;
  margin: 0 auto;
  padding: 2rem 1.25rem 4rem;
}
.layout.single { max-width: 30rem; padding-top: 12vh; }
@media (min-width: 52rem) {
  .layout:not(.single) { grid-template-columns: minmax(0, 1fr) 22rem; align-items: start; gap: 3rem; }
  .layout:not(.single) .pay { position: sticky; top: 2rem; grid-column: 2; grid-row: 1; }
  .order { grid-column: 1; grid-row: 1; }
}
.order { min-width: 0; }
.reference { color: var(--ink); font-weight: 600; overflow-wrap: anywhere; }
.amount {
  margin: 0.25rem 0 0.25rem;
  font-size: clamp(2rem, 9vw, 3.25rem);
  font-weight: 700;
  letter-spacing: -0.03em;
  font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
}
.description { margin-bottom: 1.75rem; font-size: 1.125rem; overflow-wrap: anywhere; }
.card {
  padding: 1.5rem;
  border: 1px solid var(--line);
  border-radius: 16px;
  background: var(--surface);
  box-shadow: var(--shadow);
}
.label { font-size: 0.8125rem; font-weight: 600; color: var(--muted); }
.items li {
  display: flex;
  flex-wrap: wrap;
  gap: 0.25rem 1.5rem;
  justify-content: space-between;
  padding: 0.875rem 0;
  border-bottom: 1px solid var(--line);
}
.items li > div { flex: 1 1 8rem; min-width: 0; overflow-wrap: anywhere; }
.product { font-weight: 600; }
.items .quiet { font-size: 0.875rem; }
.sum { font-variant-numeric: tabular-nums; white-space: nowrap; }
.facts { display: grid; gap: 0.5rem; margin-top: 1rem; }
.facts div { display: flex; flex-wrap: wrap; gap: 0 1.5rem; justify-content: space-between; }
.facts dt { color: var(--muted); }
.facts dd { min-width: 0; text-align: right; overflow-wrap: anywhere; }
.facts .total { padding-bottom: 0.5rem; font-size: 1.125rem; }
.facts .total dt, .facts .total dd { color: var(--ink); font-weight: 650; font-variant-numeric: tabular-nums; }
.pay { display: grid; gap: 1.25rem; }
.left { display: grid; gap: 0.125rem; }
.clock { font-size: 1.75rem; font-weight: 650; letter-spacing: -0.02em; font-variant-numeric: tabular-nums; line-height: 1.2; }
.clock[data-low] { color: var(--bad); }
.left .quiet { font-size: 0.8125rem; }
.scan { display: grid; justify-items: center; gap: 0.5rem; font-size: 0.875rem; text-align: center; }
.qr { display: block; width: 100%; max-width: 13rem; height: auto; border: 1px solid var(--line); border-radius: 12px; background: #fff; }
.actions { display: grid; gap: 0.625rem; }
.actions .button { min-height: 3rem; }
.actions .primary { font-size: 1.0625rem; }
.ended { display: grid; justify-items: center; gap: 0.75rem; padding: 1.5rem 0; text-align: center; }
.ended h1, .ended h2 { font-size: 1.5rem; }
.ended .mono { color: var(--muted); }
.mark {
  display: grid;
  place-items: center;
  width: 3.5rem;
  height: 3.5rem;
  border-radius: 50%;
  background: var(--sunken);
  font-size: 1.5rem;
  font-weight: 700;
}
.paid .mark { background: var(--good-soft); color: var(--good); }
.declined .mark { background: var(--bad-soft); color: var(--bad); }
.expired .mark { background: var(--warn-soft); color: var(--warn); }
`;
