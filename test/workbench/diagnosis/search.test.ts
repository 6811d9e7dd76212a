import { describe, expect, test } from 'vitest';
import { Candidate, onText, type Step } from '../../../src/workbench/diagnosis/candidates/candidate.js';
import { mistake, type Mistake, type MistakeId } from '../../../src/workbench/diagnosis/mistake.js';
import { Search, type Candidates } from '../../../src/workbench/diagnosis/search.js';
import type { Signing } from '../../../src/workbench/diagnosis/signings.js';
import { cases } from './corpus.js';
import { hex, merchant, ofPayment } from './support.js';

/** Signs by writing its name before the text, so that a test says which text was signed, and how. */
const signing = (name: string, ...ids: readonly MistakeId[]): Signing => ({
  size: 1,
  sign: (text) => `${name}:${Buffer.from(text).toString()}`,
  mistakes: ids.map((id) => mistake(id)),
});
const signings = {
  right: [signing('right'), signing('second key')] as const,
  wrong: [{ ...signing('other size'), size: 2 }, signing('wrong', 'secret-empty')],
  wrongTwice: [signing('wrong twice', 'secret-empty', 'arguments-swapped')],
};

/** Adds a mark to the text. */
const adds = (id: MistakeId, mark: string): Step[] => onText({ [id]: (text: string) => text + mark });
const [a, b, c] = [adds('body-encoded.a', 'a'), adds('url-encoded.b', 'b'), adds('html-encoded.c', 'c')];
const nothing = onText({ 'values-trimmed': (text) => text, 'body-empty': () => undefined });

const unwritten = new Candidate({ tree: '', write: () => undefined });
const sent = unwritten.with({ text: 'sent-' }, () => []);

/** The IDs of the mistakes that lead to this signature. */
function search(signature: string, given: Partial<Candidates>, mistakes: readonly Mistake[] = []) {
  const candidates = { sent, lists: [], alone: [], workPerStep: 0, ...given };
  const fits = (digest: string) => digest === signature;
  const match = new Search(candidates, signings, [{ mistakes, size: 1, fits }]).run();
  return match && [match.text.toString(), ...match.mistakes.map(({ id }) => id)];
}

describe('a search', () => {
  test.each([
    ['what was sent', 'right:sent-', ['sent-']],
    ['what was sent, with the second key', 'second key:sent-', ['sent-']],
    ['a wrong way of signing', 'wrong:sent-', ['sent-', 'secret-empty']],
    ['one step', 'right:sent-b', ['sent-b', 'url-encoded.b']],
    ['one step, with the second key', 'second key:sent-b', ['sent-b', 'url-encoded.b']],
    ['a step that is not combined', 'right:sent-c', ['sent-c', 'html-encoded.c']],
    ['two wrongs in the way of signing', 'wrong twice:sent-', ['sent-', 'secret-empty', 'arguments-swapped']],
    ['a step and a wrong way of signing', 'wrong:sent-a', ['sent-a', 'body-encoded.a', 'secret-empty']],
    ['two steps', 'right:sent-ab', ['sent-ab', 'body-encoded.a', 'url-encoded.b']],
    ['two steps, with the second key', 'second key:sent-ab', ['sent-ab', 'body-encoded.a', 'url-encoded.b']],
    ['two steps in the order in which nothing makes them', 'right:sent-ba', undefined],
    ['one step twice', 'right:sent-aa', undefined],
    ['a step that is not combined, and another one', 'right:sent-ac', undefined],
    ['a step that is not combined, and a wrong way of signing', 'wrong:sent-c', undefined],
    ['a step, and two wrongs in the way of signing', 'wrong twice:sent-a', undefined],
    ['two steps, and a wrong way of signing', 'wrong:sent-ab', undefined],
    ['a way of signing whose digest has another size', 'other size:sent-', undefined],
  ])('finds the fewest mistakes, two at most: %s', (_what, signature, found) => {
    expect(search(signature, { lists: [a, nothing, b], alone: c })).toEqual(found);
  });

  test('does not combine two steps of the same list', () => {
    expect(search('right:sent-ab', { lists: [[...a, ...b]] })).toBeUndefined();
  });

  test('counts a wrong notation as one of two mistakes', () => {
    const wrong = [mistake('digest-cut')];
    const given = { lists: [a, b] };
    expect(search('right:sent-', given, wrong)).toEqual(['sent-', 'digest-cut']);
    expect(search('wrong:sent-', given, wrong)).toEqual(['sent-', 'secret-empty', 'digest-cut']);
    expect(search('right:sent-a', given, wrong)).toEqual(['sent-a', 'body-encoded.a', 'digest-cut']);
    for (const signature of ['wrong twice:sent-', 'wrong:sent-a', 'right:sent-ab'])
      expect(search(signature, given, wrong)).toBeUndefined();
  });

  test('compares only digests of the same size', () => {
    const candidates = { sent, lists: [a], alone: [], workPerStep: 0 };
    const readings = [{ mistakes: [], size: 3, fits: () => true }];
    const unused = { ...signing('unused'), size: 2, sign: () => expect.fail('its size is not wanted') };
    const ways = { ...signings, wrong: [unused] };
    expect(new Search(candidates, ways, readings).run()).toBeUndefined();
  });

  test('combines data that has no text with a step that writes it', () => {
    const unwritable: Step = (from) =>
      from.with({ tree: '1', write: () => undefined }, () => [mistake('body-empty')]);
    const written: Step = (from) =>
      from.with({ write: (tree) => `w${tree as string}` }, () => [mistake('body-signed.file')]);
    const lists = [[unwritable], [written]];
    expect(search('right:w1', { lists })).toEqual(['w1', 'body-empty', 'body-signed.file']);
    expect(search('wrong:', { lists })).toBeUndefined();
  });

  test('tries the last steps after all pairs, also for a wrong notation, and does not combine them', () => {
    const given = { lists: [a, b], last: adds('html-encoded.c', 'ab').concat(c) };
    expect(search('right:sent-ab', given)).toEqual(['sent-ab', 'body-encoded.a', 'url-encoded.b']);
    const wrong = [mistake('digest-cut')];
    expect(search('second key:sent-c', given, wrong)).toEqual(['sent-c', 'html-encoded.c', 'digest-cut']);
    for (const signature of ['wrong:sent-c', 'right:sent-ac'])
      expect(search(signature, given)).toBeUndefined();
  });

  test('tries the most likely pairs first, and no pair whose first step leads to a known text', () => {
    const taken: string[] = [];
    const logged = (steps: readonly Step[]): Step[] =>
      steps.map((step) => (from) => {
        const next = step(from);
        taken.push(String(next?.text).slice(5));
        return next;
      });
    const again = adds('slashes-added', 'a');
    const lists = [[...a, ...again], [...adds('body-empty', 'd'), ...b], c];
    search('none', { lists: lists.map(logged) });
    expect(taken).toEqual(['a', 'a', 'd', 'b', 'c', 'ad', 'ac', 'dc', 'ab', 'bc']);
  });
});

