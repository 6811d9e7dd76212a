import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Reading } from '../../../src/mock/diagnosis/digest/read-signature.js';
import type { Draft, Ingredient, Key, Rarity, Stage } from '../../../src/mock/diagnosis/ingredient.js';
import { Search } from '../../../src/mock/diagnosis/search.js';
import type { Mistake } from '../../../src/mock/diagnosis/types.js';

type More = Partial<Ingredient<Draft>>;

const habit: More = { isHabit: true };

/** A mistake that adds a letter to the text. */
function adds(letter: string, rarity: Rarity = 2, more: More = {}): Ingredient<Draft> {
  const apply = ({ text = '' }: Draft) => ({ text: text + letter });
  return { id: 'line-breaks', message: '', fix: '', rarity, apply, ...more };
}

/** A mistake that adds a letter to the key. */
function addsToKey(letter: string, rarity: Rarity = 2): Ingredient<Key> {
  const apply = (key: Key) => Buffer.from(key.toString() + letter);
  return { id: 'secret-trimmed', message: '', fix: '', rarity, apply };
}

const key = Buffer.from('k');

interface Given {
  readonly draft?: Draft;
  readonly stages?: readonly Stage[];
  readonly keyStages?: readonly Stage<Key>[];
}

/** The texts and keys that explain a digest, joined by `/`, and the hashing. */
function found(digest: Buffer, { draft = { text: 't' }, stages = [], keyStages = [] }: Given) {
  const reading = { layers: [], size: digest.length, matches: (each: Buffer) => each.equals(digest) };
  const result = new Search({ draft, stages, key, keyStages, readings: [reading] }).run();
  if (!result) return undefined;
  const named = `${result.text.value.text ?? ''}/${result.key.value.toString()}`;
  return result.hashing ? `${named}/${result.hashing.id}` : named;
}

const hmac = (text: string | Uint8Array, ofKey = 'k', algorithm = 'sha256') =>
  createHmac(algorithm, ofKey).update(text).digest();

/** The digests of texts and keys that a search tries, in its order, by their names. */
function tried(names: readonly string[], { draft = { text: 't' }, stages = [], keyStages = [] }: Given) {
  const nameOf = new Map(
    names.map((name) => {
      const [text = '', ofKey] = name.split('/');
      return [hmac(text, ofKey).toString('hex'), name];
    }),
  );
  const order: string[] = [];
  const matches = (digest: Buffer) => {
    const name = nameOf.get(digest.toString('hex'));
    if (name !== undefined) order.push(name);
    return false;
  };
  expect(
    new Search({ draft, stages, key, keyStages, readings: [{ layers: [], size: 32, matches }] }).run(),
  ).toBeUndefined();
  return order;
}

