import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readSignature } from '../../../src/workbench/diagnosis/notations.js';
import {
  Budget,
  Search,
  pairsOf,
  waysOf,
  type Way,
  type Ways,
} from '../../../src/workbench/diagnosis/search.js';
import { paymentTexts } from '../../../src/workbench/diagnosis/signed/payment-texts.js';
import * as lib from './languages.js';
import { hex, longOrder, ofPayment, refused, secretKey } from './support.js';

const sent = JSON.stringify(longOrder);
const orderLines = JSON.parse(sent) as lib.JsonObject;

/** Milliseconds of CPU that some work takes. */
function cpuOnce(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const escaped = (json: string) =>
  json.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Work of the same kind: JSON, escapes and digests of the body. It takes 60 ms on a machine with nothing else to do. */
function referenceWork(): void {
  for (let round = 0; round < 40; round += 1) {
    const text = escaped(JSON.stringify(JSON.parse(sent), null, round % 4));
    for (let key = 0; key < 10; key += 1) createHmac('sha256', String(key)).update(text).digest();
  }
}

/**
 * Milliseconds of CPU that some work takes on a machine with nothing else to do: both in turns, and the least of each, as
 * what else a machine does at that time makes both longer.
 */
function quietMs(work: () => unknown, rounds = 3): number {
  const times = Array.from({ length: rounds }, () => [cpuOnce(referenceWork), cpuOnce(work)] as const);
  const [reference, own] = [0, 1].map((index) => Math.min(...times.map((each) => each[index] ?? Infinity)));
  return ((own ?? Infinity) / (reference ?? Infinity)) * 60;
}

describe('a wrong signature of an order of 200 lines', () => {
  test.each([
    ['body-escaped', escaped(sent).replaceAll('/', '\\/'), secretKey],
    ['body-pretty-printed + body-escaped', escaped(JSON.stringify(longOrder, null, 2)), secretKey],
    ['body-escaped + line-breaks', `${escaped(sent)}\n`, secretKey],
    ['field-order + body-pretty-printed + body-escaped', lib.python(orderLines, { sort: true }), secretKey],
    [
      'number-format + body-pretty-printed + body-escaped',
      lib.python(lib.numbers(orderLines, lib.fixed(1), lib.amounts)),
      secretKey,
    ],
    ['secret-trimmed', sent, `${secretKey}\n`],
    ['secret-empty', sent, ''],
    ['body-pretty-printed + secret-trimmed', lib.python(orderLines, { ascii: false }), `${secretKey}\n`],
  ])('is explained as %s', (cause, signed, secret) => {
    expect(ofPayment(hex(signed, secret), sent).cause).toBe(cause);
  });

  test('takes far less CPU time than a reader would notice', () => {
    expect(quietMs(() => ofPayment(hex('something else'), sent), 5)).toBeLessThan(300);
  });

  test('takes a bounded number of digests, of a bounded number of characters', () => {
    const request = refused('/v2/payments', hex('something else'));
    const readings = readSignature(hex('something else'), { operation: 'payment', encoding: 'hex' });
    const work = { digests: 0, characters: 0 };
    const counted = (way: Way): Way => ({
      ...way,
      sign(text) {
        work.digests += 1;
        work.characters += text.length;
        return way.sign(text);
      },
    });
    const { right, wrong, wrongTwice } = waysOf(request);
    const [first, ...more] = right;
    const ways: Ways = {
      right: [counted(first), ...more.map(counted)],
      wrong: wrong.map(counted),
      wrongTwice: wrongTwice.map(counted),
    };
    expect(new Search(paymentTexts(Buffer.from(sent), request), ways, readings).run()).toBeUndefined();
    expect(work.digests).toBeGreaterThan(500);
    expect(work.digests).toBeLessThan(2000);
    expect(work.characters).toBeLessThan(100e6);
  });

  test('has the same diagnosis each time', () => {
    const signature = hex('something else');
    expect(ofPayment(signature, sent)).toEqual(ofPayment(signature, sent));
  });
});

const size = 1024 * 1024 - 100;

describe('the CPU time of a diagnosis is bounded', { timeout: 120_000 }, () => {
  test.each([
    ['numbers', `[${'1,'.repeat(size / 2 - 2)}1]`],
    ['brackets', '['.repeat(size / 2) + ']'.repeat(size / 2)],
    ['empty arrays', `${'['.repeat(90)}${'[],'.repeat(size / 3 - 100)}[]${']'.repeat(90)}`],
    ['objects', `[${'{"a":[1]},'.repeat(size / 10 - 2)}1]`],
    ['objects, as long as any that is read', `[${'{"a":[1]},'.repeat(13_000)}1]`],
    ['one string', `"${'á'.repeat(size / 2 - 2)}"`],
    ['escapes', `"${'\\u00e1'.repeat(size / 6 - 2)}"`],
    ['white space', `{${' '.repeat(size - 2)}}`],
    ['no JSON', `a${' '.repeat(1000)}`.repeat(size / 1001)],
    ['line feeds', `"a"${'\n'.repeat(size - 3)}`],
    ['percent signs', '%'.repeat(size)],
    ['combining marks', `"${'\u0301\u0323'.repeat(size / 4 - 2)}"`],
  ])('for a body of 1 MiB of %s', (_what, body) => {
    expect(quietMs(() => ofPayment(hex('something else'), body))).toBeLessThan(300);
  });

  test.each([
    ['numbers', '1,'.repeat(1000)],
    ['hyphens', 'ab-'.repeat(680)],
    ['escapes', `b'${'\\x41'.repeat(500)}'`],
    ['hex digits', 'ab'.repeat(8000)],
    ['hex digits, longer than any header', 'ab'.repeat(size)],
  ])('for a signature of %s', (_what, signature) => {
    expect(quietMs(() => ofPayment(signature, '{}'))).toBeLessThan(300);
  });
});

test('a budget is spent once as much work was done as it allows', () => {
  const budget = new Budget(2);
  budget.spend(1);
  expect(budget.isSpent).toBe(false);
  budget.spend(1);
  expect(budget.isSpent).toBe(true);
});

test('pairs are those of different values, each once', () => {
  expect(pairsOf(['a', 'b', 'c'])).toEqual([
    ['a', 'b'],
    ['a', 'c'],
    ['b', 'c'],
  ]);
});
