import { isJson } from '../../../protocol/json-text.js';
import type { Stage, TextSpace } from '../ingredient.js';
import { sentEncodings } from '../text/encodings.js';
import { placeholderIngredients } from '../text/placeholders.js';
import { textStages } from '../text/stages.js';
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
  // Bytes that are not text are shown as a reader would decode them.
  const text = sent ?? Buffer.from(bytes).toString();
  const core = text.trim();
  const start = text.indexOf(core);
  const tree = isJson(core) ? readTree(core) : undefined;
  const spacing = tree === undefined ? undefined : spacingOf(core, tree);
  // With the white space and byte order mark around it.
  const write = (changed: JsonTree) => {
    if (!spacing || !isWritable(changed, spacing[2])) return undefined;
    return text.slice(0, start) + writeTree(changed, spacing[2]) + text.slice(start + core.length);
  };
  const reference = memberOf(tree, 'referenceId');
  const isShort = isScalar(reference) && isText(reference) && reference.length < longestReference;
  const referenceId = isShort ? decoded(reference) : undefined;
  const stages: Stage[] = [
    [...sentEncodings(bytes, sent !== undefined), ...placeholderIngredients, ...bodyParts(tree)],
    memberStage(tree, refused),
    orderStage(tree),
    valueStage,
    nameStage,
    [...spacingStage(spacing), ...notationIngredients],
    ...textStages(refused, referenceId),
  ];
  const draft = { text, tree, bytes: sent === undefined ? bytes : undefined, write };
  return { draft, stages, referenceId };
}
