import { decodeUtf8 } from '../../../values/encodings.js';
import { rows, type Row } from '../row.js';
import type { RefusedRequest } from '../types.js';
import { nameRows, nullRows, orderRows } from './json-fields.js';
import { escapeRows, layouts, spacingRows } from './json-layouts.js';
import { isToken, readTree, writeTree, type JsonDraft, type Tree } from './json-tree.js';
import { valueRows } from './json-values.js';
import { notationRows } from './other-notations.js';
import { textsOf, type TextsWith } from './signed-texts.js';
import { wholeRows, wholeTextRows, type TextRow, type WholeDraft } from './whole-text.js';

/** Texts that were signed as UTF-8 and sent in another encoding. */
const sentOtherwise = rows<Uint8Array, string | Uint8Array>(
  'body-encoding',
  'The text was signed as UTF-8 and sent as %.',
  [
    ['Latin-1', (bytes) => Buffer.from(bytes).toString('latin1')],
    ['UTF-16LE', (bytes) => new TextDecoder('utf-16le').decode(bytes)],
    ['UTF-16BE', (bytes) => new TextDecoder('utf-16be').decode(bytes)],
  ],
);

/** The texts that may have been signed instead of a JSON body. */
export function paymentTexts(bytes: Uint8Array, refused: RefusedRequest): TextsWith {
  const sent = decodeUtf8(bytes);
  if (sent === undefined) return changesOf(bytes, sentOtherwise);
  const core = sent.trim();
  const tree = readTree(core);
  const whole = wholeTextRows(refused);
  // A string has no fields.
  if (tree === undefined || isToken(tree)) return changesOf(sent, whole);
  return jsonTexts(sent, core, tree, whole);
}

function changesOf<Sent extends string | Uint8Array>(
  sent: Sent,
  list: readonly Row<Sent, string | Uint8Array>[],
): TextsWith {
  return textsOf<WholeDraft<Sent>>({}, [wholeRows(list)], ({ whole }) => (whole ? whole(sent) : sent));
}

function jsonTexts(sent: string, core: string, tree: Tree, whole: readonly TextRow[]): TextsWith {
  const [before = '', after = ''] = sent.split(core);
  const layout = layouts.find((each) => writeTree(tree, each) === core) ?? {};
  const json = ({ escapes, ...draft }: JsonDraft) => {
    // A text in a layout that no library writes stays as it came, as long as only its escapes change.
    const isAsSent = draft.tree === tree && draft.layout === layout;
    const text = isAsSent ? core : writeTree(draft.tree, draft.layout);
    return escapes ? escapes(text) : text;
  };
  const parts = [
    valueRows,
    nullRows,
    nameRows,
    orderRows,
    [...spacingRows, ...notationRows],
    escapeRows,
    wholeRows<string, JsonDraft>(whole),
  ];
  return textsOf<JsonDraft>({ tree, layout }, parts, (draft) => {
    const text = before + (draft.write ? draft.write(draft.tree) : json(draft)) + after;
    return draft.whole ? draft.whole(text) : text;
  });
}
