import type { RuleName } from './rules.js';

/** Something that a merchant should not do, as the mock saw it. */
export interface Finding {
  /** The rule that was broken, such as `new-key`. */
  readonly rule: RuleName;
  /** `'error'`: money or an invoice is at stake. `'warning'`: worth a look. */
  readonly level: 'error' | 'warning';
  /** The world in which it was seen. */
  readonly world: string;
  /** The requests, references and times that show it. */
  readonly message: string;
  /** Why it matters, in one sentence. */
  readonly why: string;
  /** How to mend it. */
  readonly fix: string;
  /** The order; absent if there are several. */
  readonly referenceId?: string;
  /** IDs of the journal entries that show it. */
  readonly requests: readonly number[];
}
