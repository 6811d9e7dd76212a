import { decodeUtf8 } from '../../../values/encodings.js';
import type { RefusedRequest } from '../../../mock/observation.js';
import { onPart, onText, type Texts, type Write } from './candidates.js';
import { laterRows, nameRows, nullRows, orderRows } from './json-fields.js';
import { escapeRows, layoutOf, layoutRows } from './json-layouts.js';
import { isToken, longestText, readTree, writeTree, type Layout, type Tree } from './json-tree.js';
import { valueRows } from './json-values.js';
import { notationRows, readForm } from './other-notations.js';
import { wholeTextLists } from './whole-text.js';

const unwritable: Write = () => undefined;

/** The texts that may have been signed instead of a JSON body. */
export function paymentTexts(bytes: Uint8Array, refused: RefusedRequest): Texts {
  const sent = decodeUtf8(bytes);
  if (sent === undefined) {
    const latin1 = () => Buffer.from(bytes).toString('latin1');
    const says = 'The text was signed as UTF-8 and sent as Latin-1.';
    return {
      sent: { tree: '', write: unwritable, text: () => bytes },
      lists: [onPart('write', 'once', [{ fix: 'body-encoding', says, change: () => latin1 }])],
    };
  }

  const core = sent.trim();
  const json = readTree(core);
  const tree = json ?? readForm(core);
  const [ends, ...others] = wholeTextLists(refused);
  const wholeText = sent.length > longestText ? [ends] : [ends, ...others];
  // A string has no fields.
  if (tree === undefined || isToken(tree))
    return { sent: { tree: '', write: unwritable, text: () => sent }, lists: wholeText };

  const [before = '', after = ''] = sent.split(core);
  const inLayout = (layout: Layout) => (changed: Tree) => before + writeTree(changed, layout) + after;
  const layout = json === undefined ? undefined : layoutOf(core, json);
  const write = layout ? inLayout(layout) : unwritable;
  return {
    sent: { tree, write, text: () => sent },
    lists: [
      onPart('tree', 'once', valueRows),
      onPart('tree', 'once', nullRows),
      onPart('tree', 'once', nameRows),
      onPart('tree', 'once', orderRows),
      onPart('write', 'freely', layoutRows(layout, json === undefined, inLayout)),
      onPart('write', 'once', notationRows(write)),
      onText('freely', escapeRows(core)),
      ...wholeText,
      onPart('tree', 'alone', laterRows(tree)),
    ],
  };
}
