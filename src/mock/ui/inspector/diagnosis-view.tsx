import type { Diagnosis } from '../../diagnosis/types.js';
import { align, type AlignedLine, type Column } from './alignment.js';
import { Panel } from './panel.js';

const lineWidth = 72;

/** Why a signature was refused: the cause in words, then both texts aligned with the first difference marked. */
export function DiagnosisView({ diagnosis }: { readonly diagnosis: Diagnosis }) {
  const { cause, message, compared, expected, received, firstDifference } = diagnosis;
  const isText = compared === 'signed text';
  const isCut = expected.endsWith('…') || received.endsWith('…');
  return (
    <Panel id="diagnosis" title="The signature does not match" kind="diagnosis">
      <p class="message">{message}</p>
      <p class="quiet">
        Cause <code>{cause}</code>
        {firstDifference && (
          <>
            {' '}
            · first difference at byte <b>{firstDifference.byte}</b>
          </>
        )}
      </p>
      <h3>
        {isText ? 'What should have been signed, and what was' : 'The signature, and the one that was sent'}
      </h3>
      <div class="aligned" role="group" aria-label="Expected above received" tabindex={0}>
        {align(expected, received, { width: lineWidth, gaps: isText }).map((line) => (
          <Line line={line} />
        ))}
      </div>
      <p class="legend quiet">
        <span>
          <i class="key expected"></i>Expected by the service
        </span>{' '}
        <span>
          <i class="key received"></i>Received
        </span>{' '}
        <span>
          <i class="key first"></i>First difference
        </span>{' '}
        {isCut && <span>Only the start is shown.</span>}
      </p>
    </Panel>
  );
}

function Line({ line: { columns, same } }: { readonly line: AlignedLine }) {
  if (same) {
    return (
      <pre class="same">
        <b>=</b>
        <Pieces columns={columns} side="expected" />
      </pre>
    );
  }
  return (
    <>
      <pre class="expected">
        <b>E</b>
        <Pieces columns={columns} side="expected" />
      </pre>
      <pre class="received">
        <b>R</b>
        <Pieces columns={columns} side="received" />
      </pre>
    </>
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

/** One side of a line; neighbours of the same look share one element. */
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

const pictures: Readonly<Record<string, string>> = { '\n': '↵', '\r': '←', '\t': '⇥' };

/** A character that can be seen and takes one place: a line feed as ↵, a bare combining mark on a circle. */
function visible(character: string, differs: boolean): string {
  if (character === ' ') return differs ? '·' : ' ';
  if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(character)) return pictures[character] ?? '�';
  return /\p{M}/u.test(character) ? `◌${character}` : character;
}
