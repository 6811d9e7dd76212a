/** The text fields of a form, trimmed; a field that is missing is empty. */
export class FormTexts {
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(fields: Readonly<Record<string, unknown>> = {}) {
    this.#fields = fields;
  }

  text(name: string): string {
    const value = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
    return typeof value === 'string' ? value.trim() : '';
  }

  /** The text, or undefined where it is empty. */
  optional(name: string): string | undefined {
    return this.text(name) || undefined;
  }

  /** The number, NaN for any other text, or undefined where it is empty. */
  number(name: string): number | undefined {
    const text = this.optional(name);
    return text === undefined ? undefined : Number(text);
  }
}
