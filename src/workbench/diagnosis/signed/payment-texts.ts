import { decodeUtf8 } from '../../../values/encodings.js';
import { rows } from '../row.js';
import type { RefusedRequest } from '../../../mock/common/diagnosis.js';
import { onText, onTree, onWriting, type Texts, type Writing } from './drafts.js';
import { laterRows, nameRows, nullRows, orderRows } from './json-fields.js';
import { escapeRows, layoutOf, layoutRows } from './json-layouts.js';
import { isToken, longestText, readTree, writeTree, type Layout } from './json-tree.js';
import { valueRows } from './json-values.js';
import { notationRows, readForm } from './other-notations.js';
import type { Rewrite } from './rewrites.js';
import { wholeTextLists } from './whole-text.js';

/** A body without data. */
const noWriting: Writing = { isJson: false, write: () => undefined };

/** The texts that may have been signed instead of a JSON body. */
export function paymentTexts(bytes: Uint8Array, refused: RefusedRequest): Texts {
  const sent = decodeUtf8(bytes);
  if (sent === undefined) {
    const latin1 = { isJson: false, write: () => Buffer.from(bytes).toString('latin1') };
    const encodings = rows<Writing>('body-encoding', 'The text was signed as UTF-8 and sent as %.', [
      ['Latin-1', () => latin1],
    ]);
    return {
      sent: { tree: '', writing: noWriting, text: () => bytes },
      lists: [onWriting('once', encodings)],
    };
  }

  const core = sent.trim();
  const json = readTree(core);
  const tree = json ?? readForm(core);
  const [ends, ...others] = wholeTextLists(refused);
  const wholeText = sent.length > longestText ? [ends] : [ends, ...others];
  // A string has no fields.
  if (tree === undefined || isToken(tree))
    return { sent: { tree: '', writing: noWriting, text: () => sent }, lists: wholeText };

  const [before = '', after = ''] = sent.split(core);
  const inLayout = (layout: Layout): Writing => {
    return { isJson: true, write: (changed) => before + writeTree(changed, layout) + after };
  };
  const inBody = (change: Rewrite) => (text: string) =>
    before + change(text.slice(before.length, text.length - after.length)) + after;
  const layout = json === undefined ? undefined : layoutOf(core, json);
  const writing = layout ? inLayout(layout) : { ...noWriting, isJson: json !== undefined };
  return {
    sent: { tree, writing, text: () => sent },
    lists: [
      onTree('once', valueRows),
      onTree('once', nullRows),
      onTree('once', nameRows),
      onTree('once', orderRows),
      onWriting('freely', layoutRows(layout, json === undefined ? 'a form' : 'written otherwise', inLayout)),
      onWriting('once', notationRows(writing)),
      onText('freely', escapeRows(core, inBody), ({ isJson }) => isJson),
      ...wholeText,
      onTree('alone', laterRows(tree)),
    ],
  };
}
