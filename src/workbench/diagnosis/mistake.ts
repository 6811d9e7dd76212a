import fixes from './fixes.json' with { type: 'json' };
import sentences from './sentences.json' with { type: 'json' };

/** A kind of mistake and, after a dot, its form: `secret-trimmed.line-feed`. */
export type MistakeId = keyof typeof sentences | `${keyof typeof sentences}.${string}`;

/** One mistake of an explanation. */
export interface Mistake {
  readonly id: MistakeId;
  /** A sentence that describes the mistake. */
  readonly says: string;
  readonly fix: string;
}

/** The kind of a mistake, without its form. */
export const kindOfMistake = (id: string): string => id.split('.', 1)[0] ?? id;

/** The ID, or its longest beginning that has a text. */
function keyFor(id: string, texts: Readonly<Record<string, string>>): string {
  const end = id.lastIndexOf('.');
  return end < 0 || Object.hasOwn(texts, id) ? id : keyFor(id.slice(0, end), texts);
}

const sentenceTexts: Readonly<Record<string, string>> = sentences;
const fixTexts: Readonly<Record<string, string>> = fixes;

/** The fix for a mistake. */
export const fixFor = (id: MistakeId | keyof typeof fixes): string => fixTexts[keyFor(id, fixes)] ?? '';

/**
 * Creates a mistake with its texts. `detail` replaces the `%` in the sentence. Without `detail`, the rest of the ID
 * replaces the `%`.
 */
export function mistake(id: MistakeId, detail?: string): Mistake {
  const key = keyFor(id, sentences);
  const says = (sentenceTexts[key] ?? '').replaceAll('%', () => detail ?? id.slice(key.length + 1));
  return { id, says, fix: fixFor(id) };
}

/** Creates rows of one kind. Each form has a value, from which `change` makes the change of the row. */
export function rowsOf<Value, Change>(
  kind: string,
  forms: Iterable<readonly [form: string, value: Value]>,
  change: (value: Value) => Change,
): Readonly<Partial<Record<MistakeId, Change>>> {
  return Object.fromEntries(Array.from(forms, ([form, value]) => [`${kind}.${form}`, change(value)]));
}

/** Creates rows of one kind. Each text is both the form of a row and the value from which its change is made. */
export const rowsFor = <Change>(kind: string, texts: readonly string[], change: (text: string) => Change) =>
  rowsOf(
    kind,
    texts.map((text) => [text, text]),
    change,
  );
