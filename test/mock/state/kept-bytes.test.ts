import { expect, test } from 'vitest';
import { bytesOf, KeptBytes } from '../../../src/mock/state/kept-bytes.js';

function keptOf(limit: number) {
  const kept = new KeptBytes(limit);
  const dropped: string[] = [];
  const records = new Map<string, object>();
  const keep = (name: string, bytes: number) => {
    const record = {};
    records.set(name, record);
    kept.keep(record, bytes, () => dropped.push(name));
  };
  const recordOf = (name: string) => records.get(name) ?? {};
  return { kept, dropped, keep, recordOf };
}

test('the oldest records are dropped until the remaining records fit', () => {
  const { keep, dropped } = keptOf(10);
  for (const name of ['A', 'B', 'C']) keep(name, 3);
  expect(dropped).toEqual([]);
  keep('D', 5);
  expect(dropped).toEqual(['A', 'B']);
});

test('a record that is larger than the limit is kept until the next record', () => {
  const { keep, dropped } = keptOf(10);
  keep('A', 50);
  expect(dropped).toEqual([]);
  keep('B', 1);
  expect(dropped).toEqual(['A']);
});

test('a record that grows or shrinks keeps its age', () => {
  const { keep, kept, dropped, recordOf } = keptOf(10);
  for (const name of ['A', 'B', 'C']) keep(name, 3);
  kept.grow(recordOf('B'), -2);
  kept.grow(recordOf('C'), 3);
  expect(dropped).toEqual([]);
  kept.grow(recordOf('B'), 1);
  expect(dropped).toEqual(['A']);
});

test('a released record needs no bytes, whatever is counted for it later', () => {
  const { keep, kept, dropped, recordOf } = keptOf(10);
  keep('A', 9);
  keep('B', 1);
  kept.release(recordOf('A'));
  kept.release(recordOf('A'));
  kept.grow(recordOf('A'), 100);
  keep('C', 9);
  expect(dropped).toEqual([]);
});

test('a reset releases all records', () => {
  const { keep, kept, dropped } = keptOf(10);
  keep('A', 9);
  kept.reset();
  keep('B', 9);
  expect(dropped).toEqual([]);
});

test('text counts with its bytes at every depth', () => {
  const short = { fields: [{ text: '' }], bytes: Buffer.alloc(5) };
  const long = { fields: [{ text: 'đ'.repeat(100) }], bytes: Buffer.alloc(8) };
  expect(bytesOf(long) - bytesOf(short)).toBe(203);
  expect(bytesOf([null, undefined, 1])).toBeLessThan(100);
});
