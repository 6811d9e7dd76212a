import { decodeUtf8 } from '../../../values/encodings.js';
import { tryTo } from '../../../values/untrusted-values.js';
import { rows } from '../row.js';
import type { RefusedRequest } from '../../../mock/common/diagnosis.js';
import type { Draft, Texts } from './drafts.js';
import { laterRows, nameRows, nullRows, orderRows } from './json-fields.js';
import { escapeRows, layoutOf, layoutRows } from './json-layouts.js';
import { isToken, readTree, writeTree, type JsonDraft, type Tree } from './json-tree.js';
import { valueRows } from './json-values.js';
import { notationRows, readForm } from './other-notations.js';
import { wholeTextLists } from './whole-text.js';

interface EncodedDraft extends Draft {
  readonly decoded?: string;
}

/** A text that was signed as UTF-8 and sent in another encoding. */
function encodedTexts(bytes: Uint8Array): Texts<EncodedDraft> {
  const decode = (encoding: string) =>
    tryTo(() => ({ decoded: new TextDecoder(encoding, { fatal: true }).decode(bytes) }));
  const says = 'The text was signed as UTF-8 and sent as %.';
  const list = rows<EncodedDraft>('body-encoding', says, [
    ['Latin-1', () => ({ decoded: Buffer.from(bytes).toString('latin1') })],
    ['UTF-16LE', () => decode('utf-16le')],
    ['UTF-16BE', () => decode('utf-16be')],
  ]);
  return {
    sent: bytes,
    draft: {},
    write: ({ decoded = bytes }) => decoded,
    lists: [{ combined: 'once', rows: list }],
  };
}

function jsonTexts(sent: string, core: string, tree: Tree, refused: RefusedRequest): Texts<JsonDraft> {
  const [before = '', after = ''] = sent.split(core);
  const isForm = readTree(core) === undefined;
  const layout = isForm ? undefined : layoutOf(core, tree);
  const json = ({ tree: own, layout: ownLayout, escapes }: JsonDraft) => {
    // A text in a layout that no library writes stays as it came, as long as only its escapes change.
    const isAsSent = own === tree && ownLayout === layout;
    const text = isAsSent ? core : ownLayout && writeTree(own, ownLayout);
    // A form is no JSON before it has a layout.
    if (isForm && ownLayout === undefined && !(isAsSent && !escapes)) return undefined;
    return escapes && text !== undefined ? escapes(text) : text;
  };
  return {
    sent,
    draft: { tree, layout },
    write(draft) {
      if (draft.write) return draft.write(draft.tree);
      const text = json(draft);
      return text === undefined ? undefined : before + text + after;
    },
    lists: [
      { combined: 'once', rows: valueRows },
      { combined: 'once', rows: nullRows },
      { combined: 'once', rows: nameRows },
      { combined: 'once', rows: orderRows },
      { combined: 'freely', rows: layoutRows(layout, isForm ? 'a form' : 'written otherwise') },
      { combined: 'once', rows: notationRows },
      { combined: 'freely', rows: escapeRows(core, json) },
      ...wholeTextLists<JsonDraft>(refused),
      { combined: 'alone', rows: laterRows(tree) },
    ],
  };
}

/** Uses the texts that may have been signed instead of a JSON body. */
export function withPaymentTexts<Result>(
  bytes: Uint8Array,
  refused: RefusedRequest,
  use: <D extends Draft>(texts: Texts<D>) => Result,
): Result {
  const sent = decodeUtf8(bytes);
  if (sent === undefined) return use(encodedTexts(bytes));
  const core = sent.trim();
  const tree = readTree(core) ?? readForm(core);
  // A string has no fields.
  if (tree !== undefined && !isToken(tree)) return use(jsonTexts(sent, core, tree, refused));
  return use({ sent, draft: {}, write: () => sent, lists: wholeTextLists<Draft>(refused) });
}
