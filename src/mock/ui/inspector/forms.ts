import { html, type Markup } from '../shared/markup.js';

/** The textual fields of a form as they were sent; a field that is not there is empty. */
export class FormTexts {
  readonly #texts: ReadonlyMap<string, string>;

  constructor(body: Readonly<Record<string, unknown>> = {}) {
    this.#texts = new Map(
      Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  }

  text(name: string): string {
    return this.#texts.get(name)?.trim() ?? '';
  }

  /** The text, or undefined for none. */
  optional(name: string): string | undefined {
    return this.text(name) || undefined;
  }

  /** The number that stands there; NaN for a text that is none. */
  number(name: string): number | undefined {
    const text = this.optional(name);
    return text === undefined ? undefined : Number(text);
  }
}

type Option = string | readonly [value: string, label: string];

/** A choice of a few words. */
export function choice(name: string, label: string, options: readonly Option[], chosen: string): Markup {
  return html`<label class="field">
    <span>${label}</span>
    <select name="${name}">
      ${options.map((option) => {
        const [value, text] = typeof option === 'string' ? [option, option] : option;
        return html`<option value="${value}" ${value === chosen ? 'selected' : ''}>${text}</option>`;
      })}
    </select>
  </label>`;
}

interface InputOptions {
  readonly value: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly kind?: 'text' | 'whole number' | 'amount';
  /** ID of a list of suggestions. */
  readonly list?: string;
}

const keyboards = { text: 'text', 'whole number': 'numeric', amount: 'decimal' } as const;

/** A line to type into. */
export function input(name: string, label: string, options: InputOptions): Markup {
  const { value, hint, required = false, kind = 'text', list } = options;
  const attributes = html`name="${name}" value="${value}" inputmode="${keyboards[kind]}"
  ${required ? 'required' : ''} ${list === undefined ? '' : html`list="${list}"`}`;
  return html`<label class="field">
    <span>${label}</span>
    <input type="text" autocomplete="off" spellcheck="false" ${attributes} />
    ${hint !== undefined && html`<small class="quiet">${hint}</small>`}
  </label>`;
}

/** A form with a heading of its own, and what became of it when it was sent. */
export function formCard(
  form: { readonly id: string; readonly action: string; readonly title: string; readonly intro: string },
  fields: Markup,
  outcome: { readonly problem?: string | undefined; readonly done?: string | undefined } = {},
): Markup {
  const { problem, done } = outcome;
  return html`<form
    class="panel form"
    id="${form.id}"
    method="post"
    action="${form.action}"
    aria-labelledby="${form.id}-title"
  >
    <h2 id="${form.id}-title">${form.title}</h2>
    <p class="quiet">${form.intro}</p>
    ${problem !== undefined && html`<p class="notice bad" role="alert">${problem}</p>`}
    ${done !== undefined && html`<p class="notice good" role="status">${done}</p>`} ${fields}
  </form>`;
}
