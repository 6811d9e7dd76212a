import type { Diagnosis } from '../../diagnosis/types.js';
import { align, type AlignedLine, type Column } from './alignment.js';

// Small enough to fill lines of any width, and to waste little of them.
const cellWidth = 8;
const cellsBefore = 6;
const cellsAfter = 40;

/**
 * Two texts with these names, one above the other, in cells that fill the width of the page. What is far from the first
 * difference is folded.
 */
export function textComparison(diagnosis: Diagnosis, [upper, lower]: readonly [string, string]) {
  const { compared, expected, received, firstDifference } = diagnosis;
  const cells = align(expected, received, { width: cellWidth, gaps: compared === 'signed text' });
  const first = Math.max(0, cells.findIndex(({ same }) => !same) - cellsBefore);
  const last = first + cellsBefore + cellsAfter;
  const isCut = expected.endsWith('…') || received.endsWith('…');
  const hasSigns = /[\n\r\t]/.test(expected + received);
  return (
    <>
      <p class="legend quiet">
        {key('expected', `${upper}, above`)} {key('received', `${lower}, below`)}{' '}
        {key('first', 'First difference')} {hasSigns && <span>¶ line feed, « carriage return, » tab</span>}
      </p>
      <p class="unseen">
        {upper}: {firstDifference?.expected ?? expected}. {lower}: {firstDifference?.received ?? received}.
      </p>
      {folded(cells.slice(0, first), 'Equal start')}
      {aligned(cells.slice(first, last))}
      {folded(cells.slice(last), 'The rest')}
      {isCut && <p class="quiet">Only the start is shown.</p>}
    </>
  );
}

const key = (look: string, text: string) => (
  <span>
    <i class={`key ${look}`}></i>
    {text}
  </span>
);

function folded(cells: readonly AlignedLine[], label: string) {
  const different = cells.flatMap(({ columns }) => columns).filter(({ kind }) => kind !== 'same').length;
  const extent = `${label}: ${cells.length * cellWidth} characters`;
  const details = (
    <details>
      <summary>{different > 0 ? `${extent}, ${different} of them different` : extent}</summary>
      {aligned(cells)}
    </details>
  );
  return cells.length > 0 && details;
}

const aligned = (cells: readonly AlignedLine[]) => (
  <div class="aligned" aria-hidden="true">
    {cells.map(({ columns }) => (
      <span class="cell">
        <span class="expected">{pieces(columns, 'expected')}</span>
        <span class="received">{pieces(columns, 'received')}</span>
      </span>
    ))}
  </div>
);

/** One side of a cell; neighbours of the same look share one element. */
function pieces(columns: readonly Column[], side: 'expected' | 'received') {
  const found: { look: string; text: string }[] = [];
  for (const { kind, [side]: character } of columns) {
    const text = character === undefined ? ' ' : visible(character, kind !== 'same');
    const look = character !== undefined ? kind : kind === 'first' ? 'first gap' : 'gap';
    const last = found.at(-1);
    if (last?.look === look) last.text += text;
    else found.push({ look, text });
  }
  return found.map(({ look, text }) => (look === 'same' ? text : <mark class={look}>{text}</mark>));
}

// All of Latin-1, which every font has.
const pictures: Readonly<Record<string, string>> = { '\n': '¶', '\r': '«', '\t': '»' };

/** A character that can be seen and takes one place: a line feed as ¶, a bare combining mark on a space. */
function visible(character: string, differs: boolean): string {
  if (character === ' ') return differs ? '·' : ' ';
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(character)) return pictures[character] ?? '¤';
  return /\p{M}/u.test(character) ? `\u00a0${character}` : character;
}
