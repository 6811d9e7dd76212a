import { expect, test } from 'vitest';
import { didYouMean } from '../../src/values/nearest-word.js';

const words = ['port', 'webhook', 'journal-limit', 'world'];

test.each([
  ['prt', 'port'],
  ['prot', 'port'],
  ['PORT', 'port'],
  ['webhoko', 'webhook'],
  ['webook', 'webhook'],
  ['journallimit', 'journal-limit'],
  ['wrold', 'world'],
])('%j is near %j', (written, word) => {
  expect(didYouMean(written, words, '--')).toBe(`: did you mean --${word}?`);
});

test.each(['', 'x', 'host', 'trop', 'p'.repeat(61)])('%j is near no word', (written) => {
  expect(didYouMean(written, words)).toBe('');
});
