import { describe, expect, test } from 'vitest';
import type { Ingredient, Rarity, Stage } from '../../../src/mock/diagnosis/ingredient.js';
import { Variations } from '../../../src/mock/diagnosis/variations.js';

type Change = (text: string) => string | undefined;

function mistake(rarity: Rarity, apply: Change, more: Partial<Ingredient<string>> = {}): Ingredient<string> {
  return { id: 'line-breaks', message: '', fix: '', rarity, apply, ...more };
}

/** A mistake that adds a letter. */
function adds(letter: string, rarity: Rarity, more: Partial<Ingredient<string>> = {}): Ingredient<string> {
  return mistake(rarity, (text) => text + letter, more);
}

interface Given {
  readonly identify?: (text: string) => string | undefined;
  readonly isOver?: () => boolean;
  readonly tried?: string[];
}

function variationsOf(stages: readonly Stage<string>[], given: Given = {}): Variations<string> {
  const { identify = (text: string) => text, isOver = () => false, tried = [] } = given;
  return new Variations<string>({
    root: '',
    stages,
    identify: ({ value }) => identify(value),
    onTried: (before, after) => tried.push(`${before}>${after ?? 'nothing'}`),
    isOver,
  });
}

/** The values of each cost from 0. */
function valuesOf(stages: readonly Stage<string>[], highest: number, given?: Given): string[][] {
  const variations = variationsOf(stages, given);
  return Array.from({ length: highest + 1 }, (_, cost) => variations.ofCost(cost).map(({ value }) => value));
}

describe('the variations of a value', () => {
  test('cost as much as their mistakes are rare, and two usual ones as much as an unusual one', () => {
    const stages = [[adds('a', 2), adds('b', 3), adds('c', 4), adds('d', 5)], [adds('e', 2)]];
    expect(valuesOf(stages, 8)).toEqual([
      [''],
      [],
      ['a', 'e'],
      [],
      ['b', 'ae'],
      ['c'],
      ['d', 'be'],
      ['ce'],
      ['de'],
    ]);
  });

  test('have at most one mistake of each stage, in the order of the stages', () => {
    const stages = [[adds('a', 2), adds('A', 2)], [adds('b', 2)]];
    const values = valuesOf(stages, 8).flat();
    expect(values).toEqual(['', 'a', 'A', 'b', 'ab', 'Ab']);
  });

  test('have at most three mistakes', () => {
    const stages = ['a', 'b', 'c', 'd'].map((letter) => [adds(letter, 2)]);
    const values = valuesOf(stages, 10);
    expect(values[6]).toEqual(['abc', 'abd', 'acd', 'bcd']);
    expect(values.flat()).not.toContain('abcd');
  });

  test('name each mistake with the value before and after it', () => {
    const [a, b] = [adds('a', 2), adds('b', 2)];
    const variations = variationsOf([[], [a], [b]]);
    expect(variations.ofCost(0)).toEqual([{ value: '', steps: [], stage: -1 }]);
    const first = { ingredient: a, before: '', after: 'a' };
    expect(variations.ofCost(2)[0]).toEqual({ value: 'a', steps: [first], stage: 1 });
    const second = { ingredient: b, before: 'a', after: 'ab' };
    expect(variations.ofCost(4)).toEqual([{ value: 'ab', steps: [first, second], stage: 2 }]);
  });

  test('are none where a mistake cannot be made', () => {
    const tried: string[] = [];
    expect(valuesOf([[mistake(2, () => undefined)]], 4, { tried }).flat()).toEqual(['']);
    expect(tried).toEqual(['>nothing']);
  });

  test('are none for a mistake that changes nothing, which is not tried again after others', () => {
    const tried: string[] = [];
    const idle = mistake(2, (text) => text);
    expect(valuesOf([[adds('a', 2)], [idle]], 6, { tried }).flat()).toEqual(['', 'a']);
    expect(tried).toEqual(['>a', '>']);
  });

  test('have a late mistake, which changes nothing alone, after others', () => {
    const late = mistake(2, (text) => text && `${text}!`, { isLate: true });
    const idle = mistake(2, (text) => text && `${text}?`);
    expect(valuesOf([[adds('a', 2)], [late, idle]], 6).flat()).toEqual(['', 'a', 'a!']);
  });

  test('have a mistake that has an effect alone also where it has none after another', () => {
    const upper = mistake(2, (text) => (text === '' ? 'x' : text.toUpperCase()));
    expect(valuesOf([[adds('A', 2), adds('b', 2)], [upper]], 6).flat()).toEqual(['', 'A', 'b', 'x', 'B']);
  });

  test('are made once, by the cheapest combination', () => {
    const stages = [[adds('a', 2)], [adds('b', 2), mistake(5, () => 'ab')]];
    const values = valuesOf(stages, 8);
    expect(values[4]).toEqual(['ab']);
    expect(values.flat()).toEqual(['', 'a', 'b', 'ab']);
  });

  test('are made by one mistake rather than by two of the same cost', () => {
    const [one] = [mistake(3, () => 'ab')];
    const variations = variationsOf([[adds('a', 2)], [adds('b', 2)], [one]]);
    expect(variations.ofCost(4).map(({ value, steps }) => [value, steps.length])).toEqual([['ab', 1]]);
  });

  test('begin with those whose last mistake adds least', () => {
    const stages = [
      [adds('a', 2), adds('b', 5)],
      [adds('c', 5), adds('d', 2)],
    ];
    expect(valuesOf(stages, 8)[8]).toEqual(['bd', 'ac']);
  });

  test('may be many of one value that cannot be told apart yet', () => {
    const stages = [[mistake(2, () => 'x'), mistake(2, () => 'x')]];
    expect(valuesOf(stages, 2, { identify: () => undefined })[2]).toEqual(['x', 'x']);
  });

  test('cost less with a second habit of a library, and only with that', () => {
    const habit = { isHabit: true };
    const stages = [
      [adds('a', 2, habit), adds('b', 2)],
      [adds('c', 3, habit), adds('d', 3)],
    ];
    expect(valuesOf(stages, 6)).toEqual([[''], [], ['a', 'b'], [], ['c', 'd'], ['ac'], ['ad', 'bc', 'bd']]);
  });

  test('are no longer made once the search is over', () => {
    const tried: string[] = [];
    const letters = ['a', 'b', 'c', 'd'].map((letter) => adds(letter, 2));
    const isOver = () => tried.length === 2;
    expect(valuesOf([letters, letters], 4, { tried, isOver }).flat()).toEqual(['', 'a', 'b']);
  });
});
