import { decodeUtf8 } from '../../../values/encodings.js';
import type { RefusedRequest } from '../../../mock/observation.js';
import type { Candidates } from '../search.js';
import { Candidate, onWrite, type Write } from './candidate.js';
import { laterSteps, nameSteps, nullSteps, orderSteps } from './fields.js';
import { formSteps } from './forms.js';
import { layoutOf, styleSteps } from './styles.js';
import { isToken, longestText, readTree, writeTree, writingOf, type Tree } from './tree.js';
import { valueSteps } from './values.js';
import { aloneSteps, endSteps, rewriteSteps } from './whole-text.js';

const unwritable: Write = () => undefined;

/** The texts that might have been signed instead of a JSON body. */
export function paymentCandidates(bytes: Uint8Array, refused: RefusedRequest): Candidates {
  const text = decodeUtf8(bytes);
  if (text === undefined) {
    const latin1 = () => Buffer.from(bytes).toString('latin1');
    const sent = new Candidate({ tree: '', write: unwritable, text: bytes });
    const lists = [onWrite({ 'body-encoding.sent-latin1': latin1 })];
    return { sent, lists, alone: [], workPerStep: bytes.length };
  }

  const core = text.trim();
  const tree = readTree(core);
  const [ofText, alone] = text.length > longestText ? [[], []] : [[rewriteSteps], aloneSteps(refused)];
  // A string, a number or a literal has no fields.
  if (tree === undefined || isToken(tree)) {
    const sent = new Candidate({ tree: '', write: unwritable, text });
    return { sent, lists: [endSteps, ...ofText], alone, workPerStep: 4 * text.length };
  }

  const [before = '', after = ''] = text.split(core);
  const frame = (body: string) => before + body + after;
  const layout = layoutOf(core, tree);
  const write = layout ? (changed: Tree) => frame(writeTree(changed, layout)) : unwritable;
  const styles = [...styleSteps(layout, frame), ...formSteps];
  return {
    sent: new Candidate({ tree, write, text }),
    lists: [valueSteps, nullSteps, nameSteps, orderSteps, styles, endSteps, ...ofText],
    alone: [...alone, ...laterSteps(tree)],
    workPerStep: writingOf(text),
  };
}
