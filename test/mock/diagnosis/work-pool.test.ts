import { expect, it } from 'vitest';
import { fullSearch, WorkPool } from '../../../src/mock/diagnosis/work-pool.js';

it('gives full searches until they are used up, then brief ones, and one more each second', () => {
  let nowMs = 0;
  const pool = new WorkPool(() => nowMs);
  for (let search = 0; search < 50; search++) {
    expect(pool.limit()).toBe(fullSearch);
    pool.spend(fullSearch);
  }
  expect(pool.limit()).toBeLessThan(fullSearch / 50);
  nowMs += 999;
  expect(pool.limit()).toBeLessThan(fullSearch);
  nowMs += 1;
  expect(pool.limit()).toBe(fullSearch);
  nowMs += 1_000_000;
  for (let search = 0; search < 50; search++) {
    expect(pool.limit()).toBe(fullSearch);
    pool.spend(fullSearch);
  }
  expect(pool.limit()).toBeLessThan(fullSearch);
});
