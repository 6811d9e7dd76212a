import { expect, test } from 'vitest';
import { digests } from '../../../src/workbench/diagnosis/digests.js';
import { wrongKeys } from '../../../src/workbench/diagnosis/keys.js';
import { listed, rows } from '../../../src/workbench/diagnosis/row.js';
import { search } from '../../../src/workbench/diagnosis/search.js';
import { paymentTexts } from '../../../src/workbench/diagnosis/signed/payment-texts.js';
import { longOrder, refused, secretKey } from './support.js';

test('a search takes a bounded number of digests and bytes where nothing explains a signature', () => {
  const request = refused('/v2/payments', '');
  const texts = paymentTexts(Buffer.from(JSON.stringify(longOrder)), request);
  const work = { digests: 0, hashed: 0, written: 0 };
  const counted = digests.map(({ hash, ...digest }) => ({
    ...digest,
    hash: (text: Uint8Array, key: Uint8Array) => {
      work.digests += 1;
      work.hashed += text.length;
      return hash(text, key);
    },
  }));
  const found = search({
    *texts(count) {
      for (const each of texts(count)) {
        work.written += each.text.length;
        yield each;
      }
    },
    secretKeys: [secretKey],
    keys: wrongKeys(request),
    digests: counted,
    readings: [{ mistakes: [], digest: 'x'.repeat(32) }],
  });
  expect(found).toBeUndefined();
  // A millisecond each for 400 digests, for a megabyte, and for 66 kB of text that is written.
  expect(work.digests).toBeLessThan(400);
  expect(work.hashed).toBeLessThan(20e6);
  expect(work.written).toBeLessThan(8e6);
});

test('a search makes no digest of another size, of a text that it had, or with a key that is right', () => {
  const made: string[] = [];
  const counted = [32, 20].map((size) => ({
    mistakes: [],
    size,
    hash: (text: Uint8Array, key: Uint8Array) => {
      made.push([size, Buffer.from(text), Buffer.from(key)].join(' '));
      return '';
    },
  }));
  const found = search({
    texts: (count) => ['a', 'ab'].slice(0, count + 1).map((text) => ({ mistakes: [], text })),
    secretKeys: ['key'],
    keys: rows<string, string>('secret-quoted', '%', [
      ['the right one', (key) => key],
      ['none', () => undefined],
    ]),
    digests: counted,
    readings: [{ mistakes: [], digest: 'x'.repeat(32) }],
  });
  expect(found).toBeUndefined();
  expect(made).toEqual(['32 a key', '32 ab key']);
});

test('the rows of a list of texts are each a text and its own words', () => {
  const made = listed('text-added', 'The text was %.', 'a b | c|d \n  |   e');
  expect(made.map(({ says, change }) => [says, change(0)])).toEqual([
    ['The text was a b.', 'a b'],
    ['The text was c|d.', 'c|d'],
    ['The text was e.', 'e'],
  ]);
});
