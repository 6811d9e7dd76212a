import type { PropsWithChildren } from 'hono/jsx';
import type { FormTexts } from './form-texts.js';

type Options = readonly (string | readonly [value: string, label: string])[];

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly options: Options;
  readonly chosen: string;
}

/** A choice of a few words. */
function Choice({ name, label, options, chosen }: ChoiceProps) {
  return (
    <label class="field">
      <span>{label}</span>
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
    </label>
  );
}

/** A field of a form: a choice where it has options, otherwise a line to type into. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly options?: Options;
  /** Shown where nothing was typed. */
  readonly initial?: string;
  readonly hint?: string;
  readonly required?: boolean;
  /** Of a field that takes a number. */
  readonly keyboard?: 'numeric' | 'decimal';
  /** ID of a list of suggestions. */
  readonly list?: string;
}

function Field({ typed, field }: { readonly typed: FormTexts; readonly field: FormField }) {
  const { name, label, options, initial = '', hint, required, keyboard, list } = field;
  if (options) return <Choice name={name} label={label} options={options} chosen={typed.text(name)} />;
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="text"
        autocomplete="off"
        spellcheck={false}
        name={name}
        value={typed.text(name) || initial}
        inputmode={keyboard ?? 'text'}
        required={required}
        list={list}
      />
      {hint !== undefined && <small class="quiet">{hint}</small>}
    </label>
  );
}

export type FormValues = Readonly<Record<string, string | number | undefined>>;

/**
 * What was typed into the fields of a form, by name: a number where the keyboard is one for numbers. An empty field is
 * undefined, unless it is required.
 */
export function valuesOf(fields: readonly FormField[], typed: FormTexts): FormValues {
  return Object.fromEntries(
    fields.map(({ name, keyboard, required }) => [
      name,
      keyboard ? typed.number(name) : required ? typed.text(name) : typed.optional(name),
    ]),
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
  /** What was typed before. */
  readonly typed: FormTexts;
  readonly done?: string | undefined;
  readonly problem?: string | undefined;
}

/** A form with its heading, and what became of it when it was sent. The children are further fields. */
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
      {content.fields.map((field) => (
        <Field typed={typed} field={field} />
      ))}
      {children}
      <button class={content.isDangerous ? 'button danger' : 'button primary'}>{content.button}</button>
    </form>
  );
}

interface FilterFormProps {
  readonly action: string;
  readonly label: string;
  /** Choices, and a field to search. */
  readonly fields: readonly FormField[];
  readonly typed: FormTexts;
}

/** Filters of a list: they are the query of its address. */
export function FilterForm({ action, label, fields, typed }: FilterFormProps) {
  return (
    <form class="filters" action={action} role="search" aria-label={label} data-filters="">
      {fields.map((field) =>
        field.options ? (
          <Field typed={typed} field={field} />
        ) : (
          <label class="field wide">
            <span>{field.label}</span>
            <input
              type="search"
              name={field.name}
              value={typed.text(field.name)}
              autocomplete="off"
              spellcheck={false}
            />
          </label>
        ),
      )}
      <button class="button">Filter</button>
    </form>
  );
}
