import { isJson } from '../../../protocol/json-text.js';
import { onTree, type Draft, type Stage, type TextSpace } from '../ingredient.js';
import { additionStage } from '../text/additions.js';
import { byteOrderMarkStage, endStage, lineBreakStage, unicodeStage } from '../text/changes.js';
import { encodingStage, sentEncodings } from '../text/encodings.js';
import { escapedTextStage } from '../text/escaped-text.js';
import { escapeStage } from '../text/json-escapes.js';
import { placeholderIngredients } from '../text/placeholders.js';
import { wrapStage } from '../text/wraps.js';
import { decoded, isScalar, isText, memberOf, readTree, type JsonTree } from '../tree/tree.js';
import { isWritable, writeTree } from '../tree/write-tree.js';
import type { RefusedRequest } from '../types.js';
import { memberStage } from './members.js';
import { notationIngredients } from './notations.js';
import { nameStage, orderStage } from './order.js';
import { bodyParts } from './parts.js';
import { spacingOf, spacingStage } from './spacing.js';
import { valueStage } from './values.js';

const longestReference = 100;

/** The texts that callers may have signed instead of a JSON body; `sent` is undefined for bytes that are not UTF-8. */
export function paymentSpace(
  bytes: Uint8Array,
  sent: string | undefined,
  refused: RefusedRequest,
): TextSpace {
  // Bytes that are no text are shown as what a reader would make of them.
  const text = sent ?? Buffer.from(bytes).toString();
  const core = text.trim();
  const start = text.indexOf(core);
  const tree = isJson(core) ? readTree(core) : undefined;
  const spacing = tree === undefined ? undefined : spacingOf(core, tree);
  // In the form in which the body was sent, with the white space and byte order mark around it.
  const write = (changed: JsonTree) => {
    if (!spacing || !isWritable(changed, spacing[2])) return undefined;
    return text.slice(0, start) + writeTree(changed, spacing[2]) + text.slice(start + core.length);
  };
  const on = onTree(write);
  const reference = memberOf(tree, 'referenceId');
  const isShort = isScalar(reference) && isText(reference) && reference.length < longestReference;
  const referenceId = isShort ? decoded(reference) : undefined;
  const stages: Stage<Draft>[] = [
    [...sentEncodings(bytes, sent !== undefined), ...placeholderIngredients, ...bodyParts(tree, write)],
    memberStage(tree, refused, on),
    orderStage(tree, on),
    valueStage(on),
    nameStage(on),
    [...spacingStage(spacing), ...notationIngredients],
    unicodeStage,
    escapeStage,
    escapedTextStage,
    endStage,
    lineBreakStage,
    byteOrderMarkStage,
    wrapStage,
    additionStage(refused, referenceId),
    encodingStage,
  ];
  const draft = { text, ...(tree !== undefined && { tree }), ...(sent === undefined && { bytes }) };
  return { draft, stages, referenceId };
}
