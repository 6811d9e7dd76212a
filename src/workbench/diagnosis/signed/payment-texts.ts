import { decodeUtf8 } from '../../../values/encodings.js';
import type { RefusedRequest } from '../../../mock/observation.js';
import { rows } from '../row.js';
import { onData, onWrite, type Texts, type Write } from './drafts.js';
import { laterRows, nameRows, nullRows, orderRows } from './json-fields.js';
import { describe, layoutOf, styleSteps } from './json-styles.js';
import { isToken, longestText, readTree, writeTree, writingOf, type Tree } from './json-tree.js';
import { valueRows } from './json-values.js';
import { notationSteps, readForm } from './other-notations.js';
import { endList, wholeTextLists } from './whole-text.js';

const unwritable: Write<Tree> = () => undefined;

/** The texts that may have been signed instead of a JSON body. */
export function paymentTexts(bytes: Uint8Array, refused: RefusedRequest): Texts<Tree> {
  const sent = decodeUtf8(bytes);
  if (sent === undefined) {
    const latin1 = () => Buffer.from(bytes).toString('latin1');
    const says = 'The text was signed as UTF-8 and sent as Latin-1.';
    return {
      sent: { data: '', write: unwritable, text: () => bytes },
      lists: [{ steps: onWrite(rows('body-encoding', says, [['sent-latin1', '', () => latin1]])) }],
      writing: bytes.length,
    };
  }

  const core = sent.trim();
  const json = readTree(core);
  const tree = json ?? readForm(core);
  const wholeText = sent.length > longestText ? [endList<Tree>()] : wholeTextLists<Tree>(refused);
  // A string has no fields.
  if (tree === undefined || isToken(tree))
    return {
      sent: { data: '', write: unwritable, text: () => sent },
      lists: wholeText,
      writing: 4 * sent.length,
    };

  const [before = '', after = ''] = sent.split(core);
  const frame = (body: string) => before + body + after;
  const layout = json === undefined ? undefined : layoutOf(core, json);
  const isForm = json === undefined;
  const other = isForm ? 'a form' : `written ${layout ? describe(layout) : 'otherwise'}`;
  const write: Write<Tree> = layout ? (changed) => frame(writeTree(changed, layout)) : unwritable;
  return {
    sent: { data: tree, write, text: () => sent },
    lists: [
      onData(valueRows),
      onData(nullRows),
      onData(nameRows),
      onData(orderRows),
      { steps: [...styleSteps('inside', layout, other, frame), ...notationSteps] },
      endList(),
      // Their line feed is the only white space around the body.
      { steps: core === sent ? styleSteps('ended', layout, other, frame) : [] },
      ...wholeText.slice(1),
      { ...onData(laterRows(tree)), isAlone: true },
    ],
    writing: writingOf(sent),
  };
}
