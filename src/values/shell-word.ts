// Matches control and invisible characters. A line feed does not match, because it is safe to paste inside quotes.
const unsafe = /(?!\n)[\p{Cc}\p{Cf}]/u;

/**
 * Quotes a text as one word for bash or zsh. Control and invisible characters are escaped, because a terminal can
 * interpret them.
 */
export function shellWord(text: string): string {
  if (!unsafe.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = text.replaceAll(/[\p{Cc}\p{Cf}\\'!]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => String.raw`\x` + byte.toString(16).padStart(2, '0')).join(''),
  );
  return `$'${escaped}'`;
}

/**
 * Quotes a text as one word for PowerShell, which also accepts typographic quotation marks as the end of a string.
 * Control and invisible characters are written as their codes.
 */
export function powerShellWord(text: string): string {
  const quoted = text.replaceAll(/['\u2018-\u201b]/g, '$&$&');
  const escaped = quoted.replaceAll(/(?!\n)[\p{Cc}\p{Cf}]/gu, (character) => {
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    return `' + ${units.map((unit) => `[char]0x${unit.toString(16)}`).join(' + ')} + '`;
  });
  return `'${escaped}'`;
}
