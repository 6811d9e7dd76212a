import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { align } from '../../../src/mock/ui/inspector/alignment.js';
import { editPath } from '../../../src/mock/ui/inspector/shortest-edits.js';

const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 });

/** The fewest insertions and deletions that lead from one text to another, by the table that everybody knows. */
function distance(left: readonly string[], right: readonly string[]): number {
  let above = Array.from({ length: right.length + 1 }, (_, index) => index);
  left.forEach((character, y) => {
    const row = [y + 1];
    right.forEach((other, x) => {
      row.push(
        character === other ? (above[x] ?? 0) : 1 + Math.min(above[x + 1] ?? Infinity, row[x] ?? Infinity),
      );
    });
    above = row;
  });
  return above.at(-1) ?? 0;
}

describe('the way from one text to another', () => {
  it('passes through every character of both in order, by the fewest edits', () => {
    fc.assert(
      fc.property(letters, letters, (left, right) => {
        const steps = editPath(left, right) ?? [];
        expect(steps.flatMap((step) => step.left ?? [])).toEqual(left);
        expect(steps.flatMap((step) => step.right ?? [])).toEqual(right);
        const edits = steps.filter((step) => step.left === undefined || step.right === undefined);
        expect(edits).toHaveLength(distance(left, right));
        for (const step of steps)
          if (step.left !== undefined && step.right !== undefined) expect(step.left).toBe(step.right);
      }),
    );
  });

  it('is not looked for where it is long', () => {
    const [left, right] = [Array.from({ length: 500 }, () => 'a'), Array.from({ length: 500 }, () => 'b')];
    expect(editPath(left, right)).toBeUndefined();
    expect(align(left.join(''), right.join(''), { width: 1000, gaps: true })[0]?.columns).toHaveLength(500);
  });
});

/** Both sides of what lies in line, gaps as underscores. */
function sides(expected: string, received: string, options = { width: 80, gaps: true }): string[] {
  return align(expected, received, options).flatMap(({ columns, same }) => {
    const side = (name: 'expected' | 'received') => columns.map((column) => column[name] ?? '_').join('');
    return same ? [side('expected')] : [side('expected'), side('received')];
  });
}

describe('two texts in line', () => {
  it.each([
    ['storeId=1&b=', 'b=', ['storeId=1&b=', '__________b=']],
    ['a=1&b=2', 'a=1 &b=2', ['a=1_&b=2', 'a=1 &b=2']],
    ['a=1', 'a=23', ['a=1_', 'a=23']],
    ['same', 'same', ['same']],
    ['', '', []],
    ['', 'a', ['_', 'a']],
  ])('%j and %j', (expected, received, shown) => {
    expect(sides(expected, received)).toEqual(shown);
  });

  it('lie place by place where no gaps are wanted', () => {
    expect(sides('abc', 'bc', { width: 80, gaps: false })).toEqual(['abc', 'bc_']);
  });

  it('are broken into lines, of which those without a difference are shown once', () => {
    expect(sides('aaaa1234cccc', 'aaaa12x4cccc', { width: 4, gaps: true })).toEqual([
      'aaaa',
      '1234',
      '12x4',
      'cccc',
    ]);
  });

  it('have one first difference', () => {
    const kinds = align('xay', 'XaY', { width: 80, gaps: true }).flatMap(({ columns }) =>
      columns.map(({ kind }) => kind),
    );
    expect(kinds).toEqual(['first', 'same', 'different']);
  });

  it('keep characters of two units whole', () => {
    expect(sides('a😀b', 'a😁b')).toEqual(['a😀b', 'a😁b']);
  });
});
