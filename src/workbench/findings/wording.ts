import { isAnswerLost, type JournalEntry } from '../../mock/observation.js';

/** Describes the response to a request, such as `The response to request 3 (A) was lost`. */
export function describeResponse(entry: JournalEntry): string {
  const result = isAnswerLost(entry) ? 'lost' : (entry.resultStatus ?? `HTTP ${entry.httpStatus}`);
  return `The response to ${requestNames([entry])} was ${result}`;
}

/**
 * The reason why the service refused a request, without a final period: the diagnosis of the signature, or `resultMsg`.
 */
export function refusalReason({ diagnosis, resultMsg }: JournalEntry): string | undefined {
  return (diagnosis ? `${diagnosis.message} ${diagnosis.fix}` : resultMsg)?.replace(/\.$/, '');
}

/**
 * Names requests by ID and reference, such as `request 3 (A)`, or `requests 3 (A), 5 (B) and 8 (C)`. If there are more
 * than six, only the first three and the last two are named.
 */
export function requestNames(entries: readonly JournalEntry[]): string {
  const names = entries.map(({ id, referenceId }) => `${id}${referenceId ? ` (${referenceId})` : ''}`);
  if (names.length <= 1) return `request ${names.join('')}`;
  const shown = names.length <= 6 ? names : [...names.slice(0, 3), '…', ...names.slice(-2)];
  return `requests ${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
