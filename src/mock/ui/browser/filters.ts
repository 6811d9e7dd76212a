import { afterQuiet } from './timing.js';

const typingMs = 200;

/** The filled fields of a form as a query. */
export function queryOf(form: HTMLFormElement): string {
  const filled = [...new FormData(form)].filter(
    (field): field is [string, string] => typeof field[1] === 'string' && field[1] !== '',
  );
  return new URLSearchParams(filled).toString();
}

/** Applies filters as they change: the address has them, and the button is not needed. */
export function applyAsTyped(form: HTMLFormElement, applied: () => void): void {
  form.querySelector('button')?.remove();
  const filter = afterQuiet(() => {
    history.replaceState(null, '', `${form.action}?${queryOf(form)}`);
    applied();
  }, typingMs);
  form.addEventListener('input', filter);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    filter();
  });
}
