import type { Child } from 'hono/jsx';

/** The texts of a form or a query, trimmed, by the names of their fields. */
export type Texts = Readonly<Record<string, string>>;

export function textsOf(fields: Readonly<Record<string, unknown>>): Texts {
  const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '');
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, textOf(value)]));
}

type Option = string | readonly [value: string, label: string];

/** A field of a form: a choice where it has options, otherwise a line to type into. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly options?: readonly Option[];
  /** Shown where nothing was typed. */
  readonly initial?: string;
  readonly hint?: string;
  readonly required?: boolean;
  /** Of a field that takes a number. */
  readonly keyboard?: 'numeric' | 'decimal';
  /** Sent by other pages only. */
  readonly isHidden?: boolean;
}

const optionOf = (option: Option) => (typeof option === 'string' ? ([option, option] as const) : option);

function fieldOf({ name, label, ...field }: FormField, typed: Texts, type: 'text' | 'search') {
  const { options, initial = '', hint, required, keyboard = 'text' } = field;
  const chosen = typed[name] ?? '';
  const rest = { autocomplete: 'off', spellcheck: false, inputmode: keyboard, required } as const;
  const choices = options?.map(optionOf).map(([value, text]) => (
    <option value={value} selected={value === chosen}>
      {text}
    </option>
  ));
  const line = <input type={type} name={name} value={chosen || initial} {...rest} />;
  return (
    <label class={type === 'search' && !options ? 'field wide' : 'field'}>
      <span>{label}</span>
      {choices ? <select name={name}>{choices}</select> : line}
      {hint !== undefined && <small class="quiet">{hint}</small>}
    </label>
  );
}

export type FormValues = Readonly<Record<string, string | number | undefined>>;

/**
 * The values of a form, by name: numbers for fields with a keyboard for numbers, NaN for any other text in them. An empty
 * field is undefined, unless it is required.
 */
export function valuesOf(fields: readonly FormField[], typed: Texts): FormValues {
  const valueOf = ({ name, keyboard, required }: FormField) => {
    const text = typed[name] ?? '';
    if (text === '') return required && !keyboard ? '' : undefined;
    return keyboard ? Number(text) : text;
  };
  return Object.fromEntries(fields.map((field) => [field.name, valueOf(field)]));
}

export interface FormContent {
  /** The last part of the address that it is sent to. */
  readonly id: string;
  readonly title: string;
  readonly intro: string;
  readonly fields: readonly FormField[];
  readonly button: string;
  readonly isDangerous?: boolean;
}

/** The result of a form, once it was sent. */
export type FormResult = readonly [tone: 'good' | 'bad', text: string] | undefined;

const notice = ([tone, text]: NonNullable<FormResult>) => (
  <p class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
    {text}
  </p>
);

/** A form with its heading, the texts of its fields, a further field, and its result. */
export function formCard(to: string, content: FormContent, typed: Texts, result?: FormResult, more?: Child) {
  const { id, title, intro, fields, button, isDangerous } = content;
  const name = `${id}-title`;
  return (
    <form class="panel form" id={id} method="post" action={`/_mock/ui/${to}`} aria-labelledby={name}>
      <h2 id={name}>{title}</h2>
      <p class="quiet">{intro}</p>
      {result && notice(result)}
      {fields.map((field) => !field.isHidden && fieldOf(field, typed, 'text'))}
      {more}
      <button class={isDangerous ? 'button danger' : 'button primary'}>{button}</button>
    </form>
  );
}

/** The filters of a query. Empty fields and unknown choices are ignored. */
export function filtersOf(fields: readonly FormField[], query: Texts): Texts {
  const typed = textsOf(query);
  const isSet = ({ name, options }: FormField) =>
    typed[name] && (!options || options.some((option) => optionOf(option)[0] === typed[name]));
  return Object.fromEntries(fields.filter(isSet).map(({ name }) => [name, typed[name] ?? '']));
}

/** Filters of a list as the query of its address, together with `more`. */
export function queryOf(filters: Texts, more: Texts = {}): string {
  return new URLSearchParams({ ...filters, ...more }).toString();
}

/** Filters of a list: they are the query of its address. */
export const filterForm = (action: string, label: string, fields: readonly FormField[], filters: Texts) => (
  <form class="filters" action={action} role="search" aria-label={label} data-filters="">
    {fields.map((field) => fieldOf(field, filters, 'search'))}
    <button class="button">Filter</button>
  </form>
);
