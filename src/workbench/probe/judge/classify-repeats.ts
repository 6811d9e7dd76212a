import type { RepeatKind } from './payments.js';

/** How all repeats of one payment were answered: in one way, or in an order that has a name. */
export type RepeatPattern = Exclude<RepeatKind, 'reveals'> | 'none' | 'busy' | 'mixed';

const isLink = (kind: RepeatKind) => kind === 'replay' || kind === 'reveals';

/** Names the pattern of repeats, which are given in the order in which they were sent. */
export function classifyRepeats(kinds: readonly RepeatKind[]): RepeatPattern {
  const [first] = kinds;
  if (first === undefined) return 'none';
  if (kinds.includes('another')) return 'another';
  if (kinds.includes('other query')) return 'other query';
  // The first link that is seen of a payment shows nothing by itself.
  if (kinds.every(isLink)) return kinds.includes('replay') ? 'replay' : 'none';
  const [last] = kinds.slice(-1);
  const isBusy = kinds.every((kind) => kind === 'processing' || isLink(kind));
  if (first === 'processing' && isBusy && last && isLink(last)) return 'busy';
  const isUniform = kinds.every((kind) => kind === first);
  return isUniform && first !== 'reveals' ? first : 'mixed';
}
