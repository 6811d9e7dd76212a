import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/index.js';
import { FaultServer } from './fault-server.js';
import { approved, callers, errorOf, observe } from './harness.js';
import { faults, isRetried, secure, startFaults, stopFaults, worst } from './network-faults.js';
import * as steps from './steps.js';

beforeAll(startFaults);
afterAll(stopFaults);

const ordinals = ['first', 'middle', 'last'] as const;

/** Faults before the one that is tried: a 429, which every operation repeats. */
const throttled = steps.html(429);

for (const caller of callers) {
  describe(caller.operation, () => {
    for (const { row, title, occur, isSecure, ...verdicts } of faults) {
      const verdict = verdicts[caller.side];
      if (!verdict) continue;
      test.each(ordinals)(
        `row ${String(row).padStart(2, '0')}: ${title}, at the %s attempt`,
        async (ordinal) => {
          const earlier = Array.from({ length: ordinals.indexOf(ordinal) }, () => throttled);
          const observed = await observe(caller, (runtime) => [...earlier, occur(runtime), approved], {
            secure: isSecure ? secure : undefined,
          });

          const { error, result, attempts } = observed;
          const goesOn = isRetried(verdict, caller) && ordinal !== 'last';
          const outcomes = [...earlier.map((): Outcome => 'rejected'), verdict.outcome];
          expect(attempts.map(({ outcome }) => outcome)).toEqual(
            goesOn ? [...outcomes, 'accepted'] : outcomes,
          );
          if (goesOn || verdict.outcome === 'accepted') {
            expect(result).toBeDefined();
          } else {
            // Where the service does not know a repeat, an unknown outcome is not to be repeated by the caller either.
            const retryable = isRetried(verdict, caller);
            expect(error).toMatchObject({ code: verdict.code, outcome: worst(outcomes), retryable });
          }
        },
      );
    }

    test.each([301, 302, 307, 308])('row 15: a %i to another origin, which sees nothing', async (code) => {
      await using other = await FaultServer.start([approved]);
      const headers = [['Location', `${other.url}/v2/payments`]] as const;
      const observed = await observe(caller, [steps.answer({ status: code, headers })]);
      expect(errorOf(observed)).toMatchObject({
        code: 'UNEXPECTED_RESPONSE',
        outcome: 'unknown',
        retryable: false,
      });
      expect(other.connections).toBe(0);
    });
  });
}
