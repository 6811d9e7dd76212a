import { expect, test } from 'vitest';
import { collect } from '../../src/values/collect.js';

const bytes = (...sizes: number[]) => sizes.map((size) => Buffer.alloc(size, size));

test('the pieces of a body are joined, up to the limit', async () => {
  expect(await collect(bytes(1, 2), 3)).toEqual(Buffer.from([1, 2, 2]));
  expect(await collect([], 0)).toEqual(Buffer.alloc(0));
});

test('a body that is larger is abandoned at the piece that exceeds the limit', async () => {
  let wasLeft = false;
  function* endless() {
    try {
      for (;;) yield* bytes(2);
    } finally {
      wasLeft = true;
    }
  }
  expect(await collect(endless(), 3)).toBeUndefined();
  expect(wasLeft).toBe(true);
});
