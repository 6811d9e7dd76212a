import { expect } from 'vitest';
import { isIdempotent, isRepeated, type Kind } from '../queue/jobs.js';
import { type World } from './harness.js';

/** Expects the promises that hold for every job that has ended, whatever happened to its runs. */
export function expectPromisesKept(kind: Kind, { queue, arrived, made, idempotencyKeys }: World): void {
  const { outcome, stored } = queue;
  const seen = { kind, outcome, arrived: arrived(), made: made(), reason: stored.failedReason };
  if (outcome === 'pending') expect.fail(`the job has not ended: ${JSON.stringify(seen)}`);
  if (outcome === 'not_sent') expect(seen).toMatchObject({ arrived: 0 });
  if (outcome === 'rejected') expect(seen).toMatchObject({ made: 0 });
  if (outcome === 'accepted') expect(seen.made, JSON.stringify(seen)).toBeGreaterThan(0);
  if (!isRepeated(kind)) expect(seen.made, JSON.stringify(seen)).toBeLessThan(2);
  if (kind === 'initiatePayment') expect(idempotencyKeys.size).toBeLessThan(2);
  if (outcome !== 'accepted') expect(stored.failedReason).toMatch(new RegExp(`^${outcome} [A-Z_]+: `));
  if (isIdempotent(kind)) expect(stored.failedReason ?? '').not.toContain('MAY_HAVE_BEEN_SENT');
}
