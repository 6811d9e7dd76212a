import { raw } from 'hono/html';
import { tryParseJson } from '../../values/untrusted-values.js';
import { button } from './components.js';

/**
 * A text that can be copied exactly. A button can copy a text with an ID. An HTML parser converts carriage returns to
 * line feeds, and drops a line feed at the start of a `pre`. So carriage returns are escaped, and the text is not at
 * the start.
 */
export const exactText = (text: string, id?: string) => (
  <pre class="text" tabindex={0}>
    <code id={id}>
      {text.split('\r').flatMap((part, index) => (index === 0 ? part : [raw('&#13;'), part]))}
    </code>
  </pre>
);

/** A button that copies the text with an ID. It needs JavaScript, and is hidden without JavaScript. */
export const copyButton = (id: string, text: string) =>
  button(text, undefined, { type: 'button', 'data-copy': id });

/**
 * The body of a request or response. JSON is shown with indentation and then as it was sent; any other text is shown
 * as it was sent. The text can be only the start of the body, which has `bytes` bytes.
 */
export function bodyText(text: string, bytes = 0) {
  const indented = indentedJson(text);
  return [
    <h3>Body</h3>,
    Buffer.byteLength(text) < bytes && <p class="quiet">{bytes} bytes, of which the start is kept</p>,
    exactText(indented ?? text),
    indented !== undefined && indented !== text && (
      <details>{[<summary>As it was sent</summary>, exactText(text)]}</details>
    ),
  ];
}

/**
 * Indents JSON. Returns undefined for a text that is not JSON, or is nested so deeply that most of the result would
 * be indentation.
 */
function indentedJson(body: string): string | undefined {
  const value = tryParseJson(body);
  return isDeeper(value) ? undefined : JSON.stringify(value, null, 2);
}

function isDeeper(value: unknown, levels = 32): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}
