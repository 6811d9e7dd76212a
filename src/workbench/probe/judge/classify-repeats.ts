import type { RepeatKind } from './payment-attempts.js';

/** The pattern of the responses to all repeats of one payment: all of one kind, or a known sequence. */
export type RepeatPattern = Exclude<RepeatKind, 'reveals'> | 'none' | 'busy' | 'mixed';

const isLink = (kind: RepeatKind) => kind === 'replay' || kind === 'reveals';

/** Classifies repeats, which are given in the order in which they were sent. */
export function classifyRepeats(kinds: readonly RepeatKind[]): RepeatPattern {
  const [first] = kinds;
  if (first === undefined) return 'none';
  if (kinds.includes('another')) return 'another';
  if (kinds.includes('other query')) return 'other query';
  // The first link of a payment proves nothing without a second link.
  if (kinds.every(isLink)) return kinds.includes('replay') ? 'replay' : 'none';
  const last = kinds.at(-1);
  const isBusy = kinds.every((kind) => kind === 'processing' || isLink(kind));
  if (first === 'processing' && isBusy && last && isLink(last)) return 'busy';
  const isUniform = kinds.every((kind) => kind === first);
  return isUniform && first !== 'reveals' ? first : 'mixed';
}
