import fixes from './fixes.json' with { type: 'json' };

/** The languages and libraries in which a body or a canonical string is written. */
export const languages = ['php', 'python', 'javascript', 'go', 'gson', 'jackson', 'dotnet', 'ruby', 'jq'];
export const allLanguages = languages.join(' ');

/** A fix by its mistake, or by one kind of it after a dot. */
export type FixName = keyof typeof fixes;

/** The words about a mistake. */
export interface Words {
  /** The mistake in a word, for `cause`. */
  readonly id: string;
  readonly says: string;
  /** The steps, in lines; a line that several mistakes share is said once. */
  readonly fix: string;
}

/** One mistake that merchants make, in one of the four lists. */
export interface Row<From, To = From> extends Words {
  /** The value with the mistake in it, or undefined where it cannot be made. */
  readonly change: (value: From) => To | undefined;
  /** The languages whose libraries do this by themselves: rows of one language are also tried together. */
  readonly by?: string | undefined;
}

export function words(fix: FixName, says: string): Words {
  return { id: fix.split('.', 1)[0] ?? fix, says, fix: fixes[fix] };
}

type Cells<From, To> = readonly [
  what: string,
  change: Row<From, To>['change'],
  own?: { readonly fix?: FixName; readonly by?: string },
];

/** Rows of one kind. In their sentence, `%` stands for what each of them is. */
export function rows<From, To = From>(
  fix: FixName,
  says: string,
  list: readonly Cells<From, To>[],
  by?: string,
): Row<From, To>[] {
  return list.map(([what, change, own]) => ({
    ...words(
      own?.fix ?? fix,
      says.replace('%', () => what),
    ),
    change,
    by: own?.by ?? by,
  }));
}

/** Rows for texts, with ` | ` between them, that were taken instead of the right one. They are their own words. */
export function listed(fix: FixName, says: string, texts: string): Row<unknown, string>[] {
  return rows<unknown, string>(
    fix,
    says,
    texts.split(/\s+\|\s+/).map((text) => [text, () => text]),
  );
}
