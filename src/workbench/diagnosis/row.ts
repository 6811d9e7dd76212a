import fixes from './fixes.json' with { type: 'json' };

/** The kind of a mistake; after a dot, a part of that kind with a fix of its own. */
export type FixName = keyof typeof fixes;

/** One mistake of an explanation. */
export interface Mistake {
  /** Its kind and, after a dot, its form: `secret-trimmed.line-feed`. */
  readonly id: string;
  readonly says: string;
  readonly fix: string;
}

/** One mistake that merchants make, as a row of a list. */
export interface Row<From, To = From> {
  readonly kind: FixName;
  readonly form: string;
  /** The sentence about the result; a function if it depends on the request. */
  readonly says: string | ((before: From, after: To) => string);
  /** The value with the mistake in it, or undefined if it cannot be made. */
  readonly change: (value: From) => To | undefined;
}

const fixTexts: Readonly<Record<string, string>> = fixes;

/** The kind of a mistake, or of a fix, without its form. */
export const kindOf = (id: string): string => id.split('.', 1)[0] ?? id;

/** A mistake with the fix of its form, if it has one, or of its kind. */
export function mistake(kind: FixName, form: string, says: string): Mistake {
  const id = `${kindOf(kind)}${form && '.'}${form}`;
  return { id, says, fix: (kind.includes('.') ? undefined : fixTexts[id]) ?? fixes[kind] };
}

export function mistakeOf<From, To>(row: Row<From, To>, before: From, after: To): Mistake {
  const { kind, form, says } = row;
  return mistake(kind, form, typeof says === 'string' ? says : says(before, after));
}

/** Rows of one kind. In their sentence, `%` stands for what each of them is. */
export function rows<From, To = From>(
  kind: FixName,
  says: string,
  list: readonly (readonly [form: string, what: string, change: Row<From, To>['change']])[],
): (Row<From, To> & { readonly says: string })[] {
  return list.map(([form, what, change]) => ({ kind, form, says: says.replace('%', () => what), change }));
}

/** Texts, with ` | ` between them, that were taken instead of the right one. Each is its own form. */
export function listed(texts: string): (readonly [form: string, what: string, change: () => string])[] {
  return texts.split(/\s+\|\s+/).map((text) => [text, text, () => text]);
}
