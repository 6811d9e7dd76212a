import type { JournalEntry } from '../../mock/observation.js';
import type { Referring } from './journal-queries.js';
import type { RunRecord } from './record.js';

/** A rule that merchants should follow in every scenario. Its findings contain its texts. */
export interface Rule {
  /** The level; absent for an error. */
  readonly level?: 'warning';
  readonly why: string;
  readonly fix: string;
  /** Finds the cases in one run. A rule that compares also reads the run in the baseline. */
  readonly find: (run: RunRecord, baseline?: RunRecord) => readonly Violation[];
}

/** One case of a rule: the part of a finding that differs between cases. */
export interface Violation {
  /** A level that replaces the level of the rule. */
  readonly level?: 'error';
  /** A fix that replaces the fix of the rule. */
  readonly fix?: string;
  readonly message: string;
  readonly referenceId?: string | undefined;
  readonly requests: readonly number[];
}

/**
 * Creates a case with the requests that show it. Its reference is that of `order`, or that of the requests if all
 * have the same.
 */
export function violation(message: string, entries: readonly JournalEntry[], order?: Referring): Violation {
  const [first, ...others] = new Set(entries.map(({ referenceId }) => referenceId));
  const { referenceId } = order ?? { referenceId: others.length === 0 ? first : undefined };
  return { message, referenceId, requests: entries.map(({ id }) => id) };
}
