import type { Child } from 'hono/jsx';

/** The texts of a form or a query, trimmed, by the names of their fields. */
export type Texts = Readonly<Record<string, string>>;

export function textsOf(fields: Readonly<Record<string, unknown>>): Texts {
  const texts = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : '',
  ]);
  return Object.fromEntries(texts) as Texts;
}

/** A field of a form: a choice where it has options, otherwise a line to type into. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly options?: readonly (string | readonly [value: string, label: string])[];
  /** Shown where nothing was typed. */
  readonly initial?: string;
  readonly hint?: string;
  readonly required?: boolean;
  /** Of a field that takes a number. */
  readonly keyboard?: 'numeric' | 'decimal';
  /** ID of a list of suggestions. */
  readonly list?: string;
  /** Sent by other pages only. */
  readonly isHidden?: boolean;
}

const optionOf = (option: string | readonly [string, string]) =>
  typeof option === 'string' ? ([option, option] as const) : option;

function fieldOf(field: FormField, typed: Texts, type: 'text' | 'search') {
  const { name, label, options, initial = '', hint, required, keyboard = 'text', list } = field;
  const chosen = typed[name] ?? '';
  const rest = { autocomplete: 'off', spellcheck: false, inputmode: keyboard, required, list } as const;
  return (
    <label class={type === 'search' && !options ? 'field wide' : 'field'}>
      <span>{label}</span>
      {options ? (
        <select name={name}>
          {options.map(optionOf).map(([value, text]) => (
            <option value={value} selected={value === chosen}>
              {text}
            </option>
          ))}
        </select>
      ) : (
        <input type={type} name={name} value={chosen || initial} {...rest} />
      )}
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

/** A form of the inspector, by the last part of the address that it is sent to. */
export interface FormContent {
  readonly title: string;
  readonly intro: string;
  readonly fields: readonly FormField[];
  readonly button: string;
  readonly isDangerous?: boolean;
}

interface FormCardProps {
  readonly id: string;
  readonly action: string;
  readonly content: FormContent;
  /** The texts of the fields. */
  readonly typed: Texts;
  /** The result, once the form was sent. */
  readonly done?: string | undefined;
  readonly problem?: string | undefined;
  /** A further field. */
  readonly children?: Child;
}

/** A form with its heading, and its result once it was sent. */
export function FormCard({ id, action, content, typed, done, problem, children }: FormCardProps) {
  const { title, intro, fields, button, isDangerous } = content;
  return (
    <form
      class="panel form"
      id={id}
      method="post"
      action={`/_mock/ui/${action}`}
      aria-labelledby={`${id}-title`}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <p class="quiet">{intro}</p>
      {problem !== undefined && notice('bad', 'alert', problem)}
      {done !== undefined && notice('good', 'status', done)}
      {fields.map((field) => !field.isHidden && fieldOf(field, typed, 'text'))}
      {children}
      <button class={isDangerous ? 'button danger' : 'button primary'}>{button}</button>
    </form>
  );
}

const notice = (tone: 'good' | 'bad', role: 'alert' | 'status', text: string) => (
  <p class={`notice ${tone}`} role={role}>
    {text}
  </p>
);

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
