import { isAnswerLost, type JournalEntry } from '../../mock/observation.js';

/** Describes the response to a request, such as `The response to request 3 (A) was lost`. */
export function responseTo(entry: JournalEntry): string {
  const end = isAnswerLost(entry) ? 'lost' : (entry.resultStatus ?? `HTTP ${entry.httpStatus}`);
  return `The response to ${requestNames([entry])} was ${end}`;
}

/** Why the service refused a request, without a final period: what is wrong with the signature, or its message. */
export function reasonOfRefusal({ diagnosis, resultMsg }: JournalEntry): string | undefined {
  return (diagnosis ? `${diagnosis.message} ${diagnosis.fix}` : resultMsg)?.replace(/\.$/, '');
}

/**
 * Names requests, such as `request 3 (A)`, or `requests 3 (A), 5 (B) and 8 (C)`. If there are many, it names the
 * first and last of them.
 */
export function requestNames(entries: readonly JournalEntry[]): string {
  const names = entries.map(({ id, referenceId }) => `${id}${referenceId ? ` (${referenceId})` : ''}`);
  if (names.length <= 1) return `request ${names.join('')}`;
  const shown = names.length <= 6 ? names : [...names.slice(0, 3), '…', ...names.slice(-2)];
  return `requests ${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
