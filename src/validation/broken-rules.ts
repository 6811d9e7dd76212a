import type * as z from 'zod/mini';
import { didYouMean } from '../values/nearest-word.js';
import { unknownField } from './rules.js';
import { namesAt } from './schema-names.js';

/** A broken rule: its path within the input, and its message. */
export interface Issue {
  readonly path: readonly (string | number)[];
  /** The message, which never quotes the value. */
  readonly message: string;
}

/** A broken rule, with the facts from which callers derive a status or a sentence. */
export interface BrokenRule extends Issue {
  /** True for an unknown field or option. */
  readonly isUnknownName: boolean;
  /** The `params` of the zod issue; empty if it has none. */
  readonly ruleFacts: Readonly<Record<string, unknown>>;
}

/**
 * How unknown names are reported: the message begins with `text`, such as `unknown option`, and ends with `hint`, which
 * is advice.
 */
export interface UnknownNames {
  readonly text?: string;
  readonly hint?: string | undefined;
}

// Permits at most four digits in a row, as in an array position: a phone number or a token has more.
const fieldNameShape = /^(?!.*\d{5})[\w$-]{0,40}$/;

/** A key as a message shows it. A key that does not look like a field name is hidden, because it can be data. */
function shownKey(key: string): string {
  return fieldNameShape.test(key) ? key : '[redacted]';
}

function pathOf(path: readonly PropertyKey[]): (string | number)[] {
  return path.map((key) => (typeof key === 'number' ? key : shownKey(String(key))));
}

/**
 * The maximum number of suggestions. Each suggestion is a search in all known names, so thousands of them would block
 * the event loop.
 */
const mostSuggestions = 20;

/**
 * Lists every broken rule of a failed parse. Each unknown field is an issue; the first twenty suggest the field that
 * was probably meant.
 */
export function brokenRules(
  error: Pick<z.core.$ZodError, 'issues'>,
  schema: z.ZodMiniType,
  { text = unknownField, hint = '' }: UnknownNames = {},
): BrokenRule[] {
  /**
   * The suggestions by path and name, without array positions: a name that is unknown in several elements of an array
   * counts once.
   */
  const suggestions = new Map<string, string>();
  const suggestionFor = (path: readonly (string | number)[], key: string): string => {
    const fieldPath = [...path.filter((part) => typeof part === 'string'), key].join('.');
    const found = suggestions.get(fieldPath);
    if (found !== undefined || suggestions.size === mostSuggestions) return found ?? '';
    const meant = didYouMean(key, namesAt(schema, path) ?? []);
    suggestions.set(fieldPath, meant);
    return meant;
  };
  const textOfPath = (issue: { readonly path: readonly PropertyKey[] }) =>
    JSON.stringify(issue.path.map(String));
  const wrongTypes = new Set(error.issues.filter(({ code }) => code === 'invalid_type').map(textOfPath));
  // For a value that should be an array and is not, zod also reports the length. This second issue is left out.
  const reported = error.issues.filter(
    (issue) => issue.code !== 'too_small' || !wrongTypes.has(textOfPath(issue)),
  );
  return reported.flatMap((issue): BrokenRule[] => {
    const path = pathOf(issue.path);
    if (issue.code !== 'unrecognized_keys') {
      const ruleFacts = issue.code === 'custom' ? issue.params : undefined;
      return [{ path, message: issue.message, isUnknownName: false, ruleFacts: ruleFacts ?? {} }];
    }
    // additionalFields cannot add a field to an element of an array, so there the hint is left out.
    const isInArray = path.some((key) => typeof key === 'number');
    return issue.keys.map((key) => {
      const meant = suggestionFor(path, shownKey(key));
      // A suggestion already ends with a question mark.
      const end = meant === '' ? '.' : '';
      const sentence = hint === '' || isInArray ? '' : `${end} ${hint}`;
      const message = `${text}${meant}${sentence}`;
      return { path: [...path, shownKey(key)], message, isUnknownName: true, ruleFacts: {} };
    });
  });
}

/** The path as text, such as `items[3].price`. A path of more than 120 characters is cut. */
export function pathText(path: readonly (string | number)[]): string {
  const shown = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${shownKey(key)}`)).join('');
  const written = shown.replace(/^\./, '');
  return written.length > 120 ? `${written.slice(0, 120)}…` : written;
}

/**
 * Describes the first `most` issues in one line: `items[3].price: must be …; and 2 more`. `whole` replaces an empty
 * path, and `others` replaces `more`.
 */
export function issuesText(issues: readonly Issue[], whole: string, most: number, others = 'more'): string {
  const texts = issues.slice(0, most).map(({ path, message }) => `${pathText(path) || whole}: ${message}`);
  const left = issues.length - texts.length;
  return `${texts.join('; ')}${left > 0 ? `; and ${left} ${others}` : ''}`;
}
