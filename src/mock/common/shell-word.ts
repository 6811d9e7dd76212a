// A line feed inside quotes is safe to paste.
const unsafe = /(?!\n)[\p{Cc}\p{Cf}]/u;

/** A text as one word for bash or zsh. Control and invisible characters, which a terminal may act on, become escapes. */
export function shellWord(text: string): string {
  if (!unsafe.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = text.replaceAll(/[\p{Cc}\p{Cf}\\'!]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => String.raw`\x` + byte.toString(16).padStart(2, '0')).join(''),
  );
  return `$'${escaped}'`;
}
