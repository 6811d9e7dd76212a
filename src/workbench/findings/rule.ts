import type { JournalEntry } from '../../mock/observation.js';
import type { PaymentRelated } from './journal-queries.js';
import type { RunRecord } from './record.js';

/** A rule that merchants should follow in every scenario. Its findings contain `why` and `fix`. */
export interface Rule {
  /** The level; absent for an error. */
  readonly level?: 'warning';
  readonly why: string;
  readonly fix: string;
  /** Finds the violations in one run. Some rules compare the run with the baseline. */
  readonly find: (run: RunRecord, baseline?: RunRecord) => readonly Violation[];
}

/** One violation of a rule. The rest of a finding is the same for all violations of the rule. */
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
 * Creates a violation with the requests that show it. The violation has the reference of `payment`. Without `payment`,
 * it has the reference of the requests, if all requests have the same reference.
 */
export function violation(
  message: string,
  entries: readonly JournalEntry[],
  payment?: PaymentRelated,
): Violation {
  const [first, ...others] = new Set(entries.map(({ referenceId }) => referenceId));
  const { referenceId } = payment ?? { referenceId: others.length === 0 ? first : undefined };
  return { message, referenceId, requests: entries.map(({ id }) => id) };
}
