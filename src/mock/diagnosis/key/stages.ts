import type { Key, Stage } from '../ingredient.js';
import type { RefusedRequest } from '../types.js';
import { keyFormStage } from './forms.js';
import { keyPaddingStage } from './padding.js';
import { keySourceStage } from './sources.js';

/** Which key was taken, in what form, and with what around it. */
export function keyStagesOf(refused: RefusedRequest, referenceId: string | undefined): Stage<Key>[] {
  return [keySourceStage(refused, referenceId), keyFormStage, keyPaddingStage];
}
