import { raw } from 'hono/html';
import { escapeToBuffer } from 'hono/utils/html';

interface ExactTextProps {
  readonly text: string;
  /** ID by which a button copies the text. */
  readonly id?: string;
}

/**
 * A text that is copied as it is. An HTML parser turns carriage returns into line feeds, and drops a line feed at the
 * start of a `pre`: the former are escaped, the latter is not at its start.
 */
export function ExactText({ text, id }: ExactTextProps) {
  const escaped: [string] = [''];
  escapeToBuffer(text, escaped);
  return (
    <pre class="text" tabindex={0}>
      <code id={id}>{raw(escaped[0].replaceAll('\r', '&#13;'))}</code>
    </pre>
  );
}

/** A button that copies the text with an ID. It needs JavaScript, and is hidden without. */
export function CopyButton({ of, label }: { readonly of: string; readonly label: string }) {
  return (
    <button class="button" type="button" data-copy={of}>
      {label}
    </button>
  );
}
