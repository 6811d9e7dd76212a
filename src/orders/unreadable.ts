import type { ReviewItem } from './types.js';

/** The review of a row that cannot be read or decided. */
export function unreadableReview(orderId: string, sinceAt: number): ReviewItem {
  return {
    orderId,
    reason: 'unreadable',
    action:
      'The row of this order cannot be read or decided: see the log for its key. Update this process if a later version wrote the row, check the character set of the connection, or restore the column data from a backup.',
    since: new Date(sinceAt),
  };
}
