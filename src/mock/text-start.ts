/** The start of a text. Copied: a mere slice would keep the whole of it alive. */
export function startOf(text: string, characters: number): string {
  return text.length <= characters ? text : Buffer.from(text.slice(0, characters)).toString();
}
