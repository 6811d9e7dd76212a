import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { align } from '../../../src/mock/ui/inspector/alignment.js';

const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 });

describe('two aligned texts', () => {
  it('have every character of both in order, and equal ones in one place', () => {
    fc.assert(
      fc.property(letters, letters, (left, right) => {
        const [line] = align(left.join(''), right.join(''), { width: 1000, gaps: true });
        const columns = line?.columns ?? [];
        expect(columns.flatMap(({ expected }) => expected ?? [])).toEqual(left);
        expect(columns.flatMap(({ received }) => received ?? [])).toEqual(right);
        for (const { kind, expected, received } of columns)
          expect(kind === 'same').toBe(expected === received);
      }),
    );
  });

  it('have no gaps where they differ in more than 800 characters', () => {
    const [left, right] = ['a'.repeat(500), 'b'.repeat(500)];
    const columns = (text: string) =>
      align(left + text, text + right, { width: 2000, gaps: true })[0]?.columns;
    expect(columns('')).toHaveLength(500);
    expect(columns('c')?.filter(({ kind }) => kind === 'same')).toEqual([]);
  });
});

/** Both sides of what lies in line, gaps as underscores. */
function sides(expected: string, received: string, options = { width: 80, gaps: true }): string[] {
  return align(expected, received, options).flatMap(({ columns, same }) => {
    const side = (name: 'expected' | 'received') => columns.map((column) => column[name] ?? '_').join('');
    return same ? [side('expected')] : [side('expected'), side('received')];
  });
}

describe('the lines of two texts', () => {
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

  it('compare place by place without gaps', () => {
    expect(sides('abc', 'bc', { width: 80, gaps: false })).toEqual(['abc', 'bc_']);
  });

  it('show a line without a difference once', () => {
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
