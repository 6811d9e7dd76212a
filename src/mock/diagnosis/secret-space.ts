import type { Stage } from './draft.js';
import type { Secret } from './secret.js';
import { secretFormStage } from './secret-forms.js';
import { secretPaddingStage } from './secret-padding.js';
import { secretSourceStage } from './secret-sources.js';
import type { RefusedRequest } from './types.js';

/** What may have been taken as the key: which secret, in what form, and what stands around it. */
export function secretStages(refused: RefusedRequest, referenceId: string | undefined): Stage<Secret>[] {
  return [secretSourceStage(refused, referenceId), secretFormStage, secretPaddingStage];
}
