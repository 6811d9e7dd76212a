import type { Diagnosis } from '../../diagnosis/types.js';
import { align, type AlignedLine, type Column } from './alignment.js';

// Small enough to fill lines of any width, and to waste little of them.
const cellWidth = 8;
const cellsBefore = 6;
const cellsAfter = 40;

interface TextComparisonProps {
  readonly diagnosis: Pick<Diagnosis, 'compared' | 'expected' | 'received' | 'firstDifference'>;
  /** The names of the upper and the lower text. */
  readonly labels: readonly [upper: string, lower: string];
}

/**
 * Two texts, one above the other, in cells that fill the width of the page. What is far from the first difference is
 * folded.
 */
export function TextComparison({ diagnosis, labels: [upper, lower] }: TextComparisonProps) {
  const { compared, expected, received, firstDifference } = diagnosis;
  const cells = align(expected, received, { width: cellWidth, gaps: compared === 'signed text' });
  const first = Math.max(0, cells.findIndex(({ same }) => !same) - cellsBefore);
  const last = first + cellsBefore + cellsAfter;
  const isCut = expected.endsWith('…') || received.endsWith('…');
  return (
    <>
      <p class="legend quiet">
        <span>
          <i class="key expected"></i>
          {upper}, above
        </span>{' '}
        <span>
          <i class="key received"></i>
          {lower}, below
        </span>{' '}
        <span>
          <i class="key first"></i>First difference
        </span>{' '}
        {/[\n\r\t]/.test(expected + received) && <span>¶ line feed, « carriage return, » tab</span>}
      </p>
      <p class="unseen">
        {upper}: {firstDifference?.expected ?? expected}. {lower}: {firstDifference?.received ?? received}.
      </p>
      {first > 0 && <Folded cells={cells.slice(0, first)} label="Equal start" />}
      <Cells of={cells.slice(first, last)} />
      {cells.length > last && <Folded cells={cells.slice(last)} label="The rest" />}
      {isCut && <p class="quiet">Only the start is shown.</p>}
    </>
  );
}

function Folded({ cells, label }: { readonly cells: readonly AlignedLine[]; readonly label: string }) {
  const different = cells.flatMap(({ columns }) => columns).filter(({ kind }) => kind !== 'same').length;
  return (
    <details>
      <summary>
        {label}: {cells.length * cellWidth} characters
        {different > 0 && `, ${String(different)} of them different`}
      </summary>
      <Cells of={cells} />
    </details>
  );
}

function Cells({ of }: { readonly of: readonly AlignedLine[] }) {
  return (
    <div class="aligned" aria-hidden="true">
      {of.map(({ columns }) => (
        <span class="cell">
          <span class="expected">
            <Pieces columns={columns} side="expected" />
          </span>
          <span class="received">
            <Pieces columns={columns} side="received" />
          </span>
        </span>
      ))}
    </div>
  );
}

interface Piece {
  readonly look: 'same' | 'first' | 'different' | 'gap' | 'first gap';
  text: string;
}

interface PiecesProps {
  readonly columns: readonly Column[];
  readonly side: 'expected' | 'received';
}

/** One side of a cell; neighbours of the same look share one element. */
function Pieces({ columns, side }: PiecesProps) {
  const found: Piece[] = [];
  for (const column of columns) {
    const { kind } = column;
    const character = column[side];
    const text = character === undefined ? ' ' : visible(character, kind !== 'same');
    const look = character !== undefined ? kind : kind === 'first' ? 'first gap' : 'gap';
    const last = found.at(-1);
    if (last?.look === look) last.text += text;
    else found.push({ look, text });
  }
  return <>{found.map(({ look, text }) => (look === 'same' ? text : <mark class={look}>{text}</mark>))}</>;
}

// All of Latin-1, which every font has.
const pictures: Readonly<Record<string, string>> = { '\n': '¶', '\r': '«', '\t': '»' };

/** A character that can be seen and takes one place: a line feed as ¶, a bare combining mark on a space. */
function visible(character: string, differs: boolean): string {
  if (character === ' ') return differs ? '·' : ' ';
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(character)) return pictures[character] ?? '¤';
  return /\p{M}/u.test(character) ? `\u00a0${character}` : character;
}
