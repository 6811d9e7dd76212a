import type { PropsWithChildren } from 'hono/jsx';

/** The text fields of a form, trimmed; a field that is missing is empty. */
export class FormTexts {
  constructor(private readonly fields: Readonly<Record<string, unknown>> = {}) {}

  text(name: string): string {
    const value = Object.hasOwn(this.fields, name) ? this.fields[name] : undefined;
    return typeof value === 'string' ? value.trim() : '';
  }

  /** The number, NaN for any other text, or undefined where it is empty. */
  number(name: string): number | undefined {
    const text = this.text(name);
    return text === '' ? undefined : Number(text);
  }
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

interface FieldProps {
  readonly field: FormField;
  readonly typed: FormTexts;
  readonly type?: 'text' | 'search';
}

function Field({ field, typed, type = 'text' }: FieldProps) {
  const { name, label, options, initial = '', hint, required, keyboard, list } = field;
  const chosen = typed.text(name);
  return (
    <label class={type === 'search' && !options ? 'field wide' : 'field'}>
      <span>{label}</span>
      {options ? (
        <select name={name}>
          {options.map((option) => {
            const [value, text] = typeof option === 'string' ? [option, option] : option;
            return (
              <option value={value} selected={value === chosen}>
                {text}
              </option>
            );
          })}
        </select>
      ) : (
        <input
          type={type}
          autocomplete="off"
          spellcheck={false}
          name={name}
          value={chosen || initial}
          inputmode={keyboard ?? 'text'}
          required={required}
          list={list}
        />
      )}
      {hint !== undefined && <small class="quiet">{hint}</small>}
    </label>
  );
}

export type FormValues = Readonly<Record<string, string | number | undefined>>;

/**
 * The values of a form, by name: numbers for fields with a keyboard for numbers. An empty field is undefined, unless it
 * is required.
 */
export function valuesOf(fields: readonly FormField[], typed: FormTexts): FormValues {
  return Object.fromEntries(
    fields.map(({ name, keyboard, required }) => {
      const text = typed.text(name);
      return [name, keyboard ? typed.number(name) : text === '' && !required ? undefined : text];
    }),
  );
}

/** The texts and fields of a form. */
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
  readonly typed: FormTexts;
  readonly done?: string | undefined;
  readonly problem?: string | undefined;
}

/** A form with its heading, and its result once it was sent. The children are further fields. */
export function FormCard(props: PropsWithChildren<FormCardProps>) {
  const { id, action, content, typed, done, problem, children } = props;
  return (
    <form class="panel form" id={id} method="post" action={action} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{content.title}</h2>
      <p class="quiet">{content.intro}</p>
      {problem !== undefined && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {done !== undefined && (
        <p class="notice good" role="status">
          {done}
        </p>
      )}
      {content.fields.map((field) => !field.isHidden && <Field typed={typed} field={field} />)}
      {children}
      <button class={content.isDangerous ? 'button danger' : 'button primary'}>{content.button}</button>
    </form>
  );
}

/** The filters of a list that are set, by the names of their fields. */
export type Filters = Readonly<Record<string, string>>;

/** The filters of a query. Empty fields and unknown choices are ignored. */
export function filtersOf(fields: readonly FormField[], query: Filters): Filters {
  const typed = new FormTexts(query);
  const isSet = ({ name, options }: FormField) => {
    const text = typed.text(name);
    return text !== '' && (!options || options.some((option) => [option].flat()[0] === text));
  };
  return Object.fromEntries(fields.filter(isSet).map(({ name }) => [name, typed.text(name)]));
}

/** Filters of a list as the query of its address, together with `more`. */
export function queryOf(filters: Filters, more: Filters = {}): string {
  return new URLSearchParams({ ...filters, ...more }).toString();
}

interface FilterFormProps {
  readonly action: string;
  readonly label: string;
  readonly fields: readonly FormField[];
  readonly filters: Filters;
}

/** Filters of a list: they are the query of its address. */
export function FilterForm({ action, label, fields, filters }: FilterFormProps) {
  return (
    <form class="filters" action={action} role="search" aria-label={label} data-filters="">
      {fields.map((field) => (
        <Field typed={new FormTexts(filters)} field={field} type="search" />
      ))}
      <button class="button">Filter</button>
    </form>
  );
}
