/** A value that passed its check, or the problem of a value that did not. */
export type Checked<T, Problem = string> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

export function valid<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function invalid<Problem>(problem: Problem): { readonly ok: false; readonly problem: Problem } {
  return { ok: false, problem };
}
