import { describe, expect, test } from 'vitest';
import {
  about,
  asHabits,
  habits,
  instead,
  listed,
  mend,
  mistakes,
  onKey,
  onText,
  onTree,
  rarer,
  type Draft,
  type Row,
} from '../../../src/mock/diagnosis/ingredient.js';

const rows: readonly Row<string>[] = [
  [2, 'a $& or %', 'a'],
  [4, 'b', 'b', 'secret-empty'],
];
const change = (added: string) => onText((text) => text + added);

test('a row has a rarity, its words in the sentence of its table, the fix of the table or its own, and a change', () => {
  const stage = mistakes('line-breaks', 'Ended by %.', change, rows);
  expect(stage).toMatchObject([
    { id: 'line-breaks', rarity: 2, message: 'Ended by a $& or %.', fix: mend('line-breaks').fix },
    { id: 'secret-empty', rarity: 4, message: 'Ended by b.', fix: mend('secret-empty').fix },
  ]);
  expect(stage.map(({ apply }) => apply({ text: 't' })?.text)).toEqual(['ta', 'tb']);
});

test('the fix of one kind of a mistake is of that mistake', () => {
  const { id, fix } = mend('digest-base64.standard');
  expect(id).toBe('digest-base64');
  expect(fix).not.toBe('');
  expect(fix).not.toBe(mend('digest-base64').fix);
  expect(mend('digest-base64').id).toBe('digest-base64');
});

test('rows may be habits, but for those that are rarer', () => {
  const stage = mistakes('line-breaks', '%', change, rows);
  const areHabits = (upTo: 2 | 3 | 4) => asHabits(upTo, stage).map(({ isHabit }) => isHabit);
  expect([areHabits(2), areHabits(3), areHabits(4)]).toEqual([
    [true, false],
    [true, false],
    [true, true],
  ]);
  expect(
    habits(4, 'line-breaks', '%', change, rows).map(({ isHabit, message }) => [isHabit, message]),
  ).toEqual([
    [true, 'a $& or %'],
    [true, 'b'],
  ]);
});

test('a fix may name its field', () => {
  const stage = [
    { ...mend('line-breaks'), rarity: 2, message: '', fix: 'Read % again.', apply: change('') },
  ] as const;
  expect(about('$&', stage)[0]?.fix).toBe('Read $& again.');
});

test('a text of a list is its own words', () => {
  expect(listed(3, 'null | None')).toEqual([
    [3, 'null', 'null'],
    [3, 'None', 'None'],
  ]);
});

test('nothing is rarer than exotic', () => {
  expect([rarer(2, 0), rarer(2, 2), rarer(4, 2)]).toEqual([2, 4, 5]);
});

describe('a mistake in a text', () => {
  const write = () => 'written';
  const draft: Draft = { text: 'á', tree: '1', write };

  test('leads to another text, of the same tree', () => {
    expect(onText((text) => `${text}!`)(draft)).toEqual({ text: 'á!', tree: '1', write });
  });

  test('leads to bytes, of no tree', () => {
    const bytes = Buffer.from('á', 'latin1');
    expect(onText(() => bytes)(draft)).toEqual({ text: 'á', bytes });
  });

  test.each([
    ['where the bytes are those of the text', () => Buffer.from('á'), draft],
    ['where it cannot be made', () => undefined, draft],
    ['where the text is not written out', (text: string) => `${text}!`, { tree: '1' }],
    ['where the text is bytes already', (text: string) => `${text}!`, { text: 'á', bytes: Buffer.from('x') }],
  ])('leads to nothing %s', (_where, made, from) => {
    expect(onText(made)(from)).toBeUndefined();
  });
});

describe('a mistake in a tree', () => {
  const write = (tree: unknown) => `<${String(tree)}>`;

  test('is written in the form in which it was sent, where that is known', () => {
    expect(onTree(() => '2')({ tree: '1', text: '1', write })).toEqual({ tree: '2', text: '<2>', write });
    expect(onTree(() => '2')({ tree: '1', text: '1' })).toEqual({
      tree: '2',
      text: undefined,
      write: undefined,
    });
  });

  test.each([
    ['where there is no tree', () => '2', { text: '1' }],
    ['where it cannot be made', () => undefined, { tree: '1', write }],
    ['where it changes nothing', (tree: unknown) => tree as string, { tree: '1', write }],
  ])('leads to nothing %s', (_where, made, from) => {
    expect(onTree(made)(from)).toBeUndefined();
  });
});

test('a draft may be signed instead of the one that was sent', () => {
  expect(instead('x')({ text: 't', tree: '1' })).toEqual({ text: 'x' });
  expect(instead({ bytes: Buffer.from('x') })({ text: 't' })).toEqual({ bytes: Buffer.from('x') });
  expect(instead(undefined)({ text: 't' })).toBeUndefined();
});

test('a mistake in a key is made of its text or its bytes', () => {
  const key = Buffer.from('ké');
  expect(onKey((text) => `${text}\n`)(key)).toEqual(Buffer.from('ké\n'));
  expect(onKey((_text, bytes) => bytes.subarray(0, 1))(key)).toEqual(Buffer.from('k'));
  expect(onKey(() => '')(key)).toEqual(Buffer.from(''));
  expect(onKey(() => undefined)(key)).toBeUndefined();
});