describe('a search finds', () => {
  const stages = [[adds('a')], [adds('b')], [adds('c')]];
  const keyStages = [[addsToKey('x')], [addsToKey('y')]];

  test.each([
    ['no mistake', 't/k'],
    ['a mistake in the text', 'ta/k'],
    ['three mistakes in the text', 'tabc/k'],
    ['a mistake in the key', 't/kx'],
    ['two mistakes in the key', 't/kxy'],
    ['mistakes in both', 'tb/kx'],
    ['one in the text and two in the key', 'tb/kxy'],
  ])('%s: %s', (_what, name) => {
    const [text = '', ofKey] = name.split('/');
    const rare = stages.map((stage) => stage.map((each) => ({ ...each, ...habit })));
    expect(found(hmac(text, ofKey), { stages: rare, keyStages })).toBe(name);
  });

  test.each([
    ['two in the text and two in the key', 'tab/kxy'],
    ['three in the text and one in the key', 'tabc/kx'],
  ])('no more than three mistakes: %s', (_what, name) => {
    const [text = '', ofKey] = name.split('/');
    const usual = stages.map((stage) => stage.map((each) => ({ ...each, ...habit })));
    expect(found(hmac(text, ofKey), { stages: usual, keyStages })).toBeUndefined();
  });

  test('a wrong hashing, alone and beside mistakes', () => {
    const sha1 = (text: string, ofKey: string) => hmac(text, ofKey, 'sha1');
    expect(found(sha1('t', 'k'), { stages, keyStages })).toBe('t/k/hash-algorithm');
    expect(found(sha1('tab', 'k'), { stages, keyStages })).toBe('tab/k/hash-algorithm');
    expect(found(sha1('t', 'kx'), { stages, keyStages })).toBe('t/kx/hash-algorithm');
    expect(found(sha1('ta', 'kx'), { stages, keyStages })).toBe('ta/kx/hash-algorithm');
    expect(found(sha1('tab', 'kx'), { stages, keyStages })).toBeUndefined();
    expect(found(sha1('tabc', 'k'), { stages, keyStages })).toBeUndefined();
    const plain = createHash('sha256').update('ta').digest();
    expect(found(plain, { stages, keyStages })).toBe('ta/k/hash-unkeyed');
  });

  test('bytes that are not the UTF-8 of a text', () => {
    const bytes = Buffer.from([0xff, 0x00]);
    const other: Ingredient<Draft> = { ...adds(''), apply: () => ({ text: 'shown', bytes }) };
    expect(found(hmac(bytes), { stages: [[other]] })).toBe('shown/k');
    expect(found(hmac('shown'), { stages: [[other]] })).toBeUndefined();
  });

  test('the text that comes of a draft that is not written out yet', () => {
    const unwritten: Ingredient<Draft> = { ...adds(''), apply: () => ({ tree: { members: [] } }) };
    const write: Ingredient<Draft> = {
      ...adds(''),
      isLate: true,
      apply: ({ tree }) => (tree ? { text: 'written' } : undefined),
    };
    expect(found(hmac('written'), { stages: [[unwritten], [write]] })).toBe('written/k');
  });

  test('the mistakes of a sorting library, which is one call with two other habits, beside a wrong key', () => {
    const sorted = (id: Mistake, third: More = habit) => [
      [adds('a', 2, { ...habit, id })],
      [adds('b', 2, habit)],
      [adds('c', 2, third)],
    ];
    const digest = hmac('tabc', 'kx');
    expect(found(digest, { stages: sorted('field-order'), keyStages })).toBe('tabc/kx');
    expect(found(digest, { stages: sorted('line-breaks'), keyStages })).toBeUndefined();
    expect(found(digest, { stages: sorted('field-order', {}), keyStages })).toBeUndefined();
    expect(found(hmac('tabc', 'kxy'), { stages: sorted('field-order'), keyStages })).toBeUndefined();
    expect(found(hmac('ta', 'kxy'), { stages: sorted('field-order'), keyStages })).toBe('ta/kxy');
  });

  test('the layers of the reading that matches', () => {
    const layer = { id: 'digest-quoted', message: '', fix: '' } as const;
    const search = new Search({
      draft: { text: 't' },
      stages: [[adds('a')]],
      key,
      keyStages: [],
      readings: [
        { layers: [], size: 32, matches: () => false },
        { layers: [layer], size: 32, matches: (digest) => digest.equals(hmac('ta')) },
      ],
    });
    expect(search.run()).toMatchObject({ layers: [layer], hashing: undefined });
  });
});

describe('a search tries', () => {
  test('cheaper combinations before dearer ones, and the right text with wrong keys among them', () => {
    const stages = [[adds('a', 2, habit), adds('b', 3, habit)]];
    const keyStages = [[addsToKey('x', 2), addsToKey('y', 3), addsToKey('z', 5)]];
    const names = [
      't/k',
      'ta/k',
      'tb/k',
      't/kx',
      't/ky',
      't/kz',
      'ta/kx',
      'ta/ky',
      'ta/kz',
      'tb/kx',
      'tb/kz',
    ];
    expect(tried(names.toReversed(), { stages, keyStages })).toEqual([
      't/k',
      'ta/k',
      't/kx',
      'tb/k',
      'ta/kx',
      't/ky',
      'tb/kx',
      'ta/ky',
      't/kz',
      'ta/kz',
      'tb/kz',
    ]);
  });

  test('a mistake that no library makes later than a habit, beside a wrong key', () => {
    const stages = [[adds('a', 2), adds('b', 2, habit)]];
    const keyStages = [[addsToKey('x', 2), addsToKey('y', 2)]];
    const names = ['ta/kx', 'tb/kx', 'ta/ky', 'tb/ky'];
    expect(tried(names, { stages, keyStages })).toEqual(['tb/kx', 'tb/ky', 'ta/kx', 'ta/ky']);
  });

  test('nothing that costs more than 12', () => {
    const keyStages = [[addsToKey('x', 5)]];
    const habitual = { stages: [[adds('a', 5, habit)]], keyStages };
    expect(found(hmac('ta', 'kx'), habitual)).toBe('ta/kx');
    expect(found(hmac('ta', 'kx'), { stages: [[adds('a', 5)]], keyStages })).toBeUndefined();
    const dear = [[adds('a', 4)], [adds('b', 4)], [adds('c', 2)]];
    expect(found(hmac('tabc'), { stages: dear })).toBe('tabc/k');
    expect(found(hmac('tabc'), { stages: [...dear.slice(0, 2), [adds('c', 3)]] })).toBeUndefined();
  });

  test('wrong hashings sooner where the length of the signature tells that the hash is a wrong one', () => {
    const rare = { stages: [[adds('a', 5)], [adds('b', 4)]] };
    // 11 for the text, and 2 for the hashing less 1.
    expect(found(hmac('tab', 'k', 'sha1'), rare)).toBe('tab/k/hash-algorithm');
    expect(found(createHash('sha256').update('tab').digest(), rare)).toBeUndefined();
  });

  test('no hashing whose digests have another length than the signature', () => {
    const sizes: number[] = [];
    const readings = [{ layers: [], size: 20, matches: (digest: Buffer) => sizes.push(digest.length) === 0 }];
    new Search({ draft: { text: 't' }, stages: [], key, keyStages: [[addsToKey('x')]], readings }).run();
    // The right hashing makes the text, and is tried with no wrong key.
    expect(sizes.filter((size) => size !== 20)).toEqual([32]);
    expect(sizes.length).toBeGreaterThan(1);
  });

  test('every hashing that one of several readings allows, the right one among them', () => {
    const reading = (size: number, wanted: Buffer): Reading => {
      return { layers: [], size, matches: (digest: Buffer) => digest.equals(wanted) };
    };
    const none = Buffer.alloc(0);
    const run = (...readings: Reading[]) =>
      new Search({ draft: { text: 't' }, stages: [], key, keyStages: [[addsToKey('x')]], readings }).run();
    expect(run(reading(20, none), reading(32, hmac('t', 'kx')))?.key.steps).toHaveLength(1);
    const hashing = { id: 'hash-algorithm' };
    expect(run(reading(32, none), reading(20, hmac('t', 'k', 'sha1')))).toMatchObject({ hashing });
  });

  test('a key that two mistakes lead to once', () => {
    const keyStages = [[addsToKey('x'), addsToKey('x')]];
    expect(tried(['t/kx'], { keyStages })).toEqual(['t/kx']);
  });

  test.each([
    [31, [32, 64, 20, 16, 48, 28]],
    [32, [32, 64, 48]],
    [10, [32, 64, 20, 16, 48, 28]],
  ])(
    'only hashings whose digests are longer than the half that a part of %i bytes proves',
    (most, expected) => {
      const moreThan = most === 31 ? 0 : most;
      const sizes = new Set<number>();
      const readings = [{ layers: [], moreThan, matches: (digest: Buffer) => !sizes.add(digest.length) }];
      new Search({ draft: { text: 't' }, stages: [], key, keyStages: [], readings }).run();
      expect(sizes).toEqual(new Set(expected));
    },
  );
});

