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
export interface Row<From, To = From> {
  readonly fix: FixName;
  /** The sentence about the result; a function where it depends on the request. */
  readonly says: string | ((before: From, after: To) => string);
  /** The value with the mistake in it, or undefined where it cannot be made or changes nothing. */
  readonly change: (value: From) => To | undefined;
}

export function words(fix: FixName, says: string, id = fix.split('.', 1)[0] ?? fix): Words {
  return { id, says, fix: fixes[fix] };
}

export function wordsOf<From, To>({ fix, says }: Row<From, To>, before: From, after: To): Words {
  return words(fix, typeof says === 'string' ? says : says(before, after));
}

/** Rows of one kind, which may have a fix of their own. In their sentence, `%` stands for what each of them is. */
export function rows<From, To = From>(
  fix: FixName,
  says: string,
  list: readonly (readonly [what: string, change: Row<From, To>['change'], fix?: FixName])[],
): (Row<From, To> & { readonly says: string })[] {
  return list.map(([what, change, own = fix]) => ({
    fix: own,
    says: says.replace('%', () => what),
    change,
  }));
}

/** Texts, with ` | ` between them, that were taken instead of the right one. Each is its own words. */
export function listed(texts: string): (readonly [what: string, change: () => string])[] {
  return texts.split(/\s+\|\s+/).map((text) => [text, () => text]);
}
