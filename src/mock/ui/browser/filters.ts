import { soon } from './stream.js';

const form = document.querySelector<HTMLFormElement>('[data-filters]');

/** The filled fields of the page's filters as a query. */
export function filterQuery(): string {
  const fields = form ? [...new FormData(form)] : [];
  const filled = fields.flatMap(([name, text]) => (typeof text === 'string' && text ? [[name, text]] : []));
  return new URLSearchParams(filled).toString();
}

/** Applies the filters as they change: the address has them, and the button is not needed. */
export function filtersAsTyped(applied: () => void): void {
  form?.querySelector('button')?.remove();
  const filter = soon(() => {
    history.replaceState(null, '', `${location.pathname}?${filterQuery()}`);
    applied();
  }, 200);
  form?.addEventListener('input', filter);
  form?.addEventListener('submit', (event) => {
    event.preventDefault();
    filter();
  });
}
