import { describe, expect, test } from 'vitest';
import { cases } from './corpus.js';
import { leadsToSignature } from './resign.js';
import { idsOf } from './support.js';

const all = cases.map((given) => ({ given, ids: idsOf(given) }));

describe('a mistake that a library leads to', () => {
  test('is explained, unless there are more than two', () => {
    const unexplained = all.flatMap(({ given, ids }) => (ids ? [] : [given.name]));
    expect(unexplained).toEqual([
      'three: JsonSerializer and BitConverter',
      'three: sort_keys and a quoted key',
      'three: floats, sorted, json.dumps',
    ]);
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });

  test('is explained by IDs that lead to its signature, each of which is needed for it', () => {
    const wrong = all.flatMap(({ given, ids = [] }) => {
      if (ids.length === 0) return [];
      const isNeeded = (index: number) => !leadsToSignature(given, ids.toSpliced(index, 1));
      const isTrue = leadsToSignature(given, ids) && ids.every((_id, index) => isNeeded(index));
      return isTrue ? [] : [`${given.name}: ${ids.join(' + ')}`];
    });
    expect(wrong).toEqual([]);
  });
});