describe('the work of a search', () => {
  const counted = () => {
    const work = { steps: 0 };
    const step: Step = (from) => {
      work.steps += 1;
      return from.with({ text: `${String(from.text)}${work.steps}` }, () => []);
    };
    return { work, step };
  };

  test.each([
    ['the steps', 60e6 - 3001, 1, 2],
    ['the steps, with the length of their texts', 30e6, 10e6, 3],
  ])('is bounded for %s', (_what, workPerStep, length, most) => {
    const { work, step } = counted();
    const long: Step = (from) => step(from)?.with({ text: `${work.steps}`.padEnd(length) }, () => []);
    const steps = [long, long, long, long, long];
    search('none', { lists: [steps], workPerStep });
    expect(work.steps).toBe(most);
    search('none', { last: steps, workPerStep });
    expect(work.steps).toBe(2 * most);
  });

  test('is none for a signature that cannot be read, and excludes pairs if the notation is wrong', () => {
    const { work, step } = counted();
    const candidates = { sent, lists: [[step], [step]], alone: [], workPerStep: 0 };
    expect(new Search(candidates, signings, []).run()).toBeUndefined();
    expect(work.steps).toBe(0);
    search('none', candidates, [mistake('digest-cut')]);
    expect(work.steps).toBe(2);
  });

  test('is bounded for pairs of steps', () => {
    const { work, step } = counted();
    const lists = [[step], [step, step, step, step]];
    // Five single steps, and pairs until their work is done.
    search('none', { lists, workPerStep: 20e6 });
    expect(work.steps).toBe(5 + 4);
    search('none', { lists, workPerStep: 23.9e6 });
    expect(work.steps).toBe(9 + 5 + 3);
  });

  test('is bounded for the ways of signing', () => {
    let signed = 0;
    const sign = (text: string | Uint8Array) => {
      signed += 1;
      return String(text.length);
    };
    const many = Array.from({ length: 5 }, () => ({ ...signing('many'), sign }));
    const long = unwritten.with({ text: ''.padEnd(12.5e6 - 3000) }, () => []);
    const candidates = { sent: long, lists: [], alone: [], workPerStep: 0 };
    const readings = [{ mistakes: [], size: 1, fits: () => false }];
    new Search(candidates, { right: [signing('right')], wrong: many, wrongTwice: [] }, readings).run();
    expect(signed).toBe(2);
  });
});

test('each mistake is searched with each key of a merchant', () => {
  const body = cases[0]?.body ?? Buffer.alloc(0);
  const own = { merchant: { ...merchant, secretKeys: ['first', 'second'] as const } };
  expect(ofPayment(hex(`${body.toString()}\n`, 'second'), body, own).cause).toBe('line-breaks');
  expect(ofPayment(hex(body, 'second\n'), body, own).cause).toBe('secret-trimmed');
});
