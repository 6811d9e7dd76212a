import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Outcome } from '../../src/entries/index.js';
import { FaultServer } from './fault-server.js';
import { transport } from './detours.js';
import { approved, callers, errorOf, observe, type Caller } from './harness.js';
import { faults, isRetried, secure, startFaults, stopFaults, worst, type Fault } from './network-faults.js';
import * as steps from './steps.js';

beforeAll(startFaults);
afterAll(stopFaults);

const ordinals = ['first', 'middle', 'last'] as const;
type Ordinal = (typeof ordinals)[number];
type Side = Caller['side'];

/**
 * The attempts at which a fault is tried. The retry loop knows only the verdict on an attempt, so of the faults of a
 * kind that share one, the first is tried everywhere and the others at the first attempt. The loop is the same over
 * `fetch`.
 */
const positions = new Map<Fault, Readonly<Record<Side, readonly Ordinal[]>>>();
const tried = new Set<string>();
for (const fault of faults) {
  const positionsOf = (side: Side): readonly Ordinal[] => {
    const verdict = JSON.stringify([side, fault.kind, fault[side]]);
    const isFirst = !tried.has(verdict);
    tried.add(verdict);
    return isFirst && transport === 'node' ? ordinals : ['first'];
  };
  positions.set(fault, { merchant: positionsOf('merchant'), lender: positionsOf('lender') });
}

/** Faults before the one that is tried: a 429, which every operation repeats. */
const throttled = steps.html(429);

for (const caller of callers) {
  describe(caller.operation, () => {
    for (const fault of faults) {
      const { title, occur, isSecure, [caller.side]: verdict } = fault;
      if (!verdict) continue;
      test.each(positions.get(fault)?.[caller.side] ?? [])(
        `has the known outcome after ${title}, at the %s attempt`,
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

    test.each([301, 302, 307, 308])(
      'does not follow a %i to another origin, which sees nothing',
      async (code) => {
        await using other = await FaultServer.start([approved]);
        const headers = [['Location', `${other.url}/v2/payments`]] as const;
        const observed = await observe(caller, [steps.answer({ status: code, headers })]);
        expect(errorOf(observed)).toMatchObject({
          code: 'UNEXPECTED_RESPONSE',
          outcome: 'unknown',
          retryable: false,
        });
        expect(other.connections).toBe(0);
      },
    );
  });
}
