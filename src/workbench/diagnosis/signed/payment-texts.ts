import { decodeUtf8 } from '../../../values/encodings.js';
import { rows } from '../row.js';
import type { RefusedRequest } from '../types.js';
import { nameRows, nullRows, orderRows } from './json-fields.js';
import { escapeRows, layouts, spacingRows } from './json-layouts.js';
import { isToken, readTree, writeTree, type JsonDraft } from './json-tree.js';
import { valueRows } from './json-values.js';
import { notationRows } from './other-notations.js';
import { textsOf, type TextsWith } from './signed-texts.js';
import { wholeTextRows } from './whole-text.js';

const decoded = (encoding: string) => (bytes: Uint8Array) => new TextDecoder(encoding).decode(bytes);

/** Texts that were signed as UTF-8 and sent in another encoding. */
const sentOtherwise = rows<Uint8Array, string>(
  'body-encoding',
  'The text was signed as UTF-8 and sent as %.',
  [
    ['Latin-1', decoded('latin1')],
    ['UTF-16LE', decoded('utf-16le')],
    ['UTF-16BE', decoded('utf-16be')],
  ],
);

/** The texts that may have been signed instead of a JSON body. */
export function paymentTexts(bytes: Uint8Array, refused: RefusedRequest): TextsWith {
  const sent = decodeUtf8(bytes);
  if (sent === undefined) {
    const texts = [
      [{ mistakes: [], text: bytes }],
      sentOtherwise.map((row) => ({ mistakes: [row], text: row.change(bytes) ?? bytes })),
    ];
    return (count) => texts[count] ?? [];
  }
  const whole = wholeTextRows(refused);
  const core = sent.trim();
  const tree = readTree(core);
  // A string has no fields.
  if (tree === undefined || isToken(tree)) return textsOf(sent, [], (text) => text, whole);

  const [before = '', after = ''] = sent.split(core);
  const layout = layouts.find((each) => writeTree(tree, each) === core) ?? {};
  const json = ({ escapes, ...draft }: JsonDraft) => {
    // A text in a layout that no library writes stays as it came, as long as only its escapes change.
    const isAsSent = draft.tree === tree && draft.layout === layout;
    const text = isAsSent ? core : writeTree(draft.tree, draft.layout);
    return escapes ? escapes(text) : text;
  };
  const parts = [valueRows, nullRows, nameRows, orderRows, [...spacingRows, ...notationRows], escapeRows];
  const write = (draft: JsonDraft) => before + (draft.write ? draft.write(draft.tree) : json(draft)) + after;
  return textsOf<JsonDraft>({ tree, layout }, parts, write, whole);
}
