import { diffArrays } from 'diff';
import { invoiceCanonicalString } from '../../protocol/canonical-string.js';
import type { ResolvedWireSwitches } from '../../protocol/wire-switches.js';
import { type Diagnosis, isWhole, type JournalEntry } from '../../mock/observation.js';
import { badge, facts, quiet } from '../../mock/ui/elements.js';
import { legendOfMarks, whiteSpaceMarks } from '../diagnosis/marks.js';
import { panel } from './components.js';
import { copyButton, exactText } from './texts.js';

/**
 * The panel that explains why a signature was refused and what to do, with the difference between the signed text and
 * the text that was sent.
 */
export function diagnosisPanel(diagnosis: Diagnosis, entry: JournalEntry, wire: ResolvedWireSwitches) {
  const { cause, message, fix, firstDifference, expected, received } = diagnosis;
  const signatures = facts([
    ['Expected signature', <code>{expected}</code>],
    ['Signature you sent', <code>{received || 'none'}</code>],
  ]);
  const content = [
    <p class="message">{message}</p>,
    <div class="notice">
      <h3>How to fix it</h3>
      <p>{fix}</p>
    </div>,
    firstDifference ? textDifference(diagnosis, firstDifference.byte) : signatures,
    bytesToSign(entry, wire),
  ];
  const beside = badge('bad', <code>{cause}</code>);
  return panel('diagnosis', 'The signature does not match', content, beside, 'wrong');
}

// The work grows with the square of this number. A comparison of texts with more differences is not useful.
const maxEditLength = 800;

/**
 * The text to sign and the text that was signed, merged into one text. Parts that only one of the two contains are
 * marked.
 */
function textDifference({ expected, received }: Diagnosis, firstByte: number) {
  const heading = (
    <h3>
      {[
        'Difference between the sent text and the signed text ',
        quiet(`first difference at byte ${firstByte}`),
      ]}
    </h3>
  );
  const runs = diffArrays(Array.from(expected), Array.from(received), { maxEditLength });
  if (!runs) return [heading, exactText(expected), exactText(received)];
  return [
    heading,
    <p class="legend">
      <del>sent, but not signed</del> <ins>signed, but not sent</ins>{' '}
      <span class="quiet">{legendOfMarks}</span>
    </p>,
    <pre class="text difference" tabindex={0}>
      {runs.map(({ added, removed, value }) => {
        if (removed) return <del>{value.map(visible)}</del>;
        return added ? <ins>{value.map(visible)}</ins> : shortened(value);
      })}
    </pre>,
  ];
}

/** The number of characters that are shown at each end of a long part that both texts contain. */
const context = 40;

function shortened(equal: readonly string[]) {
  const left = equal.length - 2 * context;
  const shown = equal.map((character) => (character === ' ' ? ' ' : visible(character)));
  if (left < context) return shown;
  const middle = <span class="quiet"> … {left} equal characters … </span>;
  return [shown.slice(0, context), middle, shown.slice(-context)];
}

/** A character that can be seen: a line feed as ¶, a bare combining mark on a space. */
function visible(character: string): string {
  if (/[ \p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(character)) return whiteSpaceMarks[character] ?? '¤';
  return /\p{M}/u.test(character) ? `\u00a0${character}` : character;
}

/** The text whose bytes must be signed, if the journal contains all of it. */
function bytesToSign(entry: JournalEntry, wire: ResolvedWireSwitches) {
  const text = entry.fields ? invoiceCanonicalString(entry.fields, wire) : (entry.body ?? '');
  if (!isWhole(entry)) return <p class="quiet">The journal does not have the whole text to sign.</p>;
  return (
    <details>
      <summary>The exact bytes to sign ({Buffer.byteLength(text)})</summary>
      {[copyButton('to-sign', 'Copy the bytes'), exactText(text, 'to-sign')]}
    </details>
  );
}
