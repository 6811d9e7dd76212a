import type { Mistake } from './types.js';

/** A way in which a digest is written that is not the right one. */
export interface Writing {
  readonly id: Mistake;
  readonly message: string;
  readonly fix: string;
}
