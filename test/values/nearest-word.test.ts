import { expect, test } from 'vitest';
import { didYouMean } from '../../src/values/nearest-word.js';

const words = ['port', 'webhook', 'journal-limit', 'scenario'];

test.each([
  ['prt', 'port'],
  ['prot', 'port'],
  ['PORT', 'port'],
  ['webhoko', 'webhook'],
  ['webook', 'webhook'],
  ['wbehoko', 'webhook'],
  ['journallimit', 'journal-limit'],
  ['scenraio', 'scenario'],
])('%j is near %j', (written, word) => {
  expect(didYouMean(written, words, '--')).toBe(`: did you mean --${word}?`);
});

test.each(['', 'x', 'host', 'trop', 'pzxt', 'prxt', 'pxot'])('%j is near no word', (written) => {
  expect(didYouMean(written, words)).toBe('');
});

test.each([
  ['world', 'scenario'],
  ["'plain'", "'baseline'"],
])('%j is a former name of %j', (written, word) => {
  expect(didYouMean(written, ['wordl', "'plan'", word])).toBe(`: did you mean ${word}?`);
});

test('a former name suggests nothing if its new name is not in the list', () => {
  expect(didYouMean('world', ['webhook'])).toBe('');
});

test('the nearest of several similar words is suggested', () => {
  expect(didYouMean('amuont', ['amounts', 'amount'])).toBe(': did you mean amount?');
});

test('up to three words that contain the text are suggested, unless a word is near', () => {
  const three = ['attemptTimeoutMs', 'totalTimeoutMs', 'idleTimeoutMs'];
  const meant = ': did you mean attemptTimeoutMs or totalTimeoutMs or idleTimeoutMs?';
  expect(didYouMean('timeout', three)).toBe(meant);
  expect(didYouMean('TIMEOUT', [...three, 'lastTimeout'])).toBe('');
  expect(didYouMean('time', ['times', 'timestamp'])).toBe(': did you mean times?');
  expect(didYouMean('out', three)).toBe('');
});

test('a third of a word can differ, and no more', () => {
  expect(didYouMean('rex', ['ref'])).toBe(': did you mean ref?');
  expect(didYouMean('rxx', ['ref'])).toBe('');
});

test('a word of more than 60 characters is not compared', () => {
  const word = 'p'.repeat(60);
  expect(didYouMean(word, [word])).not.toBe('');
  expect(didYouMean(`${word}p`, [word])).toBe('');
});