describe('a search that explains nothing', () => {
  /** The digests that it makes. */
  function digests({ draft = { text: 't' }, stages = [], keyStages = [] }: Given): number {
    let count = 0;
    // The length of a whole digest rules out the other hashings.
    const matches = () => ++count < 0;
    const readings = [{ layers: [], size: 32, moreThan: 64, matches }];
    expect(new Search({ draft, stages, key, keyStages, readings }).run()).toBeUndefined();
    return count;
  }

  const many = (change: Ingredient<Draft>) => [Array.from({ length: 60_000 }, () => change)];
  const unmade: Ingredient<Draft> = { ...adds(''), apply: () => undefined };
  let made = 0;
  const another = (text = ''): Ingredient<Draft> => ({
    ...adds(''),
    apply: () => ({ text: `${text}${made++}` }),
  });
  const ofParts: Ingredient<Draft> = {
    ...adds(''),
    apply: ({ text = '' }) => ({ tree: { members: [] }, text: `${made++}`.padStart(text.length) }),
  };

  /** How often a mistake is tried. */
  function tries(text: string, change: Ingredient<Draft>): number {
    let count = 0;
    const apply = (draft: Draft) => {
      count += 1;
      return change.apply(draft);
    };
    digests({ draft: { text }, stages: many({ ...change, apply, isLate: true }) });
    return count;
  }

  test.each([
    ['mistakes that cannot be made, in a short text', 't', unmade, 33_500],
    ['mistakes that cannot be made, in a body of 10 kB', ' '.repeat(10_000), unmade, 1_020],
    ['changed texts', 't', another(), 15_200],
    ['changed texts of 10 kB', ' '.repeat(10_000), another(' '.repeat(10_000)), 800],
    ['texts of 10 kB that are changed in their parts', ' '.repeat(10_000), ofParts, 320],
  ])('ends after some work, which is counted: %s', (_what, text, change, most) => {
    const count = tries(text, change);
    expect(count).toBeLessThanOrEqual(most);
    expect(count).toBeGreaterThan(0.98 * most);
  });

  test('ends after some work, which is counted, with keys', () => {
    const used: string[] = [];
    const keys = Array.from({ length: 60_000 }, (_, index) => addsToKey(String(index)));
    const counted = keys.map((each) => {
      const apply = (from: Key) => {
        used.push('');
        return each.apply(from);
      };
      return { ...each, apply };
    });
    // Only the right text with the right key: the keys alone are more than the work that is left.
    expect(digests({ keyStages: [counted] })).toBe(1);
    expect(used).toHaveLength(33_599);
  });
});
