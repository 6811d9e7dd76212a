import type { PropsWithChildren } from 'hono/jsx';
import type { FormTexts } from './form-texts.js';

interface FieldProps {
  readonly name: string;
  readonly label: string;
}

interface ChoiceProps extends FieldProps {
  readonly options: readonly (string | readonly [value: string, label: string])[];
  readonly chosen: string;
}

/** A choice of a few words. */
export function Choice({ name, label, options, chosen }: ChoiceProps) {
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

interface InputProps extends FieldProps {
  /** What was typed before. */
  readonly typed: FormTexts;
  /** Shown where nothing was typed. */
  readonly initial?: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly keyboard?: 'text' | 'numeric' | 'decimal';
  /** ID of a list of suggestions. */
  readonly list?: string;
}

/** A line to type into. */
export function Input(props: InputProps) {
  const { name, label, typed, initial = '', hint, required, keyboard = 'text', list } = props;
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="text"
        autocomplete="off"
        spellcheck={false}
        name={name}
        value={typed.text(name) || initial}
        inputmode={keyboard}
        required={required}
        list={list}
      />
      {hint !== undefined && <small class="quiet">{hint}</small>}
    </label>
  );
}

/** What became of a form when it was sent. */
export interface FormOutcome {
  readonly done?: string | undefined;
  readonly problem?: string | undefined;
}

interface FormCardProps {
  readonly id: string;
  readonly action: string;
  readonly title: string;
  readonly intro: string;
  readonly outcome?: FormOutcome;
}

/** A form with its heading, and what became of it when it was sent. */
export function FormCard({ id, action, title, intro, outcome, children }: PropsWithChildren<FormCardProps>) {
  const { done, problem } = outcome ?? {};
  return (
    <form class="panel form" id={id} method="post" action={action} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      <p class="quiet">{intro}</p>
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
      {children}
    </form>
  );
}
