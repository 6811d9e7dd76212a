import { ExactText } from '../shared/exact-text.js';

interface MessageTextProps {
  readonly text: string;
  /** Size of the whole in bytes, of which the text may be the start. */
  readonly bytes?: number | undefined;
}

/** The body of a request or response: JSON with indentation, and then as it was sent; any other text as it was sent. */
export function MessageText({ text, bytes = 0 }: MessageTextProps) {
  const indented = indentedJson(text);
  const isCut = Buffer.byteLength(text) < bytes;
  return (
    <>
      {isCut && <p class="quiet">{bytes} bytes, of which the start is kept</p>}
      {indented === undefined || indented === text ? (
        <ExactText text={text} />
      ) : (
        <>
          <ExactText text={indented} />
          <details>
            <summary>As it was sent</summary>
            <ExactText text={text} />
          </details>
        </>
      )}
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
