import { describe, expect, test } from 'vitest';
import { KnownReferences } from '../../../src/workbench/rehearsal/known-references.js';
import type { JournalEntry } from '../../../src/mock/state/journal-types.js';

type Request = readonly [atMs: number, operation: 'initiatePayment' | 'uploadInvoice', referenceId: string];

/** Lets worlds run one after the other. Returns what is late in the last one. */
function lateAfter(...worlds: readonly (readonly Request[])[]) {
  return lateAfterClicks([], ...worlds);
}

/** The same where each world has the orders that are named. */
function lateAfterClicks(names: readonly string[], ...worlds: readonly (readonly Request[])[]) {
  let nowMs = 0;
  const known = new KnownReferences(() => nowMs);
  let last: readonly JournalEntry[] = [];
  for (const [index, requests] of worlds.entries()) {
    known.beginWorld(names.slice(index, index + 1));
    for (const [atMs, , referenceId] of requests) {
      nowMs = atMs;
      known.note(referenceId);
    }
    last = requests.map(([, operation, referenceId]) => ({ operation, referenceId }) as JournalEntry);
    if (index < worlds.length - 1) known.endWorld(last);
  }
  return known.lateIn(last);
}

describe('A request for a reference of an earlier world', () => {
  const plain: readonly Request[] = [
    [0, 'initiatePayment', 'plain-1'],
    [10, 'initiatePayment', 'plain-2'],
  ];

  test('is late, also where each order of the earlier world comes again, and is measured from its last sign', () => {
    const second: readonly Request[] = [
      [2500, 'initiatePayment', 'second-1'],
      [3000, 'uploadInvoice', 'plain-1'],
      [3010, 'uploadInvoice', 'plain-2'],
    ];
    expect(lateAfter(plain, second)).toEqual({ references: ['plain-1', 'plain-2'], settleMs: 4000 });
  });

  test('is late in any later world, and a second one is measured from the first', () => {
    const third: readonly Request[] = [
      [6000, 'initiatePayment', 'third-1'],
      [10_000, 'uploadInvoice', 'plain-1'],
      [12_000, 'uploadInvoice', 'plain-1'],
    ];
    expect(lateAfter(plain, [[3000, 'initiatePayment', 'second-1']], third)).toEqual({
      references: ['plain-1'],
      settleMs: 12_000,
    });
  });

  test('needs the longest wait that was ever measured for it, also where the next one comes soon after', () => {
    const second: readonly Request[] = [
      [2500, 'initiatePayment', 'second-1'],
      [5000, 'uploadInvoice', 'plain-1'],
    ];
    const third: readonly Request[] = [
      [5500, 'initiatePayment', 'third-1'],
      [6000, 'uploadInvoice', 'plain-1'],
    ];
    expect(lateAfter(plain, second, third)?.settleMs).toBe(6000);
  });

  test('is late in a run that takes no orders at all', () => {
    expect(lateAfter(plain, [[3000, 'uploadInvoice', 'plain-1']])?.references).toEqual(['plain-1']);
  });

  test('is in time for a test that takes the same references in each world, also where it then takes another one', () => {
    const again: readonly Request[] = [
      [2500, 'initiatePayment', 'plain-1'],
      [2600, 'initiatePayment', 'plain-1-again'],
    ];
    expect(lateAfter(plain, again)).toBeUndefined();
    expect(lateAfter(plain, plain)).toBeUndefined();
  });
});

test('A new reference for an order that was clicked in an earlier world is late, measured from the last one', () => {
  const first: readonly Request[] = [[0, 'initiatePayment', 'one-a']];
  const second: readonly Request[] = [
    [2500, 'initiatePayment', 'two-a'],
    [4000, 'initiatePayment', 'one-b'],
    [4500, 'initiatePayment', 'two-b'],
  ];
  expect(lateAfterClicks(['one', 'two'], first, second)).toEqual({ references: ['one-b'], settleMs: 5000 });
  expect(lateAfterClicks([], first, second)).toBeUndefined();
});

test('A reference that is the name of its order is measured like all others', () => {
  const first: readonly Request[] = [[0, 'initiatePayment', 'one']];
  const second: readonly Request[] = [
    [2500, 'initiatePayment', 'two'],
    [3000, 'uploadInvoice', 'one'],
  ];
  expect(lateAfterClicks(['one', 'two'], first, second)).toEqual({ references: ['one'], settleMs: 4000 });
});

test('Nothing is late in the first world, and nothing in one that takes new references', () => {
  expect(lateAfter([[0, 'initiatePayment', 'A']])).toBeUndefined();
  expect(lateAfter([[0, 'initiatePayment', 'A']], [[10, 'initiatePayment', 'B']])).toBeUndefined();
});
