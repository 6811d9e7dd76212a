import { expect, test } from 'vitest';
import { nearestWord } from '../../src/values/nearest-word.js';

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
  expect(nearestWord(written, words)).toBe(word);
});

test.each(['', 'x', 'host', 'trop', 'p'.repeat(61)])('%j is near no word', (written) => {
  expect(nearestWord(written, words)).toBeUndefined();
});
