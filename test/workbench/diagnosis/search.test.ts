import { expect, test } from 'vitest';
import { cases } from './corpus.js';
import { hex, merchant, ofPayment } from './support.js';

test('each mistake is looked for with each of the keys of a merchant', () => {
  const body = cases[0]?.body ?? Buffer.alloc(0);
  const own = { merchant: { ...merchant, secretKeys: ['first', 'second'] as const } };
  expect(ofPayment(hex(`${body.toString()}\n`, 'second'), body, own).cause).toBe('line-breaks');
  expect(ofPayment(hex(body, 'second\n'), body, own).cause).toBe('secret-trimmed');
});
