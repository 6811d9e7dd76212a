import type { Stage } from '../ingredient.js';
import type { RefusedRequest } from '../types.js';
import { additionStage } from './additions.js';
import { byteOrderMarkStage, endStage, lineBreakStage, unicodeStage } from './changes.js';
import { encodingStage } from './encodings.js';
import { escapedTextStage } from './escaped-text.js';
import { escapeStage } from './json-escapes.js';
import { wrapStage } from './wraps.js';

/** Mistakes in a text that is written out, of a payment and of an upload. */
export function textStages(refused: RefusedRequest, referenceId: string | undefined): Stage[] {
  return [
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
}
