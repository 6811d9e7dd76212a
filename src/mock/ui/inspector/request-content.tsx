import type { JournalEntry, JournalFile } from '../../state/journal-types.js';
import { Facts, Panel } from './panel.js';

/** The body of a request: a form field by field, anything else as text. */
export function RequestContent({ entry }: { readonly entry: JournalEntry }) {
  const { fields, files = [], body, bodyBytes } = entry;
  if (fields) return <Form fields={fields} files={files} />;
  if (body === undefined) return <></>;
  const isCut = Buffer.byteLength(body) < (bodyBytes ?? 0);
  return (
    <Panel id="body" title="Body">
      {bodyBytes !== undefined && (
        <p class="quiet">
          {bodyBytes} bytes{isCut && ', of which the start is kept'}
        </p>
      )}
      <BodyText body={body} />
    </Panel>
  );
}

/** JSON with indentation, and then as it was sent; any other text as it was sent. */
function BodyText({ body }: { readonly body: string }) {
  const indented = indentedJson(body);
  const sent = (
    <pre class="text" tabindex={0}>
      {body}
    </pre>
  );
  if (indented === undefined || indented === body) return sent;
  return (
    <>
      <pre class="text" tabindex={0}>
        {indented}
      </pre>
      <details>
        <summary>As it was sent</summary>
        {sent}
      </details>
    </>
  );
}

const maxDepth = 32;

/** Undefined for a text that is not JSON, or is nested so deeply that most of the result would be indentation. */
function indentedJson(body: string): string | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isDeeper(value, maxDepth) ? undefined : JSON.stringify(value, null, 2);
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

interface FormProps {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly JournalFile[];
}

function Form({ fields, files }: FormProps) {
  return (
    <Panel id="body" title="Form">
      <Facts
        of={Object.entries(fields).map(([name, value]) => [name, <code class="field-text">{value}</code>])}
      />
      {files.map(({ field, name, type, size, sha256 }) => (
        <>
          <h3>File {name}</h3>
          <Facts
            of={[
              ['Field', field],
              ['Declared type', type],
              ['Size', `${String(size)} bytes`],
              ['SHA-256', <code>{sha256}</code>],
            ]}
          />
        </>
      ))}
    </Panel>
  );
}
