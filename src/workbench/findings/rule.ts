import type { JournalEntry } from '../../mock/observation.js';
import type { Referring } from './journal-queries.js';
import type { RunRecord } from './record.js';

/** A rule that merchants should keep in every scenario. A finding has its texts. */
export interface Rule {
  /** Absent for an error. */
  readonly level?: 'warning';
  readonly why: string;
  readonly fix: string;
  /** The cases in one run; a rule that compares reads the run in the baseline too. */
  readonly find: (run: RunRecord, baseline?: RunRecord) => readonly Violation[];
}

/** One case of a rule: the part of a finding that differs from case to case. */
export interface Violation {
  /** In place of what the rule says. */
  readonly level?: 'error';
  readonly fix?: string;
  readonly message: string;
  readonly referenceId?: string | undefined;
  readonly requests: readonly number[];
}

/** A case of the order of these requests, if all are of one. */
export function violation(message: string, entries: readonly JournalEntry[], order?: Referring): Violation {
  const [first, ...others] = new Set(entries.map(({ referenceId }) => referenceId));
  const { referenceId } = order ?? { referenceId: others.length === 0 ? first : undefined };
  return { message, referenceId, requests: entries.map(({ id }) => id) };
}
