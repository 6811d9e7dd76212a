/** A stretch of two texts that lie side by side, character by character. */
export interface AlignedLine {
  readonly expected: readonly AlignedCharacter[];
  readonly received: readonly AlignedCharacter[];
  /** True where the two are the same. */
  readonly same: boolean;
}

/** One character, or the gap that keeps the rest in line. */
export interface AlignedCharacter {
  readonly text: string;
  readonly differs: boolean;
  /** True for the first character that differs. */
  readonly first: boolean;
}

const gap = ' ';
const controlPictures = 0x2400;

/** A character that can be seen: a line feed as ␊, a bare combining mark on a dotted circle. */
function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(controlPictures + code);
  if (code === 0x7f) return '␡';
  if (/^[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]$/u.test(character)) return '�';
  return /^\p{M}$/u.test(character) ? `◌${character}` : character;
}

/**
 * Lays two texts side by side. What they share at the start and at the end lies in line; whatever is between is the
 * difference. Texts that were cut share no end.
 */
export function align(expected: string, received: string, width: number): AlignedLine[] {
  const left = Array.from(expected);
  const right = Array.from(received);
  const start = sharedStart(left, right);
  const cut = expected.endsWith('…') || received.endsWith('…');
  const end = cut ? 0 : sharedEnd(left, right, start);
  const between = Math.max(left.length, right.length) - start - end;
  const spread = (characters: readonly string[]): AlignedCharacter[] => {
    const middle = characters.slice(start, characters.length - end);
    const padded = [...middle, ...Array.from({ length: between - middle.length }, () => gap)];
    return [
      ...characters.slice(0, start).map(shared),
      ...padded.map((text, index) => ({ text: visible(text), differs: true, first: index === 0 })),
      ...characters.slice(characters.length - end).map(shared),
    ];
  };
  return lines(spread(left), spread(right), width);
}

function shared(text: string): AlignedCharacter {
  return { text: visible(text), differs: false, first: false };
}

function sharedStart(left: readonly string[], right: readonly string[]): number {
  const length = Math.min(left.length, right.length);
  let index = 0;
  while (index < length && left[index] === right[index]) index += 1;
  return index;
}

function sharedEnd(left: readonly string[], right: readonly string[], start: number): number {
  const length = Math.min(left.length, right.length) - start;
  let count = 0;
  while (count < length && left.at(-1 - count) === right.at(-1 - count)) count += 1;
  return count;
}

function lines(expected: AlignedCharacter[], received: AlignedCharacter[], width: number): AlignedLine[] {
  return Array.from({ length: Math.ceil(expected.length / width) }, (_, line) => {
    const stretch = (characters: AlignedCharacter[]) => characters.slice(line * width, (line + 1) * width);
    const row = stretch(expected);
    return { expected: row, received: stretch(received), same: !row.some(({ differs }) => differs) };
  });
}
