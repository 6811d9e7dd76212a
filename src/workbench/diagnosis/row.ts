import fixes from './fixes.json' with { type: 'json' };

/** A fix by its mistake, or by one kind of it after a dot. */
export type FixName = keyof typeof fixes;

/** The words about a mistake. */
export interface Words {
  /** The mistake in a word, for `cause`. */
  readonly id: string;
  readonly says: string;
  readonly fix: string;
}

/** One mistake that merchants make, in one of the four lists. */
export interface Row<From, To = From> extends Words {
  /** The value with the mistake in it, or undefined where it cannot be made. */
  readonly change: (value: From) => To | undefined;
  /** The languages whose libraries do this by default: rows of one language are also tried together. */
  readonly by?: string | undefined;
}

export function words(fix: FixName, says: string): Words {
  return { id: fix.split('.', 1)[0] ?? fix, says, fix: fixes[fix] };
}

/** Rows of one kind. In their sentence, `%` stands for what each of them is. */
export function rows<From, To = From>(
  fix: FixName,
  says: string,
  list: readonly (readonly [what: string, change: Row<From, To>['change'], by?: string | undefined])[],
): Row<From, To>[] {
  return list.map(([what, change, by]) => ({
    ...words(
      fix,
      says.replace('%', () => what),
    ),
    change,
    by,
  }));
}

/** Rows for texts, with ` | ` between them, that were taken instead of the right one. They are their own words. */
export function listed(fix: FixName, says: string, texts: string): Row<unknown, string>[] {
  const list = texts.split(/\s+\|\s+/).map((text) => [text, () => text] as const);
  return rows<unknown, string>(fix, says, list);
}
