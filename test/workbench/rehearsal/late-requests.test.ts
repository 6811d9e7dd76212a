import { describe, expect, test } from 'vitest';
import { LateRequestTracker } from '../../../src/workbench/rehearsal/late-requests.js';
import type { JournalEntry } from '../../../src/mock/state/journal-types.js';

type Request = readonly [atMs: number, operation: 'initiatePayment' | 'uploadInvoice', referenceId: string];

/** Runs scenarios one after another. Returns the late requests of the last scenario. */
function lateAfter(...scenarios: readonly (readonly Request[])[]) {
  return lateAfterClicks([], ...scenarios);
}

/** Runs scenarios with these orders in each scenario. */
function lateAfterClicks(names: readonly string[], ...scenarios: readonly (readonly Request[])[]) {
  let nowMs = 0;
  const known = new LateRequestTracker(() => nowMs);
  let last: readonly JournalEntry[] = [];
  for (const [index, requests] of scenarios.entries()) {
    known.beginScenario(names.slice(index, index + 1));
    for (const [atMs, , referenceId] of requests) {
      nowMs = atMs;
      known.record(referenceId);
    }
    last = requests.map(([, operation, referenceId]) => ({ operation, referenceId }) as JournalEntry);
    if (index < scenarios.length - 1) known.endScenario(last);
  }
  return known.lateRequestsIn(last);
}

describe('a request for a reference of an earlier scenario', () => {
  const baseline: readonly Request[] = [
    [0, 'initiatePayment', 'baseline-1'],
    [10, 'initiatePayment', 'baseline-2'],
  ];

  test('is late even if each order of the earlier scenario occurs again, and is measured from its last request', () => {
    const second: readonly Request[] = [
      [2500, 'initiatePayment', 'second-1'],
      [3000, 'uploadInvoice', 'baseline-1'],
      [3010, 'uploadInvoice', 'baseline-2'],
    ];
    expect(lateAfter(baseline, second)).toEqual({ references: ['baseline-1', 'baseline-2'], settleMs: 4000 });
  });

  test('is late in any later scenario, and a second request is measured from the first', () => {
    const third: readonly Request[] = [
      [6000, 'initiatePayment', 'third-1'],
      [10_000, 'uploadInvoice', 'baseline-1'],
      [12_000, 'uploadInvoice', 'baseline-1'],
    ];
    expect(lateAfter(baseline, [[3000, 'initiatePayment', 'second-1']], third)).toEqual({
      references: ['baseline-1'],
      settleMs: 12_000,
    });
  });

  test('needs the longest wait that was measured for it, even if the next request follows soon', () => {
    const second: readonly Request[] = [
      [2500, 'initiatePayment', 'second-1'],
      [5000, 'uploadInvoice', 'baseline-1'],
    ];
    const third: readonly Request[] = [
      [5500, 'initiatePayment', 'third-1'],
      [6000, 'uploadInvoice', 'baseline-1'],
    ];
    expect(lateAfter(baseline, second, third)?.settleMs).toBe(6000);
  });

  test('is late in a run without orders', () => {
    expect(lateAfter(baseline, [[3000, 'uploadInvoice', 'baseline-1']])?.references).toEqual(['baseline-1']);
  });

  test('is in time for a test that uses the same references in each scenario, even if it then uses a different one', () => {
    const again: readonly Request[] = [
      [2500, 'initiatePayment', 'baseline-1'],
      [2600, 'initiatePayment', 'baseline-1-again'],
    ];
    expect(lateAfter(baseline, again)).toBeUndefined();
    expect(lateAfter(baseline, baseline)).toBeUndefined();
  });
});

test('a new reference for an order of an earlier scenario is late, measured from the last request for the order', () => {
  const first: readonly Request[] = [[0, 'initiatePayment', 'one-a']];
  const second: readonly Request[] = [
    [2500, 'initiatePayment', 'two-a'],
    [4000, 'initiatePayment', 'one-b'],
    [4500, 'initiatePayment', 'two-b'],
  ];
  expect(lateAfterClicks(['one', 'two'], first, second)).toEqual({ references: ['one-b'], settleMs: 5000 });
  expect(lateAfterClicks([], first, second)).toBeUndefined();
});

test('a reference that is the name of its order is measured like all other references', () => {
  const first: readonly Request[] = [[0, 'initiatePayment', 'one']];
  const second: readonly Request[] = [
    [2500, 'initiatePayment', 'two'],
    [3000, 'uploadInvoice', 'one'],
  ];
  expect(lateAfterClicks(['one', 'two'], first, second)).toEqual({ references: ['one'], settleMs: 4000 });
});

test('nothing is late in the first scenario, or in a scenario with new references', () => {
  expect(lateAfter([[0, 'initiatePayment', 'A']])).toBeUndefined();
  expect(lateAfter([[0, 'initiatePayment', 'A']], [[10, 'initiatePayment', 'B']])).toBeUndefined();
});
